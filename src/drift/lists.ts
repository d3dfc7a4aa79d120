import { canonicalJson } from "../protocol/canonical.ts";
import type { JsonValue } from "../protocol/message.ts";
import { alignEqual } from "../rerecord/align.ts";

/** One element of a list that is not in both as it is. Indexes are of each list. */
export interface ListStep {
  readonly old: number | undefined;
  readonly fresh: number | undefined;
}

/**
 * How one list became another: what is equal in both stays out, what stands between is the same element, changed, as
 * long as there is one in both, and is gone or new otherwise. `moved` when nothing but the order differs.
 */
export function compareLists(
  old: readonly JsonValue[],
  fresh: readonly JsonValue[],
): readonly ListStep[] | "moved" {
  const numbers = new Map<string, number>();
  const numbered = (list: readonly JsonValue[]) =>
    list.map((each) => {
      const text = canonicalJson(each);
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    });
  const [a, b] = [numbered(old), numbered(fresh)];
  const equal = alignEqual(a, b);
  if (equal.length < a.length && a.length === b.length && isSameSet(a, b)) return "moved";
  const steps: ListStep[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...equal, [a.length, b.length] as const]) {
    for (; i < nextI || j < nextJ; i++, j++) {
      steps.push({ old: i < nextI ? i : undefined, fresh: j < nextJ ? j : undefined });
    }
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return steps;
}

function isSameSet(a: readonly number[], b: readonly number[]): boolean {
  const sorted = (list: readonly number[]) => [...list].sort((x, y) => x - y).join();
  return sorted(a) === sorted(b);
}
