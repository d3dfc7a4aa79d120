const encoder = new TextEncoder();
const SEED_A = 0x9e3779b9;
const SEED_B = 0x85ebca6b;

/**
 * A 52-bit hash of texts and bytes, fed piece by piece. It is for finding what is probably equal: whoever acts on it
 * compares.
 */
export class Hash {
  #a = SEED_A;
  #b = SEED_B;

  text(text: string): this {
    return this.bytes(encoder.encode(text));
  }

  /** Pieces stay apart: `ab`, `c` is not `a`, `bc`. */
  bytes(bytes: Uint8Array): this {
    let a = this.#a;
    let b = this.#b;
    for (let i = 0; i < bytes.length; i++) {
      const c = bytes[i] as number;
      a = Math.imul(a ^ c, 0x01000193);
      b = Math.imul(b ^ c, 0x5bd1e995);
      b ^= b >>> 15;
    }
    this.#a = Math.imul(a ^ bytes.length, 0x01000193);
    this.#b = Math.imul(b ^ a, 0x5bd1e995);
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
