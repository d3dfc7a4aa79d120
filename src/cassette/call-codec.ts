import type { Entry } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";
import type { Span } from "../protocol/scan-json.ts";
import type { Codec, Decoder, DecoderEnd, EntryPlace, Located, Part } from "./codec.ts";

/** A codec that reads less of a recording than all, for those who need only some of it. */
export interface CallCodec extends Codec {
  /** A decoder that leaves calls undecoded where it can. */
  callDecoder(file: string, mark: CallMark): CallDecoder;
  /** An entry with its message, where one reading tells both. */
  decodeMessage(bytes: Uint8Array, place: EntryPlace): EntryRead | undefined;
}

export function readsCalls(codec: Codec): codec is CallCodec {
  return "callDecoder" in codec;
}

/** See `Decoder`, which is one that leaves nothing undecoded. */
export interface CallDecoder<Found = Located | LocatedCall> {
  readonly header: Decoder["header"];
  push(chunk: Uint8Array): Found[];
  end(): Omit<DecoderEnd, "entries"> & { readonly entries: Found[] };
}

/**
 * A request and its answer, two neighbouring entries of one connection that hold nothing but these messages. Neither is
 * decoded: they are valid JSON, and `decodeEntry` gives them. No line break stands in the answer.
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
  /** That of the answer's message. */
  readonly answer: Span;
  /** Where the id stands in it, spelt as that of the request; in the file, too. */
  readonly answerId: number;
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
