import { memberAt } from "../protocol/member.ts";
import type { IdToken, JsonObject, JsonValue, Message } from "../protocol/message.ts";
import type { Era } from "../protocol/revisions.ts";

/** A request to the server. The course goes on when it is answered, refused, or given up after `timeout`. */
export interface Ask {
  readonly type: "ask";
  readonly method: string;
  readonly params?: JsonValue | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /** With a token, so that the server may report progress. */
  readonly progress?: boolean | undefined;
}

/** A request that others may be sent beside: the course goes on at once, and is told when it is settled. */
export interface Begin {
  readonly type: "begin";
  readonly method: string;
  /** Writes it under the id that it is given. */
  readonly compose: (id: IdToken) => Message;
  /** Milliseconds after which it is given up. */
  readonly timeout: number;
  /** Told once, unless the course gives it up; `message` is the answer, where there was one. */
  readonly settled: (outcome: Outcome, message?: Message) => void;
}

/** What a course wants done next; it gets an `Outcome` back. */
export type Move =
  | Ask
  | Begin
  | { readonly type: "notify"; readonly method: string; readonly params?: JsonValue | undefined }
  /** A message as it is, to which nobody answers. */
  | { readonly type: "send"; readonly message: Message }
  /** Goes on when `until` holds, which is looked at when something came, or after `ms` milliseconds. */
  | { readonly type: "watch"; readonly until: () => boolean; readonly ms?: number | undefined }
  /** Milliseconds. */
  | { readonly type: "wait"; readonly ms: number }
  /** Gives up a request, or a subscription that stands open (`subscriptions/listen`). */
  | { readonly type: "stop"; readonly id: IdToken; readonly reason?: string | undefined }
  /** From here on the conversation is held in this era and version. */
  | { readonly type: "speak"; readonly era: Era; readonly version: string }
  /** From here on modern requests ask for log lines of this level and above. */
  | { readonly type: "logLevel"; readonly level: string }
  /** Legacy Streamable HTTP: opens the standalone stream, where there is one. */
  | { readonly type: "standalone" }
  /** Goes on over the older HTTP+SSE pair of endpoints. */
  | { readonly type: "pair" };

export interface RpcError {
  /** Undefined where the server sent none. */
  readonly code: number | undefined;
  readonly message: string;
  readonly data?: JsonValue | undefined;
}

/** The error of a response, as far as it holds to JSON-RPC. */
export function errorOf(error: JsonValue): RpcError {
  const [code, message, data] = ["code", "message", "data"].map((name) => memberAt(error, name));
  return {
    code: typeof code === "number" ? code : undefined,
    message: typeof message === "string" ? message : JSON.stringify(error),
    ...(data === undefined ? {} : { data }),
  };
}

/** Why a request has no JSON-RPC answer. */
export interface Refusal {
  readonly reason: string;
  /** Of the HTTP response, where there was one. */
  readonly status?: number | undefined;
  /** The server no longer knows the session (404): the client has to open a new one. */
  readonly sessionLost?: boolean | undefined;
}

/** What became of a move. */
export type Outcome =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "error"; readonly error: RpcError; readonly status?: number | undefined }
  | ({ readonly kind: "refused" } & Refusal)
  /** Milliseconds after which it was given up. */
  | { readonly kind: "timeout"; readonly ms: number }
  /** A `subscriptions/listen` that was acknowledged and goes on, under this id. */
  | { readonly kind: "open"; readonly id: IdToken }
  /** A request that was begun, under this id. */
  | { readonly kind: "begun"; readonly id: IdToken }
  /** Of moves that nobody answers. */
  | { readonly kind: "done" };

/**
 * What a client does, told one move at a time: the next move depends on what came of the one before. A course does
 * nothing itself, so it can be followed by a driver as well as by a test.
 */
export type Course<Result> = Generator<Move, Result, Outcome>;

/** Thrown into a course when its conversation is over before the course is. */
export class Ended extends Error {}
