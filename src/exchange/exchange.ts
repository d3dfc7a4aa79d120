import type { IdToken } from "../protocol/message.ts";

/**
 * A client's message and all that belongs to it, as places in a recording. An exchange holds no bytes: `entry` is the
 * ordinal of an entry, `item` the message's index in a batch (-1 outside batches).
 */
export interface Exchange {
  readonly kind: "request" | "notification" | "malformed";
  /** The recorded connection, counted from 1. */
  readonly session: number;
  readonly entry: number;
  readonly item: number;
  /** Exact token of a request's id. */
  readonly id: IdToken | undefined;
  readonly method: string | undefined;
  /** In wire order. */
  readonly steps: Step[];
}

/**
 * `send`    a notification of the server
 * `ask`     a request of the server, which waits for its `reply`
 * `reply`   the client's answer to an `ask`
 * `outcome` the response
 * `cancel`  the client gave up waiting (`notifications/cancelled`, or a response stream it closed)
 * `status`  an HTTP answer that answers no request by its id: without a message, or an error that names none
 * `event`   an SSE event without data: a priming event, a retry
 * `end`     the response stream ended before the outcome
 * `resume`  the client came back to an ended stream with Last-Event-ID
 * `crash`   the connection ended with the exchange open
 */
export type StepRole =
  | "send"
  | "ask"
  | "reply"
  | "outcome"
  | "cancel"
  | "status"
  | "event"
  | "end"
  | "resume"
  | "crash";

export interface Step {
  readonly role: StepRole;
  readonly entry: number;
  readonly item: number;
  /** Of `ask` and `reply`: the recorded id of the server's request. */
  readonly id?: IdToken | undefined;
  /** Of a `reply` that stands before its `ask`, as from a client that is a file in a pipe: its `ask`. */
  readonly after?: Step | undefined;
  /** A progress notification, which only a client that gave a token gets. */
  readonly progress?: boolean | undefined;
  /** Sent, or asked, on the standalone GET stream rather than on the request's own. */
  readonly standalone?: boolean | undefined;
  /**
   * Belongs to this `subscriptions/listen`, and comes after the message it stands with: a change that was announced,
   * or the end of the subscription. Sent to its subscriber, if there is one.
   */
  readonly listener?: Exchange | undefined;
  /** Sent to a client that subscribed to this resource (`resources/subscribe`). */
  readonly subscribed?: string | undefined;
  /** A server's `notifications/cancelled`: the recorded id of the request it takes back. */
  readonly takesBack?: IdToken | undefined;
}

/**
 * An array that is added to makes room for many more, and most exchanges have one step: so the first one comes with an
 * array of its own.
 */
export function addStep(exchange: Exchange, step: Step): void {
  if (exchange.steps.length > 0) exchange.steps.push(step);
  else (exchange as { steps: Step[] }).steps = [step];
}

/** How an exchange was answered: its response, or the HTTP answer in the place of one. */
export function answerOf({ steps }: Exchange): Step | undefined {
  return steps.find(({ role, listener }) => (role === "outcome" || role === "status") && !listener);
}

/** Whether the recording tells how a request ended: by an answer, a cancellation, a broken connection. */
export function isSettled({ method, steps }: Exchange): boolean {
  return method === "subscriptions/listen" || steps.some(({ role }) => SETTLING.has(role));
}

/** Whether its stream broke or ended before the answer, so that the client may ask again under the same id. */
export function isBrokenOff({ steps }: Exchange): boolean {
  return steps.some(({ role }) => role === "crash" || role === "end");
}

const SETTLING: ReadonlySet<StepRole> = new Set(["outcome", "status", "cancel", "crash"]);
