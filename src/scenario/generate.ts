import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { isObject } from "./matcher.ts";
import { PatternFault } from "./pattern/parse-pattern.ts";
import { textOfPattern, type Wished } from "./pattern/text-of-pattern.ts";
import { randomFrom } from "./random.ts";
import type { SchemaChecker } from "./schemas.ts";

/** A schema that no value is made for. */
export class NotGenerated extends Error {}

/** Levels of nesting; below, only what is required is made. */
const DEEP = 4;
const DEEPEST = 24;
/** Items of a list, and more members than are required. */
const MOST_ITEMS = 3;

/** Values that are made until one is right. */
const TRIES = 25;

/**
 * A value that a schema accepts, the same for the same seed. What a schema demands that is not understood here is found
 * out by checking the value against it.
 * @throws NotGenerated
 */
export function generated(schema: JsonValue, seed: string, checker: SchemaChecker): JsonValue {
  let fault = "";
  for (let tries = 0; tries < TRIES; tries++) {
    const value = new Generator(schema, tries === 0 ? seed : `${seed} ${tries}`).value(schema, 0);
    const [found] = checker.faults(schema, value);
    if (found === undefined) return value;
    fault = found;
  }
  throw new NotGenerated(fault);
}

const FORMATS: Readonly<Record<string, (random: () => number) => string>> = {
  date: (random) => `20${two(random, 10, 29)}-${two(random, 1, 12)}-${two(random, 1, 28)}`,
  time: (random) => `${two(random, 0, 23)}:${two(random, 0, 59)}:${two(random, 0, 59)}Z`,
  "date-time": (random) => `${FORMATS.date?.(random)}T${FORMATS.time?.(random)}`,
  email: (random) => `${word(random)}@example.com`,
  hostname: (random) => `${word(random)}.example.com`,
  uri: (random) => `https://example.com/${word(random)}`,
  "uri-reference": (random) => `/${word(random)}`,
  ipv4: (random) => `192.0.2.${1 + Math.floor(random() * 254)}`,
  ipv6: (random) => `2001:db8::${(1 + Math.floor(random() * 65534)).toString(16)}`,
  uuid: (random) =>
    `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`,
};

class Generator {
  readonly #root: JsonValue;
  readonly #random: () => number;

  constructor(root: JsonValue, seed: string) {
    this.#root = root;
    this.#random = randomFrom(seed);
  }

  value(schema: JsonValue, depth: number): JsonValue {
    if (depth > DEEPEST) throw new NotGenerated("it is nested without an end");
    if (schema === true) return word(this.#random);
    if (!isObject(schema)) throw new NotGenerated("it allows nothing");
    if (typeof schema.$ref === "string") {
      const { $ref, ...beside } = schema;
      const target = this.#target($ref);
      return this.value(isObject(target) ? merged(target, beside) : target, depth + 1);
    }
    if (schema.const !== undefined) return schema.const;
    for (const key of ["enum", "examples"]) {
      const values = schema[key];
      if (Array.isArray(values) && values.length > 0) return this.#oneOf(values);
    }
    if (schema.default !== undefined) return schema.default;
    const composed = ["allOf", "anyOf", "oneOf"].some((key) => Array.isArray(schema[key]));
    return composed ? this.#composed(schema, depth) : this.#ofType(schema, depth);
  }

  #target($ref: string): JsonValue {
    if (!$ref.startsWith("#")) throw new NotGenerated(`${$ref} is not in the schema`);
    let place: JsonValue | undefined = this.#root;
    for (const part of $ref.slice(1).split("/").slice(1)) {
      const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      place = isObject(place) ? place[key] : Array.isArray(place) ? place[Number(key)] : undefined;
    }
    if (place === undefined) throw new NotGenerated(`${$ref} is not in the schema`);
    return place;
  }

  #composed(schema: JsonObject, depth: number): JsonValue {
    const { allOf, anyOf, oneOf, ...rest } = schema;
    if (Array.isArray(allOf)) {
      const all = allOf.map((each) => (isObject(each) ? this.#resolved(each) : {}));
      return this.value([...all, rest].reduce(merged), depth + 1);
    }
    const choices = [anyOf, oneOf].find((each) => Array.isArray(each)) as JsonValue[];
    if (choices.length === 0) throw new NotGenerated("it allows nothing");
    const choice = this.#oneOf(choices);
    const beside = Object.fromEntries(
      Object.entries(schema).filter(([key]) => key !== "anyOf" && key !== "oneOf"),
    );
    return this.value(isObject(choice) ? merged(beside, this.#resolved(choice)) : choice, depth + 1);
  }

  #resolved(schema: JsonObject): JsonObject {
    const target = typeof schema.$ref === "string" ? this.#target(schema.$ref) : schema;
    return isObject(target) ? target : {};
  }

  #ofType(schema: JsonObject, depth: number): JsonValue {
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    const type = types.find((each) => each !== "null") ?? types[0];
    switch (type ?? guessed(schema)) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return this.#array(schema, depth);
      case "integer":
        return this.#number(schema, true);
      case "number":
        return this.#number(schema, false);
      case "boolean":
        return this.#random() < 0.5;
      case "null":
        return null;
      default:
        return this.#text(schema);
    }
  }

  #object(schema: JsonObject, depth: number): JsonValue {
    const { properties = {}, required = [], additionalProperties } = schema;
    const wanted = Array.isArray(required) ? required.map(String) : [];
    const members: [string, JsonValue][] = [];
    for (const [key, inner] of Object.entries(properties as JsonObject)) {
      if (inner === false || (depth >= DEEP && !wanted.includes(key))) continue;
      members.push([key, this.value(inner, depth + 1)]);
    }
    const more = isObject(additionalProperties) ? additionalProperties : true;
    for (const key of wanted) {
      if (!Object.hasOwn(properties as JsonObject, key)) members.push([key, this.value(more, depth + 1)]);
    }
    const least = Number(schema.minProperties ?? 0);
    for (let tries = 0; members.length < least && tries < 100; tries++) {
      const [name, inner] = this.#another(schema, members.length);
      if (members.every(([taken]) => taken !== name)) members.push([name, this.value(inner, depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  /** A member that nobody named, and its schema. */
  #another({ propertyNames, patternProperties, additionalProperties }: JsonObject, index: number) {
    const more = isObject(additionalProperties) ? additionalProperties : true;
    const [patterned] = isObject(patternProperties) ? Object.entries(patternProperties) : [];
    if (patterned) {
      const most = Number.POSITIVE_INFINITY;
      return [this.#patterned(patterned[0], { random: this.#random, least: 1, most }), patterned[1]] as const;
    }
    const name = isObject(propertyNames)
      ? this.value({ type: "string", ...propertyNames }, 0)
      : `${word(this.#random)}${index}`;
    return [String(name), more] as const;
  }

  #array(schema: JsonObject, depth: number): JsonValue {
    const { prefixItems, items = true, minItems = 0, maxItems = MOST_ITEMS } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    const { contains } = schema;
    const held = contains === undefined ? 0 : Math.max(1, Number(schema.minContains ?? 1));
    const least = Math.max(Number(minItems), held, depth >= DEEP ? 0 : 1);
    const count = Math.min(Math.max(least + Math.floor(this.#random() * 2), first.length), Number(maxItems));
    const values: JsonValue[] = [];
    for (let tries = 0; values.length < Math.max(count, Number(minItems)) && tries < 100; tries++) {
      const inner = first[values.length] ?? items;
      const value = this.value(values.length < held ? both(inner, contains) : inner, depth + 1);
      if (
        schema.uniqueItems === true &&
        values.some((each) => JSON.stringify(each) === JSON.stringify(value))
      )
        continue;
      values.push(value);
    }
    return values;
  }

  #number(schema: JsonObject, whole: boolean): JsonValue {
    const step = typeof schema.multipleOf === "number" ? schema.multipleOf : whole ? 1 : 0.1;
    const above = schema.exclusiveMinimum as number | undefined;
    const below = schema.exclusiveMaximum as number | undefined;
    const least =
      above !== undefined ? Math.floor(above / step) + 1 : Math.ceil(Number(schema.minimum ?? 0) / step);
    const limit =
      below !== undefined
        ? Math.ceil(below / step) - 1
        : Math.floor(Number(schema.maximum ?? Number.POSITIVE_INFINITY) / step);
    const most = Math.min(limit, least + 1000);
    if (most < least) throw new NotGenerated("no number is within its bounds");
    const value = (least + Math.floor(this.#random() * (most - least + 1))) * step;
    return Number(value.toPrecision(12));
  }

  #text(schema: JsonObject): JsonValue {
    const least = Number(schema.minLength ?? 0);
    if (typeof schema.pattern === "string") {
      const most = Number(schema.maxLength ?? Number.POSITIVE_INFINITY);
      return this.#patterned(schema.pattern, { random: this.#random, least, most });
    }
    const format = FORMATS[String(schema.format)];
    if (format) return format(this.#random);
    let text = word(this.#random);
    while (text.length < least) text += ` ${word(this.#random)}`;
    return text.slice(0, Number(schema.maxLength ?? text.length));
  }

  #patterned(pattern: string, wished: Wished): string {
    try {
      return textOfPattern(pattern, wished);
    } catch (error) {
      if (!(error instanceof PatternFault)) throw error;
      throw new NotGenerated(`there is no text of the pattern ${pattern}: ${error.message}`);
    }
  }

  #oneOf(values: readonly JsonValue[]): JsonValue {
    return values[Math.floor(this.#random() * values.length)] as JsonValue;
  }
}

function guessed(schema: JsonObject): string {
  if (schema.properties !== undefined || schema.required !== undefined) return "object";
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array";
  return schema.minimum !== undefined || schema.maximum !== undefined ? "number" : "string";
}

/** Two schemas that both hold, as far as one can say it. */
function merged(a: JsonObject, b: JsonObject): JsonObject {
  const properties = {
    ...(a.properties as JsonObject | undefined),
    ...(b.properties as JsonObject | undefined),
  };
  const required = [
    ...((a.required as JsonValue[] | undefined) ?? []),
    ...((b.required as JsonValue[] | undefined) ?? []),
  ];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

/** What a value is to be by two schemas. */
function both(a: JsonValue, b: JsonValue | undefined): JsonValue {
  if (!isObject(b)) return a;
  return isObject(a) ? merged(a, b) : a === false ? a : b;
}

const SYLLABLES = ["ba", "do", "fe", "gi", "ka", "lo", "mi", "na", "pe", "ri", "so", "tu", "ve", "zo"];

function word(random: () => number): string {
  const count = 2 + Math.floor(random() * 2);
  return Array.from({ length: count }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join("");
}

function two(random: () => number, least: number, most: number): string {
  return String(least + Math.floor(random() * (most - least + 1))).padStart(2, "0");
}

function hex(random: () => number, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
}
