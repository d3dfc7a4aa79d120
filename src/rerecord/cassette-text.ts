import type { Codec, Decoder, DecoderEnd, Located, Part } from "../cassette/codec.ts";
import { FORMAT } from "../cassette/migrations.ts";
import { Places } from "../cassette/places.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { Entries } from "./outline.ts";

/** Bytes decoded at a time. */
const SLICE = 512 * 1024;
/** Entries of smaller files stay decoded; of larger ones they are decoded again when they are looked at. */
const SMALL = 32 * 1024 * 1024;

/** A whole cassette file, entry by entry, each as what it says and as its text. */
export class CassetteText implements Entries {
  readonly header: Header;
  /** The file stops in the middle of something, which counts as not there. */
  readonly truncated: boolean;
  readonly #bytes: Uint8Array;
  readonly #codec: Codec;
  readonly #places = new Places();
  readonly #decoded: Entry[] = [];

  /** @throws VcrError `cassette-invalid` */
  constructor(bytes: Uint8Array, codec: Codec, file: string) {
    this.#bytes = bytes;
    this.#codec = codec;
    const decoder = codec.decoder(file);
    for (let at = 0; at < bytes.length; at += SLICE) this.#take(decoder.push(bytes.subarray(at, at + SLICE)));
    const end: DecoderEnd = decoder.end();
    this.#take(end.entries);
    this.truncated = end.truncated !== undefined;
    this.header = headerOf(decoder);
  }

  #take(located: readonly Located[]): void {
    for (const each of located) {
      this.#places.add(each);
      if (this.#bytes.length < SMALL) this.#decoded.push(each.entry);
    }
  }

  get count(): number {
    return this.#places.count;
  }

  entryAt(ordinal: number): Entry {
    const known = this.#decoded[ordinal];
    if (known) return known;
    const { line, part } = this.#places.at(ordinal);
    return this.#codec.decodeEntry(this.textOf(ordinal), { file: "", line, part });
  }

  /** It is one recording in the current format, with nothing but line breaks between its entries. */
  get plain(): boolean {
    if (this.count === 0) return false;
    const { part: first } = this.#places.at(0);
    if (first.format !== FORMAT) return false;
    for (let ordinal = 0; ordinal < this.count; ordinal++) {
      if (!isSame(this.#places.at(ordinal).part, first)) return false;
      if (ordinal > 0 && !isBlank(this.textAfter(ordinal - 1))) return false;
    }
    return true;
  }

  /** Several recordings, one after the other (`cat a.yaml b.yaml`). */
  get concatenated(): boolean {
    const first = this.count > 0 ? this.#places.at(0).part : undefined;
    const last = this.count > 0 ? this.#places.at(this.count - 1).part : undefined;
    return first !== undefined && last !== undefined && !isSame(first, last);
  }

  /** Its lines end in CR LF. */
  get crlf(): boolean {
    return this.#bytes[this.#bytes.indexOf(0x0a) - 1] === 0x0d;
  }

  /** Everything before the first entry. */
  get headerText(): Uint8Array {
    return this.#bytes.subarray(0, this.#places.at(0).start);
  }

  textOf(ordinal: number): Uint8Array {
    const { start, end } = this.#places.at(ordinal);
    return this.#bytes.subarray(start, end);
  }

  /** What stands between an entry and the next, or the end of the file. */
  textAfter(ordinal: number): Uint8Array {
    const next = ordinal + 1 < this.count ? this.#places.at(ordinal + 1).start : undefined;
    return this.#bytes.subarray(this.#places.at(ordinal).end, next);
  }
}

function headerOf({ header }: Decoder): Header {
  // A decoder that came to the end without one has thrown.
  return header as Header;
}

function isSame(a: Part, b: Part): boolean {
  return a.format === b.format && a.sessionBase === b.sessionBase;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((c) => c <= 0x20);
}
