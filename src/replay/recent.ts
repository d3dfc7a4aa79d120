/** What is kept at most. */
const SLOTS = 4096;
const NOTHING = new Uint32Array(0);

/** What was made lately and more than once, by number: most is asked for again, or never. */
export class Recent<Value> {
  /** Room is made when there is something to keep, which at a start there is not. */
  #known: (Value | undefined)[] = [];
  /** Of each slot: the number that was looked at there last, plus one. */
  #last = NOTHING;

  of(number: number): Value | undefined {
    const slot = number % SLOTS;
    return this.#last[slot] === number + 1 ? this.#known[slot] : undefined;
  }

  /** Keeps it if it was made before, and is `worth` it. */
  keep(number: number, value: Value, worth = true): Value {
    if (this.#last.length === 0) this.#last = new Uint32Array(SLOTS);
    const slot = number % SLOTS;
    const keeps = worth && this.#last[slot] === number + 1;
    if (keeps && this.#known.length === 0) this.#known = new Array(SLOTS).fill(undefined);
    if (this.#known.length > 0) this.#known[slot] = keeps ? value : undefined;
    this.#last[slot] = number + 1;
    return value;
  }
}
