import { type Difference, escapePointer } from "../protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { compareNumbers, faultsOf } from "./exact-order.ts";
import type { SchemaChecker } from "./schemas.ts";
import { canonicalSpelt, isSpelt, type SpeltNumber } from "./spelt-number.ts";

/** What a value has to be. */
export type Matcher =
  | { readonly kind: "equals"; readonly value: JsonValue }
  /** An object with these members; others do not matter. */
  | { readonly kind: "members"; readonly members: ReadonlyMap<string, Matcher> }
  | { readonly kind: "pattern"; readonly pattern: RegExp }
  /** There at all, or not. */
  | { readonly kind: "any"; readonly there: boolean }
  | { readonly kind: "range"; readonly range: Range }
  | { readonly kind: "schema"; readonly schema: JsonValue }
  | { readonly kind: "oneOf"; readonly of: readonly Matcher[] }
  | { readonly kind: "not"; readonly matcher: Matcher };

/** Bounds of a number: at least, at most, more than, less than. */
export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
}

interface Place {
  readonly value: JsonValue | undefined;
  /** RFC 6901. */
  readonly pointer: string;
  readonly checker: SchemaChecker | undefined;
}

/**
 * Where a value is not what it has to be: `before` is what is wanted, `after` what is there. Empty where it matches.
 * @throws Error when a schema is to be applied and `checker` is undefined
 * @throws Undecided when a schema is held against a number that JavaScript has not
 */
export function mismatches(
  matcher: Matcher,
  value: JsonValue | undefined,
  checker: SchemaChecker | undefined,
): readonly Difference[] {
  return mismatchesAt(matcher, { value, pointer: "", checker });
}

function mismatchesAt(matcher: Matcher, place: Place): readonly Difference[] {
  if (matcher.kind === "members" && isObject(place.value)) {
    const object = place.value;
    return [...matcher.members].flatMap(([key, inner]) =>
      mismatchesAt(inner, {
        value: Object.hasOwn(object, key) ? object[key] : undefined,
        pointer: `${place.pointer}/${escapePointer(key)}`,
        checker: place.checker,
      }),
    );
  }
  if (matches(matcher, place)) return [];
  const { value, pointer } = place;
  const before = written(matcher);
  return [
    value === undefined
      ? { pointer, kind: "removed", before }
      : { pointer, kind: "changed", before, after: value },
  ];
}

function matches(matcher: Matcher, place: Place): boolean {
  const { value } = place;
  switch (matcher.kind) {
    case "equals":
      return value !== undefined && sameJson(matcher.value, value);
    case "members":
      return false;
    case "pattern":
      return typeof value === "string" && matcher.pattern.test(value);
    case "any":
      return (value !== undefined) === matcher.there;
    case "range":
      return (typeof value === "number" || isSpelt(value)) && isWithin(matcher.range, value);
    case "schema":
      return value !== undefined && accepts(matcher.schema, value, place.checker);
    case "oneOf":
      return matcher.of.some((each) => mismatchesAt(each, place).length === 0);
    case "not":
      return mismatchesAt(matcher.matcher, place).length > 0;
  }
}

function accepts(schema: JsonValue, value: JsonValue, checker: SchemaChecker | undefined): boolean {
  if (!checker) throw new Error("a schema is matched before schemas can be checked");
  return faultsOf(checker, schema, value).length === 0;
}

export function isWithin({ min, max, above, below }: Range, value: number | SpeltNumber): boolean {
  const beyond = (bound: number) =>
    isSpelt(value) ? compareNumbers(value.token, String(bound)) : value - bound;
  if (min !== undefined && beyond(min) < 0) return false;
  if (max !== undefined && beyond(max) > 0) return false;
  return (above === undefined || beyond(above) > 0) && (below === undefined || beyond(below) < 0);
}

export function sameJson(a: JsonValue, b: JsonValue): boolean {
  return a === b || canonicalSpelt(a) === canonicalSpelt(b);
}

/** The matcher as a file has it. */
export function written(matcher: Matcher): JsonValue {
  switch (matcher.kind) {
    case "equals":
      return matcher.value;
    case "members":
      return Object.fromEntries([...matcher.members].map(([key, inner]) => [key, written(inner)]));
    case "pattern":
      return { pattern: matcher.pattern.source };
    case "any":
      return { any: matcher.there };
    case "range":
      return Object.fromEntries(Object.entries(matcher.range).filter(([, bound]) => bound !== undefined));
    case "schema":
      return { schema: matcher.schema };
    case "oneOf":
      return { oneOf: matcher.of.map(written) };
    case "not":
      return { not: written(matcher.matcher) };
  }
}

/** Whether a schema stands anywhere in it. */
export function usesSchema(matcher: Matcher | undefined): boolean {
  switch (matcher?.kind) {
    case "schema":
      return true;
    case "members":
      return [...matcher.members.values()].some(usesSchema);
    case "oneOf":
      return matcher.of.some(usesSchema);
    case "not":
      return usesSchema(matcher.matcher);
    default:
      return false;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSpelt(value);
}
