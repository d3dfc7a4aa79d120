import { BACKSLASH, QUOTE } from "../protocol/json-tokens.ts";

export const MINUS = 0x2d;
export const ZERO = 0x30;
export const NINE = 0x39;

/** Past the closing quote of the string that opens at `start`. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Digits, signs, `.`, `e`, `E`. */
export function isNumberByte(byte: number): boolean {
  return (
    (byte >= ZERO && byte <= NINE) || byte === 0x2b || byte === MINUS || byte === 0x2e || (byte | 32) === 0x65
  );
}
