/** Pairs of indexes. */
export type Pairs = (readonly [number, number])[];

/** Longest lists that are compared in every way; of longer ones what is equal is found from the front. */
const MOST_CELLS = 1_000_000;

/** Which elements of two lists are the same, in order: a longest common subsequence. */
export function alignEqual(a: readonly number[], b: readonly number[]): Pairs {
  const pairs: Pairs = [];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    pairs.push([start, start]);
    start++;
  }
  let endA = a.length;
  let endB = b.length;
  const tail: Pairs = [];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) tail.push([--endA, --endB]);
  const middle = { a: a.slice(start, endA), b: b.slice(start, endB) };
  const inner =
    middle.a.length * middle.b.length <= MOST_CELLS
      ? longest(middle.a, middle.b)
      : fromTheFront(middle.a, middle.b);
  for (const [i, j] of inner) pairs.push([start + i, start + j]);
  return pairs.concat(tail.reverse());
}

function longest(a: readonly number[], b: readonly number[]): Pairs {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? 1 + (lengths[(i + 1) * width + j + 1] as number)
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
    }
  }
  const pairs: Pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i++;
    else j++;
  }
  return pairs;
}

function fromTheFront(a: readonly number[], b: readonly number[]): Pairs {
  const places = new Map<number, number[]>();
  for (let j = b.length - 1; j >= 0; j--) {
    const value = b[j] as number;
    const list = places.get(value);
    if (list) list.push(j);
    else places.set(value, [j]);
  }
  const pairs: Pairs = [];
  let from = 0;
  for (const [i, value] of a.entries()) {
    const list = places.get(value) ?? [];
    while (list.length > 0 && (list.at(-1) as number) < from) list.pop();
    const j = list.pop();
    if (j === undefined) continue;
    pairs.push([i, j]);
    from = j + 1;
  }
  return pairs;
}
