import type { Side } from "../protocol/message.ts";

const NONE = -1;
/** Messages for which there is room at first: one in so many bytes, and at least one. */
const BYTES_OF_ONE = 256;
const PRIME = 0x5bd1e995;

/**
 * Finds messages of a recording that is in memory by their bytes. Two recordings of one server say nearly all in the
 * same words, and what was found out about those once need not be found out again.
 */
export class Wordings {
  readonly #buffer: ArrayBufferLike;
  readonly #view: DataView;
  #otherBuffer: ArrayBufferLike;
  #otherView: DataView;
  #count = 0;
  // Numbers in columns, since an object for each message would be many.
  #starts: Uint32Array;
  /** The length, and in the last bit whose message it is. */
  #sizes: Uint32Array;
  #hashes: Int32Array;
  #ordinals: Int32Array;
  /** By hash: an index into the columns, or -1; at least half of them are. A power of two. */
  #slots: Int32Array;

  /** @param bytes all of the recording's; messages that are no part of them are not noted */
  constructor(bytes: Uint8Array) {
    this.#buffer = bytes.buffer;
    this.#view = new DataView(bytes.buffer);
    [this.#otherBuffer, this.#otherView] = [this.#buffer, this.#view];
    const room = 2 ** Math.ceil(Math.log2(1 + bytes.length / BYTES_OF_ONE));
    this.#starts = new Uint32Array(room);
    this.#sizes = new Uint32Array(room);
    this.#hashes = new Int32Array(room);
    this.#ordinals = new Int32Array(room);
    this.#slots = new Int32Array(2 * room).fill(NONE);
  }

  /** Notes a message of the recording, unless one in the same words is known. */
  add(ordinal: number, from: Side, bytes: Uint8Array): void {
    if (bytes.buffer !== this.#buffer) return;
    if (this.#count === this.#starts.length) this.#grow();
    const start = bytes.byteOffset;
    const { length } = bytes;
    const hash = hashOf(this.#view, start, length);
    const size = sizeOf(length, from);
    const slot = this.#slotOf({ hash, size, view: this.#view, start, length });
    if (this.#slots[slot] !== NONE) return;
    const index = this.#count++;
    this.#slots[slot] = index;
    this.#starts[index] = start;
    this.#sizes[index] = size;
    this.#hashes[index] = hash;
    this.#ordinals[index] = ordinal;
  }

  /** The ordinal of a message that was noted, or -1. */
  find(from: Side, bytes: Uint8Array): number {
    const view = this.#viewOf(bytes.buffer);
    const start = bytes.byteOffset;
    const { length } = bytes;
    const hash = hashOf(view, start, length);
    const index = this.#slots[
      this.#slotOf({ hash, size: sizeOf(length, from), view, start, length })
    ] as number;
    return index === NONE ? NONE : (this.#ordinals[index] as number);
  }

  /** Where a message stands, or would. */
  #slotOf(wording: Wording): number {
    const { hash, size } = wording;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot] as number;
      if (index === NONE) return slot;
      if (this.#hashes[index] !== hash || this.#sizes[index] !== size) continue;
      if (this.#isAt(this.#starts[index] as number, wording)) return slot;
    }
  }

  #isAt(own: number, { view, start, length }: Wording): boolean {
    let at = 0;
    for (; at + 4 <= length; at += 4) {
      if (this.#view.getInt32(own + at, true) !== view.getInt32(start + at, true)) return false;
    }
    for (; at < length; at++) if (this.#view.getUint8(own + at) !== view.getUint8(start + at)) return false;
    return true;
  }

  /** Nearly all messages of the other recording stand in one buffer. */
  #viewOf(buffer: ArrayBufferLike): DataView {
    if (buffer !== this.#otherBuffer) {
      this.#otherBuffer = buffer;
      this.#otherView = new DataView(buffer);
    }
    return this.#otherView;
  }

  #grow(): void {
    const room = this.#starts.length * 2;
    const longer = <Numbers extends Uint32Array | Int32Array>(more: Numbers, numbers: Numbers) => {
      more.set(numbers);
      return more;
    };
    this.#starts = longer(new Uint32Array(room), this.#starts);
    this.#sizes = longer(new Uint32Array(room), this.#sizes);
    this.#hashes = longer(new Int32Array(room), this.#hashes);
    this.#ordinals = longer(new Int32Array(room), this.#ordinals);
    this.#slots = new Int32Array(2 * room).fill(NONE);
    const mask = this.#slots.length - 1;
    for (let index = 0; index < this.#count; index++) {
      let slot = (this.#hashes[index] as number) & mask;
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = index;
    }
  }
}

/** A message, as it is looked for. */
interface Wording {
  readonly hash: number;
  readonly size: number;
  readonly view: DataView;
  readonly start: number;
  readonly length: number;
}

function sizeOf(length: number, from: Side): number {
  return length * 2 + (from === "client" ? 1 : 0);
}

/** By words of four bytes, which takes a quarter of the time. */
function hashOf(view: DataView, start: number, length: number): number {
  const end = start + length;
  let hash = length;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), PRIME);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), PRIME);
  return hash ^ (hash >>> 13);
}
