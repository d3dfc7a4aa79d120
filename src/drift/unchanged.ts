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
  const own = (side: Side, { exchange }: Outlined) =>
    exchange.steps.filter((step) => isOwn(side, exchange, step));
  const [a, b] = [own(old, pair.old), own(fresh, pair.fresh)];
  const isSaid = (step: Step, index: number) =>
    isAlone(step) && old.outline.says[step.entry] === fresh.outline.says[b[index]?.entry ?? -1];
  return a.length === b.length && a.every(isSaid) && b.every(isAlone);
}

function onlyAnswer({ steps }: Exchange): Step | undefined {
  const first = steps[0];
  return steps.length === 1 && first?.role === "outcome" && isAlone(first) ? first : undefined;
}

/** In no batch, of which one hash tells nothing of whose the messages in it are. */
function isAlone({ item }: Step): boolean {
  return item < 0;
}

/**
 * Of the server, and of this exchange rather than of the connection or of a subscription. An answer is of the request
 * that it answers, also where others stand in one batch with it.
 */
export function isOwn(side: Side, exchange: Exchange, { role, listener, entry }: Step): boolean {
  if (role === "reply" || listener) return false;
  return role === "outcome" || role === "status" || side.isOf(exchange, entry);
}
