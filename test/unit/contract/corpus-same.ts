import type { JsonObject, JsonValue } from "../../../src/protocol/message.ts";
import { I, N, object, rows, S, type SchemaCase, x } from "./corpus.ts";

const nullable = (type: string) => ({ anyOf: [{ type }, { type: "null" }] });
const tree = (root: string) => ({
  $ref: `#/$defs/${root}`,
  $defs: { [root]: object({ value: S, children: { type: "array", items: { $ref: `#/$defs/${root}` } } }) },
});

const list = (items: JsonValue, rest: JsonObject = {}) => x({ type: "array", items, ...rest });
const kind = (name: string) => object({ kind: { const: name }, v: S }, { required: ["kind"] });
const names = (pattern: string) =>
  x({ type: "object", patternProperties: { [pattern]: S }, additionalProperties: false });

/** Spellings that mean the same: generators, versions of generators, and people differ in them. */
const SAME = rows("input", [
  ["order of members", object({ a: S, b: I }), { properties: { b: I, a: S }, type: "object" }, "same"],
  [
    "order of required",
    object({ a: S, b: S }, { required: ["a", "b"] }),
    object({ a: S, b: S }, { required: ["b", "a"] }),
    "same",
  ],
  ["one type in a list", x(S), x({ type: ["string"] }), "same"],
  ["order of types", x({ type: ["string", "null"] }), x({ type: ["null", "string"] }), "same"],
  ["order of an enum", x({ enum: ["a", "b"] }), x({ enum: ["b", "a"] }), "same"],
  ["const and an enum of one", x({ const: "a" }), x({ enum: ["a"] }), "same"],
  ["type beside an enum", x({ enum: ["a", "b"] }), x({ type: "string", enum: ["a", "b"] }), "same"],
  ["pydantic's Optional and a list of types", x(nullable("string")), x({ type: ["string", "null"] }), "same"],
  ["OpenAPI's nullable", x({ type: "string", nullable: true }), x({ type: ["string", "null"] }), "same"],
  ["pydantic's default of null", x(nullable("string")), x({ ...nullable("string"), default: null }), "same"],
  ["pydantic's titles", x(S), x({ ...S, title: "X" }, { title: "forecastArguments" }), "same"],
  [
    "pydantic 1's allOf around a reference",
    x({ $ref: "#/$defs/U", $defs: { U: S } }, { $defs: { U: S } }),
    x({ allOf: [{ $ref: "#/$defs/U" }] }, { $defs: { U: S } }),
    "same",
  ],
  [
    "a reference written out",
    x({ $ref: "#/$defs/U" }, { $defs: { U: { enum: ["C", "F"] } } }),
    x({ enum: ["C", "F"] }),
    "same",
  ],
  [
    "definitions and $defs",
    x({ $ref: "#/definitions/U" }, { definitions: { U: S } }),
    x({ $ref: "#/$defs/U" }, { $defs: { U: S } }),
    "same",
  ],
  ["a definition nobody uses", x(S), x(S, { $defs: { Unused: I } }), "same"],
  ["a name of a definition", tree("Node"), tree("Tree"), "same"],
  [
    "recursion unrolled once",
    tree("Node"),
    {
      ...object({ value: S, children: { type: "array", items: { $ref: "#/$defs/Node" } } }),
      $defs: tree("Node").$defs,
    },
    "same",
  ],
  ["no properties at all", { type: "object" }, { type: "object", properties: {} }, "same"],
  ["an empty required", x(S), x(S, { required: [] }), "same"],
  ["allOf of one", x(S), x({ allOf: [S] }), "same"],
  ["anyOf of one", x(S), x({ anyOf: [S] }), "same"],
  ["oneOf of what cannot meet", x({ oneOf: [S, I] }), x({ anyOf: [S, I] }), "same"],
  [
    "oneOf in another order",
    x({
      oneOf: [
        object({ k: { const: "a" } }, { required: ["k"] }),
        object({ k: { const: "b" } }, { required: ["k"] }),
      ],
    }),
    x({
      oneOf: [
        object({ k: { const: "b" } }, { required: ["k"] }),
        object({ k: { const: "a" } }, { required: ["k"] }),
      ],
    }),
    "same",
  ],
  [
    "zod's union of literals and an enum",
    x({
      anyOf: [
        { type: "string", const: "a" },
        { type: "string", const: "b" },
      ],
    }),
    x({ type: "string", enum: ["a", "b"] }),
    "same",
  ],
  ["a boolean and its two values", x({ type: "boolean" }), x({ enum: [true, false] }), "same"],
  ["true and an empty schema", x(true), x({}), "same"],
  ["not nothing", x({ not: false }), x({}), "same"],
  ["not anything but", x({ not: { type: ["null", "boolean", "number", "array", "object"] } }), x(S), "same"],
  [
    "$schema of the default dialect",
    x(S),
    x(S, { $schema: "https://json-schema.org/draft/2020-12/schema" }),
    "same",
  ],
  [
    "$schema with and without its fragment",
    x(S, { $schema: "http://json-schema.org/draft-07/schema" }),
    x(S, { $schema: "http://json-schema.org/draft-07/schema#" }),
    "same",
  ],
  ["minLength 0", x(S), x({ ...S, minLength: 0 }), "same"],
  ["integers above 0 and from 1", x({ ...I, exclusiveMinimum: 0 }), x({ ...I, minimum: 1 }), "same"],
  ["integer and a multiple of 1", x({ ...N, multipleOf: 1 }), x(I), "same"],
  [
    "bounds in two halves",
    x({ ...I, minimum: 1, maximum: 9 }),
    x({ allOf: [{ ...I, minimum: 1 }, { maximum: 9 }] }),
    "same",
  ],
  [
    "a looser bound beside a tighter",
    x({ ...I, minimum: 1 }),
    x({ ...I, minimum: 1, allOf: [{ minimum: 0 }] }),
    "same",
  ],
  [
    "tuples of both dialects",
    x({ type: "array", prefixItems: [S, I], items: false }),
    x({ type: "array", prefixItems: [S, I], maxItems: 2 }),
    "same",
  ],
  [
    "unevaluatedProperties with nothing beside",
    object({ a: S }, { additionalProperties: false }),
    object({ a: S }, { unevaluatedProperties: false }),
    "same",
  ],
  [
    "unevaluatedProperties across an allOf",
    object({ a: S, b: I }, { additionalProperties: false }),
    { type: "object", allOf: [object({ a: S }), object({ b: I })], unevaluatedProperties: false },
    "same",
  ],
  [
    "dependencies and dependentRequired",
    object({ a: S, b: S }, { dependencies: { a: ["b"] } }),
    object({ a: S, b: S }, { dependentRequired: { a: ["b"] } }),
    "same",
  ],
  [
    "zod 4's bounds of every integer",
    x(I),
    x({ ...I, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    "same",
  ],
  [
    "zod 4's names of a record",
    x({ type: "object", additionalProperties: I }),
    x({ type: "object", propertyNames: S, additionalProperties: I }),
    "same",
  ],
  ["names of any kind", x({ type: "object" }), x({ type: "object", propertyNames: {} }), "same"],
  ["pydantic 1's const beside its enum", x({ const: "a" }), x({ ...S, const: "a", enum: ["a"] }), "same"],
  [
    "pydantic's dictionary said to be open",
    x({ type: "object" }),
    x({ type: "object", additionalProperties: true }),
    "same",
  ],
  [
    "zod's positive, in both ways",
    x({ ...N, exclusiveMinimum: 0 }),
    x({ ...N, exclusiveMinimum: 0, minimum: 0 }),
    "same",
  ],
  [
    "zod's nullable in three ways",
    x({ type: ["integer", "null"] }),
    x({ oneOf: [I, { type: "null" }] }),
    "same",
  ],
  [
    "an intersection written as one",
    { allOf: [object({ a: S }, { required: ["a"] }), object({ b: I })] },
    object({ a: S, b: I }, { required: ["a"] }),
    "same",
  ],
  ["$comment and examples", x(S), x({ ...S, $comment: "c", examples: ["Oslo"] }), "same"],
  ["if without then and else", x({ ...S, if: { minLength: 3 } }), x(S), "same"],
  ["deprecated said to be false", x(S), x({ ...S, deprecated: false }), "same"],
  [
    "contains of at least none",
    x({ type: "array", contains: S, minContains: 0 }),
    x({ type: "array" }),
    "same",
  ],
  ["digits in two ways", x({ ...S, pattern: "^\\d+$" }), x({ ...S, pattern: "^[0-9]+$" }), "same"],
  ["one or more in two ways", x({ ...S, pattern: "^a+$" }), x({ ...S, pattern: "^aa*$" }), "same"],
  ["groups that are kept or not", x({ ...S, pattern: "^(a|b)$" }), x({ ...S, pattern: "^(?:b|a)$" }), "same"],
  ["any name in two ways", names("^.*$"), names("^(.*)$"), "same"],
  ["names in two ways", names("^[0-9]+$"), names("^\\d+$"), "same"],
  ["not empty in two ways", x({ ...S, minLength: 1 }), x({ ...S, pattern: "[\\s\\S]" }), "same"],
  ["one item cannot repeat", list(S, { maxItems: 1 }), list(S, { maxItems: 1, uniqueItems: true }), "same"],
  [
    "of two values no three differ",
    list({ enum: ["a", "b"] }, { uniqueItems: true }),
    list({ enum: ["a", "b"] }, { uniqueItems: true, maxItems: 2 }),
    "same",
  ],
  [
    "as many members as are needed",
    object({ a: S }, { required: ["a"] }),
    object({ a: S }, { required: ["a"], minProperties: 1 }),
    "same",
  ],
  [
    "no more members than are named",
    object({ a: S }, { additionalProperties: false }),
    object({ a: S }, { additionalProperties: false, maxProperties: 1 }),
    "same",
  ],
  [
    "what is needed anyway",
    object({ a: S, b: S }, { required: ["b"] }),
    object({ a: S, b: S }, { required: ["b"], dependentRequired: { a: ["b"] } }),
    "same",
  ],
  [
    "what a member that is needed needs",
    object({ a: S, b: S }, { required: ["a"], dependentRequired: { a: ["b"] } }),
    object({ a: S, b: S }, { required: ["a", "b"] }),
    "same",
  ],
  [
    "names are text",
    x({ type: "object" }),
    x({ type: "object", propertyNames: { $ref: "#/$defs/N" } }, { $defs: { N: S } }),
    "same",
  ],
  [
    "C#'s union of constants with descriptions",
    x({
      oneOf: [
        { const: "a", description: "A" },
        { const: "b", title: "B" },
      ],
    }),
    x({ enum: ["a", "b"] }),
    "same",
  ],
  [
    "pydantic's nullable enum",
    x({ anyOf: [{ enum: ["a", "b"], type: "string" }, { type: "null" }] }),
    x({ type: ["string", "null"], enum: ["a", "b", null] }),
    "same",
  ],
  [
    "kinds that exclude each other",
    x({ anyOf: [kind("a"), kind("b")] }),
    x({ oneOf: [kind("b"), kind("a")] }),
    "same",
  ],
  [
    "kinds behind references",
    x({ anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] }, { $defs: { A: kind("a"), B: kind("b") } }),
    x({ oneOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] }, { $defs: { A: kind("a"), B: kind("b") } }),
    "same",
  ],
  ["a bound that listed values keep", x({ enum: [1, 2] }), x({ ...I, enum: [1, 2], minimum: 1 }), "same"],
  ["contains and at least one", list({}, { contains: S }), list({}, { contains: S, minItems: 1 }), "same"],
  [
    "an anchor in place of a pointer",
    x({ $ref: "#unit" }, { $defs: { U: { ...S, $anchor: "unit" } } }),
    x({ $ref: "#/$defs/U" }, { $defs: { U: S } }),
    "same",
  ],
]);

export const SAME_CASES: readonly SchemaCase[] = [
  ...SAME,
  ...SAME.map((each) => ({ ...each, name: `${each.name}, the other way`, old: each.new, new: each.old })),
  ...SAME.map((each) => ({ ...each, name: `${each.name}, in results`, direction: "output" as const })),
];
