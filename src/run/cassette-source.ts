import { readFileSync } from "node:fs";
import type { Codec, Decoder, DecoderEnd, Located } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import { Places } from "../cassette/places.ts";
import { VcrError } from "../errors.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { EntrySource } from "../replay/recording.ts";
import { withSpill } from "./spill.ts";

/** Bytes decoded at a time: few at first, since the first answer waits for them. */
const FIRST_SLICE = 8 * 1024;
const LARGEST_SLICE = 512 * 1024;

interface Parts {
  readonly file: string;
  readonly bytes: Buffer;
  readonly codec: Codec;
  readonly onTruncated: (message: string) => void;
}

/**
 * A cassette file as a source of entries. The file's bytes stay in memory, and entries are decoded from them as they
 * are needed: of each only its place is kept.
 */
export class CassetteSource implements EntrySource {
  readonly header: Header;
  readonly #file: string;
  readonly #bytes: Buffer;
  readonly #codec: Codec;
  readonly #decoder: Decoder;
  readonly #onTruncated: (message: string) => void;
  readonly #places = new Places();
  #ready: Entry[] = [];
  #offset = 0;
  #slice = FIRST_SLICE;
  #ended = false;

  private constructor({ file, bytes, codec, onTruncated }: Parts) {
    this.#file = file;
    this.#bytes = bytes;
    this.#codec = codec;
    this.#decoder = this.#codec.decoder(file);
    this.#onTruncated = onTruncated;
    while (this.#decoder.header === undefined && this.#read());
    // A decoder that came to the end without a header has thrown.
    this.header = this.#decoder.header as Header;
  }

  /**
   * Opens a cassette and reads as far as its header.
   * @param onTruncated told when the file stops in the middle of an entry, which is then left out
   * @throws VcrError `cassette-missing`, `cassette-invalid`, `usage` for a name that is no cassette's
   */
  static async open(file: string, onTruncated: (message: string) => void): Promise<CassetteSource> {
    const codec = await codecFor(file);
    return new CassetteSource({
      file,
      bytes: withSpill(file, readCassetteFile(file), codec),
      codec,
      onTruncated,
    });
  }

  next(count: number): readonly Entry[] {
    while (this.#ready.length === 0 && this.#read());
    return this.#ready.splice(0, count);
  }

  entryAt(ordinal: number): Entry {
    const { start, end, line, part } = this.#places.at(ordinal);
    return this.#codec.decodeEntry(this.#bytes.subarray(start, end), { file: this.#file, line, part });
  }

  placeOf(ordinal: number): string {
    return `${this.#file}:${this.#places.at(ordinal).line}`;
  }

  #read(): boolean {
    if (this.#ended) return false;
    if (this.#offset < this.#bytes.length) {
      const slice = this.#bytes.subarray(this.#offset, this.#offset + this.#slice);
      this.#slice = Math.min(LARGEST_SLICE, this.#slice * 2);
      this.#offset += slice.length;
      this.#take(this.#decoder.push(slice));
      return true;
    }
    this.#ended = true;
    const end: DecoderEnd = this.#decoder.end();
    this.#take(end.entries);
    if (end.truncated) {
      const { line, reason } = end.truncated;
      this.#onTruncated(`${this.#file}:${line}: the last entry is cut off (${reason}) and left out`);
    }
    return true;
  }

  #take(located: readonly Located[]): void {
    for (const place of located) {
      this.#places.add(place);
      this.#ready.push(place.entry);
    }
  }
}

/**
 * The bytes of a cassette file.
 * @throws VcrError `cassette-missing`
 */
export function readCassetteFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const folder = (error as NodeJS.ErrnoException).code === "EISDIR";
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = missing
      ? "there is no such file"
      : folder
        ? "this is a folder; name a cassette in it"
        : (error as Error).message;
    throw new VcrError("cassette-missing", reason, {
      place: { file },
      hint: missing ? `Record it: mcp-vcr record -o ${file} -- COMMAND` : undefined,
      cause: error,
    });
  }
}
