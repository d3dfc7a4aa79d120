import { copyInto } from "./copy-into.ts";
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
 * Of duplicate keys the last counts, so the text is read once to its end, though what is not on the way is only
 * skipped. It must be valid JSON (see `scanJson`); `within` names one value of it to look in, and nothing else is read.
 */
export function findSpan(
  bytes: Uint8Array,
  path: readonly (string | number)[],
  within?: Span,
): Span | undefined {
  const text = within ? bytes.subarray(0, within.end) : bytes;
  const search: Search = { bytes: text, path, notes: heedlessNotes(), found: undefined };
  follow(search, spaceEnd(text, within?.start ?? 0), 0);
  return search.found;
}

interface Search {
  readonly bytes: Uint8Array;
  readonly path: readonly (string | number)[];
  readonly notes: TokenNotes;
  found: Span | undefined;
}

/** Looks for the rest of the path, from a step on, in the value at start. Returns the value's end. */
function follow(search: Search, start: number, step: number): number {
  const { bytes, path } = search;
  const key = path[step];
  search.found = undefined;
  if (typeof key === "string" && bytes[start] === OPEN_OBJECT) return followMember(search, start, step);
  if (typeof key === "number" && bytes[start] === OPEN_ARRAY) return followElement(search, start, step);
  const end = valueEnd(search, start);
  if (key === undefined && end > start) search.found = { start, end };
  return end;
}

function followMember(search: Search, object: number, step: number): number {
  const { bytes, notes } = search;
  const key = search.path[step] as string;
  let found: Span | undefined;
  let pos = spaceEnd(bytes, object + 1);
  while (bytes[pos] === QUOTE) {
    notes.escaped = false;
    const keyEnd = stringEnd(bytes, pos, notes);
    if (keyEnd < 0) return bytes.length;
    const isKey = notes.escaped ? stringValue(bytes, pos, keyEnd) === key : isAt(bytes, pos, keyEnd, key);
    const start = spaceEnd(bytes, behind(bytes, keyEnd, COLON));
    const end = isKey ? follow(search, start, step + 1) : valueEnd(search, start);
    if (isKey) found = search.found;
    pos = spaceEnd(bytes, behind(bytes, end, COMMA));
  }
  search.found = found;
  return pos + 1;
}

function followElement(search: Search, array: number, step: number): number {
  const { bytes, path } = search;
  let found: Span | undefined;
  let pos = spaceEnd(bytes, array + 1);
  for (let index = 0; pos < bytes.length && bytes[pos] !== CLOSE_ARRAY; index++) {
    const isOnPath = index === path[step];
    const end = isOnPath ? follow(search, pos, step + 1) : valueEnd(search, pos);
    if (isOnPath) found = search.found;
    pos = spaceEnd(bytes, behind(bytes, end, COMMA));
  }
  search.found = found;
  return pos + 1;
}

/** Whether the string token, which has no escapes, denotes the key. */
function isAt(bytes: Uint8Array, start: number, end: number, key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    if (unit >= 0x80) return stringValue(bytes, start, end) === key;
    if (bytes[start + 1 + i] !== unit) return false;
  }
  return end - start - 2 === key.length;
}

/** Behind a colon or comma, with white space before it; where there is none, just behind the white space. */
function behind(bytes: Uint8Array, from: number, mark: number): number {
  const pos = spaceEnd(bytes, from);
  return bytes[pos] === mark ? pos + 1 : pos;
}

/** Behind the value at start. Looks at quotes and brackets only. */
function valueEnd({ bytes, notes }: Search, start: number): number {
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

const ownBytes = (length: number) => new Uint8Array(length);

/**
 * The same for several places, in their order, in bytes that `roomFor` gives. Throws a RangeError if they overlap or lie
 * outside.
 */
export function replaceSpans(
  bytes: Uint8Array,
  replacements: readonly Replacement[],
  roomFor: (length: number) => Uint8Array = ownBytes,
): Uint8Array {
  let length = bytes.length;
  let previous = 0;
  for (const { span, replacement } of replacements) {
    if (span.start < previous || span.end < span.start || span.end > bytes.length) {
      throw new RangeError(`span ${span.start}-${span.end} overlaps another, or is out of order or bounds`);
    }
    previous = span.end;
    length += replacement.length - (span.end - span.start);
  }
  const result = roomFor(length);
  let from = 0;
  let to = 0;
  const copyUpTo = (end: number): void => {
    copyInto(result, to, { bytes, start: from, end });
    to += end - from;
  };
  for (const { span, replacement } of replacements) {
    copyUpTo(span.start);
    result.set(replacement, to);
    to += replacement.length;
    from = span.end;
  }
  copyUpTo(bytes.length);
  return result;
}
