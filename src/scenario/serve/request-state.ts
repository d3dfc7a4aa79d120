import { fromBase64, toBase64 } from "../../cassette/base64.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import { opaque } from "../random.ts";
import { canonicalSpelt, jsonText, speltValue } from "../spelt-number.ts";

/** Where a request stands that waits for the client's input. */
export interface Progress {
  /** The turn, and the step in it that asks. */
  readonly turn: string;
  readonly step: number;
  readonly answers: JsonObject;
  readonly nth: number;
  /** It can be taken up once: what answers it answers only so often. */
  readonly limited: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * `requestState` of the modern era: what the server has to know when the request is sent again, since it may keep
 * nothing (2026-07-28 basic/patterns/mrtr). Signed, so that one that was not given out is refused.
 */
export function sealed(progress: Progress, params: JsonObject, seed: number): string {
  const text = jsonText({ ...progress, of: askedText(params) });
  return `${toBase64(encoder.encode(text))}.${signature(text, seed)}`;
}

/** Undefined for what was not given out for a request of these params. */
export function unsealed(state: JsonValue, params: JsonObject, seed: number): Progress | undefined {
  if (typeof state !== "string") return undefined;
  const [body = "", signed] = state.split(".");
  const bytes = fromBase64(body);
  const text = bytes && decoder.decode(bytes);
  if (!bytes || text === undefined || signed !== signature(text, seed)) return undefined;
  const value = speltValue(bytes) as JsonObject;
  if (value.of !== askedText(params) || !isObject(value.answers)) return undefined;
  return {
    turn: String(value.turn),
    step: Number(value.step),
    answers: value.answers,
    nth: Number(value.nth),
    limited: value.limited === true,
  };
}

function signature(text: string, seed: number): string {
  return opaque(`${seed} ${text}`);
}

/** What a request and its repetitions have in common. */
function askedText({ _meta: _, inputResponses: __, requestState: ___, ...params }: JsonObject): string {
  return opaque(canonicalSpelt(params as JsonObject));
}
