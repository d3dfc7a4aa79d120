import type { RawHeaders } from "./http-proxy-tap.ts";

/**
 * Fields that belong to one connection (https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1). Transfer-Encoding is
 * no member: the proxy frames a body as it came framed, so the field stays true.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

/** Without these a message loses its framing or its addressee, whatever a Connection header says of them. */
const NEVER_DROPPED: ReadonlySet<string> = new Set(["transfer-encoding", "content-length", "host"]);

/** Values of a header, in order; `name` in lower case. */
export function* headerValues(headers: RawHeaders, name: string): Iterable<string> {
  for (let i = 0; i < headers.length; i += 2) {
    if (isNamed(headers[i] as string, name)) yield headers[i + 1] as string;
  }
}

/** First value of a header, or undefined; `name` in lower case. */
export function headerValue(headers: RawHeaders, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) {
    if (isNamed(headers[i] as string, name)) return headers[i + 1];
  }
  return undefined;
}

function isNamed(candidate: string, name: string): boolean {
  return candidate.length === name.length && candidate.toLowerCase() === name;
}

/** What goes on to the next hop: all that belongs to no single connection, as it was, values by way of `rewrite`. */
export function forwardHeaders(
  headers: RawHeaders,
  rewrite: (name: string, value: string) => string,
): string[] {
  const listed = connectionOptions(headers);
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || listed.has(lower)) continue;
    kept.push(name, rewrite(lower, headers[i + 1] as string));
  }
  return kept;
}

const NO_OPTIONS: ReadonlySet<string> = new Set();

function connectionOptions(headers: RawHeaders): ReadonlySet<string> {
  let options: Set<string> | undefined;
  for (const value of headerValues(headers, "connection")) {
    if (value === "keep-alive" || value === "close") continue;
    options ??= new Set();
    for (const option of value.toLowerCase().split(",")) options.add(option.trim());
  }
  if (!options) return NO_OPTIONS;
  for (const name of NEVER_DROPPED) options.delete(name);
  return options;
}
