import { copyOf } from "./copy-of.ts";
import { stringValue } from "./json-tokens.ts";

const SLOTS = 64;
/** In bytes, with the quotes. */
const LONGEST = 64;

interface Known {
  readonly token: Uint8Array;
  readonly name: string;
}

const known: (Known | undefined)[] = new Array(SLOTS).fill(undefined);

/**
 * The method that a string token denotes. There are few, and every message of a peer has one: one that was read lately
 * is found by its bytes, and a recording of many messages keeps its name once.
 */
export function methodNameAt(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length > LONGEST) return stringValue(bytes, start, end);
  // Methods differ in their lengths, or in the letters before their ends.
  const slot = (length * 7 + (bytes[end - 2] as number) + (bytes[end - 3] as number)) % SLOTS;
  const before = known[slot];
  if (before && isAt(bytes, start, length, before.token)) return before.name;
  const name = stringValue(bytes, start, end);
  known[slot] = { token: copyOf(bytes, start, end), name };
  return name;
}

function isAt(bytes: Uint8Array, start: number, length: number, token: Uint8Array): boolean {
  if (token.length !== length) return false;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== token[i]) return false;
  return true;
}
