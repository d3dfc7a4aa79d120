import type { Entry, Header } from "../exchange/entry.ts";

/** Where written pieces go, in order; the file writer behind it batches them into one write. */
export interface ByteSink {
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
}

/** One spelling of the cassette format (`.yaml` or `.jsonl`). Nothing else in the program knows which it was. */
export interface Codec {
  readonly name: "yaml" | "jsonl";
  /**
   * What a file ends with. Whoever appends writes over it and puts it at the end again, so that a reader can tell a
   * complete last entry from one that was cut off. Empty where the entries themselves tell.
   */
  readonly terminator: Uint8Array;
  /** Encoding an entry, or decoding it, takes longer than passing its message on. */
  readonly slow: boolean;
  header(header: Header, sink: ByteSink): void;
  /** One for a file: it remembers requests so that the comment over an answer can name them. */
  encoder(): Encoder;
  decoder(file: string): Decoder;
  /**
   * One entry from its byte range alone (see `Located`).
   * @throws VcrError `cassette-invalid`
   */
  decodeEntry(bytes: Uint8Array, place: EntryPlace): Entry;
  /** Text that stands between entries, with the headers in it changed, and everything else as it was. */
  changeHeaders(bytes: Uint8Array, change: HeaderChange): Uint8Array;
}

/** What is to be another way in a header; what is not named stays. */
export type HeaderChange = (header: Header) => Partial<Pick<Header, "source" | "redacted">>;

export interface Encoder {
  encode(entry: Entry, sink: ByteSink): void;
}

/**
 * Reads a cassette as its bytes come, in any chunking, one entry in memory at a time. Entries hold on to the chunks
 * they came from, so a chunk must not be written to afterwards.
 */
export interface Decoder {
  /** Of the first recording in the file, once it is complete. */
  readonly header: Header | undefined;
  /** @throws VcrError `cassette-invalid`; the decoder is of no use after that */
  push(chunk: Uint8Array): Located[];
  end(): DecoderEnd;
}

export interface DecoderEnd {
  readonly entries: Located[];
  /** The file stops in the middle of something, which was left out. */
  readonly truncated?: Truncation | undefined;
  /** Where the next entry is to be written, over whatever is there, and what has to stand before it. */
  readonly append: { readonly at: number; readonly prefix: string };
}

export interface Truncation {
  /** First line of what was left out. */
  readonly line: number;
  readonly reason: string;
}

/** An entry and the byte range it takes in the file: `decodeEntry(file.subarray(start, end), located)` gives it again. */
export interface Located {
  readonly entry: Entry;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly part: Part;
}

/** One recording of a file that may hold several (`cat a.yaml b.yaml`). */
export interface Part {
  /** The format its header names. */
  readonly format: number;
  /** Added to its session numbers, so that they do not meet those of the recordings before it. */
  readonly sessionBase: number;
}

export interface EntryPlace {
  readonly file: string;
  /** Line of the entry's first byte. */
  readonly line: number;
  /** Absent: the first recording of a file in the current format. */
  readonly part?: Part | undefined;
}
