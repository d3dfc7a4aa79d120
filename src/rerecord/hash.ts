const SEED_A = 0x9e3779b9;
const SEED_B = 0x85ebca6b;

/**
 * A 52-bit hash of texts and bytes, fed piece by piece. It is for finding what is probably equal: whoever acts on it
 * compares.
 */
export class Hash {
  #a = SEED_A;
  #b = SEED_B;

  /** Pieces stay apart: `ab`, `c` is not `a`, `bc`. */
  text(text: string): this {
    for (let i = 0; i < text.length; i++) this.#mix(text.charCodeAt(i));
    return this.#end(text.length);
  }

  bytes(bytes: Uint8Array, start = 0, end: number = bytes.length): this {
    for (let i = start; i < end; i++) this.#mix(bytes[i] as number);
    return this.#end(end - start);
  }

  #mix(unit: number): void {
    const b = Math.imul(this.#b ^ unit, 0x5bd1e995);
    this.#a = Math.imul(this.#a ^ unit, 0x01000193);
    this.#b = b ^ (b >>> 15);
  }

  #end(length: number): this {
    this.#mix(~length);
    this.#b = Math.imul(this.#b ^ this.#a, 0x5bd1e995);
    return this;
  }

  number(number: number): this {
    return this.text(String(number));
  }

  get value(): number {
    const high = (this.#a ^ (this.#b >>> 13)) & 0xfffff;
    return high * 0x100000000 + (this.#b >>> 0);
  }
}

export const hashOf = (text: string): number => new Hash().text(text).value;
