import type { Exchange, Step } from "../exchange/exchange.ts";
import type { Outlined } from "../rerecord/outline.ts";
import type { Pair } from "./aligned.ts";
import type { Side } from "./side.ts";

/**
 * Whether all that the server sent says the same, by hash: of two answers that differ, one in 2^52 is taken for equal.
 */
export function isUnchanged(pair: Pair, old: Side, fresh: Side): boolean {
  const [one, other] = [onlyAnswer(pair.old.exchange), onlyAnswer(pair.fresh.exchange)];
  if (one && other) return old.outline.says[one.entry] === fresh.outline.says[other.entry];
  const said = (side: Side, { exchange }: Outlined) =>
    exchange.steps.filter((step) => isOwn(side, exchange, step)).map(({ entry }) => side.outline.says[entry]);
  const [a, b] = [said(old, pair.old), said(fresh, pair.fresh)];
  return a.length === b.length && a.every((hash, index) => hash === b[index]);
}

function onlyAnswer({ steps }: Exchange): Step | undefined {
  const first = steps[0];
  return steps.length === 1 && first?.role === "outcome" ? first : undefined;
}

/** Of the server, and of this exchange rather than of the connection or of a subscription. */
export function isOwn(side: Side, exchange: Exchange, { role, listener, entry }: Step): boolean {
  return role !== "reply" && !listener && side.isOf(exchange, entry);
}
