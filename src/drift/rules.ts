import type { Change } from "../contract/change.ts";
import { RULES } from "../contract/rules.ts";
import type { DriftRule, Found } from "./rule.ts";
import { SESSION_RULES } from "./session-rules.ts";

/** What became of an answer as a whole. */
const OUTCOME_RULES = {
  "result-became-error": {
    layer: "behaviour",
    classes: ["breaking"],
    title: "A result became a protocol error",
    reason: "The same request was answered before, and is refused now.",
  },
  "result-became-tool-error": {
    layer: "behaviour",
    classes: ["breaking"],
    title: "A result became a tool error",
    reason: "The same call succeeded before, and fails now.",
  },
  "error-became-result": {
    layer: "behaviour",
    classes: ["compatible"],
    title: "An error became a result",
    reason: "Nobody relies on a failure, unless a test does.",
  },
  "error-layer-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A protocol error became a tool error, or the other way round",
    reason: "Models read tool errors and try again; protocol errors end in the client's error handling.",
  },
  "error-code-changed": {
    layer: "behaviour",
    classes: ["risky", "compatible"],
    title: "An error has another code",
    reason:
      "Clients branch on it. Compatible where -32002 became -32602, as the 2026-07-28 revision asks for.",
  },
  "error-message-changed": {
    layer: "behaviour",
    classes: ["info"],
    title: "An error is worded otherwise",
    reason: "The words are for people and models.",
  },
  "error-data-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "The data of an error changed",
    reason: "It is there for programs.",
  },
  "http-status-changed": {
    layer: "behaviour",
    classes: ["risky", "breaking"],
    title: "An answer came with another HTTP status",
    reason: "Breaking where it is 400, 404 or 405 now, upon which clients start anew or fall back.",
  },
  "answer-gone": {
    layer: "behaviour",
    classes: ["breaking"],
    title: "A request is no longer answered",
    reason: "The same request was answered before; the client waits, or is cut off.",
  },
  "answer-came": {
    layer: "behaviour",
    classes: ["compatible"],
    title: "A request is answered now",
    reason: "It was left without an answer before.",
  },
  "request-cancelled": {
    layer: "behaviour",
    classes: ["info"],
    title: "The client gave up a request in one recording only",
    reason: "That is the client's doing, so the two answers were not compared.",
  },
  "result-type-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A result is of another type",
    reason: "A client that did not expect a task or a question in place of an answer has no way on.",
  },
} as const satisfies Record<string, DriftRule>;

/** What of a result changed. */
const ANSWER_RULES = {
  "answer-breaks-protocol": {
    layer: "behaviour",
    classes: ["breaking", "risky"],
    title: "An answer is none that its revision of the protocol knows",
    reason:
      "The old one was. Clients hold answers against the protocol, and refuse it whole. Risky for what a result of 2026-07-28 says of how long it may be kept.",
  },
  "answer-breaks-schema": {
    layer: "behaviour",
    classes: ["breaking"],
    title: "A result breaks the tool's own output schema",
    reason: "It kept to it before. Clients that validate results refuse it.",
  },
  "answer-value-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A value in a result changed",
    reason: "Whoever acts upon it acts otherwise.",
  },
  "answer-type-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A value in a result has another JSON type",
    reason: "Programs that read it by its type fail.",
  },
  "answer-member-removed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "Something is gone from a result",
    reason: "Whoever read it finds nothing.",
  },
  "answer-member-added": {
    layer: "behaviour",
    classes: ["compatible"],
    title: "A result holds more than before",
    reason: "Clients must cope with members they do not know.",
  },
  "answer-order-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A list in a result has another order",
    reason: "Whoever takes the first takes another.",
  },
  "answer-text-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A text in a result changed",
    reason: "Models read it, and may act otherwise.",
  },
  "answer-binary-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "Binary content changed",
    reason: "It is compared by type, size and hash, so what is different in it cannot be told.",
  },
  "answer-mime-type-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "Content has another MIME type",
    reason: "Clients decode it by that.",
  },
  "answer-content-kind-changed": {
    layer: "behaviour",
    classes: ["breaking"],
    title: "Content is of another kind",
    reason:
      "A client that reads a text finds bytes, an image or a link in its place, or the other way round.",
  },
  "answer-slower": {
    layer: "behaviour",
    classes: ["risky"],
    title: "An answer takes far longer",
    reason: "Clients give up after a time of their own. Told by verify alone.",
  },
} as const satisfies Record<string, DriftRule>;

const ALL = { ...OUTCOME_RULES, ...ANSWER_RULES, ...SESSION_RULES };

export type DriftRuleId = keyof typeof ALL;

/** Every rule of behaviour and session by its id, in the order in which they are documented. */
export const DRIFT_RULES: Readonly<Record<DriftRuleId, DriftRule>> = ALL;

/** A change by its rule: layer and class are the rule's, unless the place says otherwise. */
export function driftOf(rule: DriftRuleId, { class: own, ...found }: Found): Change {
  const { layer, classes } = DRIFT_RULES[rule];
  return { rule, class: own ?? classes[0], layer, ...found };
}

const ALL_RULES: ReadonlyMap<string, Pick<DriftRule, "title" | "reason">> = new Map([
  ...Object.entries(RULES),
  ...Object.entries(DRIFT_RULES),
]);

/** Of all rules, wherever they stand. */
export const RULE_IDS: readonly string[] = [...ALL_RULES.keys()];

/** A rule by its id, wherever it stands. */
export function ruleOf(id: string): Pick<DriftRule, "title" | "reason"> | undefined {
  return ALL_RULES.get(id);
}
