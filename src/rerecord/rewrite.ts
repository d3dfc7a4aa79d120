import type { Body, Entry, EventFacts, HttpFacts, On } from "../exchange/entry.ts";
import { textOf } from "../protocol/message.ts";
import { type Replacement, replaceSpans } from "../protocol/scan-json.ts";
import type { Facts, Reference, Value } from "./references.ts";

/** What names and values become. */
export interface Renaming {
  /** The new name, as its JSON text; `index` is that of the reference in the entry's facts. */
  name(reference: Reference, index: number): string;
  /** The new value's JSON text; undefined leaves it. */
  value(value: Value): string | undefined;
  session(number: number): string;
  /** Milliseconds of a Server-Sent Event's `retry`. */
  retry(ms: number): number;
  /** Of the server, host and port: where headers name it. */
  readonly authority?: { readonly from: string; readonly to: string } | undefined;
  /** Paths hold the numbers of sessions: recorded over the HTTP+SSE pair. */
  readonly pair: boolean;
}

const encoder = new TextEncoder();

/** The entry with other names and values, `session` itself apart. Everything else stays as it is, byte for byte. */
export function rewritten(entry: Entry, facts: Facts, renaming: Renaming): Entry {
  const names = new Map<Reference["place"], string>();
  for (const [index, reference] of facts.references.entries()) {
    if (typeof reference.place === "string") names.set(reference.place, renaming.name(reference, index));
  }
  return {
    ...entry,
    on: onOf(entry.on, names.get("on")),
    event: entry.event && eventOf(entry.event, names.get("event"), renaming),
    http: entry.http && httpOf(entry.http, names, renaming),
    body: entry.body && bodyOf(entry, facts, renaming),
  };
}

function onOf(on: On | undefined, name: string | undefined): On | undefined {
  return name === undefined ? on : { id: name };
}

function eventOf(event: EventFacts, name: string | undefined, renaming: Renaming): EventFacts {
  return {
    ...event,
    ...(name !== undefined && { id: JSON.parse(name) as string }),
    ...(event.retry !== undefined && { retry: renaming.retry(event.retry) }),
  };
}

/** Headers in which a server or a client may name the server's address. */
const WITH_AUTHORITY: ReadonlySet<string> = new Set(["host", "origin", "www-authenticate"]);

function httpOf(
  http: HttpFacts,
  names: ReadonlyMap<Reference["place"], string>,
  renaming: Renaming,
): HttpFacts {
  const path =
    http.path !== undefined && renaming.pair ? { path: withSessions(http.path, renaming) } : undefined;
  if (!http.headers) return { ...http, ...path };
  const headers = Object.entries(http.headers).map(([name, value]): [string, string] => {
    const renamed = names.get(name as "mcp-name" | "last-event-id");
    if (renamed !== undefined) return [name, JSON.parse(renamed) as string];
    if (name === "mcp-session-id" && /^\d+$/.test(value)) return [name, renaming.session(Number(value))];
    const { authority } = renaming;
    const local = authority !== undefined && WITH_AUTHORITY.has(name);
    return [name, local ? value.replaceAll(authority.from, authority.to) : value];
  });
  return { ...http, ...path, headers: Object.fromEntries(headers) };
}

function bodyOf({ body, event }: Entry, facts: Facts, renaming: Renaming): Body {
  const { form, bytes } = body as Body;
  if (event?.name === "endpoint" && form === "text") {
    return { form, bytes: encoder.encode(withSessions(textOf(bytes), renaming)) };
  }
  const replacements = replacementsIn(facts, renaming);
  return replacements.length === 0 ? { form, bytes } : { form, bytes: replaceSpans(bytes, replacements) };
}

function replacementsIn({ references, values }: Facts, renaming: Renaming): Replacement[] {
  const all: Replacement[] = [];
  for (const [index, reference] of references.entries()) {
    const { place, token } = reference;
    if (typeof place === "string") continue;
    const name = renaming.name(reference, index);
    if (name === token) continue;
    all.push({ span: place.span, replacement: encoder.encode(place.bare ? name.slice(1, -1) : name) });
  }
  for (const value of values) {
    const text = renaming.value(value);
    if (text !== undefined) all.push({ span: value.span, replacement: encoder.encode(text) });
  }
  return all.sort((a, b) => a.span.start - b.span.start);
}

/** As the recorder writes paths of the HTTP+SSE pair: see `HttpPlaces`. */
const SESSION_PARAMETER = /([?&][^=&#]*session[^=&#]*=)(\d+)(?![^&#\s])/gi;

function withSessions(url: string, renaming: Renaming): string {
  return url.replace(
    SESSION_PARAMETER,
    (_, name: string, number: string) => name + renaming.session(Number(number)),
  );
}
