import { memberAt } from "../../protocol/member.ts";
import { type JsonObject, type JsonValue, type Message, readMessage } from "../../protocol/message.ts";
import { replaceSpans, type Span } from "../../protocol/scan-json.ts";
import { paramsOf } from "../key.ts";
import type { Waiting } from "../live-asks.ts";
import type { Recording } from "../recording.ts";
import { cutting, isObjectAt, joined } from "./members.ts";

/** A request of the recorded server that is not replied to. */
export interface PendingAsk {
  /** Its name in `inputRequests`, the same whenever this exchange is played. */
  readonly key: string;
  readonly recordedId: string;
  readonly message: Message;
}

/** The server's requests that wait at a place of an exchange for the client's reply, as they were recorded. */
export function pendingAsks(from: Waiting, recording: Recording): readonly PendingAsk[] {
  return unreplied(from, recording).filter(({ message }) => message.method !== "ping");
}

/** Recorded replies to the pings among them: nobody needs be asked for those. */
export function pingReplies(from: Waiting, recording: Recording): ReadonlyMap<string, Message> {
  const replies = new Map<string, Message>();
  for (const { recordedId, message } of unreplied(from, recording)) {
    const reply = from.exchange.steps.find(({ role, id }) => role === "reply" && id === recordedId);
    if (message.method === "ping" && reply) replies.set(recordedId, recording.at(reply).message);
  }
  return replies;
}

function unreplied({ exchange, position }: Waiting, recording: Recording): readonly PendingAsk[] {
  const pending = new Map<string, PendingAsk>();
  const counts = new Map<string, number>();
  for (const step of exchange.steps.slice(0, position)) {
    if (step.listener) continue;
    const recordedId = step.id ?? "null";
    if (step.role === "reply") pending.delete(recordedId);
    else if (step.takesBack !== undefined) pending.delete(step.takesBack);
    else if (step.role === "ask") {
      const { message } = recording.at(step);
      const kind = (message.method ?? "").split("/")[0] as string;
      const nth = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, nth);
      pending.set(recordedId, { key: `${kind}-${nth}`, recordedId, message });
    }
  }
  return [...pending.values()];
}

const STATE = /^mcp-vcr ([0-9]{1,15})\.(-1|[0-9]{1,15}) at ([0-9]{1,15})( again)?$/;
const ANEW = /^mcp-vcr anew ([0-9]{1,15})$/;

/** `requestState` of a round after which the same question is asked anew, for the n-th time. */
export function stateAnew(times: number): string {
  return `mcp-vcr anew ${times}`;
}

/** How often a retry with this state asks anew; undefined where its state is no such one. */
export function timesAnew(state: JsonValue | undefined): number | undefined {
  const match = typeof state === "string" ? ANEW.exec(state) : null;
  return match ? Number(match[1]) : undefined;
}

/**
 * `requestState` of an input round: the place of the exchange and of the step in it, so that the retry goes on there
 * on whatever connection it comes, as often as it comes.
 */
export function stateOf({ exchange, position, repeat }: Waiting): string {
  return `mcp-vcr ${exchange.entry}.${exchange.item} at ${position}${repeat ? " again" : ""}`;
}

/** What a `requestState` of `stateOf` names; undefined for any other, and for one that no such exchange gave. */
export function placeOf(state: string, recording: Recording): Waiting | undefined {
  const match = STATE.exec(state);
  if (!match) return undefined;
  const [entry, item, position] = match.slice(1, 4).map(Number);
  const found = recording.exchanges.find(
    ({ exchange }) => exchange.entry === entry && exchange.item === item,
  )?.exchange;
  if (!found || (position as number) > found.steps.length) return undefined;
  return { exchange: found, position: position as number, repeat: match[4] !== undefined };
}

export function isOwnState(state: JsonValue | undefined): state is string {
  return typeof state === "string" && (ANEW.test(state) || STATE.test(state));
}

/**
 * What a client must have declared to be asked this (2025-11-25 and 2026-07-28: client/elicitation, client/sampling,
 * client/roots), as the capabilities that it lacks; undefined where it lacks none.
 */
export function lackingFor(
  method: string | undefined,
  params: JsonValue | undefined,
  capabilities: JsonValue | undefined,
): JsonObject | undefined {
  const has = (...path: string[]) => memberAt(capabilities, ...path) !== undefined;
  switch (method) {
    case "roots/list":
      return has("roots") ? undefined : { roots: {} };
    case "sampling/createMessage": {
      const tools = memberAt(params, "tools") !== undefined || memberAt(params, "toolChoice") !== undefined;
      if (tools) return has("sampling", "tools") ? undefined : { sampling: { tools: {} } };
      return has("sampling") ? undefined : { sampling: {} };
    }
    case "elicitation/create": {
      if (memberAt(params, "mode") === "url") {
        return has("elicitation", "url") ? undefined : { elicitation: { url: {} } };
      }
      // An empty object stands for forms (2026-07-28 client/elicitation, Capabilities).
      const form = has("elicitation", "form") || (has("elicitation") && !has("elicitation", "url"));
      return form ? undefined : { elicitation: { form: {} } };
    }
    default:
      return undefined;
  }
}

/** The server's requests as values of `inputRequests`; their params stay as they were recorded. */
export function inputRequests(asks: readonly PendingAsk[]): Uint8Array {
  const members = asks.flatMap(({ key, message }, index) => [
    `${index > 0 ? "," : ""}${JSON.stringify(key)}:{"method":${JSON.stringify(message.method)}`,
    ...paramsMember(message),
    "}",
  ]);
  return joined(["{", ...members, "}"]);
}

function paramsMember({ bytes, scan }: Message): readonly (string | Uint8Array)[] {
  const { params } = scan.members;
  return params ? [',"params":', inputParams(bytes.subarray(params.start, params.end))] : [];
}

/** Without `elicitationId`, which the modern era has no use for (2026-07-28 changelog). */
export function inputParams(params: Uint8Array): Uint8Array {
  const whole: Span = { start: 0, end: params.length };
  if (!isObjectAt(params, whole)) return params;
  return replaceSpans(
    params,
    cutting(params, whole, ({ key }) => key === "elicitationId"),
  );
}

/** Replies to the recorded requests from a retry's `inputResponses`, by the recorded ids. */
export function repliesFrom(
  asks: readonly PendingAsk[],
  responseTo: (key: string) => Uint8Array | undefined,
): ReadonlyMap<string, Message> {
  const replies = new Map<string, Message>();
  for (const { key, recordedId } of asks) {
    const result = responseTo(key);
    if (!result) continue;
    const bytes = joined([`{"jsonrpc":"2.0","id":${recordedId},"result":`, result, "}"]);
    replies.set(recordedId, readMessage(bytes));
  }
  return replies;
}

/** The request as it was first made: without the answers and the state of a retry. */
export function withoutRetry({ bytes, scan }: Message): Message {
  const { params } = scan.members;
  if (!isObjectAt(bytes, params)) return readMessage(bytes);
  const cuts = cutting(bytes, params, ({ key }) => key === "inputResponses" || key === "requestState");
  return readMessage(replaceSpans(bytes, cuts));
}

/** `params.requestState`, as a value. */
export function requestStateOf(message: Message): JsonValue | undefined {
  return memberAt(paramsOf(message), "requestState");
}
