import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import type { Era } from "../../protocol/revisions.ts";
import { faultsOf } from "../exact-order.ts";
import { isObject } from "../matcher.ts";
import type { Ask } from "../model.ts";
import type { SchemaChecker } from "../schemas.ts";
import type { Refusal } from "./asking.ts";
import type { Question } from "./question.ts";
import { INVALID_PARAMS } from "./speech.ts";

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
    const ask = asks.get(name) as Ask;
    const problem = ask.validate ? problemOfAnswer(ask, answer) : undefined;
    if (problem !== undefined) return `inputResponses: ${name}: ${problem}`;
  }
  return Object.fromEntries(answers);
}

/** A form has keywords alone that all dialects have, whatever dialect it names. */
export function schemaOfForm({ params: { requestedSchema } }: Ask): JsonObject | undefined {
  if (!isObject(requestedSchema)) return undefined;
  const { $schema: _, ...schema } = requestedSchema;
  return schema;
}

interface Judging {
  readonly checker: SchemaChecker | undefined;
  readonly era: Era;
}

/**
 * Why a client's answer is none to the question as it was put, the fields of a form included. In the legacy era, where
 * the client answers requests, an error is an answer too.
 */
export function problemAmong(
  answers: JsonObject,
  questions: readonly Question[],
  { checker, era }: Judging,
): Refusal | undefined {
  for (const question of questions) {
    const answer = memberAt(answers, question.name);
    if (answer === undefined || !question.validate) continue;
    if (era === "legacy" && memberAt(answer, "error") !== undefined) continue;
    const shape = problemOfAnswer(question, answer);
    const refusal =
      shape === undefined ? refusedByForm(question, answer, checker) : invalidAnswer(question, shape);
    if (refusal) return refusal;
  }
  return undefined;
}

/** A form that is accepted comes filled in as it asks (2025-06-18 client/elicitation). */
function refusedByForm(question: Question, answer: JsonValue, checker: SchemaChecker | undefined) {
  const schema = schemaOfForm(question);
  if (!schema || memberAt(answer, "action") !== "accept") return undefined;
  if (!checker) throw new Error("a form is answered before schemas can be checked");
  const problem = checker.problem(schema);
  if (problem !== undefined) return { miss: `The requestedSchema of ${question.name} is none: ${problem}.` };
  const faults = faultsOf(checker, schema, memberAt(answer, "content") ?? {});
  if (faults.length === 0) return undefined;
  return invalidAnswer(question, `its requestedSchema refuses the content: ${faults.join("; ")}`);
}

function invalidAnswer({ name }: Question, problem: string): Refusal {
  return invalidParams(`the answer to ${name}: ${problem}`);
}

/** The error for what a request brings, or what answers a question of it. */
export function invalidParams(problem: string): Refusal {
  return { error: { code: INVALID_PARAMS, message: `Invalid params: ${problem}` } };
}

/** What a request brings as answers to what the server asked (`inputResponses`); undefined where it is no such thing. */
export function inputResponsesOf({ inputResponses = {} }: JsonObject): JsonObject | undefined {
  return isObject(inputResponses) ? inputResponses : undefined;
}
