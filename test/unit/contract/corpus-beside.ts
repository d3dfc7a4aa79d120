import type { JsonObject, JsonValue } from "../../../src/protocol/message.ts";
import { N, object, rows, S, type SchemaCase, when, x } from "./corpus.ts";

const MODE = { mode: { enum: ["x", "y"] }, verbose: { type: "boolean" }, z: S };
const isX = { properties: { mode: { const: "x" } }, required: ["mode"] };
const isLoud = { properties: { mode: { const: "x" }, verbose: { const: true } }, required: ["mode"] };
const needsZ = { required: ["z"] };
const map = (rest: JsonObject = {}) => x({ type: "object", ...rest }, { required: ["x"] });
const needsB = (rest: JsonObject = {}) => object({ c: N }, { required: ["b"], ...rest });
const needsAb = (rest: JsonObject = {}) => ({ type: "object", required: ["ab"], ...rest });
const lower = { patternProperties: { "^[a-z]+$": N } };
const upper = { patternProperties: { "^[A-Z]+$": N } };
const pattern = (name: string, schema: JsonValue): JsonObject => ({ patternProperties: { [name]: schema } });

const A = object({ a: S }, { required: ["a"] });
const B = object({ b: N }, { required: ["b"] });

/** What no validator takes, as generators and people write it all the same. */
const UNREADABLE: Readonly<Record<string, JsonValue>> = {
  "a pattern with a range of classes": { ...S, pattern: "^[\\w-.]+$" },
  "a pattern with an idle escape": { ...S, pattern: "^\\d{4}\\-\\d{2}$" },
  "a pattern with flags": { ...S, pattern: "(?i)ab" },
  "a pattern for names": { type: "object", patternProperties: { "^[\\w-.]+$": S } },
  "draft-04's exclusiveMinimum": { ...N, minimum: 0, exclusiveMinimum: true },
  "OpenAPI's nullable without a type": { nullable: true },
  "a tuple of draft-07": { type: "array", items: [S, N] },
  "draft-04's id": { ...S, id: "u" },
  "a type of OpenAPI 2": { type: "file" },
  "draft-03's required": { ...S, required: true },
  "a reference to nothing": { $ref: "#/$defs/none" },
  "a reference that leads outside": { $ref: "https://example.com/schema.json" },
  "a description of null": { ...S, description: null },
  "a type inside others": {
    anyOf: [object({ q: { type: "file" } }), { type: "array", items: { type: "file" } }],
  },
};

/** Pairs that no validator takes, so that a test cannot ask one. */
export const UNREADABLE_CASES: readonly SchemaCase[] = Object.entries(UNREADABLE).flatMap(([name, u]) => [
  ...rows("input", [
    [
      `a required argument beside ${name}`,
      object({ u }),
      object({ u, n: S }, { required: ["n"] }),
      "breaking",
      "input-required-added",
    ],
    [
      `an argument that narrows beside ${name}`,
      object({ u, n: { type: ["string", "null"] } }),
      object({ u, n: S }),
      "breaking",
      "input-type-narrowed",
    ],
    [
      `no longer required beside ${name}`,
      object({ u, n: S }, { required: ["n"] }),
      object({ u, n: S }),
      "compatible",
    ],
    [
      `${name} that becomes another type nobody reads`,
      object({ u, n: S }),
      object({ u: { type: "blob" }, n: N }),
      "risky",
    ],
  ]),
  ...rows("output", [
    [
      `a member that may be missing beside ${name}`,
      object({ u, n: S }, { required: ["n"] }),
      object({ u, n: S }),
      "breaking",
      "output-required-dropped",
    ],
  ]),
]);

/** What schemas say of members besides naming them: in conditions, negations, patterns, dependencies, and of all. */
export const BESIDE_CASES: readonly SchemaCase[] = [
  ...rows("input", [
    [
      "a condition holds for more",
      object(MODE, when(isLoud, needsZ)),
      object(MODE, when(isX, needsZ)),
      "breaking",
      "input-composition-narrowed",
    ],
    [
      "one of several conditions holds for more",
      object(MODE, { allOf: [when(isLoud, needsZ)] }),
      object(MODE, { allOf: [when(isX, needsZ)] }),
      "breaking",
      "input-composition-narrowed",
    ],
    [
      "a negation of several members says less of them",
      object(MODE, { not: isLoud }),
      object(MODE, { not: isX }),
      "breaking",
      "input-composition-narrowed",
    ],
    [
      "a negation of several members says more of them",
      object(MODE, { not: isX }),
      object(MODE, { not: isLoud }),
      "compatible",
      "input-widened",
    ],
    [
      "a negation inside a member that names nothing",
      x({ not: object({ a: { const: 1 }, b: { const: 2 } }, { required: ["a"] }) }),
      x({ not: object({ a: { const: 1 } }, { required: ["a"] }) }),
      "breaking",
      "input-composition-narrowed",
    ],
    ["a pattern for names of a map", map(), map(pattern("^x-", S)), "breaking", "input-closed"],
    ["no pattern for names of a map any more", map(pattern("^x-", S)), map(), "compatible", "input-widened"],
    [
      "a pattern for names beside named ones",
      object({ c: N }),
      object({ c: N }, pattern("^x-", S)),
      "risky",
      "input-closed",
    ],
    [
      "names that are refused by a pattern",
      object({ c: N }),
      object({ c: N }, pattern("^x-", false)),
      "risky",
      "input-closed",
    ],
    ["another pattern for names of a map", map(lower), map(upper), "breaking", "input-closed"],
    ["a pattern for every name", map(), map(pattern("", N)), "breaking", "input-closed"],
    [
      "a pattern that others no longer need",
      map({ additionalProperties: S, ...pattern("^[a-z]+$", { ...S, minLength: 2 }) }),
      map({ additionalProperties: S }),
      "compatible",
      "input-widened",
    ],
    [
      "a pattern for a required member",
      needsAb(),
      needsAb(pattern("^a", S)),
      "breaking",
      "input-type-narrowed",
    ],
    [
      "a required member is named",
      needsAb(),
      needsAb({ properties: { ab: S } }),
      "breaking",
      "input-type-narrowed",
    ],
    [
      "a required member that no schema names is refused",
      needsAb(),
      needsAb({ additionalProperties: false }),
      "breaking",
      "input-property-removed",
    ],
    [
      "a required member needs another",
      needsB(),
      needsB({ dependentRequired: { b: ["c"] } }),
      "breaking",
      "input-dependency-added",
    ],
    [
      "a required member needs no other",
      needsB({ dependentRequired: { b: ["c"] } }),
      needsB(),
      "compatible",
      "input-widened",
    ],
    [
      "a required member asks for a schema",
      needsB(),
      needsB({ dependentSchemas: { b: { required: ["c"] } } }),
      "breaking",
      "input-dependency-added",
    ],
    [
      "a member that nobody names needs another",
      object({ c: N }),
      object({ c: N }, { dependentRequired: { b: ["c"] } }),
      "risky",
      "input-closed",
    ],
    [
      "a new member needs another",
      object({ c: N }),
      object({ c: N, b: N }, { dependentRequired: { b: ["c"] } }),
      "compatible",
      "input-property-added",
    ],
    [
      "a map of anything becomes one of texts",
      map({ additionalProperties: true }),
      map({ additionalProperties: S }),
      "breaking",
      "input-closed",
    ],
    ["a map that says nothing is closed", map(), map({ additionalProperties: false }), "breaking"],
    [
      "a map of texts becomes one of anything",
      map({ additionalProperties: S }),
      map(),
      "compatible",
      "input-widened",
    ],
    [
      "a tool without arguments is closed",
      { type: "object" },
      { type: "object", additionalProperties: false },
      "risky",
      "input-closed",
    ],
    [
      "an object without members is closed",
      map({ properties: {} }),
      map({ properties: {}, additionalProperties: false }),
      "risky",
      "input-closed",
    ],
  ]),
  ...(["input", "output"] as const).flatMap((direction) =>
    rows(direction, [
      ["kinds in another order", x({ anyOf: [A, B] }), x({ anyOf: [B, A] }), "same"],
      [
        "kinds behind references in another order",
        x({ anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] }, { $defs: { A, B } }),
        x({ anyOf: [{ $ref: "#/$defs/B" }, { $ref: "#/$defs/A" }] }, { $defs: { A, B } }),
        "same",
      ],
      [
        "kinds with the same members in another order",
        x({ anyOf: [object({ v: S }), object({ v: { ...N, description: "v" } })] }),
        x({ anyOf: [object({ v: { ...N, description: "v" } }), object({ v: S })] }),
        "same",
      ],
    ]),
  ),
  ...rows("input", [
    [
      "kinds in another order, of which one takes more",
      x({ anyOf: [A, B] }),
      x({ anyOf: [B, object({ a: S, more: S }, { required: ["a"] })] }),
      "compatible",
      "input-property-added",
    ],
    ...[
      [
        "of an alternative",
        (words: JsonObject) => x({ anyOf: [{ type: "boolean" }, { ...S, ...words }] }),
      ] as const,
      [
        "of a map's members",
        (words: JsonObject) => map({ additionalProperties: { ...S, ...words } }),
      ] as const,
      ["of members by pattern", (words: JsonObject) => map(pattern("^x", { ...S, ...words }))] as const,
      ["of an argument", (words: JsonObject) => x({ ...S, ...words })] as const,
    ].flatMap(([place, said]) =>
      ["description", "title"].map(
        (word) =>
          [
            `the ${word} ${place}`,
            said({ [word]: "Keep" }),
            said({ [word]: "Drop" }),
            "risky",
            "parameter-description-changed",
          ] as const,
      ),
    ),
    [
      "examples of an argument",
      x({ ...S, examples: ["a"] }),
      x({ ...S, examples: ["b"] }),
      "risky",
      "parameter-description-changed",
    ],
  ]),
  ...rows("output", [
    [
      "a description within a map",
      map({ additionalProperties: { ...S, description: "Keep" } }),
      map({ additionalProperties: { ...S, description: "Drop" } }),
      "info",
      "output-words-changed",
    ],
    [
      "a condition holds for less",
      object(MODE, when(isX, needsZ)),
      object(MODE, when(isLoud, needsZ)),
      "breaking",
      "output-composition-widened",
    ],
    [
      "a negation of several members says more of them",
      object(MODE, { not: isX }),
      object(MODE, { not: isLoud }),
      "breaking",
      "output-composition-widened",
    ],
    ["no pattern for names of a map any more", map(pattern("^x-", S)), map(), "breaking", "output-opened"],
    ["a pattern for names of a map", map(), map(pattern("^x-", S)), "compatible", "output-narrowed"],
    ["another pattern for names of a map", map(upper), map(lower), "breaking", "output-opened"],
    [
      "a required member is not named any more",
      needsAb({ properties: { ab: S } }),
      needsAb(),
      "breaking",
      "output-property-removed",
    ],
    [
      "a member that nobody names needs no other any more",
      object({ c: N }, { dependentRequired: { b: ["c"] } }),
      object({ c: N }),
      "risky",
      "output-opened",
    ],
    [
      "a map of numbers becomes one of anything",
      map({ additionalProperties: N }),
      map({ additionalProperties: {} }),
      "breaking",
      "output-opened",
    ],
    [
      "a map of anything becomes one of numbers",
      map(),
      map({ additionalProperties: N }),
      "compatible",
      "output-narrowed",
    ],
    ["another value in place of the only one", x({ const: "v1" }), x({ const: "v2" }), "breaking"],
    [
      "other values in place of all there were",
      x({ enum: ["a", "b"] }),
      x({ enum: ["c", "d"] }),
      "breaking",
      "output-enum-added",
    ],
    [
      "other values beside one that stays",
      x({ enum: ["a", "b"] }),
      x({ enum: ["b", "c"] }),
      "risky",
      "output-enum-added",
    ],
    [
      "another kind beside one that stays",
      x({ anyOf: [object({ kind: { const: "a" } }, { required: ["kind"] })] }),
      x({ anyOf: ["a", "b"].map((kind) => object({ kind: { const: kind } }, { required: ["kind"] })) }),
      "risky",
      "output-enum-added",
    ],
  ]),
];
