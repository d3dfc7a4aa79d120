import { memberAt } from "../../protocol/member.ts";
import { type IdToken, type JsonValue, jsonOf, type Message, readMessage } from "../../protocol/message.ts";
import { findSpan, replaceSpans, type Span } from "../../protocol/scan-json.ts";
import type { Untranslatable } from "../miss.ts";
import { type ClientFacts, modernRequest } from "./legacy-requests.ts";
import { adding, isObjectAt, joined, membersOf } from "./members.ts";
import { isObject } from "./openings.ts";
import { lackingFor } from "./rounds.ts";
import { wayTo } from "./rows.ts";

export interface RoundContext {
  /** The recorded result with `resultType: "input_required"`. */
  readonly response: Message;
  readonly client: ClientFacts;
  readonly newAskId: () => IdToken;
}

/** Revisions from which on a legacy client can be asked so (2025-06-18 and 2025-11-25 changelog). */
const SINCE: Readonly<Record<string, string>> = {
  "elicitation/create": "2025-06-18",
  "elicitation/create url": "2025-11-25",
  "sampling/createMessage tools": "2025-11-25",
};

/** One input round of a modern recording, put to a legacy client as requests of the server. */
export class InputRound {
  readonly request: Message;
  readonly #context: RoundContext;
  /** Names in `inputRequests`, by the id each was asked under. */
  readonly #waiting = new Map<IdToken, string>();
  readonly #answers: [key: string, result: Uint8Array][] = [];
  /** The server's requests, to be sent. */
  readonly asks: readonly Uint8Array[];

  /** The round of a recorded answer, or why this client cannot be asked so. */
  static begin(request: Message, context: RoundContext): InputRound | Untranslatable {
    const inputs = memberAt(jsonOf(context.response), "result", "inputRequests");
    for (const input of isObject(inputs) ? Object.values(inputs) : []) {
      const amiss = cannotAsk(input, context.client);
      if (amiss) return amiss;
    }
    return new InputRound(request, context);
  }

  private constructor(request: Message, context: RoundContext) {
    this.request = request;
    this.#context = context;
    const { bytes } = context.response;
    const inputs = findSpan(bytes, ["result", "inputRequests"]);
    const members = isObjectAt(bytes, inputs) ? membersOf(bytes, inputs) : [];
    this.asks = members.map(({ key, value }, index) => {
      const id = context.newAskId();
      this.#waiting.set(id, key);
      return serverRequest(bytes.subarray(value.start, value.end), { id, nth: index + 1 });
    });
  }

  /** Takes the client's answer to one of them. Once all are there: the retry, or why there can be none. */
  answered(answer: Message): Uint8Array | Untranslatable | "waiting" | "not mine" {
    const key = answer.id === undefined ? undefined : this.#waiting.get(answer.id);
    if (key === undefined || answer.id === undefined) return "not mine";
    const { result } = answer.scan.members;
    if (!result) {
      return {
        feature: "an error as the answer to a request of the server",
        why: "the modern recording goes on from results alone",
      };
    }
    this.#waiting.delete(answer.id);
    this.#answers.push([key, answer.bytes.subarray(result.start, result.end)]);
    return this.#waiting.size > 0 ? "waiting" : this.retry();
  }

  /** The request once more, with the answers and the recorded state. */
  retry(): Uint8Array {
    const { response, client } = this.#context;
    const { bytes } = modernRequest(this.request, client);
    const state = findSpan(response.bytes, ["result", "requestState"]);
    const answers = this.#answers.flatMap(([key, result], index) => [
      `${index > 0 ? "," : ""}${JSON.stringify(key)}:`,
      result,
    ]);
    const members = [
      ...(this.asks.length > 0 ? [joined(['"inputResponses":{', ...answers, "}"])] : []),
      ...(state ? [joined(['"requestState":', response.bytes.subarray(state.start, state.end)])] : []),
    ];
    return replaceSpans(bytes, [adding(bytes, findSpan(bytes, ["params"]) as Span, members)]);
  }
}

function cannotAsk(input: JsonValue, client: ClientFacts): Untranslatable | undefined {
  const method = memberAt(input, "method");
  const params = memberAt(input, "params");
  if (typeof method !== "string" || wayTo("legacy", method) !== "round") {
    return {
      feature: `an input request ${JSON.stringify(method)}`,
      why: "no legacy server sends such a request",
    };
  }
  const kind = kindOf(method, params);
  const since = SINCE[kind];
  if (since !== undefined && typeof client.version === "string" && client.version < since) {
    return { feature: kind, why: `the client speaks ${client.version}, and it came with ${since}` };
  }
  const lacking = lackingFor(method, params, client.capabilities);
  if (!lacking) return undefined;
  return { feature: kind, why: `the client did not declare the capability ${JSON.stringify(lacking)}` };
}

function kindOf(method: string, params: JsonValue | undefined): string {
  if (method === "elicitation/create" && memberAt(params, "mode") === "url") return `${method} url`;
  return method === "sampling/createMessage" && memberAt(params, "tools") ? `${method} tools` : method;
}

/** A value of `inputRequests` as a request. One for a URL bears an id of its own (2025-11-25 client/elicitation). */
function serverRequest(input: Uint8Array, { id, nth }: { id: IdToken; nth: number }): Uint8Array {
  const whole: Span = { start: 0, end: input.length };
  const asked = replaceSpans(input, [adding(input, whole, ['"jsonrpc":"2.0"', `"id":${id}`])]);
  const params = findSpan(asked, ["params"]);
  const message = readMessage(asked);
  const isUrl = memberAt(jsonOf(message), "params", "mode") === "url";
  if (!isUrl || !isObjectAt(asked, params) || findSpan(asked, ["params", "elicitationId"])) return asked;
  return replaceSpans(asked, [adding(asked, params, [`"elicitationId":"mcp-vcr-${idText(id)}-${nth}"`])]);
}

function idText(id: IdToken): string {
  return id.replaceAll('"', "");
}
