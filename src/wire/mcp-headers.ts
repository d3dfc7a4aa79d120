import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";
import { nameOf } from "../protocol/methods.ts";
import type { Era } from "../protocol/revisions.ts";
import { decodeHeaderValue, paramHeaders } from "./param-headers.ts";

/** A client's message, as far as its HTTP headers mirror it. */
export interface MirroredMessage {
  readonly era: Era;
  readonly version: string;
  /** Undefined of a response. */
  readonly method: string | undefined;
  readonly params: JsonValue | undefined;
  /** Of the tool that is called, where it is known. */
  readonly inputSchema?: JsonValue | undefined;
}

/**
 * The headers that MCP wants with a message over HTTP, lower-case
 * (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata). A legacy
 * client names its version once it is agreed on.
 */
export function mcpHeaders(message: MirroredMessage): Record<string, string> {
  const { era, version, method, params } = message;
  if (method === "initialize") return {};
  const headers: Record<string, string> = { "mcp-protocol-version": version };
  if (era === "legacy" || method === undefined) return headers;
  headers["mcp-method"] = encodeHeaderValue(method);
  const name = nameOf(method, params);
  if (name !== undefined) headers["mcp-name"] = encodeHeaderValue(name);
  return method === "tools/call" ? { ...headers, ...mirroredArguments(message) } : headers;
}

function mirroredArguments({ params, inputSchema }: MirroredMessage): Record<string, string> {
  const expected = inputSchema === undefined ? [] : (paramHeaders(inputSchema) ?? []);
  const found: [string, string][] = [];
  for (const { header, path } of expected) {
    const value = memberAt(params, "arguments", ...path);
    if (typeof value === "string") found.push([header, encodeHeaderValue(value)]);
    else if (typeof value === "number" || typeof value === "boolean") found.push([header, String(value)]);
  }
  return Object.fromEntries(found);
}

/** A text as a header can carry it: as it is, or `=?base64?…?=` where it would not come out as it went in. */
export function encodeHeaderValue(text: string): string {
  if (decodeHeaderValue(text) === text) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}?=`;
}
