import type { Closed, EventFacts, HttpFacts, On, Source } from "../exchange/entry.ts";
import type { JsonObject } from "../protocol/message.ts";

/** What `on:` spells as a word of its own, so that an id which is one of them has to be written another way. */
export const STREAMS = ["get", "delete", "post"] as const;

/** Id tokens that JavaScript reads and writes the same. */
export const SIMPLE_ID = /^(?:0|-?[1-9]\d{0,14}|"[\w.:/@+-]+")$/;
const STREAM_TOKENS: readonly string[] = STREAMS.map((stream) => `"${stream}"`);

/** `on` as JSON: a stream's name, an id, or `{"id": TOKEN}` with the exact token where the id alone would not do. */
export function onJson(on: On): string {
  if (typeof on === "string") return `"${on}"`;
  if (SIMPLE_ID.test(on.id) && !STREAM_TOKENS.includes(on.id)) return on.id;
  return `{"id":${JSON.stringify(on.id)}}`;
}

export function httpMembers({ method, path, status, headers }: HttpFacts): JsonObject {
  return present({ method, path, status, headers });
}

export function eventMembers({ name, id, retry }: EventFacts): JsonObject {
  return present({ name, id, retry });
}

export function closedMembers({ exit, signal, reason }: Closed): JsonObject {
  return present({ exit, signal, reason });
}

export function sourceMembers(source: Source): JsonObject {
  const { transport } = source;
  return transport === "stdio" ? { transport, command: [...source.command] } : { transport, url: source.url };
}

/** In the order given, without what is absent. */
function present(members: Readonly<Record<string, unknown>>): JsonObject {
  const found: JsonObject = {};
  for (const name in members) if (members[name] !== undefined) found[name] = members[name] as JsonObject;
  return found;
}
