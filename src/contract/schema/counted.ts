import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { TooComplex } from "../language/steps.ts";
import { typeOf, WORDS } from "./case.ts";

/** A keyword of our own, which counts how often a reference is followed. */
export const COUNTED = "mcp-vcr:counted";

/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);
/** Keywords whose members have names of the schema's own choice. */
const MAPS: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];

const PROTO = "__proto__";
const PROTO_PATTERN = "^__proto__$";

/**
 * A schema that says the same to ajv, with its references counted, and a member `__proto__` spoken of by a pattern: ajv
 * passes it over among `properties`.
 */
export function counted(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(counted);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(
    ([keyword, value]) => [keyword, within(keyword, value)] as const,
  );
  const plain = Object.fromEntries(entries) as JsonObject;
  const refers = REFERENCES.some((keyword) => typeof schema[keyword] === "string");
  return { ...withLiterals(withProto(plain)), ...(refers ? { [COUNTED]: true } : {}) };
}

/** Alternatives that ajv reads in no time, and those that it reads at all. */
const FEW = 50;
const MOST = 400;

/** Many alternatives of one literal each are an enum, which ajv reads much faster. */
function withLiterals(schema: JsonObject): JsonObject {
  let said = schema;
  for (const keyword of ["anyOf", "oneOf"]) {
    const parts = schema[keyword];
    if (!Array.isArray(parts) || parts.length <= FEW) continue;
    const values = parts.flatMap((part) =>
      isObject(part) && isLiteral(part) ? [part.const as JsonValue] : [],
    );
    const texts = new Set(values.map((value) => canonicalJson(value)));
    if (texts.size === parts.length) said = { ...said, [keyword]: [{ enum: values }] };
    else if (parts.length > MOST) throw new TooComplex(`more than ${MOST} alternatives`);
  }
  return said;
}

function isLiteral({ const: value, type, ...rest }: JsonObject): boolean {
  if (value === undefined || !Object.keys(rest).every((keyword) => WORDS.has(keyword))) return false;
  return type === undefined || type === typeOf(value);
}

function within(keyword: string, value: JsonValue): JsonValue {
  if (DATA.has(keyword)) return value;
  if (!MAPS.has(keyword) || !isObject(value)) return counted(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, counted(part)]));
}

function withProto(schema: JsonObject): JsonObject {
  const { properties, patternProperties } = schema;
  if (!isObject(properties) || !Object.hasOwn(properties, PROTO)) return schema;
  const own = properties[PROTO] as JsonValue;
  const patterns = isObject(patternProperties) ? patternProperties : {};
  const before = patterns[PROTO_PATTERN];
  const both = before === undefined ? own : { allOf: [before, own] };
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== PROTO)),
    patternProperties: { ...patterns, [PROTO_PATTERN]: both },
  };
}
