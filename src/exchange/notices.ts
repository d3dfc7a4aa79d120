import { eraOf, META } from "../protocol/revisions.ts";
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
export const NAMED_BY: ReadonlyMap<string | undefined, readonly ["params", ...string[]]> = new Map([
  ["notifications/progress", ["params", "progressToken"]],
  ["notifications/cancelled", ["params", "requestId"]],
]);
