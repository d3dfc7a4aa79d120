import { VcrError } from "../errors.ts";
import { canonicalJson, type PlainText } from "../protocol/canonical.ts";
import type { JsonValue } from "../protocol/message.ts";

/** Whether a recorded value answers for an asked one; of a whole rule, the same for `params`. */
export type MatchFunction = (asked: JsonValue, recorded: JsonValue) => boolean;

/**
 * What has to be so of the value at a pointer.
 * `any`: it is there in both, or in neither. `pattern`: both are text that the regular expression finds itself in.
 * `tolerance`: both are numbers, no further apart than this. `unordered`: both are lists of the same elements.
 */
export type MatchOperator =
  | "any"
  | { readonly pattern: string }
  | { readonly tolerance: number }
  | { readonly unordered: true }
  | MatchFunction;

export interface Operator {
  /** What stands in a key for the value, equal for all values that may answer for each other; undefined leaves it. */
  rewrite(plain: PlainText): string | undefined;
  equal: MatchFunction;
  /** Equal keys are not enough: recorded and asked value are to be compared. */
  readonly compares: boolean;
}

/** @note The texts that stand for values are no JSON, so that no value is taken for one. */
export const ANY: Operator = { rewrite: () => "any", equal: () => true, compares: false };

/** Whose operator it is, for people: the rule's name and the configuration's file. */
export interface Owner {
  readonly rule: string;
  readonly origin: string;
}

export function operatorOf(operator: MatchOperator, owner: Owner): Operator {
  if (operator === "any") return ANY;
  if (typeof operator === "function")
    return { rewrite: () => "any", equal: guarded(operator, owner), compares: true };
  if ("pattern" in operator) return matching(new RegExp(operator.pattern, "u"));
  return "tolerance" in operator ? within(operator.tolerance) : UNORDERED;
}

function matching(pattern: RegExp): Operator {
  const matches = (value: JsonValue) => typeof value === "string" && pattern.test(value);
  return {
    rewrite: (plain) => {
      const text = plain.whole();
      return text.startsWith('"') && matches(JSON.parse(text) as string) ? `${pattern}` : undefined;
    },
    equal: (asked, recorded) => matches(asked) && matches(recorded),
    compares: false,
  };
}

function within(tolerance: number): Operator {
  return {
    // Beyond the doubles a number stands as its own text: all of them are the same infinity to `equal`.
    rewrite: (plain) => (isFiniteNumber(plain.whole()) ? "number" : undefined),
    equal: (asked, recorded) => typeof asked === "number" && isNear(asked, recorded, tolerance),
    compares: true,
  };
}

function isFiniteNumber(text: string): boolean {
  return /^-?\d/.test(text) && Number.isFinite(Number(text));
}

/** As far apart as doubles can tell: 0.3 and 0.29 are 0.01 apart. */
function isNear(a: number, b: JsonValue, tolerance: number): boolean {
  if (typeof b !== "number") return false;
  const apart = Math.abs(a - b);
  if (!Number.isFinite(apart)) return a === b;
  return apart <= tolerance + 2 * Number.EPSILON * Math.max(Math.abs(a), Math.abs(b));
}

export const UNORDERED: Operator = {
  rewrite: (plain) => sortedText(plain.elements()),
  equal: (asked, recorded) =>
    Array.isArray(asked) && Array.isArray(recorded) && sortedOf(asked) === sortedOf(recorded),
  compares: false,
};

function sortedOf(list: readonly JsonValue[]): string | undefined {
  return sortedText(list.map((element) => canonicalJson(element)));
}

function sortedText(elements: readonly string[] | undefined): string | undefined {
  return elements && `unordered[${[...elements].sort().join(",")}]`;
}

/**
 * The function, with faults that name its rule. A promise is no answer, and must not pass for yes.
 * @throws VcrError `usage` where it fails or answers neither true nor false
 */
export function guarded(decide: MatchFunction, { rule, origin }: Owner): MatchFunction {
  const fault = (what: string, cause?: unknown) =>
    new VcrError("usage", `the matching function of ${JSON.stringify(rule)} ${what}`, {
      place: { file: origin },
      hint: "It is asked about two values, either of any kind, and answers true or false.",
      cause,
    });
  return (asked, recorded) => {
    let answer: unknown;
    try {
      answer = decide(asked, recorded);
    } catch (cause) {
      throw fault(`failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    }
    if (typeof answer === "boolean") return answer;
    throw fault(`answered ${String(answer)}`);
  };
}
