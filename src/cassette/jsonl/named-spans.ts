import { isAt } from "../../protocol/is-at.ts";

const encoder = new TextEncoder();

/** Where the members of known names stand in an object, by the numbers of their names. */
export class NamedSpans {
  readonly #tokens: readonly Uint8Array[];
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  protected bytes: Uint8Array = new Uint8Array(0);
  #found = 0;
  /** The number of the member being read; -1 of another one. */
  protected current = -1;
  /** A member of another name was met, or an element of an array, which comes without. */
  foreign = false;
  /** A member was met twice. */
  twice = false;

  /** @param names up to 31 */
  constructor(names: readonly string[]) {
    this.#tokens = names.map((name) => encoder.encode(`"${name}"`));
    this.#starts = new Uint32Array(names.length);
    this.#ends = new Uint32Array(names.length);
  }

  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.#found = 0;
    this.current = -1;
    this.foreign = false;
    this.twice = false;
  }

  /** A key's string token, quotes included; its value follows. */
  key(start: number, end: number): void {
    this.current = this.#numberOf(start, end);
    if (this.current < 0) this.foreign = true;
    else if (this.has(this.current)) this.twice = true;
  }

  value(start: number, end: number): void {
    const { current } = this;
    if (current < 0) {
      this.foreign = true;
      return;
    }
    this.#found |= 1 << current;
    this.#starts[current] = start;
    this.#ends[current] = end;
  }

  has(member: number): boolean {
    return (this.#found & (1 << member)) !== 0;
  }

  /** No others are there. */
  hasOnly(members: number): boolean {
    return (this.#found & ~members) === 0;
  }

  startOf(member: number): number {
    return this.#starts[member] as number;
  }

  endOf(member: number): number {
    return this.#ends[member] as number;
  }

  bytesOf(member: number): Uint8Array {
    return this.bytes.subarray(this.#starts[member], this.#ends[member]);
  }

  /** A whole number of up to 15 digits, spelt as such; or -1. */
  wholeOf(member: number): number {
    const start = this.startOf(member);
    const end = this.endOf(member);
    if (end - start > 15) return -1;
    let value = 0;
    for (let i = start; i < end; i++) {
      const digit = (this.bytes[i] as number) - 0x30;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  is(member: number, token: Uint8Array): boolean {
    const start = this.startOf(member);
    return this.endOf(member) - start === token.length && isAt(this.bytes, start, token);
  }

  #numberOf(start: number, end: number): number {
    const tokens = this.#tokens;
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Uint8Array;
      if (token.length === end - start && isAt(this.bytes, start, token)) return i;
    }
    return -1;
  }
}
