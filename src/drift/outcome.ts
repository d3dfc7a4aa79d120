import type { Change } from "../contract/change.ts";
import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue, Message } from "../protocol/message.ts";
import type { Loosening } from "../replay/rules.ts";
import { asSent } from "../rerecord/as-sent.ts";
import { type Answer, type Answered, exactText, isApart, sentOf } from "./answer.ts";
import { type AnswerDifference, type AnswerKind, diffAnswers } from "./answer-diff.ts";
import { isSame } from "./content.ts";
import { hidesChange } from "./hidden-numbers.ts";
import { type DriftRuleId, driftOf } from "./rules.ts";
import { statusDrift } from "./status.ts";

export interface OutcomeContext {
  readonly subject: string;
  /** What the result says is compared elsewhere: it is part of the contract. */
  readonly contract: boolean;
  /** The recordings are of different eras, which differ in what a result must hold. */
  readonly erasDiffer: boolean;
  /** What may differ. */
  readonly loosely?: Loosening | undefined;
}

/** How the answer to one request differs from what it was. */
export function compareOutcomes(old: Answered, fresh: Answered, context: OutcomeContext): Change[] {
  const [a, b] = [old.answer, fresh.answer];
  const changes = [...statusChange(old, fresh, context)];
  const moved = FORM_CHANGES.get(`${groupOf(a)} ${groupOf(b)}`);
  if (moved !== undefined) {
    const message = `${MOVED[moved] ?? ""}${sayings(a, b)}`;
    return [...changes, driftOf(moved, { ...at(context), message, before: shownOf(a), after: shownOf(b) })];
  }
  if (a.form === "result" && b.form === "result") return [...changes, ...compareResults(a, b, context)];
  if (a.form === "tool-error" && b.form === "tool-error") {
    return [...changes, ...(context.contract ? [] : toolErrorChanges(a, b, context))];
  }
  const told = errorChanges(a, b, context);
  const isTold = told.some(({ rule }) => rule === "error-data-changed");
  return [...changes, ...told, ...(isTold ? [] : hiddenInData(a, b, context))];
}

type Group = "result" | "tool-error" | "error" | "none" | "cancelled";

function groupOf({ form }: Answer): Group {
  return form === "refusal" ? "error" : form;
}

const FORM_CHANGES: ReadonlyMap<string, DriftRuleId> = new Map([
  ["result error", "result-became-error"],
  ["result tool-error", "result-became-tool-error"],
  ["error result", "error-became-result"],
  ["tool-error result", "error-became-result"],
  ["error tool-error", "error-layer-changed"],
  ["tool-error error", "error-layer-changed"],
  ["result none", "answer-gone"],
  ["error none", "answer-gone"],
  ["tool-error none", "answer-gone"],
  ["none result", "answer-came"],
  ["none error", "answer-came"],
  ["none tool-error", "answer-came"],
  ...(["result", "error", "tool-error", "none"] as const).flatMap((other): [string, DriftRuleId][] => [
    [`${other} cancelled`, "request-cancelled"],
    [`cancelled ${other}`, "request-cancelled"],
  ]),
]);

const MOVED: Partial<Record<DriftRuleId, string>> = {
  "request-cancelled": "Given up by the client in one recording only, so not compared: ",
};

function sayings(before: Answer, after: Answer): string {
  return `It was ${sayingOf(before)}, and is ${sayingOf(after)}.`;
}

function sayingOf(answer: Answer): string {
  switch (answer.form) {
    case "result":
      return "answered with a result";
    case "tool-error":
      return `a tool error${quoted(firstText(answer.result))}`;
    case "error":
      return `refused with error ${codeOf(answer.error)}${quoted(memberAt(answer.error, "message"))}`;
    case "refusal":
      return `refused with HTTP status ${answer.status ?? "unknown"}${quoted(memberAt(answer.error, "message"))}`;
    case "none":
      return "not answered";
    case "cancelled":
      return "given up by the client";
  }
}

function codeOf(error: JsonValue): string {
  return JSON.stringify(memberAt(error, "code") ?? null);
}

function firstText({ content }: JsonObject): JsonValue | undefined {
  return Array.isArray(content) ? memberAt(content[0], "text") : undefined;
}

/** In UTF-16 units. */
const LONGEST_QUOTE = 100;

function quoted(text: JsonValue | undefined): string {
  if (typeof text !== "string" || text === "") return "";
  const line = text.split("\n")[0] as string;
  const short = line.length > LONGEST_QUOTE || line !== text;
  return ` (“${short ? `${line.slice(0, LONGEST_QUOTE)}…` : line}”)`;
}

function shownOf(answer: Answer): JsonValue | undefined {
  const isResult = answer.form === "result" || answer.form === "tool-error";
  return asSent(isResult ? answer.result : errorOf(answer), sentOf(answer));
}

function errorOf(answer: Answer): JsonValue | undefined {
  return answer.form === "error" || answer.form === "refusal" ? answer.error : undefined;
}

function at(
  { subject }: OutcomeContext,
  pointer = "",
): { readonly subject: string; readonly pointer: string } {
  return { subject, pointer };
}

function statusChange(old: Answered, fresh: Answered, context: OutcomeContext): Change[] {
  const [before, after] = [old.status, fresh.status];
  if (before === undefined || after === undefined || before === after) return [];
  return [statusDrift(before, after, at(context))];
}

const RESOURCE_NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;

function errorChanges(old: Answer, fresh: Answer, context: OutcomeContext): Change[] {
  const [a, b] = [errorOf(old), errorOf(fresh)];
  const [before, after] = ["code", "message", "data"].reduce<[Parts, Parts]>(
    ([x, y], name) => [
      { ...x, [name]: memberAt(a, name) },
      { ...y, [name]: memberAt(b, name) },
    ],
    [{}, {}],
  );
  const changes: Change[] = [];
  const { loosely } = context;
  const shown = (name: keyof Parts) => ({
    before: asSent(before[name], memberAt(sentOf(old), name)),
    after: asSent(after[name], memberAt(sentOf(fresh), name)),
  });
  if (loosely && loosely.canonical === undefined && loosely.accepts(b ?? null, a ?? null)) return [];
  const say = (rule: DriftRuleId, name: keyof Parts, message: string, own = {}) => {
    const [x, y] = [before[name], after[name]];
    if (isSame(x, y) || mayDiffer(`/${name}`, [x, y], loosely)) return;
    changes.push(driftOf(rule, { ...at(context, `/${name}`), message, ...shown(name), ...own }));
  };
  const asked = before.code === RESOURCE_NOT_FOUND && after.code === INVALID_PARAMS;
  const code = `The error's code was ${before.code} and is ${after.code}.`;
  say("error-code-changed", "code", code, asked ? { class: "compatible" } : {});
  say("error-message-changed", "message", "The error is worded otherwise.");
  say("error-data-changed", "data", "The error's data changed.");
  return changes;
}

const ERROR = "/error";
const DATA = "/data";

/** Whether numbers that JavaScript cannot hold changed in the data of an error. */
function hiddenInData(a: Answer, b: Answer, context: OutcomeContext): Change[] {
  if (a.form !== "error" || b.form !== "error") return [];
  const { loosely } = context;
  const [before, after] = [a.read.message, b.read.message];
  const isElsewhere = (place: string) => place !== DATA && !place.startsWith(`${DATA}/`);
  const isApart = (pointer: string) =>
    pointer !== ERROR && (!pointer.startsWith(`${ERROR}/`) || isElsewhere(pointer.slice(ERROR.length)));
  if (!hidesChange(before, after, isApart)) return [];
  if (loosely && loosely.canonical === undefined && loosely.accepts(b.error, a.error)) return [];
  const { omit, rewrite } = loosely?.canonical ?? {};
  const exactly = ({ bytes, scan }: Message) =>
    canonicalJson(bytes.subarray(scan.members.error?.start, scan.members.error?.end), {
      omit: (place) => isElsewhere(place) || (omit?.(place) ?? false),
      rewrite,
    });
  if (exactly(before) === exactly(after)) return [];
  return [driftOf("error-data-changed", { ...at(context, DATA), message: HIDDEN })];
}

function mayDiffer(
  at: string,
  [a, b]: readonly [JsonValue | undefined, JsonValue | undefined],
  loosely: Loosening | undefined,
): boolean {
  if (!loosely?.canonical) return false;
  if (a === undefined || b === undefined) return loosely.allows(at, b, a);
  return diffAnswers(a, b, { loosely, at }).length === 0;
}

interface Parts {
  readonly code?: JsonValue | undefined;
  readonly message?: JsonValue | undefined;
  readonly data?: JsonValue | undefined;
}

/** What a failing tool says is for people and models, as the message of an error is; its data is for programs. */
function toolErrorChanges(a: Result, b: Result, { loosely, ...context }: OutcomeContext): Change[] {
  return diffAnswers(a.result, b.result, { loosely, sent: [sentOf(a), sentOf(b)] }).map((difference) =>
    isWording(difference)
      ? driftOf("error-message-changed", {
          ...at(context, difference.pointer),
          message: "The tool error is worded otherwise.",
          before: difference.before,
          after: difference.after,
        })
      : changeOf(difference, context),
  );
}

function isWording({ kind, pointer }: AnswerDifference): boolean {
  return (kind === "text" || kind === "value") && pointer.startsWith("/content/");
}

type Result = Extract<Answer, { form: "result" | "tool-error" }>;

function compareResults(a: Result, b: Result, context: OutcomeContext): Change[] {
  const [was, is] = [typeOf(a.result), typeOf(b.result)];
  if (was !== is) {
    const message = `The result was of type ${was} and is of type ${is}.`;
    return [
      driftOf("result-type-changed", { ...at(context, "/resultType"), message, before: was, after: is }),
    ];
  }
  if (context.contract) return [];
  const [before, after] = [comparable(a.result, context), comparable(b.result, context)];
  const options = { loosely: context.loosely, sent: [sentOf(a), sentOf(b)] } as const;
  const changes = diffAnswers(before, after, options).map((difference) => changeOf(difference, context));
  if (changes.length > 0 || isExactlySame(a, b, context)) return changes;
  return [driftOf("answer-value-changed", { ...at(context), message: HIDDEN })];
}

const HIDDEN = "A number changed that JavaScript cannot hold.";

/** Whether the numbers that JavaScript cannot hold are the same too, as far as they must be. */
function isExactlySame(a: Result, b: Result, { loosely }: OutcomeContext): boolean {
  const [before, after] = [a.read.message, b.read.message];
  if (!loosely) return !hidesChange(before, after, isApart);
  if (!before.scan.harmed && !after.scan.harmed) return true;
  if (loosely.canonical === undefined) return loosely.accepts(b.result, a.result);
  return exactText(before.bytes, loosely.canonical) === exactText(after.bytes, loosely.canonical);
}

function typeOf({ resultType }: JsonObject): string {
  return typeof resultType === "string" ? resultType : "complete";
}

/** Members that results of one era must have and those of the other do not know (2026-07-28, server/utilities/caching). */
const OF_ONE_ERA: ReadonlySet<string> = new Set(["ttlMs", "cacheScope", "resultType"]);

/** Questions in a result are compared as questions; a result that names no type is complete. */
function comparable(result: JsonObject, { erasDiffer }: OutcomeContext): JsonObject {
  const whole = !erasDiffer && result.inputRequests === undefined && result.resultType === undefined;
  if (whole) return result;
  const kept = Object.entries(result).filter(([name, value]) => {
    if (name === "inputRequests" || (name === "resultType" && value === "complete")) return false;
    return !(erasDiffer && OF_ONE_ERA.has(name)) || (name === "resultType" && value !== "complete");
  });
  return Object.fromEntries(kept);
}

const RULE_OF: Readonly<Record<AnswerKind, DriftRuleId>> = {
  value: "answer-value-changed",
  type: "answer-type-changed",
  removed: "answer-member-removed",
  added: "answer-member-added",
  order: "answer-order-changed",
  text: "answer-text-changed",
  binary: "answer-binary-changed",
  "mime-type": "answer-mime-type-changed",
  "content-kind": "answer-content-kind-changed",
};

const SENTENCE: Readonly<Record<AnswerKind, string>> = {
  value: "has another value",
  type: "has another type",
  removed: "is gone",
  added: "is new",
  order: "holds the same in another order",
  text: "reads otherwise",
  binary: "holds other bytes",
  "mime-type": "is another MIME type",
  "content-kind": "is content of another kind",
};

function changeOf({ kind, pointer, before, after }: AnswerDifference, context: OutcomeContext): Change {
  const place = pointer === "" ? "The result" : pointer;
  const message = `${place} ${SENTENCE[kind]}.`;
  return driftOf(RULE_OF[kind], { ...at(context, pointer), message, before, after });
}
