import type { Exchange } from "../../exchange/exchange.ts";
import type { IdToken, Message } from "../../protocol/message.ts";
import { findSpan } from "../../protocol/scan-json.ts";
import { questionOf } from "../key.ts";
import type { Waiting } from "../live-asks.ts";
import type { Playing } from "../playing.ts";
import { legacyRequest, pieceAt } from "./modern-requests.ts";
import {
  isOwnState,
  type PendingAsk,
  pendingAsks,
  pingReplies,
  placeOf,
  repliesFrom,
  requestStateOf,
  timesAnew,
  withoutRetry,
} from "./rounds.ts";

/** What a retry of a modern client goes on with. */
export interface Retry {
  readonly from: Waiting;
  readonly asks: readonly PendingAsk[];
  /** By recorded ids; fewer than there are requests of the server where the client left some unanswered. */
  readonly replies: ReadonlyMap<IdToken, Message>;
  /** Every request of the server is replied to. */
  readonly isWhole: boolean;
}

/**
 * What a request goes on with; `first` for one that begins something, and `strange` for a retry whose state was not
 * given for this request.
 */
export function retryOf(message: Message, player: Playing): Retry | "first" | "strange" {
  const state = requestStateOf(message);
  const isRetry = state !== undefined || findSpan(message.bytes, ["params", "inputResponses"]) !== undefined;
  if (!isRetry || timesAnew(state) !== undefined) return "first";
  const { recording } = player;
  const from = isOwnState(state) ? placeOf(state, recording) : undefined;
  if (!from || !isOf(from.exchange, message, player)) return "strange";
  const asks = pendingAsks(from, recording);
  const given = repliesFrom(asks, (key) => pieceAt(message, ["params", "inputResponses", key]));
  const replies = new Map([...pingReplies(from, recording), ...given]);
  return { from, asks, replies, isWhole: given.size === asks.length };
}

/** Whether this is, or is the retry of, the request that began an exchange, also as matching rules have it. */
function isOf(exchange: Exchange, message: Message, player: Playing): boolean {
  const { recording, loosely } = player;
  const first = firstOf(message, player);
  const { key } = questionOf(first);
  if (questionOf(recording.at(exchange).message).key === key) return true;
  const alike = loosely?.answersTo({ message: first, key, fullKey: key });
  return alike?.all.some((recorded) => recorded.exchange === exchange) === true;
}

/** How often what a request, or its retry, asks was recorded. */
export function timesRecorded(request: Message, player: Playing): number {
  return player.recording.answersTo(questionOf(firstOf(request, player)).key)?.all.length ?? 0;
}

/** The request that this is, or is the retry of, as a legacy recording holds it. */
function firstOf(message: Message, { options }: Playing): Message {
  const first = legacyRequest(withoutRetry(message));
  return options.redact?.message(first) ?? first;
}
