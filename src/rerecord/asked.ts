import type { Outlined } from "./outline.ts";

const NONE = -1;

/** Old exchanges by question, in wire order. */
export class Asked {
  readonly #old: readonly Outlined[];
  readonly #fits: (fresh: Outlined, old: Outlined) => boolean;
  /** The index of the first that is not taken, or -1. */
  readonly #first = new Map<string, number>();
  /** Of each, the next that asks the same and is not taken, or -1: lists of their own would be many. */
  readonly #next: Int32Array;

  constructor(old: readonly Outlined[], fits: (fresh: Outlined, old: Outlined) => boolean) {
    this.#old = old;
    this.#fits = fits;
    this.#next = new Int32Array(old.length);
    for (let index = old.length - 1; index >= 0; index--) {
      const { key } = old[index] as Outlined;
      this.#next[index] = this.#first.get(key) ?? NONE;
      this.#first.set(key, index);
    }
  }

  has(key: string): boolean {
    return this.#first.has(key);
  }

  /** The first that is not taken and fits. */
  take(fresh: Outlined, fits = this.#fits): Outlined | undefined {
    let before = NONE;
    for (
      let index = this.#first.get(fresh.key) ?? NONE;
      index !== NONE;
      index = this.#next[index] as number
    ) {
      const old = this.#old[index] as Outlined;
      if (fits(fresh, old)) {
        const next = this.#next[index] as number;
        if (before === NONE) this.#first.set(fresh.key, next);
        else this.#next[before] = next;
        return old;
      }
      before = index;
    }
    return undefined;
  }
}
