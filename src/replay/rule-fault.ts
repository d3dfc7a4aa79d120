import { methodRow } from "../protocol/methods.ts";
import type { MatchOperator } from "./match-operators.ts";
import type { MatchRule, MatchRules } from "./rules.ts";

/** What no schema can tell of matching rules: where it is in the configuration, and what is wrong. */
export interface RuleFault {
  readonly path: readonly (string | number)[];
  readonly part: "key" | "value";
  readonly message: string;
  readonly hint: string;
}

/** A fault of one rule, its path from the rule on. */
export type RuleCheck = (name: string, rule: MatchRule) => RuleFault | undefined;

/** The first fault of rules on what clients ask, which are well formed. */
export function ruleFault(rules: MatchRules): RuleFault | undefined {
  return firstFault(rules, ["match"], [nameFault, orderFault]);
}

/** @param at where the rules stand in the configuration */
export function firstFault(
  rules: MatchRules,
  at: readonly string[],
  checks: readonly RuleCheck[],
): RuleFault | undefined {
  for (const [name, rule] of Object.entries(rules)) {
    for (const check of checks) {
      const fault = check(name, typeof rule === "function" ? {} : rule);
      if (fault) return { ...fault, path: [...at, name, ...fault.path] };
    }
  }
  return undefined;
}

/** A tool never answers for another, so its name can be no matter of indifference. */
function nameFault(name: string, { ignore = [], match = {} }: MatchRule): RuleFault | undefined {
  const [method = ""] = name.split(" ", 1);
  if (methodRow(method)?.nameParam !== "name") return undefined;
  const fault = {
    message: `the name always counts in ${method}: one tool or prompt never answers for another`,
    hint: "Name what is in it, as in /arguments/city.",
  };
  const at = ignore.indexOf("/name");
  if (at >= 0) return { ...fault, path: ["ignore", at], part: "value" };
  return Object.hasOwn(match, "/name") ? { ...fault, path: ["match", "/name"], part: "key" } : undefined;
}

/** What is compared pair by pair must know its partner, which in a list without order nobody does. */
export function orderFault(_name: string, { match = {} }: MatchRule): RuleFault | undefined {
  const unordered = Object.keys(match).filter((place) => isUnordered(match[place] as MatchOperator));
  for (const [place, operator] of Object.entries(match)) {
    const outer = compares(operator) ? unordered.find((list) => isInside(place, list)) : undefined;
    if (outer === undefined) continue;
    return {
      path: ["match", place],
      part: "key",
      message: `${place} is in ${outer}, whose elements have no order to be compared in`,
      hint: "Compare the whole list with a function instead, or give up one of the two.",
    };
  }
  return undefined;
}

function isUnordered(operator: MatchOperator): boolean {
  return typeof operator === "object" && "unordered" in operator;
}

function compares(operator: MatchOperator): boolean {
  return typeof operator === "function" || (typeof operator === "object" && "tolerance" in operator);
}

function isInside(place: string, list: string): boolean {
  const [inner, outer] = [place.split("/"), list.split("/")];
  if (inner.length <= outer.length) return false;
  return outer.every((part, at) => part === "*" || inner[at] === "*" || part === inner[at]);
}
