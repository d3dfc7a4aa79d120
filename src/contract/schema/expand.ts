import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import {
  anyOfType,
  BOUNDS,
  type Case,
  CONSTANTS,
  isAnything,
  type JsonType,
  meet,
  TYPES,
  typeOf,
} from "./case.ts";
import { inDialect } from "./dialect.ts";
import { inside, type Node, nodeOf, type Place } from "./document.ts";
import { arrayFacets, longestTuple, objectFacets } from "./facets.ts";

/** Cases of one schema from which it is too much to look through. */
const MOST_CASES = 200;

/** A schema has more alternatives than are looked through. */
export class TooComplex extends Error {}

/** Turns schemas into cases, each place once. */
export class Expander {
  readonly #done = new Map<string, readonly Case[]>();
  readonly #open = new Set<string>();

  casesOf(node: Node): readonly Case[] {
    const known = this.#done.get(node.id);
    if (known) return known;
    let cases: readonly Case[] = EVERYTHING;
    for (const place of node.places) cases = meetAll(cases, this.#place(place));
    if (this.#open.size === 0) this.#done.set(node.id, cases);
    return cases;
  }

  /** A reference that leads back to itself without a step into the value says nothing. */
  #place(place: Place): readonly Case[] {
    const known = this.#done.get(place.id);
    if (known) return known;
    if (this.#open.has(place.id)) return opaque("$ref in a circle");
    this.#open.add(place.id);
    try {
      const cases = this.#schema(place);
      if (cases.length > MOST_CASES) throw new TooComplex(`more than ${MOST_CASES} alternatives`);
      if (this.#open.size === 1) this.#done.set(place.id, cases);
      return cases;
    } finally {
      this.#open.delete(place.id);
    }
  }

  #schema(place: Place): readonly Case[] {
    if (place.schema === false) return [];
    if (!isObject(place.schema)) return EVERYTHING;
    const schema = inDialect(place.schema, place.document.dialect);
    let cases = ownCases(place, schema);
    for (const combined of this.#combined(place, schema)) cases = meetAll(cases, combined);
    return cases;
  }

  *#combined(place: Place, schema: JsonObject): Iterable<readonly Case[]> {
    if (typeof schema.$ref === "string") yield this.#reference(place, schema.$ref);
    for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
      if (schema[keyword] !== undefined) yield opaque(`${keyword} ${canonicalJson(schema[keyword])}`);
    }
    const unknown = [schema.type ?? []].flat().filter((type) => !KNOWN_TYPES.has(type));
    if (unknown.length > 0) yield opaque(`type ${canonicalJson(unknown)}`);
    for (const part of branches(place, schema, "allOf")) yield this.#place(part);
    if (Array.isArray(schema.anyOf)) {
      yield branches(place, schema, "anyOf").flatMap((part) => [...this.#place(part)]);
    }
    if (Array.isArray(schema.oneOf)) yield this.#oneOf(branches(place, schema, "oneOf"));
    if (schema.not !== undefined) yield this.#negated(inside(place, "not"));
    if (schema.if !== undefined) yield this.#conditional(place, schema);
  }

  #reference(place: Place, ref: string): readonly Case[] {
    const target = place.document.resolve(ref);
    return target ? this.#place(target) : opaque(`$ref ${ref}`);
  }

  #oneOf(parts: readonly Place[]): readonly Case[] {
    return parts.flatMap((part, index) => {
      let cases = this.#place(part);
      for (const [other, place] of parts.entries()) {
        if (other !== index) cases = meetAll(cases, this.#negated(place));
      }
      return [...cases];
    });
  }

  #conditional(place: Place, schema: JsonObject): readonly Case[] {
    const condition = inside(place, "if");
    const part = (keyword: string) =>
      schema[keyword] === undefined ? EVERYTHING : this.#place(inside(place, keyword));
    if (schema.then === undefined && schema.else === undefined) return EVERYTHING;
    const yes = meetAll(this.#place(condition), part("then"));
    return [...yes, ...meetAll(this.#negated(condition), part("else"))];
  }

  /** Types of which the schema accepts nothing are free, types of which it accepts all are out. */
  #negated(place: Place): readonly Case[] {
    const cases = this.#place(place);
    return TYPES.flatMap((type): Case[] => {
      const own = cases.filter((each) => each.type === type);
      if (own.length === 0) return [anyOfType(type)];
      if (own.some(isAnything)) return [];
      const values = finiteValues(own);
      const left = CONSTANTS[type]?.filter((value) => values && !values.has(canonicalJson(value)));
      if (values && left) return left.length === 0 ? [] : [{ ...anyOfType(type), values: left }];
      return [{ ...anyOfType(type), nots: [nodeOf([place])] }];
    });
  }
}

function finiteValues(cases: readonly Case[]): ReadonlySet<string> | undefined {
  if (cases.some(({ values, nots, opaque }) => !values || nots.length > 0 || opaque.length > 0))
    return undefined;
  return new Set(cases.flatMap(({ values }) => values?.map((value) => canonicalJson(value)) ?? []));
}

const EVERYTHING: readonly Case[] = TYPES.map(anyOfType);

function opaque(text: string): readonly Case[] {
  return EVERYTHING.map((each) => ({ ...each, opaque: [text] }));
}

function meetAll(a: readonly Case[], b: readonly Case[]): readonly Case[] {
  if (b === EVERYTHING) return a;
  const met = a.flatMap((one) => b.flatMap((other) => meet(one, other) ?? []));
  if (met.length > MOST_CASES) throw new TooComplex(`more than ${MOST_CASES} alternatives`);
  return met;
}

function branches(place: Place, schema: JsonObject, keyword: string): Place[] {
  const parts = schema[keyword];
  return Array.isArray(parts) ? parts.map((_, index) => inside(place, keyword, index)) : [];
}

/** What the schema says itself, without what it combines. */
function ownCases(place: Place, schema: JsonObject): readonly Case[] {
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
    return met ? [met] : [];
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

const KNOWN_TYPES: ReadonlySet<JsonValue> = new Set([...TYPES, "integer"]);

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
