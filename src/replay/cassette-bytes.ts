import { type CallDecoder, type EntryRead, type LocatedCall, readsCalls } from "../cassette/call-codec.ts";
import type { Codec, Located } from "../cassette/codec.ts";
import { MOST_IN_32_BITS, Places } from "../cassette/places.ts";
import type { FilePlace } from "../errors.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { plainKeyHash } from "./plain-key.ts";
import type { EntrySource } from "./recording.ts";

/** Bytes decoded at a time: few at first, since the first answer waits for them. */
const FIRST_SLICE = 2 * 1024;
const LARGEST_SLICE = 512 * 1024;

export interface CassetteText {
  /** As messages name it. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Called before bytes are looked at the first time, with the end of them; absent where all are there. */
  readonly readTo?: ((end: number) => void) | undefined;
  readonly codec: Codec;
  /** Told when it stops in the middle of an entry, which is then left out. */
  readonly onTruncated: OnTruncated;
}

/** Told in a sentence, and as data. */
export type OnTruncated = (
  message: string,
  cut: { readonly place: FilePlace; readonly reason: string },
) => void;

/**
 * A cassette's text as a source of entries. The bytes stay in memory, and entries are decoded from them as they are
 * needed: of each only its place is kept.
 */
export class CassetteBytes implements EntrySource {
  readonly header: Header;
  readonly #file: string;
  readonly bytes: Uint8Array;
  readonly #readTo: CassetteText["readTo"];
  readonly #codec: Codec;
  readonly #decoder: CallDecoder;
  readonly #onTruncated: OnTruncated;
  readonly #places = new Places();
  #ready: (Entry | LocatedCall)[] = [];
  #offset = 0;
  #slice = FIRST_SLICE;
  #ended = false;

  /** Reads as far as the header. @throws VcrError `cassette-invalid` */
  constructor({ file, bytes, readTo, codec, onTruncated }: CassetteText) {
    this.#file = file;
    this.bytes = bytes;
    this.#readTo = readTo;
    this.#codec = codec;
    const hasCalls = readsCalls(codec) && bytes.length <= MOST_IN_32_BITS;
    this.#decoder = hasCalls ? codec.callDecoder(file, plainKeyHash) : codec.decoder(file);
    this.#onTruncated = onTruncated;
    while (this.#decoder.header === undefined && this.#read());
    // A decoder that came to the end without a header has thrown.
    this.header = this.#decoder.header as Header;
  }

  next(count: number): readonly (Entry | LocatedCall)[] {
    while (this.#ready.length === 0 && this.#read());
    return this.#ready.splice(0, count);
  }

  entryAt(ordinal: number): Entry {
    const { start, end, line, part } = this.#places.at(ordinal);
    return this.#codec.decodeEntry(this.bytes.subarray(start, end), { file: this.#file, line, part });
  }

  messageAt(ordinal: number): EntryRead | undefined {
    if (!readsCalls(this.#codec)) return undefined;
    const { start, end, line, part } = this.#places.at(ordinal);
    return this.#codec.decodeMessage(this.bytes.subarray(start, end), { file: this.#file, line, part });
  }

  placeOf(ordinal: number): string {
    return `${this.#file}:${this.#places.at(ordinal).line}`;
  }

  #read(): boolean {
    if (this.#ended) return false;
    if (this.#offset < this.bytes.length) {
      const slice = this.bytes.subarray(this.#offset, this.#offset + this.#slice);
      this.#slice = Math.min(LARGEST_SLICE, this.#slice * 2);
      this.#offset += slice.length;
      this.#readTo?.(this.#offset);
      this.#take(this.#decoder.push(slice));
      return true;
    }
    this.#ended = true;
    const end = this.#decoder.end();
    this.#take(end.entries);
    if (end.truncated) {
      const { line, reason } = end.truncated;
      this.#onTruncated(`${this.#file}:${line}: the last entry is cut off (${reason}) and left out`, {
        place: { file: this.#file, line },
        reason,
      });
    }
    return true;
  }

  #take(located: readonly (Located | LocatedCall)[]): void {
    for (const each of located) {
      this.#places.add(each);
      if ("entry" in each) this.#ready.push(each.entry);
      else {
        const { end, answerEnd, line, part } = each;
        this.#places.add({ start: end + 1, end: answerEnd, line: line + 1, part });
        this.#ready.push(each);
      }
    }
  }
}
