import type { Located, Part } from "./codec.ts";

export const MOST_IN_32_BITS = 0xffff_ffff;

/** Byte ranges of entries, three numbers each. */
export class Places {
  /** Of 32 bits as long as they suffice, which is half the memory. */
  #numbers: Uint32Array | Float64Array = new Uint32Array(3 * 1024);
  #parts: Part[] = [];
  /** Ordinal at which each part begins. */
  #partStarts: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ start, end, line, part }: Omit<Located, "entry">): void {
    const at = this.#count * 3;
    if (end > MOST_IN_32_BITS && this.#numbers instanceof Uint32Array) {
      this.#numbers = Float64Array.from(this.#numbers);
    }
    if (at === this.#numbers.length) {
      const Numbers = this.#numbers instanceof Uint32Array ? Uint32Array : Float64Array;
      const larger = new Numbers(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[at] = start;
    this.#numbers[at + 1] = end;
    this.#numbers[at + 2] = line;
    if (this.#parts.at(-1) !== part) {
      this.#parts.push(part);
      this.#partStarts.push(this.#count);
    }
    this.#count++;
  }

  at(ordinal: number): Omit<Located, "entry"> {
    if (ordinal < 0 || ordinal >= this.#count) throw new RangeError(`no entry ${ordinal}`);
    let index = this.#partStarts.length - 1;
    while ((this.#partStarts[index] as number) > ordinal) index--;
    const at = ordinal * 3;
    return {
      start: this.#numbers[at] as number,
      end: this.#numbers[at + 1] as number,
      line: this.#numbers[at + 2] as number,
      part: this.#parts[index] as Part,
    };
  }
}
