import type { Change, ChangeClass } from "../contract/change.ts";
import type { AcceptedChange } from "../drift/accepted.ts";
import { CLASSES, type Comparison, type Drift, isEmpty } from "../drift/drift.ts";
import { groupsOf } from "../replay/groups.ts";
import { showable } from "./paint.ts";

/** The worst class there is, `same` when nothing differs, `nothing-compared` when nothing can be said. */
export type Verdict = ChangeClass | "same" | "nothing-compared";

export function verdictOf(drift: Drift): Verdict {
  return CLASSES.find((each) => drift.counts[each] > 0) ?? (isEmpty(drift) ? "nothing-compared" : "same");
}

/** `2 breaking, 1 risky`, or `no change`. */
export function countsInWords({ counts }: Pick<Drift, "counts">): string {
  const parts = CLASSES.filter((each) => counts[each] > 0).map((each) => `${counts[each]} ${each}`);
  return parts.join(", ") || "no change";
}

/** `12 exchanges and 3 tools compared`. */
export function comparedInWords({ compared }: Pick<Drift, "compared">): string {
  const parts = Object.entries(compared)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString("en")} ${count === 1 ? what.replace(/s$/, "") : what}`);
  if (parts.length === 0) return "nothing in common";
  const last = parts.pop() as string;
  return `${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last} compared`;
}

/** What to say when the two sides have nothing in common. */
export const NOTHING_COMPARED =
  "Nothing was compared: the two sides have no request, and nothing on a list, in common. That is no pass.";

/** Subjects named of those that were withheld for one reason. */
const MOST_WITHHELD = 8;

/** The notes of a drift, and before them what was not asked again and why. */
export function notesOf({ withheld, notes }: Pick<Drift, "withheld" | "notes">): string[] {
  const sentences = [...groupsOf(withheld, ({ reason }) => reason)].map(([reason, all]) => {
    const subjects = [...new Set(all.map(({ subject }) => subject))];
    const more = subjects.length - MOST_WITHHELD;
    const named = subjects.slice(0, MOST_WITHHELD).join(", ") + (more > 0 ? `, and ${more} more` : "");
    const what =
      all.length === 1 ? "1 request was not made and is" : `${all.length} requests were not made and are`;
    return `${what} not compared (${reason}): ${named}`;
  });
  return [...sentences, ...notes];
}

/** What a comparison is called: one name, or two where it was called otherwise before. */
export function nameOf({ old, new: fresh }: Pick<Comparison, "old" | "new">): string {
  if (old === null || fresh === null || old === fresh) return fresh ?? old ?? "";
  return `${old} → ${fresh}`;
}

/** Why a change is accepted, and until when. */
export function acceptedInWords({ reason, expires }: AcceptedChange): string {
  const line = reason.trim().replace(/\s*\n\s*/g, " ");
  return expires === undefined ? line : `${line} (until ${expires})`;
}

/** The file at which a comparison's changes are shown. */
export function fileOf({ file, old, new: fresh }: Pick<Comparison, "file" | "old" | "new">): string {
  return file ?? fresh ?? old ?? "";
}

/** Changes by what they are about, in the order in which they were found. */
export function bySubject(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  return groupsOf(changes, ({ subject }) => subject);
}

/** Whether a change is shown as lines rather than as two values. */
export function isTextChange({ before, after }: Change): boolean {
  return (
    typeof before === "string" && typeof after === "string" && /\n/.test(before.trimEnd() + after.trimEnd())
  );
}

/** Whether one is a text and the other is not: quotes tell `"1"` from `1`. */
function isMixed(before: unknown, after: unknown): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    (typeof before === "string") !== (typeof after === "string")
  );
}

/** The old value and the new one, as far as they are there, each on one line. */
export function valuesOf(
  { before, after }: Pick<Change, "before" | "after">,
  longest: number,
): { readonly name: "old" | "new"; readonly text: string }[] {
  const quoted = isMixed(before, after);
  const told = [
    { name: "old", value: before },
    { name: "new", value: after },
  ] as const;
  return told
    .filter(({ value }) => value !== undefined)
    .map(({ name, value }) => ({ name, text: showable(inline(value, longest, quoted)) }));
}

/** A value on one line, cut where it is longer than `longest` characters. A text is `quoted`, or stands as it is. */
export function inline(value: unknown, longest: number, quoted = false): string {
  const text = typeof value === "string" && !quoted ? value : (JSON.stringify(value) ?? "");
  return cut(text.replace(/\s*\n\s*/g, " ⏎ "), longest);
}

export function cut(text: string, longest: number): string {
  const characters = Array.from(text.slice(0, 2 * longest + 2));
  if (characters.length <= longest) return text;
  return `${characters.slice(0, Math.max(1, longest - 1)).join("")}…`;
}

/** Two values on a line each, cut so that where they begin to differ is seen. */
export function inlinePair(before: unknown, after: unknown, longest: number): [string, string] {
  const quoted = isMixed(before, after);
  const [a = "", b = ""] = [before, after].map((each) => inline(each, Number.MAX_SAFE_INTEGER, quoted));
  if (a.length <= longest && b.length <= longest) return [a, b];
  const pair = { same: sameStart(a, b), length: Math.max(a.length, b.length) };
  return [cutNear(a, pair, longest), cutNear(b, pair, longest)];
}

/** How much two texts have in common at their beginning, in UTF-16 units. */
export function sameStart(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same;
}

/** Two texts that are cut alike: how much they have in common at their beginning, and the longer one's length. */
export interface CutPair {
  readonly same: number;
  readonly length: number;
}

/** One of two texts, cut so that where they begin to differ is seen. */
export function cutNear(text: string, { same, length }: CutPair, longest: number): string {
  const from = Math.max(0, Math.min(same - Math.floor(longest / 3), length - longest + 1));
  return from === 0 ? cut(text, longest) : cut(`…${text.slice(from)}`, longest);
}
