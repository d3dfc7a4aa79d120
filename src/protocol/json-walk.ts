import { type HarmNotes, OpenKeys } from "./json-keys.ts";
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  scalarEnd,
  spaceEnd,
  stringEnd,
} from "./json-tokens.ts";

/** Is told the children of the root, in their order. */
export interface RootReader {
  /** A key's string token, quotes included; its value follows. */
  key(start: number, end: number, escaped: boolean): void;
  /** A member's value or an array's element. */
  value(start: number, end: number): void;
  /** Is told the children of those children, all of one before the next. */
  readonly inner?: Omit<RootReader, "inner">;
}

/** What is open: 1 an object, 0 an array. */
let openKinds = new Uint8Array(256);

/**
 * Walks over JSON text once, without a call stack that could overflow, and says if it is exactly one value (RFC 8259)
 * in UTF-8. Harm is looked for until some is found.
 */
export function walkJson(bytes: Uint8Array, root: RootReader, lookForHarm: boolean): Walk {
  notes.harmed = !lookForHarm;
  notes.keys.reset();
  const valid = walk(bytes, root);
  notes.words = undefined;
  return { valid, harmed: lookForHarm && notes.harmed };
}

interface Walk {
  readonly valid: boolean;
  readonly harmed: boolean;
}

/** Used by every walk; they never overlap, since nothing here waits. */
const notes: HarmNotes = { harmed: false, escaped: false, words: undefined, keys: new OpenKeys() };

function walk(bytes: Uint8Array, root: RootReader): boolean {
  const length = bytes.length;
  const { inner } = root;
  let depth = 0;
  let inObject = false;
  let childStart = 0;
  let innerStart = 0;
  let pos = spaceEnd(bytes, 0);
  for (;;) {
    if (pos >= length) return false;
    if (depth === 1) childStart = pos;
    else if (depth === 2) innerStart = pos;
    const c = bytes[pos] as number;
    let end: number;
    if (c === QUOTE) end = stringEnd(bytes, pos, notes);
    else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      const first = spaceEnd(bytes, pos + 1);
      if (first < length && bytes[first] === c + 2) end = first + 1;
      else {
        inObject = c === OPEN_OBJECT;
        pushKind(depth++, inObject);
        pos = first;
        if (inObject) {
          if (!notes.harmed) notes.keys.open();
          pos = valueStart(bytes, pos, depth === 1 ? root : depth === 2 ? inner : undefined);
          if (pos < 0) return false;
        }
        continue;
      }
    } else end = scalarEnd(bytes, pos, notes);
    if (end < 0) return false;

    for (;;) {
      if (depth === 1) root.value(childStart, end);
      else if (depth === 2) inner?.value(innerStart, end);
      pos = spaceEnd(bytes, end);
      if (depth === 0) return pos === length;
      if (pos === length) return false;
      const next = bytes[pos] as number;
      if (next === COMMA) break;
      if (next !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return false;
      if (inObject && !notes.harmed) notes.keys.close();
      depth--;
      inObject = depth > 0 && openKinds[depth - 1] === 1;
      end = pos + 1;
    }
    pos = spaceEnd(bytes, pos + 1);
    if (inObject) {
      pos = valueStart(bytes, pos, depth === 1 ? root : depth === 2 ? inner : undefined);
      if (pos < 0) return false;
    }
  }
}

function pushKind(depth: number, isObject: boolean): void {
  if (depth === openKinds.length) {
    const longer = new Uint8Array(depth * 2);
    longer.set(openKinds);
    openKinds = longer;
  }
  openKinds[depth] = isObject ? 1 : 0;
}

/** From a key to the value behind its colon, or -1. */
function valueStart(bytes: Uint8Array, key: number, reader: RootReader | undefined): number {
  if (key >= bytes.length || bytes[key] !== QUOTE) return -1;
  notes.escaped = false;
  const end = stringEnd(bytes, key, notes);
  if (end < 0) return -1;
  if (!notes.harmed && notes.keys.add(bytes, key, end, notes.escaped)) notes.harmed = true;
  reader?.key(key, end, notes.escaped);
  const colon = spaceEnd(bytes, end);
  if (colon >= bytes.length || bytes[colon] !== COLON) return -1;
  return spaceEnd(bytes, colon + 1);
}
