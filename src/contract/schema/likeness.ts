import { isObject } from "../contract.ts";
import { isPlainlyApart } from "./alternatives.ts";
import { type Case, memberNames } from "./case.ts";
import { wordless } from "./words.ts";

/** Alternatives that are put side by side by what they say. */
const MOST = 60;

/** Where there are as many on both sides: each with the one that is most like it, or else stands where it stood. */
export function pairsOf(a: readonly Case[], b: readonly Case[]): [Case, Case][] {
  if (a.length !== b.length) return [];
  if (a.length === 1 || a.length > MOST) return a.map((each, index) => [each, b[index] as Case]);
  const all = a.flatMap((one, i) => b.map((other, j) => ({ i, j, likeness: likeness(one, other) })));
  all.sort((x, y) => y.likeness - x.likeness || Math.abs(x.i - x.j) - Math.abs(y.i - y.j));
  const [taken, given] = [new Set<number>(), new Set<number>()];
  const pairs = all.filter(({ i, j }) => {
    if (taken.has(i) || given.has(j)) return false;
    taken.add(i);
    given.add(j);
    return true;
  });
  return pairs.sort((x, y) => x.i - y.i).map(({ i, j }) => [a[i] as Case, b[j] as Case]);
}

const SAME = 1000;

/** Names that both have, less those that only one has; most where both are written alike, least where no value fits both. */
function likeness(a: Case, b: Case): number {
  if (isPlainlyApart(a, b)) return -SAME;
  const [own, other] = [new Set(memberNames([a])), new Set(memberNames([b]))];
  const both = [...own].filter((name) => other.has(name)).length;
  const score = 3 * both - own.size - other.size;
  return score === own.size && textOf(a) === textOf(b) ? SAME : score;
}

const texts = new WeakMap<Case, string>();

function textOf(each: Case): string {
  const known = texts.get(each);
  if (known !== undefined) return known;
  const text = each.origins
    .filter(({ schema }) => isObject(schema) && !schema.anyOf && !schema.oneOf)
    .map(({ schema }) => wordless(schema))
    .join(" & ");
  texts.set(each, text);
  return text;
}
