import type { Change } from "../contract/change.ts";
import { answerOf, type Exchange } from "../exchange/exchange.ts";
import type { Pair } from "./aligned.ts";
import { driftOf } from "./rules.ts";
import type { Side } from "./side.ts";
import type { Slowness } from "./slowness.ts";

/** How long the client waits is its own choice, or the server's to tell. */
const TIMELESS: ReadonlySet<string | undefined> = new Set([
  "subscriptions/listen",
  "tasks/get",
  "tasks/result",
]);

/** That an answer took much longer than in the old recording. */
export function compareTimes(
  { old, fresh }: Pair,
  sides: { readonly old: Side; readonly fresh: Side },
  { slowness: { factor, least }, subject }: { readonly slowness: Slowness; readonly subject: () => string },
): Change[] {
  const [before, after] = [timeOf(sides.old, old.exchange), timeOf(sides.fresh, fresh.exchange)];
  if (before === undefined || after === undefined || TIMELESS.has(old.exchange.method)) return [];
  if (after < before * factor || after < before + least) return [];
  const message = `The answer took ${words(before)}, and takes ${words(after)}.`;
  return [driftOf("answer-slower", { subject: subject(), pointer: "", message, before, after })];
}

/** Milliseconds from the request to its answer. */
function timeOf({ outline }: Side, exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  const [from, to] = [outline.times[exchange.entry], answer && outline.times[answer.entry]];
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}

function words(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
