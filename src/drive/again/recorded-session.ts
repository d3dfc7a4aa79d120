import { answerOf, type Exchange, type Step } from "../../exchange/exchange.ts";
import type { Outline, Outlined } from "../../rerecord/outline.ts";

/** Something that the client did on a recorded connection. */
export interface Deed {
  /** Ordinal of the entry in which it did. */
  readonly at: number;
  readonly kind: "request" | "notify" | "cancel";
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
    if (exchange.session !== session || exchange.kind === "malformed") continue;
    const kind = exchange.kind === "request" ? "request" : "notify";
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

/** All entries that belong to an exchange, those that only stood where it was among them. */
export function entriesOf({ exchange, entries }: Outlined): number[] {
  return [...new Set([...entries, exchange.entry, ...exchange.steps.map(({ entry }: Step) => entry)])];
}

/** Whether the recorded server died on this connection with something open. */
export function isCrashed(outline: Outline, session: number): boolean {
  return outline.exchanges.some(
    ({ exchange }) => exchange.session === session && exchange.steps.some(({ role }) => role === "crash"),
  );
}

/** Where the response to a request stands. */
export function answerAt(exchange: Exchange): Step | undefined {
  const answer = answerOf(exchange);
  return answer?.role === "outcome" ? answer : undefined;
}
