import type { Codec, Decoder, Located, Part } from "../cassette/codec.ts";
import { FORMAT } from "../cassette/migrations.ts";
import { Places } from "../cassette/places.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { Entries, Outline } from "./outline.ts";
import { Outlining } from "./outlining.ts";
import { Twins } from "./twins.ts";
import { Wordings } from "./wordings.ts";

/** Bytes decoded at a time: few, so that the entries in them are gone before anybody has to tidy up around them. */
const SLICE = 64 * 1024;
/** Most entries are larger, so that there is room for all of them at once. */
const BYTES_OF_ENTRY = 128;
/** What takes long to decode stays decoded in smaller files. */
const SMALL = 32 * 1024 * 1024;
/** So many entries that were looked at last are at hand: whoever looks at one looks again. */
const AT_HAND = 8;

export interface CassetteTextOptions {
  readonly codec: Codec;
  /** As messages name it. */
  readonly file: string;
  /** Another recording of the same thing, if there is one: what both say in the same words is looked into once. */
  readonly like?: CassetteText | undefined;
}

/** A whole cassette file: what it says as an outline, and entry by entry, each as what it says and as its text. */
export class CassetteText implements Entries {
  readonly header: Header;
  readonly outline: Outline;
  /** The file stops in the middle of something, which counts as not there. */
  readonly truncated: boolean;
  readonly #bytes: Uint8Array;
  readonly #codec: Codec;
  readonly #places = new Places();
  /** For another recording that is read like this one. */
  readonly #wordings: Wordings | undefined;
  /** All entries, where they stay decoded. */
  readonly #kept: Entry[] | undefined;
  /** Those that were looked at last, by what is left of dividing their ordinals. */
  readonly #atHand: { readonly ordinal: number; readonly entry: Entry }[] = [];

  /** @throws VcrError `cassette-invalid` */
  constructor(given: Uint8Array, { codec, file, like }: CassetteTextOptions) {
    // Cutting pieces off a view of the plain class is much faster than off a Buffer, and so is reading both alike.
    const bytes = new Uint8Array(given.buffer, given.byteOffset, given.length);
    this.#bytes = bytes;
    this.#codec = codec;
    this.#kept = codec.slow && bytes.length < SMALL ? [] : undefined;
    this.#wordings = like ? undefined : new Wordings(bytes);
    const wordings = like ? like.#wordings : undefined;
    const twins = like && wordings && new Twins(like.outline, wordings);
    const decoder = codec.decoder(file);
    const room = Math.ceil(bytes.length / BYTES_OF_ENTRY);
    const begin = () =>
      new Outlining(headerOf(decoder).source.transport === "stdio", {
        room,
        twins,
        wordings: this.#wordings,
      });
    let outlining: Outlining | undefined;
    const take = (located: readonly Located[]) => {
      for (const each of located) {
        outlining ??= begin();
        outlining.add(each.entry);
        this.#places.add(each);
        this.#kept?.push(each.entry);
      }
    };
    for (let at = 0; at < bytes.length; at += SLICE) take(decoder.push(bytes.subarray(at, at + SLICE)));
    const end = decoder.end();
    take(end.entries);
    this.truncated = end.truncated !== undefined;
    this.header = headerOf(decoder);
    this.outline = (outlining ?? begin()).finish(this);
  }

  get count(): number {
    return this.#places.count;
  }

  entryAt(ordinal: number): Entry {
    const kept = this.#kept?.[ordinal];
    if (kept) return kept;
    const known = this.#atHand[ordinal % AT_HAND];
    if (known?.ordinal === ordinal) return known.entry;
    const { line, part } = this.#places.at(ordinal);
    const entry = this.#codec.decodeEntry(this.textOf(ordinal), { file: "", line, part });
    this.#atHand[ordinal % AT_HAND] = { ordinal, entry };
    return entry;
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
  // A decoder that came to an entry, or to the end, without one has thrown.
  return header as Header;
}

function isSame(a: Part, b: Part): boolean {
  return a.format === b.format && a.sessionBase === b.sessionBase;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((c) => c <= 0x20);
}
