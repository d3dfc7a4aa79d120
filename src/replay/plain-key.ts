import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "../protocol/json-tokens.ts";
import { textOf } from "../protocol/message.ts";
import type { Span } from "../protocol/scan-json.ts";

/**
 * Keys of requests whose params are spelt canonically but for the order of their outermost members, and hold nothing
 * that a key leaves out: most requests are of that kind, and their keys are had without parsing anything. Everything
 * here says the same as `questionOf`, or nothing.
 */

/** Whose keys come of their params alone, and of which of these an empty one and none are told apart elsewhere. */
const METHODS: ReadonlyMap<string, { readonly filled?: string }> = new Map([
  ["tools/call", { filled: '"arguments"' }],
  ["prompts/get", { filled: '"arguments"' }],
  ["resources/read", {}],
  ["completion/complete", {}],
]);

/** Members of params that never enter a key as they are. */
const VOLATILE: readonly string[] = ['"_meta"', '"inputResponses"'];

/** More members than any of these methods has, and deeper than people nest their arguments. */
const MOST_MEMBERS = 8;
const DEEPEST = 32;

const encoder = new TextEncoder();

/** The key of such a request; undefined for any other. `params` must be valid JSON. */
export function plainKey(bytes: Uint8Array, method: string, params: Span): string | undefined {
  if (!read(bytes, method, params)) return undefined;
  let text = `${method} {`;
  for (let i = 0; i < count; i++) {
    if (i > 0) text += ",";
    text += textOf(bytes.subarray(starts[i], ends[i]));
  }
  return `${text}}`;
}

/** `hashOfKey` of its key, without making it. */
export function plainKeyHash(bytes: Uint8Array, method: string, params: Span): number | undefined {
  if (!read(bytes, method, params)) return undefined;
  let hash = hashOn(FIRST, `${method} {`);
  for (let i = 0; i < count; i++) {
    if (i > 0) hash = Math.imul(hash ^ COMMA, PRIME);
    const end = ends[i] as number;
    for (let at = starts[i] as number; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
  }
  return Math.imul(hash ^ CLOSE_OBJECT, PRIME) >>> 0;
}

/** A number of 32 bits that is equal for equal keys. */
export function hashOfKey(key: string): number {
  return hashOn(FIRST, key) >>> 0;
}

/** FNV-1a over UTF-8 (http://www.isthe.com/chongo/tech/comp/fnv/). */
const FIRST = 0x811c9dc5;
const PRIME = 0x01000193;

function hashOn(before: number, text: string): number {
  let hash = before;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return hashOfBytes(before, encoder.encode(text));
    hash = Math.imul(hash ^ code, PRIME);
  }
  return hash;
}

function hashOfBytes(before: number, bytes: Uint8Array): number {
  let hash = before;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME);
  return hash;
}

/** What was read last: the outermost members, sorted by their keys. Readings never overlap, since nothing here waits. */
let count = 0;
const starts = new Uint32Array(MOST_MEMBERS);
const ends = new Uint32Array(MOST_MEMBERS);
const keyEnds = new Uint32Array(MOST_MEMBERS);
/** The last key at each depth, as a span; its end is 0 where there is none yet. */
const lastStarts = new Uint32Array(DEEPEST + 1);
const lastEnds = new Uint32Array(DEEPEST + 1);

/** False where the key is not to be had this way. */
function read(bytes: Uint8Array, method: string, { start, end }: Span): boolean {
  const row = METHODS.get(method);
  count = 0;
  if (!row || bytes[start] !== OPEN_OBJECT) return false;
  // An object without members.
  if (end - start === 2) return row.filled === undefined;
  if (!readMembers(bytes, start, end)) return false;
  for (const name of VOLATILE) if (memberNamed(bytes, name) >= 0) return false;
  if (row.filled === undefined) return true;
  const filled = memberNamed(bytes, row.filled);
  return filled >= 0 && !isEmpty(bytes, filled);
}

function memberNamed(bytes: Uint8Array, token: string): number {
  for (let i = 0; i < count; i++) {
    const start = starts[i] as number;
    if ((keyEnds[i] as number) - start !== token.length) continue;
    let at = 1;
    while (at < token.length && bytes[start + at] === token.charCodeAt(at)) at++;
    if (at === token.length) return i;
  }
  return -1;
}

function isEmpty(bytes: Uint8Array, member: number): boolean {
  const value = (keyEnds[member] as number) + 1;
  return bytes[value] === OPEN_OBJECT && (ends[member] as number) - value === 2;
}

/** Reads an object that is valid JSON and has members; false where a token in it is not spelt canonically. */
function readMembers(bytes: Uint8Array, start: number, end: number): boolean {
  let depth = 0;
  let pos = start + 1;
  lastEnds[0] = 0;
  while (pos < end) {
    const c = bytes[pos] as number;
    if (c === QUOTE) {
      const close = plainStringEnd(bytes, pos);
      if (close < 0) return false;
      if (bytes[close] === COLON && !key(bytes, { start: pos, end: close }, depth)) return false;
      pos = bytes[close] === COLON ? close + 1 : close;
      continue;
    }
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (++depth > DEEPEST) return false;
      lastEnds[depth] = 0;
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (depth-- === 0) ends[count - 1] = pos;
    } else if (c === COMMA) {
      if (depth === 0) ends[count - 1] = pos;
    } else if (c <= 0x39) {
      // White space, or a number.
      pos = plainNumberEnd(bytes, pos);
      if (pos < 0) return false;
      continue;
    }
    pos++;
  }
  return sortMembers(bytes);
}

/** Behind the closing quote; -1 where there is an escape. */
function plainStringEnd(bytes: Uint8Array, open: number): number {
  let pos = open + 1;
  for (let c = bytes[pos]; c !== QUOTE; c = bytes[++pos]) if (c === BACKSLASH) return -1;
  return pos + 1;
}

const DIGITS = 15;
const ZERO = 0x30;
const MINUS = 0x2d;

/** Behind a number that JavaScript spells as it stands; -1 otherwise, and of white space. */
function plainNumberEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  let pos = first;
  while (isDigit(bytes[pos] as number)) pos++;
  const digits = pos - first;
  if (digits > 0 && digits <= DIGITS && bytes[first] !== ZERO && isTokenEnd(bytes[pos] as number)) return pos;
  while (!isTokenEnd(bytes[pos] as number) && (bytes[pos] as number) > 0x20) pos++;
  const text = textOf(bytes.subarray(start, pos));
  return text !== "" && String(Number(text)) === text ? pos : -1;
}

function isTokenEnd(c: number): boolean {
  return c === COMMA || c === CLOSE_ARRAY || c === CLOSE_OBJECT;
}

function isDigit(c: number): boolean {
  return c >= ZERO && c <= 0x39;
}

/** Keys of inner objects must come in their order. Those beyond ASCII are ordered another way in UTF-16. */
function key(bytes: Uint8Array, { start, end }: Span, depth: number): boolean {
  for (let i = start + 1; i < end; i++) if ((bytes[i] as number) >= 0x80) return false;
  if (depth === 0) {
    if (count === MOST_MEMBERS) return false;
    starts[count] = start;
    keyEnds[count] = end;
    count++;
    return true;
  }
  const last = lastEnds[depth] as number;
  if (last > 0 && compare(bytes, lastStarts[depth] as number, start) >= 0) return false;
  lastStarts[depth] = start;
  lastEnds[depth] = end;
  return true;
}

/** Two string tokens by their characters, all of them ASCII without escapes. */
function compare(bytes: Uint8Array, a: number, b: number): number {
  for (let i = 1; ; i++) {
    const one = bytes[a + i] as number;
    const other = bytes[b + i] as number;
    if (one === QUOTE) return other === QUOTE ? 0 : -1;
    if (other === QUOTE) return 1;
    if (one !== other) return one - other;
  }
}

/** False when two have the same key. */
function sortMembers(bytes: Uint8Array): boolean {
  for (let i = 1; i < count; i++) {
    for (let j = i; j > 0; j--) {
      const order = compare(bytes, starts[j - 1] as number, starts[j] as number);
      if (order === 0) return false;
      if (order < 0) break;
      swap(starts, j);
      swap(ends, j);
      swap(keyEnds, j);
    }
  }
  return true;
}

function swap(numbers: Uint32Array, at: number): void {
  const before = numbers[at - 1] as number;
  numbers[at - 1] = numbers[at] as number;
  numbers[at] = before;
}
