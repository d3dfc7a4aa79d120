import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { anyOfType, BOUNDS, type Case, type JsonType, meet, TYPES, typeOf } from "./case.ts";
import type { Place } from "./document.ts";
import { arrayFacets, longestTuple, objectFacets } from "./facets.ts";

/** What the schema says itself, without what it combines. */
export function ownCases(place: Place, schema: JsonObject): readonly Case[] {
  return typesOf(schema).flatMap(([type, integer]) => {
    const facets =
      type === "array" ? arrayFacets(place, schema) : type === "object" ? objectFacets(place, schema) : {};
    const own: Case = {
      ...anyOfType(type),
      ...facets,
      bounds: boundsOf(type, place, schema),
      integer,
      multiples: type === "number" && typeof schema.multipleOf === "number" ? [schema.multipleOf] : [],
      patterns: type === "string" && typeof schema.pattern === "string" ? [schema.pattern] : [],
      formats: type === "string" && typeof schema.format === "string" ? [schema.format] : [],
      origins: [place],
    };
    const values = valuesOf(type, integer, schema);
    if (!values) return [own];
    const met = meet(own, { ...anyOfType(type), values });
    const kept = met && withoutIdle(met);
    return kept && kept.values?.length !== 0 ? [kept] : [];
  });
}

function boundsOf(type: JsonType, place: Place, schema: JsonObject): Record<string, number> {
  const bounds: Record<string, number> = {};
  for (const { keyword, type: of } of BOUNDS) {
    const value = schema[keyword];
    if (of !== type || typeof value !== "number") continue;
    if (!isVoid(keyword, value, schema)) bounds[keyword] = value;
  }
  const longest = type === "array" ? longestTuple(place, schema) : undefined;
  if (longest !== undefined) bounds.maxItems = Math.min(longest, bounds.maxItems ?? longest);
  return bounds;
}

/**
 * At least none is what everything has. Zod 4 bounds every integer by what JavaScript can count to, which other
 * generators leave unsaid.
 */
function isVoid(keyword: string, value: number, { type }: JsonObject): boolean {
  const counts = type === "integer";
  if (keyword === "minimum") return counts && value === Number.MIN_SAFE_INTEGER;
  if (keyword === "maximum") return counts && value === Number.MAX_SAFE_INTEGER;
  return value <= 0 && (keyword === "minLength" || keyword === "minItems" || keyword === "minProperties");
}

export const KNOWN_TYPES: ReadonlySet<JsonValue> = new Set([...TYPES, "integer"]);

/** Types and whether they are integers; `nullable` is OpenAPI's, and ajv knows it. */
function typesOf({ type, nullable }: JsonObject): [JsonType, boolean][] {
  if (type === undefined || [type].flat().some((each) => !KNOWN_TYPES.has(each)))
    return TYPES.map((each) => [each, false]);
  const named = new Set(Array.isArray(type) ? type : [type]);
  if (nullable === true) named.add("null");
  const types = TYPES.filter((each) => named.has(each)).map((each): [JsonType, boolean] => [each, false]);
  return named.has("integer") && !named.has("number") ? [...types, ["number", true]] : types;
}

/** `enum` and `const`, as far as they are of a type. */
function valuesOf(type: JsonType, integer: boolean, schema: JsonObject): JsonValue[] | undefined {
  const lists = [
    ...(Array.isArray(schema.enum) ? [schema.enum] : []),
    ...(schema.const === undefined ? [] : [[schema.const]]),
  ];
  const [first, second] = lists.map((list) =>
    list.filter((value) => typeOf(value) === type && (!integer || Number.isInteger(value))),
  );
  if (!first || !second) return first;
  const texts = new Set(second.map((value) => canonicalJson(value)));
  return first.filter((value) => texts.has(canonicalJson(value)));
}

/** Without bounds that all listed values keep. */
function withoutIdle(each: Case): Case {
  if (each.type !== "number" && each.type !== "string") return each;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength } = each.bounds;
  const [low, high] = each.type === "number" ? [minimum, maximum] : [minLength, maxLength];
  const values = (each.values ?? []).filter((value) => {
    const size = typeof value === "string" ? [...value].length : Number(value);
    return (
      size >= (low ?? size) &&
      size <= (high ?? size) &&
      size > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
      size < (exclusiveMaximum ?? Number.POSITIVE_INFINITY)
    );
  });
  return { ...each, values, integer: false, bounds: {} };
}
