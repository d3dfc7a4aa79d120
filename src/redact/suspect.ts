import { leadOf, wordsOf } from "../protocol/words.ts";
import { type Candidate, confirm, isLetter } from "./candidate.ts";
import { triggers } from "./triggers.ts";

/** From so many bytes on it pays to look at them in words. */
const LONG = 512;
/** Words looked at in one go at most. */
const BLOCK = 2048;

/**
 * Whether the rules could find anything in these bytes of JSON or text: false means surely not. Every second pair of
 * neighbours is looked up, so that of three anchor bytes one pair is always seen. What seems to be a trigger is then
 * confirmed.
 *
 * @note A fixed step beats the jumps of Wu and Manber's search here: steps that depend on the byte just read wait for it.
 */
export function isSuspect(bytes: Uint8Array, start = 0, end = bytes.length): boolean {
  tables ??= makeTables();
  return end - start < LONG
    ? isSuspectByBytes(bytes, start, end, tables)
    : isSuspectByWords(bytes, start, end, tables);
}

function isSuspectByBytes(bytes: Uint8Array, start: number, end: number, known: Tables): boolean {
  for (let at = start; at + 1 < end; at += 2) {
    const pair = known.pairs[
      ((bytes[at + 1] as number) & 127) * 256 + ((bytes[at] as number) & 127)
    ] as number;
    if (pair !== 0 && isTriggerAround(bytes, at, pair, known)) return true;
  }
  return false;
}

function isSuspectByWords(bytes: Uint8Array, start: number, end: number, known: Tables): boolean {
  const words = wordsOf(bytes);
  const lead = leadOf(bytes);
  const last = Math.min(words.length, (end + lead) >> 2);
  let index = (start + lead) >> 2;
  while (index < last) {
    index = pairFrom(words, index, Math.min(last, index + BLOCK), known.pairs);
    if (index < last && isTriggerIn(bytes, index * 4 - lead, words[index] as number, known)) return true;
    index++;
  }
  return isSuspectByBytes(bytes, Math.max(start, last * 4 - lead), end, known);
}

/**
 * The first word with a pair in it, `end` for none.
 * @note A function that is called often. The engine compiles a loop that runs long before it has seen what comes after
 * it, and may do so anew each time.
 */
function pairFrom(words: Int32Array, start: number, end: number, pairs: Uint8Array): number {
  for (let index = start; index < end; index++) {
    const word = words[index] as number;
    if (((pairs[word & 0x7f7f] as number) | (pairs[(word >>> 16) & 0x7f7f] as number)) !== 0) return index;
  }
  return end;
}

function isTriggerIn(bytes: Uint8Array, at: number, word: number, known: Tables): boolean {
  return (
    isTriggerAround(bytes, at, known.pairs[word & 0x7f7f] as number, known) ||
    isTriggerAround(bytes, at + 2, known.pairs[(word >>> 16) & 0x7f7f] as number, known)
  );
}

/** @param pair what is known of the two bytes at `at` */
function isTriggerAround(bytes: Uint8Array, at: number, pair: number, known: Tables): boolean {
  return (
    ((pair & SECOND) !== 0 && isTriggerAt(bytes, at - 1, known)) ||
    ((pair & FIRST) !== 0 && isTriggerAt(bytes, at, known))
  );
}

function isTriggerAt(bytes: Uint8Array, anchor: number, { threes, candidates }: Tables): boolean {
  if (anchor < 0 || anchor + 2 >= bytes.length) return false;
  const three = foldThree(bytes[anchor] as number, bytes[anchor + 1] as number, bytes[anchor + 2] as number);
  const found = threes[three] as number;
  return found > 0 && confirm(bytes, anchor, candidates[found] as readonly Candidate[]);
}

/** A pair is the first two bytes of an anchor, or its second two, or both. As an index the first byte is the lower one. */
const FIRST = 1;
const SECOND = 2;

interface Tables {
  readonly pairs: Uint8Array;
  /** Three anchor bytes, folded, as an index into the candidates. */
  readonly threes: Uint8Array;
  readonly candidates: readonly (readonly Candidate[])[];
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/** Made when the first line is looked at: a session waits until the command has started. */
let tables: Tables | undefined;

function makeTables(): Tables {
  const pairs = new Uint8Array(128 * 256);
  const threes = new Uint8Array(32 * 32 * 32);
  const candidates: Candidate[][] = [[]];
  const mark = (one: number, other: number, place: number) => {
    const pair = (other << 8) | one;
    pairs[pair] = (pairs[pair] as number) | place;
  };
  const markOthers = (one: number, other: number, place: number) => {
    mark(inOtherCase(one), other, place);
    mark(one, inOtherCase(other), place);
    mark(inOtherCase(one), inOtherCase(other), place);
  };
  for (const trigger of triggers()) {
    const codes = encoder.encode(trigger.word);
    const anyCase = trigger.kind !== "shape" || trigger.word.startsWith("hooks.");
    const a = codes[trigger.anchor] as number;
    const b = codes[trigger.anchor + 1] as number;
    const c = codes[trigger.anchor + 2] as number;
    mark(a, b, FIRST);
    mark(b, c, SECOND);
    if (anyCase) {
      markOthers(a, b, FIRST);
      markOthers(b, c, SECOND);
    }
    const three = foldThree(a, b, c);
    if (!threes[three]) threes[three] = candidates.push([]) - 1;
    candidates[threes[three] as number]?.push({ ...trigger, codes, anyCase, spared: NOTHING });
  }
  return { pairs, threes, candidates };
}

function inOtherCase(code: number): number {
  return isLetter(code) ? code ^ 32 : code;
}

/** Letters of either case are one, and some signs with them. */
function foldThree(a: number, b: number, c: number): number {
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}
