import { BACKSLASH, stringValue, type TokenNotes } from "./json-tokens.ts";

/** Objects of up to so many keys are searched one key after the other. */
const SMALL = 8;
/** No larger memory than for so many open keys is kept from one scan to the next. */
const KEPT = 1 << 16;
const NOT_INDEX = 0xffffffff;
/** Keys that collide in one process do not in another, so nobody can prepare a slow message. */
const SEED = (Math.random() * 0x100000000) | 0;

const encoder = new TextEncoder();

/** Notes of a scan together with the keys that are open. */
export interface HarmNotes extends TokenNotes {
  readonly keys: OpenKeys;
}

/**
 * The keys of all objects open at a place in a text, to notice what a JavaScript object cannot hold as written: a
 * key twice, or array indexes (https://tc39.es/ecma262/#sec-ordinaryownpropertykeys) that would be moved forward.
 *
 * The keys of open objects form a stack. Of objects with many keys they are also in a hash table with linear probing,
 * which needs no marks for removed keys, since keys leave in the opposite order of their coming.
 */
export class OpenKeys {
  #starts = new Uint32Array(64);
  #ends = new Uint32Array(64);
  #marks = new Int32Array(64);
  #count = 0;

  #firsts = new Uint32Array(16);
  #orders = new Uint32Array(16);
  #depth = -1;

  #table = new Uint32Array(64);
  #entered = new Uint32Array(32);
  #slots = new Uint32Array(32);
  #hashes = new Int32Array(32);
  #enteredCount = 0;

  #anyEscaped = false;

  reset(): void {
    this.#count = 0;
    this.#depth = -1;
    this.#anyEscaped = false;
    if (this.#enteredCount > 0) this.#table.fill(0);
    this.#enteredCount = 0;
    if (this.#starts.length > KEPT) this.#resizeKeys(64);
    if (this.#firsts.length > KEPT) this.#resizeObjects(16);
    if (this.#entered.length > KEPT) this.#resizeTable(32);
  }

  open(): void {
    const depth = ++this.#depth;
    if (depth === this.#firsts.length) this.#resizeObjects(depth * 2);
    this.#firsts[depth] = this.#count;
    this.#orders[depth] = 0;
  }

  close(): void {
    const first = this.#firsts[this.#depth--] as number;
    if (this.#count - first > SMALL) {
      while (this.#enteredCount > 0 && (this.#entered[this.#enteredCount - 1] as number) >= first) {
        this.#table[this.#slots[--this.#enteredCount] as number] = 0;
      }
    }
    this.#count = first;
  }

  /** A key of the innermost object, its quotes at start and before end. True if it does harm. */
  add(bytes: Uint8Array, start: number, end: number, escaped: boolean): boolean {
    if (escaped) this.#anyEscaped = true;
    const key = escaped ? encoder.encode(stringValue(bytes, start, end)) : bytes;
    const from = escaped ? 0 : start + 1;
    const to = escaped ? key.length : end - 1;
    if (this.#isMoved(key, from, to)) return true;

    const index = this.#count++;
    if (index === this.#starts.length) this.#resizeKeys(index * 2);
    this.#starts[index] = start;
    this.#ends[index] = end;
    const mark = markOf(key, from, to);
    this.#marks[index] = mark;
    const first = this.#firsts[this.#depth] as number;
    if (index - first >= SMALL) return this.#enter(bytes, index, first);
    for (let i = first; i < index; i++) {
      if (this.#marks[i] === mark && this.#isSame(bytes, i, index)) return true;
    }
    return false;
  }

  /** Whether JavaScript would list the key before one that came earlier. Remembers the key's place. */
  #isMoved(key: Uint8Array, from: number, to: number): boolean {
    const depth = this.#depth;
    const c = from < to ? (key[from] as number) : 0;
    const arrayIndex = c >= 0x30 && c <= 0x39 ? arrayIndexOf(key, from, to) : -1;
    if (arrayIndex < 0) {
      this.#orders[depth] = NOT_INDEX;
      return false;
    }
    if (arrayIndex < (this.#orders[depth] as number)) return true;
    this.#orders[depth] = arrayIndex + 1;
    return false;
  }

  #isSame(bytes: Uint8Array, a: number, b: number): boolean {
    const aStart = this.#starts[a] as number;
    const aEnd = this.#ends[a] as number;
    const bStart = this.#starts[b] as number;
    const bEnd = this.#ends[b] as number;
    if (this.#anyEscaped) return stringValue(bytes, aStart, aEnd) === stringValue(bytes, bStart, bEnd);
    if (aEnd - aStart !== bEnd - bStart) return false;
    for (let i = aStart, j = bStart; i < aEnd; i++, j++) if (bytes[i] !== bytes[j]) return false;
    return true;
  }

  /** Looks a key up in the table, and puts it there. The object's first keys come along when it outgrows SMALL. */
  #enter(bytes: Uint8Array, index: number, first: number): boolean {
    if (index - first === SMALL) {
      for (let i = first; i < index; i++) if (this.#put(bytes, i, first)) return true;
    }
    return this.#put(bytes, index, first);
  }

  #put(bytes: Uint8Array, index: number, first: number): boolean {
    if (this.#enteredCount === this.#entered.length) this.#resizeTable(this.#entered.length * 2);
    const hash = this.#hashOf(bytes, index, first);
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (let other = this.#table[slot] as number; other !== 0; other = this.#table[slot] as number) {
      const entry = other - 1;
      const otherIndex = this.#entered[entry] as number;
      if (otherIndex >= first && this.#hashes[entry] === hash && this.#isSame(bytes, otherIndex, index))
        return true;
      slot = (slot + 1) & mask;
    }
    const entry = this.#enteredCount++;
    this.#entered[entry] = index;
    this.#hashes[entry] = hash;
    this.#slots[entry] = slot;
    this.#table[slot] = entry + 1;
    return false;
  }

  #hashOf(bytes: Uint8Array, index: number, first: number): number {
    const start = this.#starts[index] as number;
    const end = this.#ends[index] as number;
    if (this.#anyEscaped && bytes.subarray(start, end).includes(BACKSLASH)) {
      const key = encoder.encode(stringValue(bytes, start, end));
      return hashOf(key, 0, key.length, first);
    }
    return hashOf(bytes, start + 1, end - 1, first);
  }

  #resizeKeys(length: number): void {
    this.#starts = resized(this.#starts, new Uint32Array(length));
    this.#ends = resized(this.#ends, new Uint32Array(length));
    this.#marks = resized(this.#marks, new Int32Array(length));
  }

  #resizeObjects(length: number): void {
    this.#firsts = resized(this.#firsts, new Uint32Array(length));
    this.#orders = resized(this.#orders, new Uint32Array(length));
  }

  #resizeTable(length: number): void {
    this.#entered = resized(this.#entered, new Uint32Array(length));
    this.#slots = resized(this.#slots, new Uint32Array(length));
    this.#hashes = resized(this.#hashes, new Int32Array(length));
    this.#table = new Uint32Array(length * 2);
    const mask = this.#table.length - 1;
    for (let entry = 0; entry < this.#enteredCount; entry++) {
      let slot = (this.#hashes[entry] as number) & mask;
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[entry] = slot;
      this.#table[slot] = entry + 1;
    }
  }
}

function resized<T extends Uint32Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old.length > fresh.length ? old.subarray(0, fresh.length) : old);
  return fresh;
}

/** Cheap and telling for most keys of one object: length, first, middle and last byte. */
function markOf(key: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length === 0) return 0;
  const first = key[from] as number;
  const middle = key[from + (length >> 1)] as number;
  const last = key[to - 1] as number;
  return (length << 24) ^ (first << 16) ^ (middle << 8) ^ last;
}

/** FNV-1a of a key, mixed with its object and murmur's finish: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(key: Uint8Array, from: number, to: number, first: number): number {
  let hash = SEED ^ Math.imul(first, 0x9e3779b1);
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (key[i] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** The array index (0 to 2^32 - 2) that a key spells, or -1. */
function arrayIndexOf(key: Uint8Array, from: number, to: number): number {
  if (to - from > 10 || (key[from] === 0x30 && to - from > 1)) return -1;
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = (key[i] as number) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value < NOT_INDEX ? value : -1;
}
