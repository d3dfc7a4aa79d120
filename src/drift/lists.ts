import { canonicalJson } from "../protocol/canonical.ts";
import type { JsonValue } from "../protocol/message.ts";
import { groupsOf } from "../replay/groups.ts";
import { alignEqual } from "../rerecord/align.ts";

/** One element of a list that is not in both as it is. Indexes are of each list. */
export interface ListStep {
  readonly old: number | undefined;
  readonly fresh: number | undefined;
}

export interface ListOptions {
  /** Equal for elements that are as good as equal. */
  readonly textOf?: ((element: JsonValue, index: number) => string) | undefined;
  /** Equal texts are not enough, so such elements are steps too. */
  readonly compares?: boolean | undefined;
  /** The order of elements does not matter. */
  readonly unordered?: boolean | undefined;
}

/**
 * How one list became another: what is equal in both stays out, what stands between is the same element, changed, as
 * long as there is one in both, and is gone or new otherwise. `moved` when nothing but the order differs.
 */
export function compareLists(
  old: readonly JsonValue[],
  fresh: readonly JsonValue[],
  { textOf = (each) => canonicalJson(each), compares = false, unordered = false }: ListOptions = {},
): readonly ListStep[] | "moved" {
  const numbers = new Map<string, number>();
  const numbered = (list: readonly JsonValue[]) =>
    list.map((each, index) => {
      const text = textOf(each, index);
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    });
  const [a, b] = [numbered(old), numbered(fresh)];
  if (unordered) return withoutOrder(a, b);
  const equal = alignEqual(a, b);
  if (equal.length < a.length && a.length === b.length && isSameSet(a, b)) return "moved";
  const steps: ListStep[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...equal, [a.length, b.length] as const]) {
    for (; i < nextI || j < nextJ; i++, j++) {
      steps.push({ old: i < nextI ? i : undefined, fresh: j < nextJ ? j : undefined });
    }
    if (compares && nextI < a.length) steps.push({ old: nextI, fresh: nextJ });
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return steps;
}

/** Of what is left when all that is equal is gone, the n-th is the n-th. */
function withoutOrder(a: readonly number[], b: readonly number[]): ListStep[] {
  const places = groupsOf([...b.keys()], (j) => b[j]);
  const gone = [...a.keys()].filter((i) => places.get(a[i])?.shift() === undefined);
  const come = [...places.values()].flat().sort((x, y) => x - y);
  const length = Math.max(gone.length, come.length);
  return Array.from({ length }, (_, index) => ({ old: gone[index], fresh: come[index] }));
}

function isSameSet(a: readonly number[], b: readonly number[]): boolean {
  const sorted = (list: readonly number[]) => [...list].sort((x, y) => x - y).join();
  return sorted(a) === sorted(b);
}
