import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/protocol/message.ts";

const NAMES = ["a", "b", "c", "constructor"];
const name = fc.constantFrom(...NAMES);
const small = fc.integer({ min: -3, max: 6 });
const size = fc.integer({ min: 0, max: 3 });

const maybe = (members: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;

const typed = (type: string, members: Record<string, fc.Arbitrary<JsonValue>>) =>
  maybe(members).map((rest): JsonObject => ({ type, ...rest }));

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(true, {}, { type: "null" }, { type: "boolean" }, { type: ["string", "null"] }),
  fc
    .uniqueArray(fc.constantFrom<JsonValue>("x", "y", "", 0, 1, null, true), { minLength: 1, maxLength: 4 })
    .map((values) => ({ enum: values })),
  fc.constantFrom<JsonValue>("x", 1, null).map((value) => ({ const: value })),
  typed("string", {
    minLength: size,
    maxLength: fc.integer({ min: 3, max: 5 }),
    pattern: fc.constantFrom("^x", "[0-9]+$", "^[a-z]{2,}$"),
  }),
  typed("integer", {
    minimum: small,
    maximum: fc.integer({ min: 6, max: 9 }),
    multipleOf: fc.constantFrom(1, 2, 3),
  }),
  typed("number", { exclusiveMinimum: small, maximum: fc.integer({ min: 7, max: 9 }) }),
);

/** Schemas of all sorts, deep and crooked enough; not all of them accept something. */
const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const properties = fc.dictionary(name, tie("schema"), { maxKeys: 3 });
  const object = typed("object", {
    properties,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.constant(false), tie("schema")),
    minProperties: size,
    dependentRequired: fc.constant({ a: ["b"] }),
  });
  const array = typed("array", {
    items: tie("schema"),
    prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
    minItems: size,
    maxItems: fc.integer({ min: 3, max: 4 }),
    uniqueItems: fc.boolean(),
  });
  const several = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      object,
      array,
      several.map((anyOf) => ({ anyOf })),
      several.map((oneOf) => ({ oneOf })),
      several.map((allOf) => ({ allOf })),
      tie("schema").map((not) => ({ not })),
    ),
  };
});

export const anySchema: fc.Arbitrary<JsonObject> = fc
  .dictionary(name, schema, { minKeys: 1, maxKeys: 3 })
  .chain((properties) =>
    fc.record({
      type: fc.constant("object"),
      properties: fc.constant(properties),
      required: fc.subarray(Object.keys(properties)),
    }),
  ) as fc.Arbitrary<JsonObject>;

const step = (narrow: JsonValue, wide: JsonValue): [JsonValue, JsonValue] => [narrow, wide];

/** A schema and one that surely accepts more. */
const widened: fc.Arbitrary<[JsonValue, JsonValue]> = fc.oneof(
  fc
    .integer({ min: 1, max: 9 })
    .map((n) => step({ type: "integer", maximum: n }, { type: "integer", maximum: n + 1 })),
  fc
    .integer({ min: 1, max: 9 })
    .map((n) => step({ type: "string", minLength: n }, { type: "string", minLength: n - 1 })),
  fc
    .integer({ min: 1, max: 9 })
    .map((n) => step({ type: "array", maxItems: n }, { type: "array", maxItems: n + 1 })),
  fc
    .constantFrom("string", "number", "boolean", "array")
    .map((type) => step({ type }, { type: [type, "null"] })),
  fc
    .constantFrom("string", "number")
    .map((type) => step({ type }, { anyOf: [{ type }, { type: "object" }] })),
  fc
    .uniqueArray(fc.string({ maxLength: 3 }), { minLength: 2, maxLength: 4 })
    .map((values) => step({ enum: values.slice(1) }, { enum: values })),
  name.map((each) =>
    step(
      { type: "object", properties: { [each]: {} }, required: [each] },
      { type: "object", properties: { [each]: {} } },
    ),
  ),
  fc
    .constantFrom("^a", "^[0-9]+$", "b{3}")
    .map((pattern) => step({ type: "string", pattern }, { type: "string" })),
);

const placed: readonly ((schema: JsonValue) => JsonObject)[] = [
  (inner) => ({ type: "object", properties: { x: inner } }),
  (inner) => ({
    type: "object",
    properties: { x: inner, y: { type: "integer", minimum: 3 } },
    required: ["x", "y"],
  }),
  (inner) => ({
    type: "object",
    properties: { x: { type: "array", items: inner, minItems: 1 } },
    required: ["x"],
  }),
  (inner) => ({ type: "object", properties: { x: { $ref: "#/$defs/X" } }, $defs: { X: inner } }),
  (inner) => ({ type: "object", properties: { x: { allOf: [inner, {}] } }, additionalProperties: false }),
  (inner) => ({
    type: "object",
    properties: { tree: { $ref: "#/$defs/T" } },
    $defs: { T: { type: "object", properties: { v: inner, next: { $ref: "#/$defs/T" } } } },
  }),
];

export const widenings: fc.Arbitrary<[JsonObject, JsonObject]> = fc
  .tuple(widened, fc.constantFrom(...placed))
  .map(([[narrow, wide], place]) => [place(narrow), place(wide)]);

const anything: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, "", "x", "y", "xy", "x1", "ab", "12", [], {}, "2020-01-01"),
  small,
  fc.double({ min: -3, max: 9, noNaN: true }),
  fc.string({ maxLength: 6 }),
  fc.array(fc.constantFrom<JsonValue>(null, 0, 1, "x"), { maxLength: 4 }),
);

/**
 * Values after the likeness of a schema, by no more than its properties, items and lists of values: about half of them
 * are accepted. Members that it does not name are not made.
 */
export function valuesFor(root: JsonValue): fc.Arbitrary<JsonValue> {
  const make = (schema: JsonValue, depth: number): fc.Arbitrary<JsonValue> => {
    if (typeof schema !== "object" || schema === null || Array.isArray(schema) || depth > 6) return anything;
    const kinds: fc.Arbitrary<JsonValue>[] = [];
    const target = typeof schema.$ref === "string" ? schema.$ref.split("/").slice(1) : undefined;
    if (target)
      kinds.push(
        make(
          target.reduce((at, key) => (at as JsonObject)[key] as JsonValue, root),
          depth + 1,
        ),
      );
    if (Array.isArray(schema.enum)) kinds.push(fc.constantFrom(...schema.enum));
    if (schema.const !== undefined) kinds.push(fc.constant(schema.const));
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const parts = schema[keyword];
      if (Array.isArray(parts)) kinds.push(...parts.map((part) => make(part, depth + 1)));
    }
    if (schema.properties !== undefined) kinds.push(objects(schema, depth));
    const items = schema.items ?? (schema.prefixItems as JsonValue[] | undefined)?.[0];
    if (items !== undefined) kinds.push(fc.array(make(items, depth + 1), { maxLength: 4 }));
    const weighed = kinds.map((arbitrary) => ({ arbitrary, weight: 8 }));
    return fc.oneof(...weighed, { arbitrary: anything, weight: kinds.length === 0 ? 8 : 2 });
  };
  const objects = (schema: JsonObject, depth: number): fc.Arbitrary<JsonValue> => {
    const members = Object.entries(schema.properties as JsonObject).map(
      ([key, part]) => [key, make(part, depth + 1)] as const,
    );
    const required = Array.isArray(schema.required) ? schema.required : [];
    return fc.record(Object.fromEntries(members), {
      requiredKeys: members.map(([key]) => key).filter((key) => required.includes(key)),
    }) as fc.Arbitrary<JsonValue>;
  };
  return make(root, 0);
}
