import type { IdToken, Message } from "../protocol/message.ts";
import { eraOf, META } from "../protocol/revisions.ts";
import type { Entry } from "./entry.ts";
import type { Seen } from "./seen.ts";
import { tokenAt } from "./token.ts";

/** Notifications of the client upon which servers ask for something, roots above all. */
export const TRIGGERS: ReadonlySet<string> = new Set([
  "notifications/initialized",
  "notifications/roots/list_changed",
]);

/**
 * In the modern era over HTTP a client cancels by closing the response stream, and nothing says which client a POST is
 * from: an id in a `notifications/cancelled` there may be anybody's, so it cancels nothing, and
 * nothing follows from it (2026-07-28 basic/patterns/cancellation). Whoever sends one closes the stream as well.
 */
export function cancelsNothing({ entry: { http }, message }: Seen): boolean {
  if (!http || message.method !== "notifications/cancelled") return false;
  if (tokenAt(message, ["params", "_meta", META.protocolVersion]) !== undefined) return true;
  return eraOf(http.headers?.["mcp-protocol-version"] ?? "") === "modern";
}

/** Where a notification names what it is about; others may bear a subscription's id. */
const NAMED_BY: ReadonlyMap<string | undefined, readonly ["params", ...string[]]> = new Map([
  ["notifications/progress", ["params", "progressToken"]],
  ["notifications/cancelled", ["params", "requestId"]],
]);

/** The id or token by which a notification of the server names what it is about; undefined when it does not. */
export function nameIn(message: Message, hasListeners: boolean): IdToken | undefined {
  const path = NAMED_BY.get(message.method);
  if (path) return tokenAt(message, path);
  return hasListeners ? tokenAt(message, ["params", "_meta", META.subscriptionId]) : undefined;
}

/** An HTTP answer without a message that refuses nothing: it accepts a POST, or begins a stream. */
export function takesIn({ http, body }: Entry): boolean {
  const status = http?.status;
  if (status === 202 || status === 204) return true;
  return status === 200 && (!body || http?.headers?.["content-type"] === "text/event-stream");
}
