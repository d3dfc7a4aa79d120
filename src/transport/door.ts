import type { Headers } from "../wire/kept-headers.ts";
import type { Answer } from "./open-body.ts";

/** A request over HTTP as doors take it, whoever brought it. */
export interface Asked {
  readonly method: string;
  /** As a URL has it: without dot segments, escaped. */
  readonly pathname: string;
  /** The query with its `?`, or nothing. */
  readonly search: string;
  readonly headers: Headers;
  /** Of a POST. What other requests carry is not looked at. */
  readonly body: Uint8Array;
  /** Equal for requests that came over one TCP connection; undefined where that is not known. */
  readonly connection?: object | undefined;
  /** Calls `leave` when the client goes away before it has its answer. Returns what ends that. */
  readonly whenGone: (leave: () => void) => () => void;
}

/** A mock that answers requests over HTTP; see `HttpDoors`. */
export interface Door {
  /** @throws BrokenConnection where the connection breaks without an answer, now or later */
  answer(asked: Asked): Answer | Promise<Answer>;
}
