import type { Entry } from "../../exchange/entry.ts";
import { answerOf, type Exchange, type Step } from "../../exchange/exchange.ts";
import { memberAt } from "../../protocol/member.ts";
import { type JsonObject, type JsonValue, jsonOf } from "../../protocol/message.ts";
import { META } from "../../protocol/revisions.ts";
import type { Recording } from "../../replay/recording.ts";
import { isObject } from "../matcher.ts";

/** A recorded request, as values. */
export interface RecordedCall {
  readonly method: string;
  readonly session: number;
  readonly params: JsonObject;
  /** What happened before the outcome, in order. */
  readonly steps: readonly RecordedStep[];
  readonly result: JsonObject | undefined;
  readonly error: JsonObject | undefined;
  /** What the server calls itself in a result of the modern era. */
  readonly serverInfo: JsonObject | undefined;
  /** The client gave it up. */
  readonly cancelled: boolean;
}

export interface RecordedStep {
  readonly method: string;
  readonly params: JsonObject;
  /** Of a request of the server: what the client answered. */
  readonly answer?: JsonValue | undefined;
}

/**
 * Every request of a recording, in wire order.
 * @param notices gathers what is left out
 */
export function callsIn(recording: Recording, notices: Set<string>): readonly RecordedCall[] {
  return recording.exchanges
    .filter(({ exchange }) => exchange.kind === "request")
    .map(({ exchange }) => callOf(exchange, recording, notices));
}

function callOf(exchange: Exchange, recording: Recording, notices: Set<string>): RecordedCall {
  const answer = answerOf(exchange);
  const outcome = answer?.role === "outcome" ? valueAt(answer, recording) : undefined;
  const error = memberAt(outcome, "error");
  const result = memberAt(outcome, "result");
  return {
    method: exchange.method ?? "",
    session: exchange.session,
    params: paramsAt(exchange, recording),
    steps: stepsOf(exchange, recording, notices),
    result: isObject(result) ? plainResult(result) : undefined,
    error: isObject(error) ? error : undefined,
    serverInfo: infoIn(result),
    cancelled: exchange.steps.some(({ role }) => role === "cancel"),
  };
}

type Place = Pick<Step, "entry" | "item">;

function valueAt(place: Place, recording: Recording): JsonValue {
  const { message } = recording.at(place);
  return message.scan.valid ? jsonOf(message) : null;
}

function paramsAt(place: Place, recording: Recording): JsonObject {
  const params = memberAt(valueAt(place, recording), "params");
  return isObject(params) ? params : {};
}

function stepsOf({ steps }: Exchange, recording: Recording, notices: Set<string>): readonly RecordedStep[] {
  const answers = new Map(steps.filter(({ role }) => role === "reply").map((step) => [step.id, step]));
  return steps.flatMap((step) => {
    if (step.role !== "send" && step.role !== "ask") return [];
    const { message, entry } = recording.at(step);
    if (step.role === "ask" && isAtLarge(message.method, entry)) {
      notices.add(`${message.method} is left out where nothing tells for which request it was asked`);
      return [];
    }
    const reply = step.role === "ask" ? answers.get(step.id) : undefined;
    const value = reply && valueAt(reply, recording);
    const answer =
      memberAt(value, "result") ??
      (value === undefined ? undefined : { error: memberAt(value, "error") ?? null });
    return [{ method: message.method ?? "", params: paramsAt(step, recording), answer }];
  });
}

/**
 * Whether the server asked it beside whatever request was under way: on the standalone stream; and for roots, which
 * servers ask for when a client has come, wherever it is not on the stream of the request.
 */
function isAtLarge(method: string | undefined, { on }: Entry): boolean {
  return on === "get" || (method === "roots/list" && typeof on !== "object");
}

function infoIn(result: JsonValue | undefined): JsonObject | undefined {
  const info = memberAt(result, "_meta", META.serverInfo);
  return isObject(info) ? info : undefined;
}

/** What the modern era adds to every result, a scenario adds by itself. */
function plainResult(result: JsonObject): JsonObject {
  const { ttlMs: _, cacheScope: __, ...rest } = result;
  if (rest.resultType === "complete") delete rest.resultType;
  if (!isObject(rest._meta)) return rest as JsonObject;
  const { [META.serverInfo]: ___, ...meta } = rest._meta;
  if (Object.keys(meta).length > 0) return { ...rest, _meta: meta } as JsonObject;
  const { _meta: ____, ...bare } = rest;
  return bare as JsonObject;
}
