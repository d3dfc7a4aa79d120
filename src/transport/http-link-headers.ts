import type { HeaderFields } from "../replay/forward/link.ts";

/**
 * Fields of the live client's request that are its connection's, or the link's own to set. `origin` is among them: it
 * names a page that was let in here, and the real server was never asked whether it may come in there.
 */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "mcp-session-id",
  "origin",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What of a live client's header block goes to the real server. */
export function passedOn(headers: HeaderFields): HeaderFields {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name)));
}

/** What of it is the client's rather than the message's: what mirrors a message's body (`mcp-*`) is not. */
export function ownHeaders(headers: HeaderFields): HeaderFields {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("mcp-")));
}
