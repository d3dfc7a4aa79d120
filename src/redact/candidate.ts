import { copyOf } from "../protocol/copy-of.ts";
import { isCredentialRun, LONGEST_NAME } from "./credential-name.ts";
import type { Trigger } from "./triggers.ts";

/** A trigger, and what is needed to tell whether it stands somewhere. */
export interface Candidate extends Trigger {
  readonly codes: Uint8Array;
  readonly anyCase: boolean;
  /** The last run that held the word and named no credential. */
  spared: Uint8Array;
}

/** Whether one of the candidates that have their anchor there is a trigger indeed. */
export function confirm(bytes: Uint8Array, anchor: number, candidates: readonly Candidate[]): boolean {
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
  command: hasArguments,
  escape: isAsciiEscape,
};

/** White space follows, or an escape that may be some, and `-u` or `--user` not far behind. */
function hasArguments(bytes: Uint8Array, start: number, { codes }: Candidate): boolean {
  const next = bytes[start + codes.length];
  if (next === undefined || !(isSpace(next) || next === 0x5c)) return false;
  const limit = Math.min(bytes.length, start + 4096);
  for (let i = start + codes.length; i < limit; i += 1)
    if (bytes[i] === 0x75 && bytes[i - 1] === 0x2d) return true;
  return false;
}

/** `\u0020` to `\u007e`, without `" & ' < >`, which many servers always escape and no trigger contains. */
function isAsciiEscape(bytes: Uint8Array, start: number): boolean {
  const [zero = 0, high = 0, low = 0] = bytes.subarray(start + 3, start + 6);
  if (zero !== 0x30 || high < 0x32 || high > 0x37) return false;
  const low4 = low <= 0x39 ? low - 0x30 : (low | 32) - 0x57;
  return !HTML_ESCAPED.has((high - 0x30) * 16 + low4);
}

const HTML_ESCAPED: ReadonlySet<number> = new Set([0x22, 0x26, 0x27, 0x3c, 0x3e]);

/** An `@` before the host ends. */
function hasUserInfo(bytes: Uint8Array, start: number): boolean {
  let host = start + 1;
  while (bytes[host] === 0x2f || bytes[host] === 0x5c) host += 1;
  const limit = Math.min(bytes.length, host + 6 * 1024);
  for (let i = host; i < limit; i += 1) {
    const byte = bytes[i] as number;
    if (byte === 0x40) return true;
    if (isSpace(byte) || byte === 0x22 || byte === 0x2f || byte === 0x3c || byte === 0x3e) return false;
  }
  return false;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
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

function isTokenAt(bytes: Uint8Array, start: number, { codes, tail = 0, rest }: Candidate): boolean {
  const from = start + codes.length;
  for (let i = from; i < from + tail; i += 1) if (!isTokenByte(bytes[i])) return false;
  if (codes[0] !== 0x73 && isLetter(bytes[start - 1] ?? 0) && !isEscaped(bytes, start - 1)) return false;
  return rest === undefined || rest.test(asciiOf(bytes, from, from + LONGEST_REST));
}

/** Longer than the header of any JSON Web Token found by the rules. */
const LONGEST_REST = 8300;

function isCredentialAt(bytes: Uint8Array, start: number, candidate: Candidate): boolean {
  if (candidate.second && !isRunByte(bytes[start - 1]) && bytes[start - 1] !== 0x20) return false;
  let from = start;
  let to = start;
  while (from > 0 && start - from <= LONGEST_NAME && isRunByte(bytes[from - 1])) from -= 1;
  while (to - start <= LONGEST_NAME && isRunByte(bytes[to])) to += 1;
  return isNameAt(bytes, from, to, candidate) && (bytes[from] === 0x2d || mayNameAValue(bytes, to));
}

/** Most names come again and again; the last that was none is kept as bytes. */
function isNameAt(bytes: Uint8Array, from: number, to: number, candidate: Candidate): boolean {
  const before = bytes[from - 1];
  const alone = before !== 0x20 && before !== 0x5c;
  if (alone && isEqual(bytes, from, to, candidate.spared)) return false;
  const run = asciiOf(bytes, from, to);
  if (
    isCredential(run) ||
    isCredential(withoutEscape(bytes, from, run)) ||
    isSpacedCompound(bytes, from, run)
  )
    return true;
  if (alone) candidate.spared = copyOf(bytes, from, to);
  return false;
}

function isEqual(bytes: Uint8Array, from: number, to: number, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let i = 0; i < other.length; i += 1) if (bytes[from + i] !== other[i]) return false;
  return true;
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

/** After the run comes a quote, `:`, `=` or the end of a tag, or it is part of a longer key. */
function mayNameAValue(bytes: Uint8Array, to: number): boolean {
  const limit = Math.min(bytes.length, to + 16 * LONGEST_NAME);
  if (bytes[to] === 0x3e) return true;
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

export function isLetter(byte: number): boolean {
  const lower = byte | 32;
  return lower >= 0x61 && lower <= 0x7a;
}

const RUN_BYTES = bytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
/** A backslash too: it may escape a `/`. */
const TOKEN_BYTES = bytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.~\\");

function bytesOf(chars: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let at = 0; at < chars.length; at++) table[chars.charCodeAt(at)] = 1;
  return table;
}

function isRunByte(byte: number | undefined): boolean {
  return byte !== undefined && RUN_BYTES[byte] === 1;
}

function isTokenByte(byte: number | undefined): boolean {
  return byte !== undefined && TOKEN_BYTES[byte] === 1;
}

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end && i < bytes.length; i += 1) text += String.fromCharCode(bytes[i] as number);
  return text;
}
