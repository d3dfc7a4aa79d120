import type { ErrorObject } from "ajv";
import { pointerOf } from "../../protocol/json-diff.ts";
import { rowOf } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { compiled } from "../language/finds.ts";
import { SchemaDocument } from "./document.ts";

/** A keyword that no validator takes, and where it stands. */
interface Fault {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** Keywords that hold schemas, by how. */
const ONE: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const LIST: ReadonlySet<string> = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const MAP: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** Keywords that draft-04 and OpenAPI have, and say nothing here. */
const FOREIGN: Readonly<Record<string, (schema: JsonObject) => boolean>> = {
  id: ({ id }) => typeof id === "string",
  nullable: ({ type }) => type === undefined,
};

/**
 * Two schemas without what no validator takes, where both say the same there: whatever it means, it means the same to
 * both, and what breaks elsewhere can be shown. Undefined where that is not all that is wrong.
 */
export function withoutFaults(
  old: Faulty,
  now: Faulty,
): { readonly old: JsonValue; readonly new: JsonValue } | undefined {
  const [before, after] = [faultsOf(old), faultsOf(now)];
  const texts = [before, after].map((faults) => faults.map((each) => JSON.stringify(each)).sort());
  if (JSON.stringify(texts[0]) !== JSON.stringify(texts[1])) return undefined;
  return { old: without(old.schema, before), new: without(now.schema, after) };
}

export interface Faulty {
  readonly schema: JsonValue;
  /** What the schema of schemas says of it. */
  readonly errors: readonly ErrorObject[];
}

function faultsOf({ schema, errors }: Faulty): Fault[] {
  const wrong = new Map<string, Fault>();
  for (const error of errors) {
    const parts = error.instancePath.split("/").slice(1).map(unescaped);
    if (error.keyword === "propertyNames") parts.push(String(error.params.propertyName));
    const path = keywordPath(schema, parts);
    if (path) wrong.set(pointerOf(path), { path, value: at(schema, path) });
  }
  const document = new SchemaDocument(schema, "faulty");
  for (const path of keywordsOf(schema, [])) {
    const owner = at(schema, path.slice(0, -1)) as JsonObject;
    const keyword = path.at(-1) as string;
    const value = owner[keyword] as JsonValue;
    const lost = keyword === "$ref" && typeof value === "string" && !document.resolve(value);
    const odd = keyword === "pattern" && typeof value === "string" && !compiled(value);
    const unnamed = path.at(-2) === "patternProperties" && !compiled(keyword);
    const foreign = rowOf(FOREIGN, keyword)?.(owner) === true;
    if (lost || odd || unnamed || foreign) wrong.set(pointerOf(path), { path, value });
  }
  return [...wrong.values()];
}

/** Of a place in a schema, the keyword it belongs to, or the member of a map of schemas. */
function keywordPath(schema: JsonValue, parts: readonly string[]): string[] | undefined {
  let place = schema;
  for (let i = 0; i < parts.length; i += 1) {
    const keyword = parts[i] as string;
    const held = isObject(place) ? place[keyword] : undefined;
    const steps = MAP.has(keyword) && isObject(held) ? 2 : LIST.has(keyword) && Array.isArray(held) ? 2 : 1;
    const end = parts.slice(0, i + steps);
    const inner = end.length === i + steps ? at(schema, end) : undefined;
    const isHeld = steps === 2 || (ONE.has(keyword) && isObject(held));
    if (!isHeld || !isObject(inner) || i + steps >= parts.length) return [...end];
    place = inner;
    i += steps - 1;
  }
  return undefined;
}

/** Paths to all keywords of a schema and of those in it. */
function* keywordsOf(schema: JsonValue, path: readonly string[]): Iterable<string[]> {
  if (!isObject(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const here = [...path, keyword];
    yield here;
    if (ONE.has(keyword)) yield* keywordsOf(value, here);
    const inner =
      MAP.has(keyword) && isObject(value) ? value : LIST.has(keyword) && Array.isArray(value) ? value : {};
    if (keyword === "patternProperties") yield* Object.keys(inner).map((name) => [...here, name]);
    for (const [name, part] of Object.entries(inner)) yield* keywordsOf(part, [...here, name]);
  }
}

function at(schema: JsonValue, path: readonly string[]): JsonValue {
  let place: unknown = schema;
  for (const step of path) place = (place as Readonly<Record<string, unknown>> | undefined)?.[step];
  return (place ?? null) as JsonValue;
}

function without(schema: JsonValue, faults: readonly Fault[]): JsonValue {
  const copy = structuredClone(schema);
  for (const { path } of faults) {
    const owner = at(copy, path.slice(0, -1));
    if (Array.isArray(owner)) (owner as JsonValue[])[Number(path.at(-1))] = true;
    else if (isObject(owner)) delete (owner as Record<string, JsonValue>)[path.at(-1) as string];
  }
  return copy;
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
