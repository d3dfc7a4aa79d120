import { answerOf, type Exchange } from "../exchange/exchange.ts";
import { type CanonicalOptions, canonicalJson } from "../protocol/canonical.ts";
import { escapePointer } from "../protocol/json-diff.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import { isObject } from "./content.ts";
import type { Read, Side } from "./side.ts";

/**
 * How a request was answered, without what changes from run to run.
 * `refusal` an HTTP answer without a JSON-RPC message that names the request
 * `none`    not at all; `cancelled` because the client gave it up
 */
export type Answer =
  | {
      readonly form: "result" | "tool-error";
      readonly result: JsonObject;
      /** The message that it came in. */
      readonly read: Read;
      /** That message with the names and values that it had. */
      readonly sent: Read;
    }
  | {
      readonly form: "error";
      readonly error: JsonValue;
      readonly read: Read;
      readonly sent: Read;
    }
  | {
      readonly form: "refusal";
      readonly error: JsonValue | undefined;
      readonly status: number | undefined;
      readonly sent?: Read;
    }
  | { readonly form: "none" | "cancelled" };

export interface Answered {
  readonly answer: Answer;
  /** HTTP status, over HTTP. */
  readonly status: number | undefined;
  /** Over HTTP: whether the answer was an event of a stream. */
  readonly streamed: boolean;
}

export function answeredIn(side: Side, exchange: Exchange): Answered {
  const step = answerOf(exchange);
  if (!step) {
    const cancelled = exchange.steps.some(({ role }) => role === "cancel");
    return { answer: { form: cancelled ? "cancelled" : "none" }, status: undefined, streamed: false };
  }
  const { http, event } = side.entryAt(step.entry);
  const facts = { status: http?.status, streamed: event !== undefined };
  const [read, sent] = [side.abstractReadAt(step), side.readAt(step)];
  if (step.role === "status") {
    const told = read.message.scan.valid;
    const error = told ? memberAt(read.value, "error") : undefined;
    return { ...facts, answer: { form: "refusal", error, status: http?.status, ...(told && { sent }) } };
  }
  const error = memberAt(read.value, "error");
  if (error !== undefined) return { ...facts, answer: { form: "error", error, read, sent } };
  const result = memberAt(read.value, "result");
  const whole = isObject(result) ? result : { "": result ?? null };
  return { ...facts, answer: resultAnswer(whole, { read, sent }) };
}

/** Of the message of a result: what is compared apart from what the result holds. */
const APART: ReadonlySet<string> = new Set([
  "/id",
  "/result/isError",
  "/result/resultType",
  "/result/inputRequests",
  `/result/_meta/${escapePointer(META.serverInfo)}`,
]);
const RESULT = "/result";

/** Whether what stands at a pointer into the message of a result is compared apart from it. */
export function isApart(pointer: string): boolean {
  return APART.has(pointer);
}

/** The text of a result's message with every number exact. */
export function exactText(bytes: Uint8Array, { omit, rewrite }: CanonicalOptions = {}): string {
  const inside = (pointer: string) =>
    pointer.startsWith(`${RESULT}/`) ? pointer.slice(RESULT.length) : undefined;
  return canonicalJson(bytes, {
    omit: (pointer) => {
      const place = inside(pointer);
      return APART.has(pointer) || (place !== undefined && (omit?.(place) ?? false));
    },
    rewrite: (pointer, plain) => {
      const place = inside(pointer);
      return place === undefined ? undefined : rewrite?.(place, plain);
    },
  });
}

function resultAnswer(result: JsonObject, reads: { readonly read: Read; readonly sent: Read }): Answer {
  const whole = withoutServerInfo(result);
  // Most results say nothing of errors, and need no copy.
  if (!Object.hasOwn(whole, "isError")) return { form: "result", result: whole, ...reads };
  const { isError, ...rest } = whole;
  return { form: isError === true ? "tool-error" : "result", result: rest, ...reads };
}

/** The result or the error of an answer as it was sent; undefined where there is neither. */
export function sentOf(answer: Answer): JsonValue | undefined {
  if (!("sent" in answer)) return undefined;
  const isResult = answer.form === "result" || answer.form === "tool-error";
  return memberAt(answer.sent?.value, isResult ? "result" : "error");
}

/** What every result of the modern era says of the server is compared once, with the contract. */
function withoutServerInfo(result: JsonObject): JsonObject {
  if (!isObject(result._meta)) return result;
  const { _meta: meta, ...rest } = result;
  const { [META.serverInfo]: _info, ...kept } = meta as JsonObject;
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
}
