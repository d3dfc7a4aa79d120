import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject, isWithin, type Matcher, type Range } from "../matcher.ts";

/** What is known of the values that a condition is on. */
export interface Values {
  readonly schema: JsonValue;
  /** There is always one. */
  readonly required: boolean;
  readonly accepts: (value: JsonValue) => boolean;
}

/** Texts: arguments of prompts, variables of templates. */
export function texts(required: boolean): Values {
  return { schema: { type: "string" }, required, accepts: (value) => typeof value === "string" };
}

/** Whether a condition never holds. False where that is not plain to see. */
export function isNever(matcher: Matcher, values: Values): boolean {
  const { schema, required, accepts } = values;
  switch (matcher.kind) {
    case "equals":
      return !accepts(matcher.value);
    case "oneOf":
      return matcher.of.every((each) => isNever(each, values));
    case "any":
      return !matcher.there && required;
    case "pattern":
      return !mayBe(schema, "string") || noneOf(schema, (value) => matcher.pattern.test(String(value)));
    case "range":
      return isBeyond(matcher.range, schema);
    case "members":
      return !mayBe(schema, "object");
    default:
      return false;
  }
}

/** In draft-07 what stands beside a `$ref` says nothing. */
function plain(schema: JsonValue): JsonObject | undefined {
  return isObject(schema) && schema.$ref === undefined ? schema : undefined;
}

function mayBe(schema: JsonValue, ...types: readonly string[]): boolean {
  const type = plain(schema)?.type;
  if (type === undefined) return schema !== false;
  return (Array.isArray(type) ? type : [type]).some((each) => types.includes(String(each)));
}

/** The schema names all values that there are, and this holds of none. */
function noneOf(schema: JsonValue, holds: (value: JsonValue) => boolean): boolean {
  const { enum: all, const: one } = plain(schema) ?? {};
  const values = Array.isArray(all) ? all : one === undefined ? undefined : [one];
  return values !== undefined && !values.some(holds);
}

function isBeyond(range: Range, schema: JsonValue): boolean {
  if (!mayBe(schema, "number", "integer")) return true;
  if (noneOf(schema, (value) => typeof value === "number" && isWithin(range, value))) return true;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = plain(schema) ?? {};
  const lower = [range.min, minimum, range.above, exclusiveMinimum].filter(isNumber);
  const upper = [range.max, maximum, range.below, exclusiveMaximum].filter(isNumber);
  const least = Math.max(...lower);
  const most = Math.min(...upper);
  const isOpen =
    [range.above, exclusiveMinimum].includes(least) || [range.below, exclusiveMaximum].includes(most);
  return least > most || (least === most && isOpen);
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === "number";
}
