import { answerOf, type Exchange, type Step } from "../../exchange/exchange.ts";
import { memberAt } from "../../protocol/member.ts";
import { eraOfRequest } from "../../protocol/revisions.ts";
import { paramsOf } from "../../replay/key.ts";
import type { Outline, Outlined } from "../../rerecord/outline.ts";
import { messageAt } from "./places.ts";

/** Something that the client did on a recorded connection. */
export interface Deed {
  /** Ordinal of the entry in which it did. */
  readonly at: number;
  readonly kind: "request" | "notify" | "malformed" | "cancel";
  readonly outlined: Outlined;
}

/** Numbers of the recorded connections, in the order in which they began. */
export function sessionsOf(outline: Outline): number[] {
  return [...new Set(outline.sessions)];
}

/** What the client did on a connection, in order. */
export function deedsOf(outline: Outline, session: number): Deed[] {
  const deeds: Deed[] = [];
  for (const outlined of outline.exchanges) {
    const { exchange } = outlined;
    if (exchange.session !== session) continue;
    const kind = exchange.kind === "notification" ? "notify" : exchange.kind;
    deeds.push({ at: exchange.entry, kind, outlined });
    const cancel = exchange.steps.find(({ role }) => role === "cancel");
    if (cancel) deeds.push({ at: cancel.entry, kind: "cancel", outlined });
  }
  return deeds.sort((a, b) => a.at - b.at || a.outlined.exchange.item - b.outlined.exchange.item);
}

/** The ordinal of the entry that settles a recorded request; undefined where nothing did. */
export function settledAt(exchange: Exchange): number | undefined {
  return (answerOf(exchange) ?? exchange.steps.find(({ role }) => role === "crash"))?.entry;
}

/** Ordinals of all entries that belong to an exchange, those that only stood where it was among them, in wire order. */
export function entriesOf(outline: Outline, outlined: Outlined): number[] {
  const { exchange } = outlined;
  const all = new Set([
    ...outline.entriesOf(outlined),
    exchange.entry,
    ...exchange.steps.map(({ entry }) => entry),
  ]);
  for (const { role, entry } of exchange.steps) {
    const taken = role === "reply" ? takenAt(outline, entry) : undefined;
    if (taken !== undefined) all.add(taken);
  }
  return [...all].sort((a, b) => a - b);
}

/** Over HTTP: where the server said that it took what was posted. */
function takenAt({ entries, count }: Outline, posted: number): number | undefined {
  const { http, session } = entries.entryAt(posted);
  if (!http) return undefined;
  for (let ordinal = posted + 1; ordinal < count; ordinal++) {
    const entry = entries.entryAt(ordinal);
    if (entry.session === session && entry.on === "post") return ordinal;
  }
  return undefined;
}

/** Whether the recorded server died on this connection with something open. */
export function isCrashed(outline: Outline, session: number): boolean {
  return outline.exchanges.some(
    ({ exchange }) => exchange.session === session && exchange.steps.some(({ role }) => role === "crash"),
  );
}

/** Connections over HTTP whose sessions were ended by their clients. */
export function deletedSessions({ entries, count }: Outline): ReadonlySet<number> {
  const deleted = new Set<number>();
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const { session, http } = entries.entryAt(ordinal);
    if (http?.method === "DELETE") deleted.add(session);
  }
  return deleted;
}

/** Where the response to a request stands. */
export function answerAt(exchange: Exchange): Step | undefined {
  const answer = answerOf(exchange);
  return answer?.role === "outcome" ? answer : undefined;
}

/** Whether the recorded request got no response either, but an HTTP status or a broken connection. */
export function isRefused(exchange: Exchange): boolean {
  return settledAt(exchange) !== undefined && answerAt(exchange) === undefined;
}

/** Whether a client opened the standalone stream; over stdio, what needs that stream came all the same. */
export function opensStandalone({ entries, count }: Outline, session: number): boolean {
  let http = false;
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const entry = entries.entryAt(ordinal);
    if (entry.session !== session) continue;
    if (entry.on === "get") return true;
    http ||= entry.http !== undefined;
  }
  return !http;
}

/**
 * What opens a legacy connection that was recorded without an opening, as what `serve --mode append` adds is: another
 * connection's, in order. Empty where it was recorded, or is not needed.
 */
export function openingFor(outline: Outline, session: number): readonly Outlined[] {
  const first = outline.exchanges.find(
    ({ exchange }) => exchange.session === session && exchange.kind === "request",
  );
  if (!first || first.exchange.method === "initialize") return [];
  const message = messageAt(outline.entries, first.exchange);
  if (eraOfRequest({ method: message.method, params: paramsOf(message) }) === "modern") return [];
  const opened = outline.exchanges.find(
    ({ exchange }) => exchange.method === "initialize" && answerAt(exchange),
  );
  return !opened || opened.exchange.session === session ? [] : withReady(outline, opened);
}

/** What opens a connection anew: its own opening, or what stands in for that. */
export function reopeningFor(outline: Outline, session: number): readonly Outlined[] {
  const own = outline.exchanges.find(
    ({ exchange }) => exchange.session === session && exchange.method === "initialize",
  );
  return own ? withReady(outline, own) : openingFor(outline, session);
}

function withReady(outline: Outline, opened: Outlined): readonly Outlined[] {
  const ready = outline.exchanges.find(
    ({ exchange }) =>
      exchange.session === opened.exchange.session && exchange.method === "notifications/initialized",
  );
  return ready ? [opened, ready] : [opened];
}

/** What a client gave as its reason to give a request up, where it did. */
export function reasonAt({ entries }: Outline, ordinal: number): string | undefined {
  const message = messageAt(entries, { entry: ordinal, item: -1 });
  const reason = message.kind === "notification" ? memberAt(paramsOf(message), "reason") : undefined;
  return typeof reason === "string" ? reason : undefined;
}
