/** The entries of each exchange, one exchange after the other. */
export class EntryLists {
  readonly #ordinals: Int32Array;
  /** Where each exchange's begin; one more tells where the last one's end. */
  readonly #starts: Int32Array;

  /** @param homes of each entry, the index of its exchange; -1 where it is of none */
  constructor(homes: Int32Array, exchanges: number) {
    const starts = new Int32Array(exchanges + 1);
    for (const home of homes) if (home >= 0) starts[home + 1] = (starts[home + 1] as number) + 1;
    for (let index = 0; index < exchanges; index++) {
      starts[index + 1] = (starts[index + 1] as number) + (starts[index] as number);
    }
    const next = starts.slice();
    this.#starts = starts;
    this.#ordinals = new Int32Array(starts[exchanges] as number);
    for (const [ordinal, home] of homes.entries()) {
      if (home < 0) continue;
      const at = next[home] as number;
      this.#ordinals[at] = ordinal;
      next[home] = at + 1;
    }
  }

  /** Ordinals, in wire order. */
  of(exchange: number): readonly number[] {
    return [...this.#ordinals.subarray(this.#starts[exchange], this.#starts[exchange + 1])];
  }
}
