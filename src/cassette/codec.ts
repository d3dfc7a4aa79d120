import type { Entry, Header } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";
import type { Span } from "../protocol/scan-json.ts";

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
  /** The same, but leaves calls undecoded where it can; absent where it cannot. */
  callDecoder?(file: string, mark: CallMark): Decoder<Located | LocatedCall>;
  /**
   * One entry from its byte range alone (see `Located`).
   * @throws VcrError `cassette-invalid`
   */
  decodeEntry(bytes: Uint8Array, place: EntryPlace): Entry;
  /** The same with its message, where one reading tells both; absent, or undefined, where it does not. */
  decodeMessage?(bytes: Uint8Array, place: EntryPlace): EntryRead | undefined;
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
export interface Decoder<Found = Located> {
  /** Of the first recording in the file, once it is complete. */
  readonly header: Header | undefined;
  /** @throws VcrError `cassette-invalid`; the decoder is of no use after that */
  push(chunk: Uint8Array): Found[];
  end(): DecoderEnd<Found>;
}

export interface DecoderEnd<Found = Located> {
  readonly entries: Found[];
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

/**
 * A request and its answer, two neighbouring entries of one connection that hold nothing but these messages. Neither is
 * decoded: they are valid JSON, and `decodeEntry` gives them.
 */
export interface LocatedCall {
  /** The byte range of the request's line. */
  readonly start: number;
  readonly end: number;
  /** The answer's line follows the request's, and ends here. */
  readonly answerEnd: number;
  /** Of the request; the answer is on the next. */
  readonly line: number;
  readonly part: Part;
  readonly session: number;
  readonly id: number;
  readonly method: string;
  /** What `CallMark` gave for it. */
  readonly hash: number;
  /** The byte range of the request's `params` in the file. */
  readonly paramsStart: number;
  readonly paramsEnd: number;
}

/**
 * Whether a request may be left undecoded, by its `params` in the bytes of its line: a number that is kept with it, or
 * undefined.
 */
export type CallMark = (line: Uint8Array, method: string, params: Span) => number | undefined;

export interface EntryRead {
  readonly entry: Entry;
  /** Its body. */
  readonly message: Message;
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
