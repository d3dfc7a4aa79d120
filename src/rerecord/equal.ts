import type { Body, Entry, Header, HttpFacts, Source } from "../exchange/entry.ts";
import { diffJson } from "../protocol/json-diff.ts";
import { type JsonValue, textOf } from "../protocol/message.ts";

/** Whether two entries say the same at the same time. Members of objects may come in any order. */
export function isEqualEntry(a: Entry, b: Entry): boolean {
  if (a.at !== b.at || a.from !== b.from || a.session !== b.session) return false;
  return wordsOf(a) === wordsOf(b) && isEqualBody(a.body, b.body);
}

function wordsOf({ on, http, event, closed }: Entry): string {
  if (!on && !http && !event && !closed) return "";
  const ends = closed && [closed.exit, closed.signal, closed.reason];
  return JSON.stringify([on, http && sortedHeaders(http), event && { ...NO_EVENT, ...event }, ends]);
}

/** Members in one order, whatever that in the file was. */
const NO_EVENT = { name: undefined, id: undefined, retry: undefined };

function sortedHeaders({ method, path, status, headers }: HttpFacts): unknown {
  const names = Object.entries(headers ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return { method, path, status, names };
}

function isEqualBody(a: Body | undefined, b: Body | undefined): boolean {
  if (!a || !b) return a === b;
  if (isEqualBytes(a.bytes, b.bytes)) return true;
  if (a.form !== "message" || b.form !== "message") return false;
  return diffJson(jsonOf(a), jsonOf(b), { limit: 1 }).length === 0;
}

function jsonOf({ bytes }: Body): JsonValue {
  return JSON.parse(textOf(bytes)) as JsonValue;
}

function isEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Whether two headers tell of the same recording, made when and by whatever version it was. */
export function isEqualHeader(a: Header, b: Header): boolean {
  return (
    JSON.stringify(a.redacted) === JSON.stringify(b.redacted) && sourceText(a.source) === sourceText(b.source)
  );
}

/** A server on this machine listens at whatever port was free. */
function sourceText(source: Source): string {
  if (source.transport === "stdio") return JSON.stringify(["stdio", source.command]);
  const authority = localAuthority(source);
  return JSON.stringify(["http", authority ? source.url.replace(authority, "local") : source.url]);
}

const LOCAL = /^https?:\/\/((?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?)(?=[/?#]|$)/i;

/** Host and port of a server on this machine. */
export function localAuthority(source: Source): string | undefined {
  return source.transport === "http" ? LOCAL.exec(source.url)?.[1] : undefined;
}
