import type { Change } from "../contract/change.ts";
import { answerOf } from "../exchange/exchange.ts";
import { isRefusal } from "../rerecord/http-signs.ts";
import type { Outlined } from "../rerecord/outline.ts";
import type { Pair } from "./aligned.ts";
import { driftOf } from "./rules.ts";
import type { Side } from "./side.ts";
import { statusDrift } from "./status.ts";

const SESSION = "session";

interface Sides {
  readonly old: Side;
  readonly fresh: Side;
}

/** How the server takes, over HTTP, what is no request: POSTs without one, and the GET of the standalone stream. */
export function compareRefusals(
  pairs: readonly Pair[],
  { old, fresh }: Sides,
  subjectOf: (pair: Pair) => string,
): Change[] {
  const sides = [old, fresh];
  if (sides.some(({ header }) => header.source.transport !== "http")) return [];
  const stream = streamChange(old.outline.standaloneStatus, fresh.outline.standaloneStatus);
  if (!sides.some(({ outline }) => outline.signs.postsRefused)) return stream;
  const notifications = pairs.flatMap((pair) => {
    if (pair.old.exchange.kind !== "notification") return [];
    const [was, is] = [refusalOf(old, pair.old), refusalOf(fresh, pair.fresh)];
    return was === is ? [] : postChange(was, is, { subject: subjectOf(pair), what: "The notification" });
  });
  return [...notifications, ...compareOthers(old, fresh), ...stream];
}

/** The status with which a notification was refused; undefined where it was not. */
function refusalOf(side: Side, { exchange }: Outlined): number | undefined {
  const step = answerOf(exchange);
  const status = step && side.entryAt(step.entry).http?.status;
  return status !== undefined && isRefusal(status) ? status : undefined;
}

interface Place {
  readonly subject: string;
  /** What was posted. */
  readonly what: string;
}

function postChange(was: number | undefined, is: number | undefined, { subject, what }: Place): Change[] {
  const at = { subject, pointer: "", before: was, after: is };
  if (was !== undefined && is !== undefined) return [statusDrift(was, is, { subject, pointer: "" })];
  return is === undefined
    ? [
        driftOf("post-accepted", {
          ...at,
          message: `${what} was refused with HTTP status ${was}, and no longer is.`,
        }),
      ]
    : [driftOf("post-refused", { ...at, message: `${what} is refused with HTTP status ${is} now.` })];
}

/** Answers to the server's questions, and cancellations. Which of them is which is not told apart, so all count once. */
function compareOthers(old: Side, fresh: Side): Change[] {
  const [before, after] = [otherStatuses(old), otherStatuses(fresh)];
  if (before.length === 0 || after.length === 0) return [];
  const [was, is] = [before.find(isRefusal), after.find(isRefusal)];
  if ((was === undefined) === (is === undefined)) return [];
  return postChange(was, is, { subject: SESSION, what: "What the client posts in answer, or to cancel," });
}

/** The statuses of POSTs with which no exchange begins, which come in the order of all POSTs without a request. */
function otherStatuses({ outline }: Side): number[] {
  const asks = new Map<number, boolean>();
  for (const { exchange } of outline.exchanges) {
    asks.set(exchange.entry, asks.get(exchange.entry) || exchange.kind === "request");
  }
  const waiting = new Map<number, boolean[]>();
  const statuses: number[] = [];
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const { from, session, on, http, event, closed } = outline.entries.entryAt(ordinal);
    const posts = waiting.get(session) ?? [];
    waiting.set(session, posts);
    if (from === "client") {
      if (http && (http.method ?? "POST") === "POST" && !asks.get(ordinal)) posts.push(asks.has(ordinal));
    } else if (on === "post" && (closed || (http && !event))) {
      if (posts.shift() === false && http?.status !== undefined) statuses.push(http.status);
    }
  }
  return statuses;
}

const NO_STREAM = 405;

/** Whoever is told 405 knows that there is no such stream (2025-03-26 and later, basic/transports). */
function streamChange(was: number | undefined, is: number | undefined): Change[] {
  if (was === undefined || is === undefined || was === is) return [];
  const [refused, refuses] = [isRefusal(was), isRefusal(is)];
  if (!refused && !refuses) return [];
  const message = `The GET of the standalone stream was answered with HTTP status ${was}, and is with ${is}.`;
  const change = { subject: SESSION, pointer: "", message, before: was, after: is };
  if (!refuses) return [driftOf("stream-opened", change)];
  const own = is === NO_STREAM || (refused && was !== NO_STREAM) ? ({ class: "risky" } as const) : {};
  return [driftOf("stream-refused", { ...change, ...own })];
}
