import type { Body, Closed, EventFacts, HttpFacts, On } from "../exchange/entry.ts";
import type { Side } from "../protocol/message.ts";

/**
 * `noise` is what is no JSON-RPC message, `http` an HTTP request or answer without a body, `event` an SSE event without
 * data, `closed` the end of a connection or stream.
 */
export type RowKind =
  | "request"
  | "notification"
  | "result"
  | "error"
  | "batch"
  | "noise"
  | "http"
  | "event"
  | "closed";

/** One line of a timeline: a message, or what else an entry tells. A batch has a row, and one for each message in it. */
export interface Row {
  /** The entry, counted from 1. */
  readonly entry: number;
  /** Of a message in a batch: its place, counted from 1. */
  readonly item?: number;
  /** Of the file. */
  readonly line: number;
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly session: number;
  readonly from: Side;
  readonly kind: RowKind;
  /** What it is, for people. */
  readonly label: string;
  /** Of a request or notification its own, of an answer that of the request it answers. */
  readonly method?: string;
  /** What the request is about: the tool, the prompt, the resource. */
  readonly name?: string;
  /** Exact JSON token of the id. */
  readonly id?: string;
  /** Index of the row of the request that is answered here. */
  readonly answers?: number;
  /** Milliseconds from that request to this answer. */
  readonly ms?: number;
  /** A tool's result that says it failed (`isError`). */
  readonly failed?: true;
  readonly on?: On;
  readonly http?: HttpFacts;
  readonly event?: EventFacts;
  readonly closed?: Closed;
  /** Of the body, in UTF-8. */
  readonly bytes: number;
  /** Where it was asked for. */
  readonly body?: Body;
}
