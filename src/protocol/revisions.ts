import { memberAt } from "./member.ts";
import type { JsonValue } from "./message.ts";

/** How a conversation opens: `initialize` once (legacy), or metadata on every request (modern). */
export type Era = "legacy" | "modern";

/**
 * `http+sse`: a GET stream that names the endpoint for POSTs. `streamable`: one endpoint for POST, GET and DELETE,
 * with sessions and resumable streams. `post-only`: one endpoint, POST alone, no sessions.
 */
export type HttpKind = "http+sse" | "streamable" | "post-only";

export interface Revision {
  readonly version: string;
  readonly era: Era;
  readonly http: HttpKind;
  /** JSON arrays of messages: received by every peer, unspecified, or removed. */
  readonly batches: "must" | "undefined" | "removed";
  /** Every HTTP request (after `initialize`) names its version in `MCP-Protocol-Version`. */
  readonly versionHeader: boolean;
  /** Servers send requests of their own; otherwise they ask through `inputRequests` in a result. */
  readonly serverRequests: boolean;
  /** An error response may lack its `id`. */
  readonly errorWithoutId: boolean;
}

/**
 * Every released revision, oldest first
 * (https://github.com/modelcontextprotocol/modelcontextprotocol/tree/main/docs/specification).
 */
export const REVISIONS: readonly Revision[] = [
  {
    version: "2024-11-05",
    era: "legacy",
    http: "http+sse",
    batches: "undefined",
    versionHeader: false,
    serverRequests: true,
    errorWithoutId: false,
  },
  {
    version: "2025-03-26",
    era: "legacy",
    http: "streamable",
    batches: "must",
    versionHeader: false,
    serverRequests: true,
    errorWithoutId: false,
  },
  {
    version: "2025-06-18",
    era: "legacy",
    http: "streamable",
    batches: "removed",
    versionHeader: true,
    serverRequests: true,
    errorWithoutId: false,
  },
  {
    version: "2025-11-25",
    era: "legacy",
    http: "streamable",
    batches: "removed",
    versionHeader: true,
    serverRequests: true,
    errorWithoutId: true,
  },
  {
    version: "2026-07-28",
    era: "modern",
    http: "post-only",
    batches: "removed",
    versionHeader: true,
    serverRequests: false,
    errorWithoutId: true,
  },
];

const FIRST_MODERN = "2026-07-28";

/** What the protocol's own members of `_meta` begin with. */
const META_PREFIX = "io.modelcontextprotocol/";

/** Members of `_meta` that the specification reserves (2026-07-28, basic/index.mdx). */
export const META = {
  protocolVersion: `${META_PREFIX}protocolVersion`,
  clientCapabilities: `${META_PREFIX}clientCapabilities`,
  clientInfo: `${META_PREFIX}clientInfo`,
  serverInfo: `${META_PREFIX}serverInfo`,
  logLevel: `${META_PREFIX}logLevel`,
  subscriptionId: `${META_PREFIX}subscriptionId`,
} as const;

export function revisionOf(version: string): Revision | undefined {
  return REVISIONS.find((revision) => revision.version === version);
}

export function versionsOf(era: Era): readonly string[] {
  return REVISIONS.filter((revision) => revision.era === era).map((revision) => revision.version);
}

/** Revisions are named by date, so an unknown one has an era too; undefined is what is no date at all. */
export function eraOf(version: string): Era | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(version)) return undefined;
  return version >= FIRST_MODERN ? "modern" : "legacy";
}

/** The version that a modern request's `_meta` claims, when it is a string. */
export function claimedVersion(params: JsonValue | undefined): string | undefined {
  const version = memberAt(params, "_meta", META.protocolVersion);
  return typeof version === "string" ? version : undefined;
}

export interface Opening {
  readonly method: string | undefined;
  readonly params?: JsonValue | undefined;
  /** Value of the `MCP-Protocol-Version` header, over HTTP. */
  readonly versionHeader?: string | undefined;
}

/**
 * In which era a message from a client wants to be served (2026-07-28, basic/versioning.mdx). The body decides: a
 * version in `_meta` makes it modern, whatever its value; `initialize` is legacy unless that version is a modern one.
 * The header counts only where the body is silent.
 */
export function eraOfRequest(opening: Opening): Era {
  const { method, params, versionHeader } = opening;
  const claimed = claimedVersion(params);
  if (method === "initialize") {
    return claimed !== undefined && eraOf(claimed) === "modern" ? "modern" : "legacy";
  }
  if (memberAt(params, "_meta", META.protocolVersion) !== undefined) return "modern";
  return versionHeader !== undefined && eraOf(versionHeader.trim()) === "modern" ? "modern" : "legacy";
}

/** A dual-era client asks `server/discover` of legacy servers too, and is turned away: that shows nothing. */
export function showsEra({ kind, method }: Sent, era: Era): boolean {
  if (kind !== "request" || method === "server/discover") return false;
  return era === "modern" || method === "initialize";
}

/** A message of a client, as far as it tells. */
interface Sent {
  readonly kind: string;
  readonly method: string | undefined;
}
