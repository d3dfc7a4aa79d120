import type { Entry, HttpFacts } from "../exchange/entry.ts";
import type { Stray } from "../exchange/world.ts";
import { eachMessage, type Message } from "../protocol/message.ts";

/** What of a recording is no part of any exchange, and comes in few recordings. By ordinals of entries, in wire order. */
export class Oddities {
  /** What the server sent where nothing but messages may stand: lines of its stdout, events of its streams. */
  readonly noise: number[] = [];
  /** Batches of the server. */
  readonly batches: number[] = [];
  /** How connections ended, on either side. */
  readonly ends: number[] = [];
  /** Responses that no request waits for. */
  readonly strays: Stray[] = [];
  /** Errors that name no request. */
  readonly unnamed: number[] = [];

  add({ from, on, closed, http, event }: Entry, ordinal: number, frame: Message | undefined): void {
    if (closed && on === undefined) this.ends.push(ordinal);
    if (from !== "server" || !frame) return;
    if (frame.isError && (frame.id === undefined || frame.id === "null")) this.unnamed.push(ordinal);
    if (frame.kind === "batch") this.batches.push(ordinal);
    // What else comes in the body of an HTTP response is an answer of HTTP's own.
    const isForMessages = http === undefined || event !== undefined || opensStream(http);
    if (event?.name !== undefined || frame.bytes.length === 0) return;
    if (isForMessages && !isWholeMessage(frame)) this.noise.push(ordinal);
  }
}

/** Whether an entry stands with the response that an event stream is. */
export function opensStream({ headers }: HttpFacts): boolean {
  return headers?.["content-type"] === "text/event-stream";
}

function isWholeMessage(frame: Message): boolean {
  if (frame.kind !== "batch") return isMessage(frame);
  return [...eachMessage(frame)].every(isMessage);
}

const VERSION = new TextEncoder().encode('"2.0"');

/**
 * By its version, too: parsers refuse what does not say it (https://www.jsonrpc.org/specification#request_object). A
 * response belongs to its request all the same.
 */
function isMessage({ kind, bytes, scan }: Message): boolean {
  const { jsonrpc } = scan.members;
  if (kind === "response") return true;
  if (kind === "malformed" || !jsonrpc || jsonrpc.end - jsonrpc.start !== VERSION.length) return false;
  return VERSION.every((byte, index) => bytes[jsonrpc.start + index] === byte);
}
