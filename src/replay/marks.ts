import { Counts } from "./counts.ts";

/** Which of many numbered things have a mark: 32 of them to a word, so that those in use stay at hand. */
export class Marks {
  readonly #words = new Counts();

  has(number: number): boolean {
    return (this.#words.of(number >>> 5) & bitOf(number)) !== 0;
  }

  put(number: number): void {
    this.#words.set(number >>> 5, this.#words.of(number >>> 5) | bitOf(number));
  }

  remove(number: number): void {
    this.#words.set(number >>> 5, this.#words.of(number >>> 5) & ~bitOf(number));
  }
}

function bitOf(number: number): number {
  return 1 << (number & 31);
}
