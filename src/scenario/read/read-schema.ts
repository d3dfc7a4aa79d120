import { nearestWord } from "../../cassette/fault.ts";
import type { Shape } from "../../cassette/written/shape.ts";
import type { Member, Tree } from "../../cassette/written/tree.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { DIALECT_OF } from "../dialects.ts";
import type { Reading } from "./reading.ts";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

type Check = (tree: Tree, key: string, shape: Shape) => void;

const schema: Check = (tree, key, shape) => check(tree, key, shape);
const text: Check = (tree, key, shape) => void shape.text(tree, key);
const number: Check = (tree, key, shape) => void shape.number(tree, key);
const count: Check = (tree, key, shape) => void shape.whole(tree, key, 0);
const yesOrNo: Check = (tree, key, shape) => void shape.yesOrNo(tree, key);
const anything: Check = () => undefined;
const list: Check = (tree, key, shape) => void shape.list(tree, key);

const schemas: Check = (tree, key, shape) => {
  const items = shape.list(tree, key);
  if (items.length === 0) throw shape.fault(tree.at, `${key} must hold one schema at least`);
  for (const item of items) check(item, `an item of ${key}`, shape);
};

const named: Check = (tree, key, shape) => {
  if (tree.kind !== "map") throw shape.fault(tree.at, `${key} must be a mapping of names to schemas`);
  for (const { key: name, value } of tree.members) check(value, `${key}: ${name}`, shape);
};

const names: Check = (tree, key, shape) => {
  for (const item of shape.list(tree, key)) shape.text(item, `an item of ${key}`);
};

const type: Check = (tree, key, shape) => {
  for (const each of tree.kind === "list" ? tree.items : [tree]) shape.oneOf(each, TYPES, key);
};

const pattern: Check = (tree, key, shape) => {
  const source = shape.text(tree, key);
  try {
    new RegExp(source, "u");
  } catch (error) {
    throw shape.fault(tree.at, `${key}: ${(error as Error).message}`);
  }
};

const dialect: Check = (tree, key, shape) => {
  const uri = shape.text(tree, key);
  if (DIALECT_OF.has(uri)) return;
  const known = [...DIALECT_OF.keys()];
  throw shape.fault(
    tree.at,
    `${key}: ${uri} is no dialect that is known here`,
    `Known are ${known.join(", ")}.`,
  );
};

const values: Check = (tree, key, shape) => {
  if (shape.list(tree, key).length === 0) throw shape.fault(tree.at, `${key}: an empty list allows nothing`);
};

/** Keywords of JSON Schema from draft-07 to 2020-12, and what stands behind each. */
const KEYWORDS: Readonly<Record<string, Check>> = {
  $schema: dialect,
  ...all(text, [
    "$id",
    "$ref",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$comment",
    "title",
    "description",
    "format",
  ]),
  ...all(text, ["contentEncoding", "contentMediaType"]),
  ...all(named, ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]),
  ...all(schemas, ["allOf", "anyOf", "oneOf", "prefixItems"]),
  ...all(schema, ["not", "if", "then", "else", "contains", "propertyNames", "contentSchema"]),
  ...all(schema, ["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems"]),
  items: (tree, key, shape) => (tree.kind === "list" ? schemas(tree, key, shape) : schema(tree, key, shape)),
  type,
  pattern,
  required: names,
  enum: values,
  examples: list,
  ...all(number, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
  ...all(count, ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]),
  ...all(count, ["minContains", "maxContains"]),
  ...all(yesOrNo, ["uniqueItems", "readOnly", "writeOnly", "deprecated"]),
  ...all(anything, ["const", "default", "$vocabulary", "dependentRequired", "dependencies"]),
};

function all(check: Check, keys: readonly string[]): Record<string, Check> {
  return Object.fromEntries(keys.map((key) => [key, check]));
}

/**
 * A JSON Schema, refused where a keyword has what it cannot have, or is a misspelt one. The rest is told when it is
 * first compiled.
 */
export function readSchema(tree: Tree, what: string, { shape }: Reading): JsonValue {
  check(tree, what, shape);
  return shape.value(tree);
}

/** A schema of arguments: of an object, as the protocol has it. */
export function readObjectSchema(tree: Tree, what: string, reading: Reading): JsonObject {
  const { shape } = reading;
  const value = shape.object(tree, what);
  check(tree, what, shape);
  const member = tree.kind === "map" ? tree.members.find(({ key }) => key === "type") : undefined;
  if (value.type === "object") return value;
  throw shape.fault(
    member?.value.at ?? tree.at,
    `${what} must have type: object`,
    "Arguments are an object by name.",
  );
}

function check(tree: Tree, what: string, shape: Shape): void {
  if (tree.kind === "scalar" && typeof tree.value === "boolean") return;
  if (tree.kind !== "map")
    throw shape.fault(tree.at, `${what} must be a JSON Schema: a mapping, true or false`);
  for (const member of tree.members) {
    const keyword = Object.hasOwn(KEYWORDS, member.key) ? KEYWORDS[member.key] : undefined;
    if (keyword) keyword(member.value, member.key, shape);
    else refuseMisspelt(member, shape);
  }
}

/** Keywords of one's own are allowed, but not those that are most likely misspelt. Characters. */
const SHORTEST_MISSPELT = 5;

function refuseMisspelt({ key, at }: Member, shape: Shape): void {
  if (key.length < SHORTEST_MISSPELT || key.startsWith("x-")) return;
  const meant = nearestWord(key, Object.keys(KEYWORDS));
  if (meant === undefined) return;
  throw shape.fault(
    at,
    `a schema has no keyword ${JSON.stringify(key)} (did you mean ${meant}?)`,
    "A keyword of your own can begin with x-.",
  );
}
