import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  heedlessNotes,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  type Span,
  spaceEnd,
  stringEnd,
  stringValue,
  type TokenNotes,
} from "./json-tokens.ts";
import { walkJson } from "./json-walk.ts";

/**
 * Place of the value at a path of object keys (strings) and array indexes (numbers), or undefined when there is none.
 * Of duplicate keys the last counts, so each object on the way is read to its end, but what is not on the way is
 * only skipped. The text must be valid JSON (see `scanJson`); `within` names one value of it to start from.
 */
export function findSpan(
  bytes: Uint8Array,
  path: readonly (string | number)[],
  within?: Span,
): Span | undefined {
  const text = within ? bytes.subarray(0, within.end) : bytes;
  const reader: Reader = { bytes: text, notes: heedlessNotes() };
  const start = spaceEnd(text, within?.start ?? 0);
  let value: Span | undefined = { start, end: valueEnd(reader, start) };
  for (const step of path) {
    value = typeof step === "string" ? member(reader, value.start, step) : element(reader, value.start, step);
    if (value === undefined) return undefined;
  }
  return value;
}

interface Reader {
  readonly bytes: Uint8Array;
  readonly notes: TokenNotes;
}

const encoder = new TextEncoder();

function member({ bytes, notes }: Reader, object: number, key: string): Span | undefined {
  if (bytes[object] !== OPEN_OBJECT) return undefined;
  // A lone surrogate has no UTF-8; a key can only hold it by an escape.
  const plainKey = /\p{Surrogate}/u.test(key) ? undefined : encoder.encode(key);
  let found: Span | undefined;
  let pos = spaceEnd(bytes, object + 1);
  while (bytes[pos] === QUOTE) {
    notes.escaped = false;
    const keyEnd = stringEnd(bytes, pos, notes);
    if (keyEnd < 0) return undefined;
    const isKey = notes.escaped
      ? stringValue(bytes, pos, keyEnd) === key
      : plainKey !== undefined && holds(bytes, { start: pos + 1, end: keyEnd - 1 }, plainKey);
    const start = spaceEnd(bytes, behind(bytes, keyEnd, COLON));
    const end = valueEnd({ bytes, notes }, start);
    if (isKey) found = { start, end };
    pos = spaceEnd(bytes, behind(bytes, end, COMMA));
  }
  return found;
}

function element(reader: Reader, array: number, index: number): Span | undefined {
  const { bytes } = reader;
  if (bytes[array] !== OPEN_ARRAY) return undefined;
  let start = spaceEnd(bytes, array + 1);
  for (let i = 0; start < bytes.length && bytes[start] !== CLOSE_ARRAY; i++) {
    const end = valueEnd(reader, start);
    if (i === index) return { start, end };
    start = spaceEnd(bytes, behind(bytes, end, COMMA));
  }
  return undefined;
}

function holds(bytes: Uint8Array, { start, end }: Span, key: Uint8Array): boolean {
  if (end - start !== key.length) return false;
  for (let i = 0; i < key.length; i++) if (bytes[start + i] !== key[i]) return false;
  return true;
}

/** Behind a colon or comma, with white space before it; where there is none, just behind the white space. */
function behind(bytes: Uint8Array, from: number, mark: number): number {
  const pos = spaceEnd(bytes, from);
  return bytes[pos] === mark ? pos + 1 : pos;
}

/** Behind the value at start. Looks at quotes and brackets only. */
function valueEnd({ bytes, notes }: Reader, start: number): number {
  let depth = 0;
  let pos = start;
  while (pos < bytes.length) {
    const c = bytes[pos] as number;
    if (c === QUOTE) {
      const end = stringEnd(bytes, pos, notes);
      if (end < 0) return bytes.length;
      if (depth === 0) return end;
      pos = end;
      continue;
    }
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++;
    else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (depth <= 1) return depth === 0 ? pos : pos + 1;
      depth--;
    } else if (depth === 0 && (c === COMMA || c <= 0x20)) return pos;
    pos++;
  }
  return pos;
}

export interface MemberSpan {
  readonly key: string;
  /** Place of the key's opening quote. */
  readonly keyStart: number;
  readonly value: Span;
}

/**
 * The members of a JSON object in their order, duplicates included; undefined when the text is not exactly one valid
 * JSON object. Nothing but the keys is decoded.
 */
export function memberSpans(bytes: Uint8Array): readonly MemberSpan[] | undefined {
  const start = spaceEnd(bytes, 0);
  if (start === bytes.length || bytes[start] !== OPEN_OBJECT) return undefined;
  const members: MemberSpan[] = [];
  let key = "";
  let keyStart = 0;
  const root = {
    key: (from: number, to: number) => {
      key = stringValue(bytes, from, to);
      keyStart = from;
    },
    value: (from: number, to: number) => {
      members.push({ key, keyStart, value: { start: from, end: to } });
    },
  };
  return walkJson(bytes, root, false).valid ? members : undefined;
}

export interface Replacement {
  readonly span: Span;
  readonly replacement: Uint8Array;
}

/** A copy of the text with other bytes in one place. */
export function replaceSpan(bytes: Uint8Array, span: Span, replacement: Uint8Array): Uint8Array {
  return replaceSpans(bytes, [{ span, replacement }]);
}

/** The same for several places, in their order. Throws a RangeError if they overlap or lie outside. */
export function replaceSpans(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  let length = bytes.length;
  let previous = 0;
  for (const { span, replacement } of replacements) {
    if (span.start < previous || span.end < span.start || span.end > bytes.length) {
      throw new RangeError(`span ${span.start}-${span.end} overlaps another, or is out of order or bounds`);
    }
    previous = span.end;
    length += replacement.length - (span.end - span.start);
  }
  const result = new Uint8Array(length);
  let from = 0;
  let to = 0;
  for (const { span, replacement } of replacements) {
    result.set(bytes.subarray(from, span.start), to);
    to += span.start - from;
    result.set(replacement, to);
    to += replacement.length;
    from = span.end;
  }
  result.set(bytes.subarray(from), to);
  return result;
}
