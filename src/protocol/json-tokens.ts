import { leadOf, wordsOf } from "./words.ts";

/** Half-open range of bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What the token readers notice by the way. One object serves a whole scan. */
export interface TokenNotes {
  /** A token that JavaScript would hold or spell as another one was met; from then on nobody needs to look for more. */
  harmed: boolean;
  /** A string with an escape was met; the one who asks sets it back. */
  escaped: boolean;
  /** The bytes as words, made when a long string is met; undefined when a walk begins. */
  words: Int32Array | undefined;
}

/** For readers to whom harm does not matter. */
export function heedlessNotes(): TokenNotes {
  return { harmed: true, escaped: false, words: undefined };
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/** 1 for what stands for itself in a string: ASCII without controls, quote and backslash. */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x80);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;
/** What may follow a backslash, `u` apart. */
const ESCAPED = tableOf('"\\/bfnrt');
/** What begins two bytes that stand for a character: a backslash, or the first of two bytes in UTF-8. */
const ESCAPE = 1;
const TWO_BYTES = 2;
const KINDS = new Uint8Array(256).fill(TWO_BYTES, 0xc2, 0xe0);
KINDS[BACKSLASH] = ESCAPE;
/** By the kind of the first byte and the second: 1 where these two stand for a character. */
const PAIRS = new Uint8Array(3 * 256);
PAIRS.set(ESCAPED, ESCAPE << 8);
PAIRS.fill(1, (TWO_BYTES << 8) + 0x80, (TWO_BYTES << 8) + 0xc0);
/** So many bytes of a string are read one by one before it counts as long. */
const NEAR = 48;
const HEX = new Int8Array(256).fill(-1);
for (const [digits, first] of [
  ["0123456789", 0],
  ["abcdef", 10],
  ["ABCDEF", 10],
] as const) {
  for (let i = 0; i < digits.length; i++) HEX[digits.charCodeAt(i)] = first + i;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

export function spaceEnd(bytes: Uint8Array, from: number): number {
  let pos = from;
  while (pos < bytes.length) {
    const c = bytes[pos] as number;
    if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) break;
    pos++;
  }
  return pos;
}

/** From an opening quote to behind the closing one, or -1 when this is no string in valid UTF-8. */
export function stringEnd(bytes: Uint8Array, open: number, notes: TokenNotes): number {
  const near = Math.min(bytes.length, open + NEAR);
  let pos = open + 1;
  while (pos < near && PLAIN[bytes[pos] as number] === 1) pos++;
  if (pos < near && bytes[pos] === QUOTE) return pos + 1;
  return longStringEnd(bytes, pos, notes);
}

/** Four bytes at a time from one that does not stand for itself to the next. */
function longStringEnd(bytes: Uint8Array, from: number, notes: TokenNotes): number {
  notes.words ??= wordsOf(bytes);
  const { words } = notes;
  const lead = leadOf(bytes);
  let kinds = 0;
  let pos = from;
  for (let index = (pos + lead) >> 2; index < words.length; index = (pos + lead) >> 2) {
    let odd = oddIn(words[index] as number) & (HIGH_BITS << (((pos + lead) & 3) << 3));
    while (odd === 0 && ++index < words.length) odd = oddIn(words[index] as number);
    pos = index * 4 - lead;
    if (odd === 0) break;
    pos += lowestBit(odd) >> 3;
    const c = bytes[pos] as number;
    const kind = KINDS[c] as number;
    kinds |= kind;
    // Which of the two it is, nobody can foretell, so it is not asked.
    if (PAIRS[(kind << 8) | byteAt(bytes, pos + 1)] === 1) pos += 2;
    else if (c === QUOTE) {
      if (kinds & ESCAPE) notes.escaped = true;
      return pos + 1;
    } else {
      pos = oddEnd(bytes, pos, notes);
      if (pos < 0) return -1;
    }
  }
  if (kinds & ESCAPE) notes.escaped = true;
  return lastBytesEnd(bytes, pos, notes);
}

/** One by one what is too little for a word. */
function lastBytesEnd(bytes: Uint8Array, from: number, notes: TokenNotes): number {
  let pos = from;
  while (pos >= 0 && pos < bytes.length) {
    if (bytes[pos] === QUOTE) return pos + 1;
    pos = PLAIN[bytes[pos] as number] === 1 ? pos + 1 : oddEnd(bytes, pos, notes);
  }
  return -1;
}

/** Behind what begins with a byte that does not stand for itself, or is only taken for such a one; -1 for a control. */
function oddEnd(bytes: Uint8Array, from: number, notes: TokenNotes): number {
  const c = bytes[from] as number;
  if (c === BACKSLASH) return escapeEnd(bytes, from, notes);
  if (c < 0x80) return PLAIN[c] === 1 ? from + 1 : -1;
  let pos = wideEnd(bytes, from, c);
  // Where one is, there often are more.
  while (pos >= 0 && byteAt(bytes, pos) >= 0x80) pos = wideEnd(bytes, pos, bytes[pos] as number);
  return pos;
}

const HIGH_BITS = 0x80808080 | 0;

/**
 * The high bits of the word's bytes that are no ASCII, below 0x20, a quote or a backslash. Above one that is, others may
 * be taken for such; the lowest one is right, where the whole word is asked for.
 */
function oddIn(word: number): number {
  return (
    (word | (word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101)) &
    HIGH_BITS
  );
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Behind one character of two to four bytes: https://www.unicode.org/versions/latest/ table 3-7, or -1. */
function wideEnd(bytes: Uint8Array, pos: number, lead: number): number {
  const second = byteAt(bytes, pos + 1);
  if (lead < 0xe0) return lead >= 0xc2 && (second & 0xc0) === 0x80 ? pos + 2 : -1;
  const third = byteAt(bytes, pos + 2);
  if (lead < 0xf0) {
    const low = lead === 0xe0 ? 0xa0 : 0x80;
    const high = lead === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && (third & 0xc0) === 0x80 ? pos + 3 : -1;
  }
  if (lead > 0xf4) return -1;
  const low = lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high || (third & 0xc0) !== 0x80) return -1;
  return (byteAt(bytes, pos + 3) & 0xc0) === 0x80 ? pos + 4 : -1;
}

function byteAt(bytes: Uint8Array, pos: number): number {
  return pos < bytes.length ? (bytes[pos] as number) : 0;
}

function escapeEnd(bytes: Uint8Array, pos: number, notes: TokenNotes): number {
  notes.escaped = true;
  const c = byteAt(bytes, pos + 1);
  if (ESCAPED[c] === 1) return pos + 2;
  const unit = unicodeEscape(bytes, pos);
  if (unit < 0xd800 || unit > 0xdfff) return unit < 0 ? -1 : pos + 6;
  const next = unit < 0xdc00 && byteAt(bytes, pos + 6) === BACKSLASH ? unicodeEscape(bytes, pos + 6) : -1;
  if (next >= 0xdc00 && next <= 0xdfff) return pos + 12;
  notes.harmed = true;
  return pos + 6;
}

/** Code unit of `\uXXXX` at pos, or -1. */
function unicodeEscape(bytes: Uint8Array, pos: number): number {
  if (pos + 6 > bytes.length || bytes[pos + 1] !== 0x75) return -1;
  let unit = 0;
  for (let i = pos + 2; i < pos + 6; i++) {
    const digit = HEX[bytes[i] as number] as number;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

/** Behind a number or one of `true`, `false`, `null`; -1 when there is none. */
export function scalarEnd(bytes: Uint8Array, pos: number, notes: TokenNotes): number {
  const c = bytes[pos] as number;
  if (c === MINUS || isDigit(c)) return numberEnd(bytes, pos, notes);
  if (c === 0x74) return wordEnd(bytes, pos, TRUE);
  if (c === 0x66) return wordEnd(bytes, pos, FALSE);
  if (c === 0x6e) return wordEnd(bytes, pos, NULL);
  return -1;
}

const TRUE = Uint8Array.of(0x74, 0x72, 0x75, 0x65);
const FALSE = Uint8Array.of(0x66, 0x61, 0x6c, 0x73, 0x65);
const NULL = Uint8Array.of(0x6e, 0x75, 0x6c, 0x6c);

function wordEnd(bytes: Uint8Array, pos: number, word: Uint8Array): number {
  if (pos + word.length > bytes.length) return -1;
  for (let i = 1; i < word.length; i++) if (bytes[pos + i] !== word[i]) return -1;
  return pos + word.length;
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let pos = from;
  while (pos < bytes.length && isDigit(bytes[pos] as number)) pos++;
  return pos;
}

function numberEnd(bytes: Uint8Array, start: number, notes: TokenNotes): number {
  const whole = bytes[start] === MINUS ? start + 1 : start;
  const dot = digitsEnd(bytes, whole);
  const zero = byteAt(bytes, whole) === ZERO;
  if (dot === whole || (zero && dot > whole + 1)) return -1;
  let end = dot;
  if (byteAt(bytes, dot) === DOT) {
    end = digitsEnd(bytes, dot + 1);
    if (end === dot + 1) return -1;
  }
  const fraction = end;
  if ((byteAt(bytes, end) | 0x20) === 0x65) {
    const sign = byteAt(bytes, end + 1);
    const digits = sign === 0x2b || sign === MINUS ? end + 2 : end + 1;
    end = digitsEnd(bytes, digits);
    if (end === digits) return -1;
  }
  if (notes.harmed) return end;
  const plain = end === dot && end - whole <= 15 ? !zero || whole === start : false;
  if (plain || (end === fraction && isShortDecimal(bytes, whole, dot, end))) return end;
  notes.harmed = isRespelt(tokenText(bytes, start, end));
  return end;
}

/**
 * Up to 15 significant digits identify a double, so its shortest spelling is this one, provided nothing can be cut
 * off its end and JavaScript would not write it with an exponent (below 1e-6).
 */
function isShortDecimal(bytes: Uint8Array, whole: number, dot: number, end: number): boolean {
  if (end - whole > 16 || end === dot || bytes[end - 1] === ZERO) return false;
  if (bytes[whole] !== ZERO) return true;
  return bytes[dot + 1] !== ZERO || (end > dot + 2 && bytes[dot + 2] !== ZERO);
}

function isRespelt(token: string): boolean {
  return String(Number(token)) !== token || token === "-0";
}

export function tokenText(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** What a string token (quotes included) denotes. */
export function stringValue(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= 24) {
    const text = plainText(bytes, start + 1, end - 1);
    if (text !== undefined) return text;
  }
  return JSON.parse(tokenText(bytes, start, end)) as string;
}

function plainText(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = "";
  for (let pos = start; pos < end; pos++) {
    const c = bytes[pos] as number;
    if (PLAIN[c] !== 1) return undefined;
    text += String.fromCharCode(c);
  }
  return text;
}
