import type { Entry } from "../../src/exchange/entry.ts";
import type { EntrySource } from "../../src/replay/recording.ts";

/** All entries of a source, in wire order. */
export function entriesOf(source: EntrySource): Entry[] {
  const entries: Entry[] = [];
  for (let some = source.next(1000); some.length > 0; some = source.next(1000)) {
    for (const each of some) {
      if (!("hash" in each)) entries.push(each);
      else for (let i = 0; i < 2; i++) entries.push(source.entryAt(entries.length));
    }
  }
  return entries;
}
