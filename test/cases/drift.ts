import type { Change } from "../../src/contract/change.ts";
import { type ComparingOptions, compareRecordings } from "../../src/drift/compare-recordings.ts";
import type { RecordedEntries } from "../../src/drift/side.ts";
import type { Entry, Header } from "../../src/exchange/entry.ts";
import { STDIO } from "./tape.ts";

/** A recording in memory. */
export function recorded(entries: readonly Entry[], header: Header = STDIO): RecordedEntries {
  const timed = entries.map((each, index) => ({ ...each, at: each.at || index }));
  return {
    header,
    count: timed.length,
    entryAt(ordinal) {
      const found = timed[ordinal];
      if (!found) throw new RangeError(`no entry ${ordinal}`);
      return found;
    },
  };
}

export async function changesBetween(
  old: RecordedEntries,
  fresh: RecordedEntries,
  options: ComparingOptions = {},
): Promise<readonly Change[]> {
  return (await compareRecordings(old, fresh, options)).changes;
}

/** Changes as lines: `risky answer-text-changed tools/call forecast /content/0/text`. */
export async function changeLines(
  old: RecordedEntries,
  fresh: RecordedEntries,
  options: ComparingOptions = {},
): Promise<string[]> {
  return (await changesBetween(old, fresh, options)).map(({ class: own, rule, subject, pointer }) =>
    `${own} ${rule} ${subject} ${pointer}`.trimEnd(),
  );
}
