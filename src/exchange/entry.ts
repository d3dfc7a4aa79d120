import type { IdToken, Side } from "../protocol/message.ts";

/**
 * One line of a recording: what crossed the wire at once, when, and from whom. This is the cassette's entry as data;
 * how it is spelt in a file is the codecs' business.
 */
export interface Entry {
  /** Milliseconds since the recording began, whole. */
  readonly at: number;
  readonly from: Side;
  /** Which connection; 1 is the first and is not written. */
  readonly session: number;
  /** Over HTTP: the request whose response this came with. */
  readonly on?: On | undefined;
  readonly http?: HttpFacts | undefined;
  readonly event?: EventFacts | undefined;
  readonly body?: Body | undefined;
  readonly closed?: Closed | undefined;
}

/**
 * `id`: the JSON-RPC request with this id (exact token). `get`: the standalone GET stream. `delete`: a DELETE.
 * `post`: a POST that carried no request (a notification, a response, or no message at all).
 */
export type On = { readonly id: IdToken } | "get" | "delete" | "post";

export interface HttpFacts {
  /** On the client's side. */
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** On the server's side. */
  readonly status?: number | undefined;
  /** Lower-case names; only those that carry meaning. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a Server-Sent Event carried besides its data (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventFacts {
  /** The event's type, when it is not `message`. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** Milliseconds. */
  readonly retry?: number | undefined;
}

/**
 * What was sent, exactly.
 * `message`: JSON text that JavaScript carries unharmed. `json`: JSON text that it does not (2^53 and up, `1.0`,
 * duplicate keys, lone surrogates, reordered keys). `text`: UTF-8 that is no JSON. `base64`: other bytes.
 */
export interface Body {
  readonly form: "message" | "json" | "text" | "base64";
  /** The bytes as they crossed the wire (not yet base64), after redaction. */
  readonly bytes: Uint8Array;
}

/** How a connection or a stream ended. */
export interface Closed {
  readonly exit?: number | undefined;
  readonly signal?: string | undefined;
  /** `eof`, `aborted`, `end`, `reset`, or a sentence. */
  readonly reason?: string | undefined;
}

/** What a cassette says of itself before its entries. */
export interface Header {
  /** ISO 8601, UTC. */
  readonly recorded: string;
  /** Program and version, `mcp-vcr/0.1.0`. */
  readonly recorder: string;
  readonly source: Source;
  /** Names of the redaction rules that were applied; what clients send at replay is redacted the same way. */
  readonly redacted?: readonly string[] | undefined;
}

/** `http` is Streamable HTTP and the HTTP+SSE pair alike: which it was shows only in what the server answers. */
export type Source =
  | { readonly transport: "stdio"; readonly command: readonly string[] }
  | { readonly transport: "http"; readonly url: string };
