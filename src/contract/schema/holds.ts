import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { compiled, finds } from "../language/finds.ts";
import { Steps, unlessTooComplex } from "../language/steps.ts";
import { type Case, itemOf, memberOf, textsOf, typeOf } from "./case.ts";
import { type Node, nodeOf } from "./document.ts";
import type { Expander } from "./expand.ts";

/** Whether a value is accepted; undefined where that is not known here (formats, negations, foreign references). */
export type Verdict = boolean | undefined;

/** All must hold. */
function all(verdicts: Iterable<Verdict>): Verdict {
  let sure: Verdict = true;
  for (const verdict of verdicts) {
    if (verdict === false) return false;
    if (verdict === undefined) sure = undefined;
  }
  return sure;
}

/** Checks of one value, those of its parts included. */
const MOST_CHECKS = 20_000;

/** So many count as one step of whoever asks. */
const CHECKS = 4;

/** Told of the steps that it took. */
type Count = (steps: number) => void;

interface Checking {
  readonly expander: Expander;
  readonly steps: Steps;
}

export function accepts(expander: Expander, node: Node, value: JsonValue, count?: Count): Verdict {
  return checked(expander, count, (checking) => acceptedBy(checking, node, value));
}

export function holds(expander: Expander, each: Case, value: JsonValue, count?: Count): Verdict {
  return checked(expander, count, (checking) => all(checks(checking, each, value)));
}

function checked(
  expander: Expander,
  count: Count | undefined,
  check: (checking: Checking) => Verdict,
): Verdict {
  const steps = new Steps(MOST_CHECKS, "more checks of one value than are made");
  const verdict = unlessTooComplex(() => check({ expander, steps }), undefined);
  count?.(Math.floor(steps.taken / CHECKS));
  return verdict;
}

function acceptedBy(checking: Checking, node: Node, value: JsonValue): Verdict {
  let verdict: Verdict = false;
  const type = typeOf(value);
  for (const each of checking.expander.casesOf(node)) {
    if (each.type !== type) continue;
    const one = all(checks(checking, each, value));
    if (one === true) return true;
    if (one === undefined) verdict = undefined;
  }
  return verdict;
}

function* checks(checking: Checking, each: Case, value: JsonValue): Iterable<Verdict> {
  checking.steps.take();
  if (typeOf(value) !== each.type) yield false;
  if (each.values) yield textsOf(each.values).has(canonicalJson(value));
  if (typeof value === "number") yield* numberChecks(each, value);
  if (typeof value === "string") yield* stringChecks(each, value);
  if (Array.isArray(value)) yield* arrayChecks(checking, each, value);
  else if (isObject(value)) yield* objectChecks(checking, each, value);
  if (each.opaque.length > 0) yield undefined;
  for (const not of each.nots) {
    const inner = acceptedBy(checking, not, value);
    yield inner === undefined ? undefined : !inner;
  }
}

function* numberChecks({ bounds, integer, multiples }: Case, value: number): Iterable<Verdict> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  yield !integer || Number.isInteger(value);
  yield within(value, minimum, maximum);
  yield exclusiveMinimum === undefined || value > exclusiveMinimum;
  yield exclusiveMaximum === undefined || value < exclusiveMaximum;
  // What rounding makes of fractions is for ajv to say.
  for (const multiple of multiples) yield Number.isInteger(multiple) ? value % multiple === 0 : undefined;
}

function within(value: number, low: number | undefined, high: number | undefined): boolean {
  return (low === undefined || value >= low) && (high === undefined || value <= high);
}

function* stringChecks({ bounds, patterns, formats }: Case, value: string): Iterable<Verdict> {
  yield within([...value].length, bounds.minLength, bounds.maxLength);
  for (const pattern of patterns) yield compiled(pattern) && finds(pattern, value);
  if (formats.length > 0) yield undefined;
}

function* arrayChecks(checking: Checking, each: Case, value: readonly JsonValue[]): Iterable<Verdict> {
  yield within(value.length, each.bounds.minItems, each.bounds.maxItems);
  if (each.unique) yield new Set(value.map((item) => canonicalJson(item))).size === value.length;
  for (const [index, item] of value.entries()) yield acceptedBy(checking, itemOf(each, index), item);
  for (const { place, min, max } of each.contains) {
    const verdicts = value.map((item) => acceptedBy(checking, nodeOf([place]), item));
    const count = verdicts.filter((verdict) => verdict === true).length;
    yield verdicts.includes(undefined) ? undefined : within(count, min, max);
  }
}

function* objectChecks(
  checking: Checking,
  each: Case,
  value: { readonly [key: string]: JsonValue },
): Iterable<Verdict> {
  const names = Object.keys(value);
  yield within(names.length, each.bounds.minProperties, each.bounds.maxProperties);
  for (const name of each.required) yield Object.hasOwn(value, name);
  for (const name of names) {
    yield acceptedBy(checking, memberOf(each, name).node, value[name] as JsonValue);
    for (const place of each.names) yield acceptedBy(checking, nodeOf([place]), name);
  }
  for (const { member, required, place } of each.dependencies) {
    if (!Object.hasOwn(value, member)) continue;
    for (const name of required) yield Object.hasOwn(value, name);
    if (place) yield acceptedBy(checking, nodeOf([place]), value as JsonValue);
  }
}
