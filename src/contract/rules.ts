import type { Change } from "./change.ts";
import { INPUT_RULES } from "./rules/input-rules.ts";
import { LIST_RULES } from "./rules/list-rules.ts";
import { MEMBER_RULES } from "./rules/member-rules.ts";
import { OUTPUT_RULES } from "./rules/output-rules.ts";
import type { Found, Rule } from "./rules/rule.ts";
import { SERVER_RULES } from "./rules/server-rules.ts";
import { TOOL_RULES } from "./rules/tool-rules.ts";

const ALL = {
  ...SERVER_RULES,
  ...LIST_RULES,
  ...MEMBER_RULES,
  ...TOOL_RULES,
  ...INPUT_RULES,
  ...OUTPUT_RULES,
};

export type RuleId = keyof typeof ALL;

/** Every rule of the contract by its id, in the order in which they are documented. */
export const RULES: Readonly<Record<RuleId, Rule>> = ALL;

/** A change by its rule: layer and class are the rule's, unless the place says otherwise. */
export function changeOf(rule: RuleId, { class: own, ...found }: Found): Change {
  const { layer, classes } = RULES[rule];
  return { rule, class: own ?? classes[0], layer, ...found };
}
