import { type RootReader, walkJson } from "../../protocol/json-walk.ts";

/** The members a line of a cassette can have, numbered. */
export const MEMBER = {
  at: 0,
  from: 1,
  session: 2,
  on: 3,
  http: 4,
  event: 5,
  message: 6,
  closed: 7,
  json: 8,
  text: 9,
  base64: 10,
} as const;

const encoder = new TextEncoder();
const TOKENS = Object.keys(MEMBER).map((name) => encoder.encode(`"${name}"`));

/**
 * Finds the members of one line at a time, without decoding or allocating anything. What it says of a line holds
 * until the next one is read.
 */
export class LineMembers implements RootReader {
  #bytes: Uint8Array = new Uint8Array(0);
  readonly #starts = new Uint32Array(TOKENS.length);
  readonly #ends = new Uint32Array(TOKENS.length);
  #found = 0;
  #member = -1;
  #foreign = false;

  /** False when the line is no JSON object, or holds a member twice or one of another name. */
  read(line: Uint8Array): boolean {
    this.#bytes = line;
    this.#found = 0;
    this.#member = -1;
    this.#foreign = false;
    return walkJson(line, this, false).valid && !this.#foreign;
  }

  key(start: number, end: number): void {
    this.#member = memberOf(this.#bytes, start, end);
    if (this.#member < 0 || (this.#found & (1 << this.#member)) !== 0) this.#foreign = true;
  }

  value(start: number, end: number): void {
    const member = this.#member;
    // An array's elements come without keys.
    if (member < 0) {
      this.#foreign = true;
      return;
    }
    this.#found |= 1 << member;
    this.#starts[member] = start;
    this.#ends[member] = end;
  }

  has(member: number): boolean {
    return (this.#found & (1 << member)) !== 0;
  }

  bytesOf(member: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[member], this.#ends[member]);
  }

  /** A whole number of up to 15 digits, spelt as such; or -1. */
  wholeOf(member: number): number {
    const start = this.#starts[member] as number;
    const end = this.#ends[member] as number;
    if (end - start > 15) return -1;
    let value = 0;
    for (let i = start; i < end; i++) {
      const digit = (this.#bytes[i] as number) - 0x30;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  is(member: number, token: Uint8Array): boolean {
    const start = this.#starts[member] as number;
    return (this.#ends[member] as number) - start === token.length && isAt(this.#bytes, start, token);
  }
}

function memberOf(bytes: Uint8Array, start: number, end: number): number {
  for (let i = 0; i < TOKENS.length; i++) {
    const token = TOKENS[i] as Uint8Array;
    if (token.length === end - start && isAt(bytes, start, token)) return i;
  }
  return -1;
}

function isAt(bytes: Uint8Array, start: number, token: Uint8Array): boolean {
  for (let i = 0; i < token.length; i++) if (bytes[start + i] !== token[i]) return false;
  return true;
}
