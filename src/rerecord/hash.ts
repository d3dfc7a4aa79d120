const SEED_A = 0x9e3779b9;
const SEED_B = 0x85ebca6b;
const PRIME_A = 0x01000193;
const PRIME_B = 0x5bd1e995;

/**
 * A 52-bit hash of texts and bytes, fed piece by piece. It is for finding what is probably equal: whoever acts on it
 * compares.
 */
export class Hash {
  #a = SEED_A;
  #b = SEED_B;

  /** Pieces stay apart: `ab`, `c` is not `a`, `bc`. */
  text(text: string): this {
    let a = this.#a;
    let b = this.#b;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      b = mixed(b, unit);
      a = Math.imul(a ^ unit, PRIME_A);
    }
    return this.#end(a, b, text.length);
  }

  bytes(bytes: Uint8Array, start = 0, end: number = bytes.length): this {
    let a = this.#a;
    let b = this.#b;
    for (let i = start; i < end; i++) {
      const unit = bytes[i] as number;
      b = mixed(b, unit);
      a = Math.imul(a ^ unit, PRIME_A);
    }
    return this.#end(a, b, end - start);
  }

  #end(a: number, b: number, length: number): this {
    this.#a = Math.imul(a ^ ~length, PRIME_A);
    this.#b = Math.imul(mixed(b, ~length) ^ this.#a, PRIME_B);
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

function mixed(b: number, unit: number): number {
  const next = Math.imul(b ^ unit, PRIME_B);
  return next ^ (next >>> 15);
}

export const hashOf = (text: string): number => new Hash().text(text).value;
