import { firstFault, orderFault, type RuleFault } from "../replay/rule-fault.ts";
import type { MatchRules } from "../replay/rules.ts";
import { CONTRACT_METHODS } from "./contract-methods.ts";

/** The first fault of rules on what may differ in answers, which are well formed. */
export function ownRuleFault(rules: MatchRules): RuleFault | undefined {
  return firstFault(rules, ["drift", "match"], [contractFault, orderFault]);
}

/** What these methods answer is compared by what it promises, not as an answer. */
function contractFault(name: string): RuleFault | undefined {
  const [method = ""] = name.split(" ", 1);
  if (!CONTRACT_METHODS.has(method)) return undefined;
  return {
    path: [],
    part: "key",
    message: `what ${method} answers is what the server promises, and no answer that may differ`,
    hint: "Accept a change of it under drift.accept, by its rule.",
  };
}
