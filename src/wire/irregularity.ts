import { memberAt } from "../protocol/member.ts";
import type { JsonValue, MessageKind } from "../protocol/message.ts";
import { type MethodRow, methodRow, nameOf } from "../protocol/methods.ts";
import { claimedVersion, type Era, eraOf, type HttpKind, META, versionsOf } from "../protocol/revisions.ts";
import { isOwnHost, isOwnOrigin } from "./hosts.ts";
import type { Headers } from "./kept-headers.ts";
import { acceptsWhatMcpDemands, demandedTypes, mediaType } from "./media-type.ts";
import { decodeHeaderValue, paramHeaderFault, trimmed } from "./param-headers.ts";

/** What can be wrong with a request before its message is looked at, named for the header or member that is. */
export type Irregularity =
  | "host"
  | "origin"
  | "content-type"
  | "accept"
  | "message"
  | "meta"
  | "protocol-version-mismatch"
  | "mcp-method"
  | "protocol-version"
  | "mcp-name"
  | "mcp-param";

/** A request over HTTP as far as the protocol's transport rules look at it. */
export interface RequestFacts {
  readonly httpMethod: string;
  /** Lower-case names, one value each. */
  readonly headers: Headers;
  /** The body's message, where there was one. */
  readonly message?: RequestMessage | undefined;
  /** As `eraOfRequest` tells. */
  readonly era: Era;
  /** `host` or `host:port` values that name the door; loopback names always do. */
  readonly ownHosts: readonly string[];
  /** Of the tool that a `tools/call` names, where known; without it `Mcp-Param-*` headers go unchecked. */
  readonly inputSchema?: JsonValue | undefined;
  /** Versions the door serves in this era; every released one where not given. */
  readonly versions?: readonly string[] | undefined;
  /** `http+sse` lifts what only Streamable HTTP demands. */
  readonly http?: HttpKind | undefined;
}

/** A `Message` has the first two; `params` is its member of that name. */
export interface RequestMessage {
  readonly kind: MessageKind;
  readonly method: string | undefined;
  readonly params?: JsonValue | undefined;
}

/** The JSON-RPC error and HTTP status that a server answers an irregular request with. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue | undefined;
}

interface Rule {
  readonly status: number;
  readonly code: number | Readonly<Record<Era, number>>;
  /** The refusal's message when the rule is broken. */
  readonly fault: (facts: RequestFacts) => string | undefined;
  readonly data?: (facts: RequestFacts) => JsonValue | undefined;
}

const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;
/** What servers of the official SDKs answer in legacy revisions, which define no codes of their own. */
const SDK_REFUSAL = -32000;

/** A preview that official SDKs still take. */
const PREVIEW_VERSION = "2024-10-07";

/**
 * The rules in the order in which servers look, so that the first broken one decides the answer. Sources: the
 * transport pages and basic/index.mdx of https://github.com/modelcontextprotocol/modelcontextprotocol/tree/main/docs/specification;
 * order, codes where the specification has none, and wording after the official TypeScript SDK
 * (packages/core-internal/src/shared/inboundClassification.ts, packages/server/src/server/streamableHttp.ts).
 * The conformance scenarios dns-rebinding-protection, http-header-validation, http-custom-header-server-validation,
 * server-stateless and tasks-request-headers exercise them.
 */
const RULES: Readonly<Record<Irregularity, Rule>> = {
  host: { status: 403, code: SDK_REFUSAL, fault: hostFault },
  origin: { status: 403, code: SDK_REFUSAL, fault: originFault },
  "content-type": { status: 415, code: SDK_REFUSAL, fault: contentTypeFault },
  accept: { status: 406, code: SDK_REFUSAL, fault: acceptFault },
  message: { status: 400, code: -32600, fault: messageFault },
  meta: { status: 400, code: -32602, fault: metaFault },
  "protocol-version-mismatch": { status: 400, code: HEADER_MISMATCH, fault: versionMismatch },
  "mcp-method": { status: 400, code: HEADER_MISMATCH, fault: methodFault },
  "protocol-version": {
    status: 400,
    code: { legacy: SDK_REFUSAL, modern: UNSUPPORTED_VERSION },
    fault: versionFault,
    data: versionData,
  },
  "mcp-name": { status: 400, code: HEADER_MISMATCH, fault: nameFault },
  "mcp-param": { status: 400, code: HEADER_MISMATCH, fault: paramFault },
};

const NAMES = Object.keys(RULES) as Irregularity[];

/** Everything improper about a request, in the order in which a server would refuse it; empty for a proper one. */
export function irregularities(facts: RequestFacts): Irregularity[] {
  return NAMES.filter((name) => RULES[name].fault(facts) !== undefined);
}

/**
 * The answer to a request with this irregularity where no recording tells another one. Undefined when the request has
 * no such irregularity.
 */
export function refusalOf(irregularity: Irregularity, facts: RequestFacts): Refusal | undefined {
  const { status, code, fault, data } = RULES[irregularity];
  const message = fault(facts);
  if (message === undefined) return undefined;
  const details = data?.(facts);
  return {
    status,
    code: typeof code === "number" ? code : code[facts.era],
    message,
    ...(details !== undefined && { data: details }),
  };
}

function headerOf(facts: RequestFacts, name: string): string | undefined {
  const value = facts.headers[name];
  return value === undefined ? undefined : trimmed(value);
}

function hostFault(facts: RequestFacts): string | undefined {
  const host = headerOf(facts, "host");
  return isOwnHost(host, facts.ownHosts) ? undefined : `Invalid Host header: ${host}`;
}

function originFault(facts: RequestFacts): string | undefined {
  const origin = headerOf(facts, "origin");
  return isOwnOrigin(origin, facts.ownHosts) ? undefined : `Invalid Origin header: ${origin}`;
}

function contentTypeFault(facts: RequestFacts): string | undefined {
  if (facts.httpMethod !== "POST" || mediaType(facts.headers["content-type"]) === "application/json") {
    return undefined;
  }
  return "Unsupported Media Type: Content-Type must be application/json";
}

function acceptFault(facts: RequestFacts): string | undefined {
  if (facts.http === "http+sse" || acceptsWhatMcpDemands(facts.httpMethod, facts.headers.accept)) {
    return undefined;
  }
  const types = demandedTypes(facts.httpMethod);
  return `Not Acceptable: Client must accept ${types.length > 1 ? "both " : ""}${types.join(" and ")}`;
}

/** Modern clients answer the server in a retry's `inputResponses`, and batches are gone. */
function messageFault({ era, message }: RequestFacts): string | undefined {
  if (era === "legacy" || message === undefined) return undefined;
  if (message.kind === "request" || message.kind === "notification") return undefined;
  return `Invalid Request: expected one JSON-RPC request or notification, got a ${message.kind}`;
}

/** The message when it is a request of the modern era, which alone must carry metadata and mirroring headers. */
function modernRequest({ era, message }: RequestFacts): RequestMessage | undefined {
  return era === "modern" && message?.kind === "request" ? message : undefined;
}

function metaFault(facts: RequestFacts): string | undefined {
  const request = modernRequest(facts);
  if (request === undefined) return undefined;
  const meta = memberAt(request.params, "_meta");
  const lacking: string[] = [];
  if (typeof memberAt(meta, META.protocolVersion) !== "string") lacking.push(META.protocolVersion);
  if (!isObject(memberAt(meta, META.clientCapabilities))) lacking.push(META.clientCapabilities);
  return lacking.length > 0 ? `Invalid params: _meta needs ${lacking.join(" and ")}` : undefined;
}

function isObject(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function versionMismatch(facts: RequestFacts): string | undefined {
  const header = headerOf(facts, "mcp-protocol-version");
  if (facts.era === "legacy") {
    const modern =
      facts.message?.method === "initialize" && header !== undefined && eraOf(header) === "modern";
    return modern ? disagree(`initialize came with MCP-Protocol-Version ${header}`) : undefined;
  }
  const claimed = claimedVersion(facts.message?.params);
  if (claimed === undefined || header === claimed) return undefined;
  if (header !== undefined)
    return disagree(`the body names version ${claimed}, MCP-Protocol-Version ${header}`);
  return (
    modernRequest(facts) && disagree(`the body names version ${claimed}, MCP-Protocol-Version is absent`)
  );
}

function methodFault(facts: RequestFacts): string | undefined {
  const header = headerOf(facts, "mcp-method");
  const method = facts.message?.method;
  if (facts.era === "legacy" || method === undefined || header === method) return undefined;
  if (header !== undefined) return disagree(`the body's method is ${method}, Mcp-Method is ${header}`);
  return modernRequest(facts) && disagree(`the body's method is ${method}, Mcp-Method is absent`);
}

function versionFault(facts: RequestFacts): string | undefined {
  const version = requestedVersion(facts);
  const served = servedVersions(facts);
  if (version === undefined || served.includes(version)) return undefined;
  if (facts.era === "legacy" && facts.versions === undefined && version === PREVIEW_VERSION) return undefined;
  return `Bad Request: Unsupported protocol version: ${version} (supported versions: ${served.join(", ")})`;
}

/** `initialize` negotiates in its params, and its header means nothing. */
function requestedVersion(facts: RequestFacts): string | undefined {
  const header = headerOf(facts, "mcp-protocol-version");
  if (facts.era === "modern") return claimedVersion(facts.message?.params) ?? header;
  return facts.message?.method === "initialize" ? undefined : header;
}

function servedVersions(facts: RequestFacts): readonly string[] {
  return facts.versions ?? versionsOf(facts.era);
}

function versionData(facts: RequestFacts): JsonValue | undefined {
  if (facts.era === "legacy") return undefined;
  return { supported: [...servedVersions(facts)], requested: requestedVersion(facts) ?? null };
}

function nameFault(facts: RequestFacts): string | undefined {
  const request = modernRequest(facts);
  const row = methodRow(request?.method ?? "");
  if (request === undefined || row?.nameParam === undefined || !isModern(row)) return undefined;
  const name = nameOf(row.method, request.params);
  const header = headerOf(facts, "mcp-name");
  const place = `params.${row.nameParam}`;
  if (header === undefined) {
    return name === undefined
      ? undefined
      : disagree(`the body's ${place} is ${JSON.stringify(name)}, Mcp-Name is absent`);
  }
  const decoded = decodeHeaderValue(header);
  if (decoded === undefined) return disagree("Mcp-Name holds invalid characters");
  if (name === undefined || decoded === name) return undefined;
  return disagree(`the body's ${place} is ${JSON.stringify(name)}, Mcp-Name is ${JSON.stringify(decoded)}`);
}

/** What the modern era does not have is an unknown method there, whatever its headers. */
function isModern({ revisions }: MethodRow): boolean {
  return revisions.some((version) => eraOf(version) === "modern");
}

function paramFault(facts: RequestFacts): string | undefined {
  const request = modernRequest(facts);
  if (request?.method !== "tools/call" || facts.inputSchema === undefined) return undefined;
  const fault = paramHeaderFault(facts.inputSchema, memberAt(request.params, "arguments"), facts.headers);
  return fault && disagree(fault);
}

function disagree(how: string): string {
  return `Bad Request: the request headers and body disagree: ${how}`;
}
