import type { Side } from "../protocol/message.ts";
import type { HttpKind } from "../protocol/revisions.ts";
import { acceptsWhatMcpDemands, demandedTypes, mediaType, parseMediaType } from "./media-type.ts";

/** Lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** What must be known of a request to tell which of its headers say something. */
export interface HeaderContext {
  /** `POST` where not given. */
  readonly httpMethod?: string | undefined;
  /** `streamable` where not given. The old pair demands no `Accept`. */
  readonly http?: HttpKind | undefined;
  /** The `Host` header is not the door's own (see `isOwnHost`). */
  readonly foreignHost?: boolean | undefined;
  /** Likewise the `Origin` header (see `isOwnOrigin`). */
  readonly foreignOrigin?: boolean | undefined;
}

const ACCEPT_DEFAULT: Readonly<Record<string, string>> = {
  GET: "text/event-stream",
  POST: "application/json, text/event-stream",
};
const JSON_TYPE = "application/json";

/** Kept whatever they say; of a client besides `mcp-param-*`, of a server `content-type`. */
export const ALWAYS_KEPT: Readonly<Record<Side, ReadonlySet<string>>> = {
  client: new Set([
    "authorization",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
  ]),
  server: new Set([
    "allow",
    "location",
    "mcp-protocol-version",
    "mcp-session-id",
    "retry-after",
    "www-authenticate",
  ]),
};

/**
 * Those headers of a request or response that carry meaning for MCP, in the order of their names; undefined when there
 * are none. Of a client's `Accept` and `Content-Type` only what MCP does not expect is kept, an absent one as the empty
 * string, so that `withExpectedHeaders` gives back equal facts. Cookies are never kept; credentials are, and redaction
 * must follow.
 */
export function keptHeaders(
  side: Side,
  headers: Iterable<readonly [string, string]>,
  context: HeaderContext = {},
): Record<string, string> | undefined {
  const all = joined(headers);
  if (side === "client") markAbsent(all, context);
  const kept: [string, string][] = [];
  for (const [name, value] of all) {
    const worth = side === "client" ? ofClient(name, value, context) : ofServer(name, value);
    if (worth !== undefined) kept.push([name, worth]);
  }
  if (kept.length === 0) return undefined;
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The inverse for a client's headers: adds what `keptHeaders` left out because MCP expects it. */
export function withExpectedHeaders(
  kept: Headers | undefined,
  context: HeaderContext = {},
): Record<string, string> {
  const { httpMethod = "POST" } = context;
  const accept = demandsAccept(context) ? ACCEPT_DEFAULT[httpMethod] : undefined;
  return {
    ...(accept !== undefined && { accept }),
    ...(httpMethod === "POST" && { "content-type": JSON_TYPE }),
    ...kept,
  };
}

/** Repeated headers become one, as RFC 9110 5.3 has it. */
function joined(headers: Iterable<readonly [string, string]>): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = all.get(key);
    all.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return all;
}

function markAbsent(all: Map<string, string>, context: HeaderContext): void {
  if (demandsAccept(context) && !all.has("accept")) all.set("accept", "");
  if ((context.httpMethod ?? "POST") === "POST" && !all.has("content-type")) all.set("content-type", "");
}

function demandsAccept({ httpMethod = "POST", http }: HeaderContext): boolean {
  return http !== "http+sse" && demandedTypes(httpMethod).length > 0;
}

function ofClient(name: string, value: string, context: HeaderContext): string | undefined {
  const { httpMethod = "POST" } = context;
  const keep = (condition: boolean | undefined): string | undefined => (condition ? value : undefined);
  switch (name) {
    case "accept":
      return keep(demandsAccept(context) && !acceptsWhatMcpDemands(httpMethod, value));
    case "content-type":
      return keep(httpMethod === "POST" && mediaType(value) !== JSON_TYPE);
    case "host":
      return keep(context.foreignHost);
    case "origin":
      return keep(context.foreignOrigin);
    default:
      return keep(ALWAYS_KEPT.client.has(name) || name.startsWith("mcp-param-"));
  }
}

function ofServer(name: string, value: string): string | undefined {
  if (name !== "content-type") return ALWAYS_KEPT.server.has(name) ? value : undefined;
  const type = parseMediaType(value);
  if (type === undefined) return value;
  const plain = /^(charset=("?)utf-8\2)?$/i.test(type.parameters);
  return plain ? type.essence : `${type.essence}; ${type.parameters}`;
}
