import { answerOf, type Exchange, isSettled } from "../exchange/exchange.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonObject, type JsonValue, jsonOf, type Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Cancelled } from "./cancelled.ts";
import { askedOf, paramsOf } from "./key.ts";
import type { Playing } from "./playing.ts";

/** Method and name of a request, for people. */
export function labelIn(request: Message): string {
  return labelOf(request.method ?? "malformed", paramsOf(request));
}

/** The client answered a request of the server otherwise than recorded, during this exchange. */
export function noteAnswer(
  playing: Playing,
  exchange: Exchange,
  { recorded, live }: { readonly recorded: Message; readonly live: Message },
): void {
  const both = { recorded: answerValueOf(recorded), live: answerValueOf(live) };
  noteDifference(playing, playing.recording.at(exchange).message, both);
}

/** An answer for people: the result, or the error. */
function answerValueOf(message: Message): JsonValue {
  const { result, error } = jsonOf(message) as JsonObject;
  return error === undefined ? (result ?? null) : { error };
}

/** The client answered the server otherwise than recorded, during this request. */
function noteDifference(
  { tally, options }: Playing,
  request: Message,
  { recorded, live }: { readonly recorded: JsonValue; readonly live: JsonValue },
): void {
  const label = labelIn(request);
  tally.differentAnswers.push({ label, recorded, live });
  options.onNotice?.(
    `During ${label} the client answers otherwise than recorded, and what follows is what was recorded.\n` +
      `  recorded ${JSON.stringify(recorded)}\n  answered ${JSON.stringify(live)}`,
  );
}

/** A retry in the modern era brings other answers than the recorded one did. */
export function noteInputs(playing: Playing, exchange: Exchange, retry: Message): void {
  const request = playing.recording.at(exchange).message;
  noteDifference(playing, request, { recorded: inputsOf(request), live: inputsOf(retry) });
}

function inputsOf(message: Message): JsonValue {
  return memberAt(paramsOf(message), "inputResponses") ?? null;
}

/** A recorded server that did not know `server/discover` turns away who speaks nothing older; others go on. */
export function noteTurnedAway({ tally, recording }: Playing, exchange: Exchange): void {
  if (exchange.method !== "server/discover") return;
  const answer = answerOf(exchange);
  tally.turnedAway =
    answer?.role === "status" || (answer !== undefined && recording.at(answer).message.isError);
}

/** A request that the recording leaves without an answer leaves the live client waiting too, which is to be known. */
export function noteSilence(
  { tally, options, recording }: Playing,
  exchange: Exchange,
  redacted: Message,
): void {
  if (isSettled(exchange)) return;
  const label = labelIn(redacted);
  tally.unanswered.push({ label, asked: askedOf(redacted) });
  const stray = recording.strays.meantFor(exchange);
  const hint = stray === undefined ? "" : `\n  ${stray} may be meant to be the answer, but answers nothing.`;
  options.onNotice?.(`${label} was recorded without an answer, so the client gets none.${hint}`);
}

/** The client gave this up. To end a subscription is no giving up. */
export function noteCancelled({ tally, recording }: Playing, exchange: Exchange, how: Cancelled): void {
  if (exchange.method === "subscriptions/listen") return;
  const label = labelIn(recording.at(exchange).message);
  tally.cancelled.push({ label, recorded: how.recorded, unsent: how.unsent });
}
