import type { Closed, EventFacts, HttpFacts } from "../exchange/entry.ts";
import type { IdToken } from "../protocol/message.ts";

/**
 * What the player wants done. `on` is the exact id token of the live request it belongs to, undefined for what a
 * notification set off. `http` and `event` are the recorded facts; a door that speaks no HTTP passes over them.
 */
export type Action =
  | {
      /** A notification or a request of the server. */
      readonly type: "send";
      readonly bytes: Uint8Array;
      readonly on: IdToken | undefined;
      /** Over HTTP: on the request's own response stream, or on the standalone GET stream. */
      readonly stream: "own" | "standalone";
      readonly event?: EventFacts | undefined;
      readonly http?: HttpFacts | undefined;
    }
  | {
      /** The response; after it the request's own stream is over. */
      readonly type: "outcome";
      readonly bytes: Uint8Array;
      readonly on: IdToken | undefined;
      /** No line break stands in the bytes; otherwise that is not known. */
      readonly isLine?: true;
      readonly event?: EventFacts | undefined;
      readonly http?: HttpFacts | undefined;
    }
  | {
      /** An HTTP answer without a JSON-RPC message, such as 401. */
      readonly type: "status";
      readonly on: IdToken | undefined;
      readonly http: HttpFacts;
      readonly body?: Uint8Array | undefined;
    }
  | {
      /** An SSE event without a message: a priming event, a retry. */
      readonly type: "event";
      readonly on: IdToken | undefined;
      readonly event: EventFacts;
    }
  | {
      /** The response stream ends before the outcome; the client may come back to it. */
      readonly type: "end";
      readonly on: IdToken | undefined;
    }
  | {
      /** The recorded server died here. */
      readonly type: "crash";
      /** The request whose stream broke; undefined when the whole connection did. */
      readonly on: IdToken | undefined;
      readonly closed: Closed;
      /** The server is gone for all its clients, not for this one alone. */
      readonly server?: true;
    }
  | {
      /** A piece of the response on its way: without line breaks, and the response is whole with the last one. */
      readonly type: "part";
      readonly on: IdToken | undefined;
      readonly bytes: Uint8Array;
      readonly last: boolean;
      /** The whole response, for what depends on it. */
      readonly whole: Uint8Array;
      readonly event?: EventFacts | undefined;
      readonly http?: HttpFacts | undefined;
    }
  | {
      /** Over HTTP: the server knows this client's session no more, and says so to this request and all later ones. */
      readonly type: "forget";
      readonly on: IdToken | undefined;
    };
