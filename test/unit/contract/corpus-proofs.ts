import type { JsonObject } from "../../../src/protocol/message.ts";
import { I, N, object, rows, S, type SchemaCase, when, x } from "./corpus.ts";

const list = (items: unknown, rest = {}) => x({ type: "array", items, ...rest } as never);
const map = (rest: JsonObject) => x({ type: "object", additionalProperties: S, ...rest });
const kind = (name: string, rest = {}) => object({ kind: { const: name }, ...rest }, { required: ["kind"] });
const MODE = { mode: { enum: ["a", "b"] }, v: I };
const isB = { properties: { mode: { const: "b" } }, required: ["mode"] };
const otherwise = (condition: JsonObject, consequence: JsonObject): JsonObject => ({
  if: condition,
  else: consequence,
});
/** As JSON has it: a member like any other. */
const proto = (schema: JsonObject, rest: JsonObject = {}): JsonObject =>
  object(JSON.parse(`{"__proto__":${JSON.stringify(schema)}}`), rest);
const DRAFT_07 = { $schema: "http://json-schema.org/draft-07/schema#" };

/** Breaks that take a search to prove, and what only looks like one. */
export const PROOF_CASES: readonly SchemaCase[] = [
  ...rows("input", [
    [
      "a lookahead asks for a digit",
      x({ ...S, minLength: 8 }),
      x({ ...S, minLength: 8, pattern: "^(?=.*\\d)" }),
      "breaking",
      "input-pattern-narrowed",
    ],
    [
      "a lookahead rules names out",
      x({ ...S, pattern: "^[a-z]+$" }),
      x({ ...S, pattern: "^(?!con$|nul$)[a-z]+$" }),
      "breaking",
      "input-pattern-narrowed",
    ],
    [
      "a lookahead that says nothing new",
      x({ ...S, pattern: "^[a-z]+$" }),
      x({ ...S, pattern: "^(?!\\d)[a-z]+$" }),
      "same",
    ],
    [
      "a pattern that lengths imply",
      x({ ...S, minLength: 1, pattern: "^\\w*$" }),
      x({ ...S, pattern: "^\\w+$" }),
      "same",
    ],
    [
      "a wider pattern",
      x({ ...S, pattern: "^[a-z]{2,8}$" }),
      x({ ...S, pattern: "^[a-z_]{1,9}$" }),
      "compatible",
      "input-widened",
    ],
    [
      "a pattern of another length",
      x({ ...S, pattern: "^[0-9a-f]{8}$" }),
      x({ ...S, pattern: "^[0-9a-f]{7}$" }),
      "breaking",
      "input-pattern-narrowed",
    ],
    [
      "a pattern that no longer is whole",
      x({ ...S, pattern: "^v\\d+$" }),
      x({ ...S, pattern: "v\\d+" }),
      "compatible",
    ],
    [
      "maxLength by one",
      x({ ...S, maxLength: 100_000 }),
      x({ ...S, maxLength: 99_999 }),
      "breaking",
      "input-length-narrowed",
    ],
    [
      "minLength, large",
      x({ ...S, minLength: 50_000 }),
      x({ ...S, minLength: 60_000 }),
      "breaking",
      "input-length-narrowed",
    ],
    [
      "maxItems by one",
      list(S, { maxItems: 1000 }),
      list(S, { maxItems: 999 }),
      "breaking",
      "input-items-narrowed",
    ],
    [
      "certain texts are out",
      x({ ...S, maxLength: 9 }),
      x({ ...S, maxLength: 9, not: { pattern: "^tmp" } }),
      "breaking",
      "input-composition-narrowed",
    ],
    [
      "certain objects are out",
      x(object({ a: S, n: N })),
      x({ ...object({ a: S, n: N }), not: object({ n: { minimum: 100 } }, { required: ["n"] }) }),
      "breaking",
      "input-composition-narrowed",
    ],
    [
      "names may not begin with a digit",
      map({}),
      map({ propertyNames: { pattern: "^[^\\d]" } }),
      "breaking",
      "input-members-narrowed",
    ],
    [
      "names may not be long",
      map({ propertyNames: { pattern: "^[a-z]+$" } }),
      map({ propertyNames: { pattern: "^[a-z]+$", maxLength: 64 } }),
      "breaking",
      "input-members-narrowed",
    ],
    [
      "names are listed",
      map({}),
      map({ propertyNames: { enum: ["a", "b"] } }),
      "breaking",
      "input-members-narrowed",
    ],
    [
      "names of fewer",
      map({ propertyNames: { enum: ["a", "b"] } }),
      map({ propertyNames: { enum: ["a"] } }),
      "breaking",
      "input-members-narrowed",
    ],
    [
      "names that are wider held",
      map({ propertyNames: { pattern: "^[a-z]{1,9}$" } }),
      map({ propertyNames: { pattern: "^[a-z]+$" } }),
      "compatible",
    ],
    ["a member named __proto__", proto(S), proto(I), "breaking", "input-type-narrowed"],
    [
      "a member named __proto__ is needed",
      proto(S),
      proto(S, { required: ["__proto__"] }),
      "breaking",
      "input-required-added",
    ],
    [
      "then asks for more",
      object(MODE),
      object(MODE, when(isB, { properties: { v: { maximum: 50 } } })),
      "breaking",
    ],
    ["else asks for more", object(MODE), object(MODE, otherwise(isB, { required: ["v"] })), "breaking"],
    [
      "then, where the condition cannot be",
      object({ mode: { const: "a" }, v: I }),
      object({ mode: { const: "a" }, v: I }, when(isB, { required: ["v"] })),
      "same",
    ],
    [
      "a member becomes needed in one of two kinds",
      x({ oneOf: [kind("a", { v: S }), kind("b", { v: S })] }),
      x({ oneOf: [kind("a", { v: S }), { ...kind("b", { v: S }), required: ["kind", "v"] }] }),
      "breaking",
      "input-required-added",
    ],
    [
      "a second that fits too",
      x({ oneOf: [{ ...I, minimum: 0 }] }),
      x({
        oneOf: [
          { ...I, minimum: 0 },
          { ...I, maximum: 5 },
        ],
      }),
      "breaking",
    ],
    [
      "contains too many",
      list(I, { contains: { const: 1 } }),
      list(I, { contains: { const: 1 }, maxContains: 2 }),
      "breaking",
    ],
    [
      "contains what all items are",
      list({ const: 1 }, { minItems: 1 }),
      list({ const: 1 }, { minItems: 1, contains: { const: 1 } }),
      "same",
    ],
    [
      "nothing else may be left over",
      { allOf: [object({ a: S })], properties: { b: S }, type: "object" },
      { allOf: [object({ a: S })], properties: { b: S }, type: "object", unevaluatedProperties: false },
      "risky",
      "input-closed",
    ],
    [
      "the rest of a tuple",
      x({ type: "array", prefixItems: [S] }),
      x({ type: "array", prefixItems: [S], unevaluatedItems: I }),
      "breaking",
    ],
    [
      "a tuple's first, in a draft that has none",
      x({ type: "array", prefixItems: [S] }, DRAFT_07),
      x({ type: "array", prefixItems: [I] }, DRAFT_07),
      "same",
    ],
    [
      "draft-07 dependencies as a schema",
      object({ a: S, b: N }, DRAFT_07),
      object({ a: S, b: N }, { ...DRAFT_07, dependencies: { a: { properties: { b: { minimum: 0 } } } } }),
      "breaking",
      "input-dependency-added",
    ],
    [
      "beside a reference",
      x({ $ref: "#/$defs/A" }, { $defs: { A: S } }),
      x({ $ref: "#/$defs/A", minLength: 3 }, { $defs: { A: S } }),
      "breaking",
      "input-length-narrowed",
    ],
    [
      "a union of one member's kinds, recursive",
      x(
        { $ref: "#/$defs/T" },
        { $defs: { T: { anyOf: [S, { type: "array", items: { $ref: "#/$defs/T" } }] } } },
      ),
      x(
        { $ref: "#/$defs/T" },
        {
          $defs: {
            T: {
              anyOf: [
                { ...S, minLength: 1 },
                { type: "array", items: { $ref: "#/$defs/T" } },
              ],
            },
          },
        },
      ),
      "breaking",
    ],
    [
      "two that refer to each other",
      x(
        { $ref: "#/$defs/A" },
        { $defs: { A: object({ b: { $ref: "#/$defs/B" } }), B: object({ a: { $ref: "#/$defs/A" }, n: I }) } },
      ),
      x(
        { $ref: "#/$defs/A" },
        { $defs: { A: object({ b: { $ref: "#/$defs/B" } }), B: object({ a: { $ref: "#/$defs/A" }, n: N }) } },
      ),
      "compatible",
      "input-widened",
    ],
    [
      "a pattern of names that is narrower",
      { type: "object", patternProperties: { "^x-": S }, additionalProperties: false },
      { type: "object", patternProperties: { "^x-[a-z]": S }, additionalProperties: false },
      "breaking",
    ],
    [
      "patterns of names that never meet",
      { type: "object", patternProperties: { "^a": S, "^b": I } },
      { type: "object", patternProperties: { "^b": N, "^[a]": S } },
      "compatible",
      "input-widened",
    ],
    [
      "more literals than are looked at one by one",
      x({ anyOf: literals(0, 300) }),
      x({ oneOf: literals(0, 299) }),
      "breaking",
      "input-enum-narrowed",
    ],
  ]),
  ...rows("input", [
    [
      "behind a dynamic reference",
      x({ $dynamicRef: "#n" }, { $defs: { n: { $dynamicAnchor: "n", ...S } } }),
      x({ $dynamicRef: "#n" }, { $defs: { n: { $dynamicAnchor: "n", ...I } } }),
      "risky",
      "input-type-narrowed",
    ],
    [
      "behind a reference into a schema with an id of its own",
      x({ $ref: "urn:example:n" }, { $defs: { n: { $id: "urn:example:n", ...S } } }),
      x({ $ref: "urn:example:n" }, { $defs: { n: { $id: "urn:example:n", ...I } } }),
      "breaking",
    ],
    [
      "a pattern beside a format",
      x({ ...S, format: "date" }),
      x({ ...S, format: "date", pattern: "^2" }),
      "breaking",
    ],
    ["a word in a text", x({ ...S, pattern: "\\bfoo\\b" }), x({ ...S, pattern: "^foo$" }), "breaking"],
    [
      "more of what is counted",
      list(I, { contains: { minimum: 5 } }),
      list(I, { contains: { minimum: 5 }, minContains: 2 }),
      "breaking",
    ],
    [
      "alternatives that overlap, only one of them",
      x({
        anyOf: [
          { ...I, minimum: 0 },
          { ...I, maximum: 10 },
        ],
      }),
      x({
        oneOf: [
          { ...I, minimum: 0 },
          { ...I, maximum: 10 },
        ],
      }),
      "breaking",
    ],
    [
      "numbers, of which integers are some, only once",
      x({ anyOf: [I, N] }),
      x({ oneOf: [I, N] }),
      "breaking",
    ],
    [
      "a deeper recursion",
      x(
        { $ref: "#/$defs/T" },
        { $defs: { T: object({ k: { type: "array", items: { $ref: "#/$defs/T" } } }) } },
      ),
      x(
        { $ref: "#/$defs/T" },
        { $defs: { T: object({ k: { type: "array", items: { $ref: "#/$defs/T" }, minItems: 1 } }) } },
      ),
      "breaking",
    ],
    [
      "pydantic's Decimal, as its versions spell it",
      x({ anyOf: [N, { ...S, pattern: "^-?\\d+(\\.\\d+)?$" }] }),
      x({ anyOf: [N, { ...S, pattern: "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$" }] }),
      "compatible",
      "input-widened",
    ],
    [
      "a pattern that speaks of any character",
      x({ ...S, pattern: "^.{1,5}$" }),
      x({ ...S, minLength: 1, maxLength: 5 }),
      "compatible",
    ],
    [
      "a condition per kind",
      object(MODE),
      object(MODE, {
        allOf: [
          when(isB, { properties: { v: { minimum: 10 } } }),
          otherwise(isB, { properties: { v: { maximum: 10 } } }),
        ],
      }),
      "breaking",
    ],
    [
      "neither both nor a third",
      object({ a: S, b: S, c: S }),
      object({ a: S, b: S, c: S }, { not: { anyOf: [{ required: ["a", "b"] }, { required: ["c"] }] } }),
      "breaking",
    ],
    [
      "a listed value that is ruled out in the same breath",
      x({ enum: ["a", "b"] }),
      x({ enum: ["a", "b", "c"], not: { const: "c" } }),
      "same",
    ],
  ]),
  ...rows("output", [
    [
      "a pattern grew",
      x({ ...S, pattern: "^[a-z]+$" }),
      x({ ...S, pattern: "^[a-z]*$" }),
      "breaking",
      "output-pattern-widened",
    ],
    [
      "a pattern shrank",
      x({ ...S, pattern: "^[a-z]*$" }),
      x({ ...S, pattern: "^[a-z]+$" }),
      "compatible",
      "output-narrowed",
    ],
    ["then is gone", object(MODE, when(isB, { required: ["v"] })), object(MODE), "breaking"],
    [
      "names are free",
      map({ propertyNames: { pattern: "^[a-z]+$" } }),
      map({}),
      "breaking",
      "output-members-widened",
    ],
    ["one more kind", x({ oneOf: [kind("a")] }), x({ oneOf: [kind("a"), kind("b")] }), "risky"],
  ]),
];

function literals(from: number, to: number): JsonObject[] {
  return Array.from({ length: to - from }, (_, i) => ({ const: `v${from + i}`, title: `V ${from + i}` }));
}
