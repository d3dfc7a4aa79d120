import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import type { Ask } from "../model.ts";

const ACTIONS: readonly (JsonValue | undefined)[] = ["accept", "decline", "cancel"];

/** What a client's answer must be, by what it was asked (2026-07-28 schema, InputResponse). */
const PROBLEMS: Readonly<Record<Ask["method"], (answer: JsonValue) => string | undefined>> = {
  "elicitation/create": (answer) => {
    if (!ACTIONS.includes(memberAt(answer, "action"))) return "action must be accept, decline or cancel";
    const content = memberAt(answer, "content");
    return content === undefined || isObject(content) ? undefined : "content must be an object";
  },
  "sampling/createMessage": (answer) => {
    const content = memberAt(answer, "content");
    if (typeof memberAt(answer, "role") !== "string") return "role must be there";
    return isObject(content) || Array.isArray(content) ? undefined : "content must be there";
  },
  "roots/list": (answer) => (Array.isArray(memberAt(answer, "roots")) ? undefined : "roots must be a list"),
};

/** Why a client's answer is none to what it was asked. */
function problemOfAnswer({ method }: Ask, answer: JsonValue): string | undefined {
  return isObject(answer) ? PROBLEMS[method](answer) : "it must be an object";
}

/** Those of a client's answers that are to these questions; a sentence for one that is no answer. */
export function answersAmong(responses: JsonObject, asks: ReadonlyMap<string, Ask>): JsonObject | string {
  const answers = Object.entries(responses).filter(([name]) => asks.has(name));
  for (const [name, answer] of answers) {
    const problem = problemOfAnswer(asks.get(name) as Ask, answer);
    if (problem !== undefined) return `inputResponses: ${name}: ${problem}`;
  }
  return Object.fromEntries(answers);
}

/** What a request brings as answers to what the server asked (`inputResponses`); undefined where it is no such thing. */
export function inputResponsesOf({ inputResponses = {} }: JsonObject): JsonObject | undefined {
  return isObject(inputResponses) ? inputResponses : undefined;
}
