/** Header lines as they were sent: name, value, name, value, in order, with case and duplicates. */
export type RawHeaders = readonly string[];

export interface RequestFacts {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** As the server gets them: Host and Origin are its own where the client named the proxy. */
  readonly headers: RawHeaders;
  /** Equal for requests that came over one TCP connection. */
  readonly connection: object;
}

/**
 * How a request's way through the proxy ended.
 * `end`: the answer was whole. `aborted-by-client`: the client went away first. `reset-by-server`: the server's
 * connection broke, before the answer or within it. `failed`: the server could not be reached or spoke no HTTP, and
 * the client got a 502. `stopped`: the proxy was closed.
 */
export type Ending = "end" | "aborted-by-client" | "reset-by-server" | "failed" | "stopped";

/**
 * Watches one request. Every call comes after the bytes it tells of were sent on. Chunks stay as they are and may be
 * kept. `responseEnd` is the last call, also where `requestEnd` or `response` never came.
 */
export interface TapRequest {
  requestBody(chunk: Uint8Array): void;
  requestEnd(): void;
  response(status: number, headers: RawHeaders): void;
  responseBody(chunk: Uint8Array): void;
  responseEnd(how: Ending): void;
}

/** Watches what passes a proxy. It must not throw. */
export interface Tap {
  /** Undefined: this request is none of its business. */
  request(facts: RequestFacts): TapRequest | undefined;
}
