/** Slots that a table begins with; a slot is two numbers. */
const FIRST_SLOTS = 16;
/** The golden ratio in 32 bits: numbers in a row come far apart (Knuth, The Art of Computer Programming 3, 6.4). */
const GOLDEN = 0x9e3779b1;

/**
 * How often each of many numbered things came: a table of those that came, so that it takes little memory however many
 * there are, and one look into it however many came.
 */
export class Counts {
  /** In each slot a number plus one, and its count; two zeros where there is none. */
  #table = new Uint32Array(0);
  /** Of a hash, to get a slot. */
  #shift = 0;
  #used = 0;

  of(number: number): number {
    return this.#used === 0 ? 0 : (this.#table[this.#placeOf(number) + 1] as number);
  }

  set(number: number, count: number): void {
    // A quarter is left free, so that searches end soon.
    if (this.#used * 8 >= this.#table.length * 3) this.#grow();
    this.#put(number, count);
  }

  /** Once more, or once less. */
  add(number: number, more: 1 | -1): void {
    this.set(number, this.of(number) + more);
  }

  #put(number: number, count: number): void {
    const place = this.#placeOf(number);
    if (this.#table[place] === 0) {
      this.#table[place] = number + 1;
      this.#used++;
    }
    this.#table[place + 1] = count;
  }

  /** Where it stands, or would. */
  #placeOf(number: number): number {
    const table = this.#table;
    let place = (Math.imul(number, GOLDEN) >>> this.#shift) * 2;
    while (table[place] !== 0 && table[place] !== number + 1) place = (place + 2) & (table.length - 1);
    return place;
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Uint32Array(Math.max(FIRST_SLOTS * 2, before.length * 2));
    this.#shift = Math.clz32(this.#table.length / 2) + 1;
    this.#used = 0;
    for (let place = 0; place < before.length; place += 2) {
      const number = before[place] as number;
      if (number > 0) this.#put(number - 1, before[place + 1] as number);
    }
  }
}
