import type { Strike } from "./placeholder.ts";
import { maySecret } from "./plausible.ts";

/** What a user says is secret. */
export interface OwnSecrets {
  /** Secrets themselves. */
  readonly values: readonly string[];
  /** Regular expressions that find secrets; of one with a group, the group is the secret. */
  readonly patterns: readonly string[];
  /** Names that hold secrets, in any case. */
  readonly keys: readonly string[];
}

/** Finds what a user says is secret; an object of this kind is there only where something is. */
export interface OwnRules {
  /** In text, unescaped. */
  strikes(text: string): Strike[];
  /** Whether a member, header or flag of this name holds a secret. */
  isKey(name: string): boolean;
  /** Whether a number or other bare token is a secret. */
  isValue(token: string): boolean;
  /** Whether there could be anything in this range of JSON or text: false means surely not. */
  isSuspect(bytes: Uint8Array, start: number, end: number): boolean;
}

export function createOwnRules(secrets: OwnSecrets): OwnRules {
  const { values, patterns, keys } = secrets;
  const names = new Set(keys.map((key) => key.toLowerCase()));
  const known = new Set(values);
  const needles = values.flatMap(spellings);
  const finders = patterns.map((source) => new RegExp(source, "dgu"));
  const assignments = assignmentsTo(keys);
  return {
    strikes: (text) => [
      ...needles.flatMap((needle) => placesOf(text, needle)),
      ...finders.flatMap((pattern) => matchesOf(text, pattern)),
      ...assignments
        .flatMap((pattern) => matchesOf(text, pattern))
        .filter(({ start, end }) => maySecret(text.slice(start, end))),
    ],
    isKey: (name) => names.has(name.toLowerCase()),
    isValue: (token) => known.has(token),
    isSuspect: suspicion(secrets),
  };
}

interface Spelling {
  readonly needle: string;
  readonly secret: string;
}

/** As it is, percent-encoded, and escaped as in JSON that could not be read. */
function spellings(secret: string): Spelling[] {
  const encoded = /\p{Surrogate}/u.test(secret) ? [] : [encodeURIComponent(secret)];
  const all = new Set([secret, ...encoded, JSON.stringify(secret).slice(1, -1)]);
  return [...all].map((needle) => ({ needle, secret }));
}

function placesOf(text: string, { needle, secret }: Spelling): Strike[] {
  const strikes: Strike[] = [];
  for (let start = text.indexOf(needle); start >= 0; start = text.indexOf(needle, start + needle.length)) {
    strikes.push({ start, end: start + needle.length, secret });
  }
  return strikes;
}

function matchesOf(text: string, pattern: RegExp): Strike[] {
  return [...text.matchAll(pattern)].flatMap(({ indices = [] }) => {
    const range = indices.slice(1).find((group) => group !== undefined) ?? indices[0];
    return range && range[1] > range[0] ? [{ start: range[0], end: range[1] }] : [];
  });
}

/** `key: value`, `key=value`, `--key=value`, `"key": "value"`, as in query strings and log lines. */
function assignmentsTo(keys: readonly string[]): RegExp[] {
  if (keys.length === 0) return [];
  const names = keys.map((key) => key.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
  const quote = String.raw`\\*["'${"`"}]`;
  const assigns = String.raw`(?:${quote})?[ \t]*(?:=>|:=|[:=])[ \t]*`;
  const value = String.raw`(?:${quote}([^"'${"`"}\\\r\n]+)|([^\s"'${"`"},;&<>\\]+))`;
  return [new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${names})${assigns}${value}`, "dgiu")];
}

/** Bytes that no JSON text escapes, whoever writes it. */
const UNESCAPED = /^[ !#-%(-.0-;=?-[\]-~]+$/;

/** @note What a pattern finds, or is escaped in many ways, cannot be told from bytes: then everything is suspect. */
function suspicion({ values, patterns, keys }: OwnSecrets): OwnRules["isSuspect"] {
  const encoder = new TextEncoder();
  const texts = [...values.flatMap((value) => spellings(value).map(({ needle }) => needle)), ...keys];
  if (patterns.length > 0 || !texts.every((text) => UNESCAPED.test(text))) return () => true;
  const needles = [...new Set(texts.map((text) => text.toLowerCase()))].map((text) => encoder.encode(text));
  return (bytes, start, end) => {
    const range = bytes.subarray(start, end);
    return needles.some((needle) => holds(range, needle));
  };
}

/** In any case. */
function holds(bytes: Uint8Array, needle: Uint8Array): boolean {
  const [first = 0] = needle;
  const upper = isLetter(first) ? first & ~32 : first;
  return [...new Set([first, upper])].some((byte) => {
    for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) {
      if (isAt(bytes, at, needle)) return true;
    }
    return false;
  });
}

function isAt(bytes: Uint8Array, at: number, needle: Uint8Array): boolean {
  if (at + needle.length > bytes.length) return false;
  return needle.every((code, index) => {
    const byte = bytes[at + index] as number;
    return (byte >= 0x41 && byte <= 0x5a ? byte | 32 : byte) === code;
  });
}

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}
