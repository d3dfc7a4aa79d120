import { isCredentialRun, LONGEST_NAME } from "./credential-name.ts";
import { TRIGGERS, type Trigger } from "./triggers.ts";

/**
 * Whether the rules could find anything in these bytes of JSON or text: false means surely not. Two bytes at a time
 * are looked up to see how far to jump (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994), with
 * letters of either case, and some signs, taken for one another; what seems to be a trigger is then confirmed.
 */
export function isSuspect(bytes: Uint8Array, start = 0, end = bytes.length): boolean {
  const jumps = JUMPS;
  let at = start + 2;
  while (at < end) {
    const pair = (((bytes[at - 1] as number) & 31) << 5) | ((bytes[at] as number) & 31);
    const jump = jumps[pair] as number;
    if (jump > 0) {
      at += jump;
      continue;
    }
    const found = FOUND[(((bytes[at - 2] as number) & 31) << 10) | pair] as number;
    if (found > 0 && confirm(bytes, at - 2, CANDIDATES[found] as readonly Candidate[])) return true;
    at += 1;
  }
  return false;
}

interface Candidate extends Trigger {
  readonly codes: Uint8Array;
  readonly anyCase: boolean;
}

const JUMPS = new Uint8Array(1024).fill(2);
const FOUND = new Uint8Array(32768);
const CANDIDATES: Candidate[][] = [[]];

for (const trigger of TRIGGERS) {
  const codes = Uint8Array.from(trigger.word, (char) => char.charCodeAt(0));
  const [a = 0, b = 0, c = 0] = codes.subarray(trigger.anchor).map((code) => code & 31);
  JUMPS[(a << 5) | b] = Math.min(1, JUMPS[(a << 5) | b] as number);
  JUMPS[(b << 5) | c] = 0;
  const three = (a << 10) | (b << 5) | c;
  if (!FOUND[three]) FOUND[three] = CANDIDATES.push([]) - 1;
  const anyCase = trigger.kind !== "shape" || trigger.word.startsWith("hooks.");
  CANDIDATES[FOUND[three] as number]?.push({ ...trigger, codes, anyCase });
}

function confirm(bytes: Uint8Array, anchor: number, candidates: readonly Candidate[]): boolean {
  for (const candidate of candidates) {
    const start = anchor - candidate.anchor;
    if (isWordAt(bytes, start, candidate) && CONFIRM[candidate.kind](bytes, start, candidate)) return true;
  }
  return false;
}

function isWordAt(bytes: Uint8Array, start: number, { codes, anyCase }: Candidate): boolean {
  for (let i = 0; i < codes.length; i += 1) {
    const byte = bytes[start + i];
    const code = codes[i] as number;
    if (byte === code) continue;
    if (!anyCase || byte === undefined || !isLetter(code) || (byte | 32) !== (code | 32)) return false;
  }
  return true;
}

type Confirm = (bytes: Uint8Array, start: number, candidate: Candidate) => boolean;

const CONFIRM: Readonly<Record<Trigger["kind"], Confirm>> = {
  name: isCredentialAt,
  shape: isTokenAt,
  scheme: hasParameter,
  query: () => true,
  url: hasUserInfo,
  escape: isAsciiEscape,
};

/** `\u0020` to `\u007e`, without `" & ' < >`, which many servers always escape and no trigger contains. */
function isAsciiEscape(bytes: Uint8Array, start: number): boolean {
  const [zero = 0, high = 0, low = 0] = bytes.subarray(start + 3, start + 6);
  if (zero !== 0x30 || high < 0x32 || high > 0x37) return false;
  const low4 = low <= 0x39 ? low - 0x30 : (low | 32) - 0x57;
  return !HTML_ESCAPED.has((high - 0x30) * 16 + low4);
}

const HTML_ESCAPED = new Set(Array.from("\"&'<>", (char) => char.charCodeAt(0)));

/** An `@` before the host ends. */
function hasUserInfo(bytes: Uint8Array, start: number): boolean {
  let host = start + 1;
  while (bytes[host] === 0x2f || bytes[host] === 0x5c) host += 1;
  const limit = Math.min(bytes.length, host + 6 * 1024);
  for (let i = host; i < limit; i += 1) {
    const byte = bytes[i] as number;
    if (byte === 0x40) return true;
    if (byte <= 0x20 || byte === 0x22 || byte === 0x2f || byte === 0x3c || byte === 0x3e) return false;
  }
  return false;
}

/** `Bearer` and white space and something as long as a token. */
function hasParameter(bytes: Uint8Array, start: number, { codes }: Candidate): boolean {
  const from = start + codes.length;
  let to = from;
  while (bytes[to] === 0x20 || bytes[to] === 0x09 || bytes[to] === 0x5c || (to > from && bytes[to] === 0x74))
    to += 1;
  for (let i = to; i < to + 7; i += 1) if (!isTokenByte(bytes[i])) return false;
  return to > from;
}

function isTokenAt(bytes: Uint8Array, start: number, { codes, tail = 0 }: Candidate): boolean {
  const from = start + codes.length;
  for (let i = from; i < from + tail; i += 1) if (!isTokenByte(bytes[i])) return false;
  return codes[0] === 0x73 || !isLetter(bytes[start - 1] ?? 0) || isEscaped(bytes, start - 1);
}

function isCredentialAt(bytes: Uint8Array, start: number): boolean {
  let from = start;
  let to = start;
  while (from > 0 && start - from <= LONGEST_NAME && isRunByte(bytes[from - 1])) from -= 1;
  while (to - start <= LONGEST_NAME && isRunByte(bytes[to])) to += 1;
  const run = asciiOf(bytes, from, to);
  if (
    !isCredential(run) &&
    !isCredential(withoutEscape(bytes, from, run)) &&
    !isSpacedCompound(bytes, from, run)
  ) {
    return false;
  }
  return run.startsWith("-") || mayNameAValue(bytes, to);
}

function isCredential(run: string): boolean {
  return run !== "" && isCredentialRun(run);
}

/** `\ntoken` is a line break and `token`. */
function withoutEscape(bytes: Uint8Array, from: number, run: string): string {
  if (bytes[from - 1] !== 0x5c) return "";
  return run.replace(/^(?:u[0-9a-fA-F]{4}|[bfnrt])/, "");
}

/** `API key`: the word before the space belongs to the name. */
function isSpacedCompound(bytes: Uint8Array, from: number, run: string): boolean {
  if (bytes[from - 1] !== 0x20 || !/^(?:keys?|string)$/i.test(run)) return false;
  let before = from - 1;
  while (before > 0 && from - before <= 21 && isLetter(bytes[before - 1] as number)) before -= 1;
  const word = asciiOf(bytes, before, from - 1);
  return isCredential(`${word}_${run}`) || isCredential(`${withoutEscape(bytes, before, word)}_${run}`);
}

/** After the run comes a quote, `:` or `=`, or it is part of a longer key. */
function mayNameAValue(bytes: Uint8Array, to: number): boolean {
  const limit = Math.min(bytes.length, to + 16 * LONGEST_NAME);
  let prose = false;
  for (let i = to; i < limit; i += 1) {
    const byte = bytes[i] as number;
    if (byte === 0x22) return !prose || isKeyEnd(bytes, i + 1);
    if (prose) continue;
    if (byte === 0x3a || byte === 0x3d || byte === 0x27 || byte === 0x5c) return true;
    prose = isRunByte(byte) || byte > 0x7f;
  }
  return false;
}

function isKeyEnd(bytes: Uint8Array, from: number): boolean {
  let i = from;
  while ((bytes[i] ?? 0x3a) <= 0x20) i += 1;
  return bytes[i] === 0x3a || bytes[i] === 0x5c || bytes[i] === undefined;
}

/** The letter is the last of an escape: `\n`, `\u000a`. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  return bytes[at - 1] === 0x5c || (bytes[at - 5] === 0x5c && bytes[at - 4] === 0x75);
}

function isLetter(byte: number): boolean {
  const lower = byte | 32;
  return lower >= 0x61 && lower <= 0x7a;
}

const RUN_BYTES = bytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
/** A backslash too: it may escape a `/`. */
const TOKEN_BYTES = bytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.~\\");

function bytesOf(chars: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}

function isRunByte(byte: number | undefined): boolean {
  return byte !== undefined && RUN_BYTES[byte] === 1;
}

function isTokenByte(byte: number | undefined): boolean {
  return byte !== undefined && TOKEN_BYTES[byte] === 1;
}

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
