import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { type Case, type Dependency, type ItemLayer, type MemberLayer, WORDS } from "./case.ts";
import { inside, type Place } from "./document.ts";

/** What a schema says of arrays, in both ways to write a tuple: `prefixItems`, or a list of `items` (draft-07). */
export function arrayFacets(place: Place, schema: JsonObject): Partial<Case> {
  const layer = itemLayer(place, schema);
  const contains = schema.contains === undefined ? [] : containsOf(place, schema);
  const loose = schema.unevaluatedItems;
  const left = loose === undefined || loose === true ? undefined : itemsLeft(place, schema, layer);
  return {
    items: [...(layer ? [layer] : []), ...(left && "rest" in left ? [left] : [])],
    unique: schema.uniqueItems === true,
    contains,
    opaque: left && "text" in left ? [left.text] : [],
  };
}

/** A tuple after which nothing may come is as long as it is at most. */
export function longestTuple(place: Place, schema: JsonObject): number | undefined {
  const layer = itemLayer(place, schema);
  return layer?.rest?.schema === false ? layer.prefix.length : undefined;
}

function itemLayer(place: Place, schema: JsonObject): ItemLayer | undefined {
  const { items, prefixItems, additionalItems } = schema;
  const [keyword, rest] = Array.isArray(items) ? ["items", "additionalItems"] : ["prefixItems", "items"];
  const list = Array.isArray(items) ? items : prefixItems;
  const prefix = Array.isArray(list) ? list.map((_, index) => inside(place, keyword as string, index)) : [];
  const more = Array.isArray(items) ? additionalItems : items;
  if (prefix.length === 0 && more === undefined) return undefined;
  return { prefix, rest: more === undefined || more === true ? undefined : inside(place, rest as string) };
}

function containsOf(place: Place, { minContains, maxContains }: JsonObject): Case["contains"] {
  const min = typeof minContains === "number" ? minContains : 1;
  const max = typeof maxContains === "number" ? maxContains : undefined;
  return min === 0 && max === undefined ? [] : [{ place: inside(place, "contains"), min, max }];
}

interface Left {
  readonly text: string;
}

function itemsLeft(place: Place, schema: JsonObject, layer: ItemLayer | undefined): ItemLayer | Left {
  if (APPLYING.some((keyword) => schema[keyword] !== undefined) || schema.contains !== undefined) {
    return { text: `unevaluatedItems ${textOf(place, [])}` };
  }
  return { prefix: layer?.prefix ?? [], rest: layer?.rest ?? inside(place, "unevaluatedItems") };
}

export function objectFacets(place: Place, schema: JsonObject): Partial<Case> {
  const { required, propertyNames } = schema;
  const layer = memberLayer(place, schema);
  const loose = schema.unevaluatedProperties;
  const left = loose === undefined || loose === true ? undefined : membersLeft(place, schema);
  return {
    required: Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
    members: [...(layer ? [layer] : []), ...(left && "properties" in left ? [left] : [])],
    names: namesAnything(propertyNames) ? [] : [inside(place, "propertyNames")],
    dependencies: dependenciesOf(place, schema),
    opaque: left && "text" in left ? [left.text] : [],
  };
}

/** A name is text, so that to ask for text asks for nothing (zod 4 does for every record). */
function namesAnything(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return schema === undefined || schema === true;
  const { type, ...rest } = schema;
  const texts = type === undefined || [type].flat().includes("string");
  return texts && Object.keys(rest).every((keyword) => WORDS.has(keyword));
}

function memberLayer(place: Place, schema: JsonObject): MemberLayer | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) {
    return undefined;
  }
  return {
    properties: new Map(keysOf(properties).map((name) => [name, inside(place, "properties", name)])),
    patterns: keysOf(patternProperties).map((name) => [name, inside(place, "patternProperties", name)]),
    additional: additionalProperties === undefined ? undefined : inside(place, "additionalProperties"),
  };
}

function keysOf(value: JsonValue | undefined): string[] {
  return isObject(value) ? Object.keys(value).sort() : [];
}

/** Keywords whose schemas apply only to some values, so that what they look at depends on the value. */
const CONDITIONAL = [
  "anyOf",
  "oneOf",
  "if",
  "dependentSchemas",
  "dependencies",
  "$dynamicRef",
  "$recursiveRef",
];
const APPLYING = [...CONDITIONAL, "allOf", "$ref"];

/** What `unevaluatedProperties` means where all that is looked at is plain to see. */
function membersLeft(place: Place, schema: JsonObject): MemberLayer | Left {
  const seen = { properties: new Map<string, Place>(), patterns: new Map<string, Place>(), all: false };
  if (!look(place, schema, seen, new Set())) return { text: `unevaluatedProperties ${textOf(place, [])}` };
  const additional = seen.all ? undefined : inside(place, "unevaluatedProperties");
  return { properties: seen.properties, patterns: [...seen.patterns], additional };
}

interface Looked {
  readonly properties: Map<string, Place>;
  readonly patterns: Map<string, Place>;
  all: boolean;
}

function look(place: Place, schema: JsonValue, seen: Looked, visited: Set<string>): boolean {
  if (!isObject(schema) || visited.has(place.id)) return true;
  visited.add(place.id);
  if (CONDITIONAL.some((keyword) => schema[keyword] !== undefined)) return false;
  const layer = memberLayer(place, schema);
  for (const [name, part] of layer?.properties ?? []) seen.properties.set(name, part);
  for (const [pattern, part] of layer?.patterns ?? []) seen.patterns.set(pattern, part);
  if (layer?.additional) seen.all = true;
  const parts = Array.isArray(schema.allOf)
    ? schema.allOf.map((_, index) => inside(place, "allOf", index))
    : [];
  if (typeof schema.$ref === "string") {
    const target = place.document.resolve(schema.$ref);
    if (!target) return false;
    parts.push(target);
  }
  return parts.every((part) => look(part, part.schema, seen, visited));
}

function dependenciesOf(place: Place, schema: JsonObject): Dependency[] {
  return ["dependentRequired", "dependentSchemas", "dependencies"].flatMap((keyword) =>
    keysOf(schema[keyword]).map((member): Dependency => {
      const needs = (schema[keyword] as JsonObject)[member];
      if (!Array.isArray(needs)) return { member, required: [], place: inside(place, keyword, member) };
      return { member, required: needs.filter((name) => typeof name === "string"), place: undefined };
    }),
  );
}

const REFERENCES: ReadonlySet<string> = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

/** A schema as a text that is equal for schemas written alike, with references written out. */
function textOf({ schema, document, id }: Place, above: readonly string[]): string {
  if (above.includes(id)) return `(${above.length - above.indexOf(id)} up)`;
  const write = (value: JsonValue, key: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => write(item, ""));
    if (REFERENCES.has(key) && typeof value === "string") {
      const target = document.resolve(value);
      return target ? textOf(target, [...above, id]) : document.unresolved(value);
    }
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([name, part]) => !WORDS.has(name) || isObject(part));
    return Object.fromEntries(kept.map(([name, part]) => [name, write(part, name)]));
  };
  return canonicalJson(write(schema, ""));
}
