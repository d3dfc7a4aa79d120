import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Answers } from "./answers.ts";
import type { Ask, Course, Outcome } from "./move.ts";
import type { DriveReport, Listed } from "./report.ts";

/** What the courses of one drive share. */
export interface DriveContext {
  readonly answers: Answers;
  readonly report: DriveReport;
  /** Milliseconds that a request may take. */
  readonly timeout: number;
}

export interface Request extends Omit<Ask, "type" | "timeout"> {
  readonly timeout?: number | undefined;
}

/** Where a result holds its items, and what one of them is. */
export interface ListShape {
  readonly key: string;
  readonly item: string;
}

/** Rounds of questions in one request after which a server is taken to go on for ever. */
const MOST_ROUNDS = 10;

/**
 * Asks, and answers the rounds of input that the server wants before it gives its result: the same request again, with
 * the answers and the server's state (2026-07-28 basic/patterns/mrtr). Everything goes into the report.
 */
export function* ask(request: Request, context: DriveContext, list?: ListShape): Course<Outcome> {
  const { method, params } = request;
  const label = labelOf(method, params);
  context.report.asking(label, method);
  const outcome = yield* rounds({ timeout: context.timeout, ...defined(request), type: "ask" }, context);
  context.report.driven.push({ method, label, outcome, listed: listedIn(outcome, list) });
  return outcome;
}

function defined({ timeout, ...request }: Request): Omit<Request, "timeout"> & { timeout?: number } {
  return timeout === undefined ? request : { ...request, timeout };
}

function* rounds(first: Ask, { answers }: DriveContext): Course<Outcome> {
  let outcome = yield first;
  for (let round = 1; typeOf(outcome) === "input_required"; round++) {
    if (round > MOST_ROUNDS) return refused(`the server asked for input more than ${MOST_ROUNDS} times`);
    const { inputRequests, requestState } = resultOf(outcome);
    const inputs = inputResponses(inputRequests, answers);
    if (typeof inputs === "string") return refused(inputs);
    const params = {
      ...(first.params as JsonObject | undefined),
      ...(inputRequests === undefined ? {} : { inputResponses: inputs }),
      ...(requestState === undefined ? {} : { requestState }),
    };
    outcome = yield { ...first, params };
  }
  const type = typeOf(outcome);
  if (typeof type !== "string" || RESULT_TYPES.has(type)) return outcome;
  return refused(`a result of type ${JSON.stringify(type)}, which is none that is known`);
}

/** What a result may be; of anything else a client cannot know what it means (2026-07-28 basic/index.mdx). */
const RESULT_TYPES: ReadonlySet<string> = new Set(["complete", "task"]);

function typeOf(outcome: Outcome): JsonValue | undefined {
  return resultOf(outcome).resultType;
}

function resultOf(outcome: Outcome): JsonObject {
  return outcome.kind === "result" ? outcome.result : {};
}

/** The answers under the server's keys, or what is asked for in vain. */
function inputResponses(inputRequests: JsonValue | undefined, answers: Answers): JsonObject | string {
  const responses: [string, JsonValue][] = [];
  for (const [key, asked] of Object.entries((inputRequests ?? {}) as JsonObject)) {
    const method = String(memberAt(asked, "method"));
    const answer = answers.answer(method, memberAt(asked, "params"));
    if (!answer) return `the server asked ${method}, and the drive has no answer for it`;
    // The modern era has no way to answer with an error: such a request is never retried.
    if ("error" in answer)
      return `the server asked ${method}, which the drive refuses: ${answer.error.message}`;
    responses.push([key, answer.result]);
  }
  return Object.fromEntries(responses);
}

function listedIn(outcome: Outcome, list: ListShape | undefined): Listed | undefined {
  if (list === undefined || outcome.kind !== "result") return undefined;
  const items = outcome.result[list.key];
  return { item: list.item, names: Array.isArray(items) ? items.map(identityOf) : [] };
}

/** Resources are told apart by their URI, all else by name. */
function identityOf(item: JsonValue): string {
  const identity = memberAt(item, "uri") ?? memberAt(item, "uriTemplate") ?? memberAt(item, "name") ?? item;
  return JSON.stringify(identity);
}

function refused(reason: string): Outcome {
  return { kind: "refused", reason };
}
