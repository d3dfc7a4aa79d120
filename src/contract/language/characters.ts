/** A set of Unicode code points: the first and last of each run of them, in order, runs apart from each other. */
export type Characters = readonly number[];

const LAST_CHARACTER = 0x10ffff;
export const ALL_CHARACTERS: Characters = [0, LAST_CHARACTER];

/** Runs in any order, which may overlap. */
export function charactersOf(runs: readonly (readonly [first: number, last: number])[]): Characters {
  const sorted = [...runs].sort(([a], [b]) => a - b);
  const joined: number[] = [];
  for (const [first, last] of sorted) {
    const end = joined.at(-1);
    if (end === undefined || first > end + 1) joined.push(first, last);
    else if (last > end) joined[joined.length - 1] = last;
  }
  return joined;
}

export function runsOf(set: Characters): (readonly [first: number, last: number])[] {
  return Array.from({ length: set.length / 2 }, (_, i) => [set[2 * i] as number, set[2 * i + 1] as number]);
}

export function otherCharacters(set: Characters): Characters {
  const left: number[] = [];
  let next = 0;
  for (const [first, last] of runsOf(set)) {
    if (first > next) left.push(next, first - 1);
    next = last + 1;
  }
  if (next <= LAST_CHARACTER) left.push(next, LAST_CHARACTER);
  return left;
}

export function unionOf(a: Characters, b: Characters): Characters {
  return charactersOf([...runsOf(a), ...runsOf(b)]);
}

export function hasCharacter(set: Characters, code: number): boolean {
  let [low, high] = [0, set.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[2 * middle + 1] as number) < code) low = middle + 1;
    else high = middle;
  }
  const first = set[2 * low];
  return first !== undefined && first <= code;
}
