import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";

/** An argument of a tool that its `inputSchema` wants mirrored in an HTTP header. */
export interface ParamHeader {
  /** Lower-case, `mcp-param-region`. */
  readonly header: string;
  /** Members of `arguments` that lead to the value. */
  readonly path: readonly string[];
  /** Integers compare as numbers: `42.0` is `42`. */
  readonly numeric: boolean;
}

const ANNOTATION = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** `number` is not permitted, yet the official SDK and its conformance suite mirror it, so it is taken. */
const TYPES = ["string", "integer", "boolean", "number"];

/**
 * The `x-mcp-header` annotations of an input schema, or undefined when one breaks the rules: clients must drop such a
 * tool, so nothing can be expected of its headers
 * (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension).
 */
export function paramHeaders(inputSchema: JsonValue): readonly ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  if (!collect(inputSchema, [], found)) return undefined;
  const names = new Set(found.map(({ header }) => header));
  return names.size === found.length ? found : undefined;
}

/** False when an annotation stands where none may. */
function collect(schema: JsonValue | undefined, path: readonly string[], found: ParamHeader[]): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  if (Array.isArray(schema)) return !schema.some(annotated);
  const name = memberAt(schema, ANNOTATION);
  if (name !== undefined) {
    const type = memberAt(schema, "type");
    if (path.length === 0 || typeof name !== "string" || !TOKEN.test(name)) return false;
    if (typeof type !== "string" || !TYPES.includes(type)) return false;
    const numeric = type === "integer" || type === "number";
    found.push({ header: `mcp-param-${name.toLowerCase()}`, path, numeric });
  }
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === "properties") return properties(value, path, found);
    return VALUES.has(keyword) || !annotated(value);
  });
}

function properties(value: JsonValue, path: readonly string[], found: ParamHeader[]): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  return Object.entries(value).every(([key, property]) => collect(property, [...path, key], found));
}

/** Keywords whose values are data, not schemas. */
const VALUES: ReadonlySet<string> = new Set([ANNOTATION, "const", "default", "enum", "examples"]);

function annotated(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(annotated);
  if (Object.hasOwn(value, ANNOTATION)) return true;
  return Object.entries(value).some(([keyword, item]) => !VALUES.has(keyword) && annotated(item));
}

/** Why the headers do not mirror the arguments of a `tools/call`, or undefined when they do. */
export function paramHeaderFault(
  inputSchema: JsonValue,
  args: JsonValue | undefined,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  for (const expected of paramHeaders(inputSchema) ?? []) {
    const wanted = memberAt(args, ...expected.path);
    if (!isMirrored(wanted)) continue;
    const header = headers[expected.header];
    const place = expected.path.join(".");
    if (header === undefined) return `the body carries ${place}, but the header ${expected.header} is absent`;
    const value = decodeHeaderValue(header);
    if (value === undefined) return `the header ${expected.header} holds invalid characters`;
    if (!mirrors(value, wanted, expected.numeric)) {
      const sides = [value, wanted].map((side) => JSON.stringify(side));
      return `the header ${expected.header} is ${sides[0]}, but the body's ${place} is ${sides[1]}`;
    }
  }
  return undefined;
}

type Mirrored = string | number | boolean;

/** Null, an absent value and what is no primitive have no header; the last is for the schema to refuse. */
function isMirrored(value: JsonValue | undefined): value is Mirrored {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function mirrors(header: string, body: Mirrored, numeric: boolean): boolean {
  if (header === String(body)) return true;
  return numeric && typeof body === "number" && DECIMAL.test(header) && Number(header) === body;
}

const SENTINEL = /^=\?base64\?(.*)\?=$/s;
/** RFC 4648, section 4, padding required. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const FIELD_VALUE = /^[\t\x20-\x7e]*$/;

/**
 * The text in a `Mcp-Name` or `Mcp-Param-*` header: `=?base64?…?=` decoded, anything else as it is. Undefined when it
 * holds characters a header may not, or base64 or UTF-8 that is none
 * (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding).
 */
export function decodeHeaderValue(header: string): string | undefined {
  const value = trimmed(header);
  if (!FIELD_VALUE.test(value)) return undefined;
  const encoded = SENTINEL.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Without the optional white space around a field value (RFC 9110, 5.5). */
export function trimmed(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value[start])) start += 1;
  while (end > start && isSpace(value[end - 1])) end -= 1;
  return value.slice(start, end);
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
