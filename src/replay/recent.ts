/** What is kept at most. */
const SLOTS = 4096;

/** What was made lately and more than once, by number: most is asked for again, or never. */
export class Recent<Value> {
  readonly #known: (Value | undefined)[] = new Array(SLOTS).fill(undefined);
  /** Of each slot: the number that was looked at there last, plus one. */
  readonly #last = new Uint32Array(SLOTS);

  of(number: number): Value | undefined {
    const slot = number % SLOTS;
    return this.#last[slot] === number + 1 ? this.#known[slot] : undefined;
  }

  /** Keeps it if it was made before, and is `worth` it. */
  keep(number: number, value: Value, worth = true): Value {
    const slot = number % SLOTS;
    const isAgain = this.#last[slot] === number + 1;
    this.#known[slot] = isAgain && worth ? value : undefined;
    this.#last[slot] = number + 1;
    return value;
  }
}
