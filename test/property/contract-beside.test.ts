import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSchemas } from "../../src/contract/schema/compare-schemas.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/message.ts";

const numRuns = Number(process.env.FC_RUNS ?? 150);
const options = { seed: Number(process.env.FC_SEED ?? 1), numRuns };
const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });

const NAMES = ["a", "b", "ab"];
const name = fc.constantFrom(...NAMES);
const leaf = fc.constantFrom<JsonValue>(
  true,
  { type: "string" },
  { const: "x" },
  { enum: ["x", "y"] },
  { type: "integer" },
  { type: ["string", "null"] },
);
const members = fc.dictionary(name, leaf, { minKeys: 1, maxKeys: 2 });
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 2 });
const condition = fc.record({ properties: members, required: names }, { requiredKeys: [] });
const patterns = fc.dictionary(fc.constantFrom("^a", "b$", "^x-"), leaf, { minKeys: 1, maxKeys: 2 });
const inner = fc.record(
  { properties: members, required: names, patternProperties: patterns },
  { requiredKeys: [] },
);

/** What schemas say of members in all ways that they have. */
const keywords = fc.record(
  {
    properties: members,
    required: names,
    patternProperties: patterns,
    additionalProperties: fc.oneof(fc.boolean(), leaf),
    propertyNames: fc.constantFrom({ enum: ["a", "b"] }, { pattern: "^a" }, { maxLength: 1 }),
    dependentRequired: fc.dictionary(name, names, { minKeys: 1, maxKeys: 1 }),
    dependentSchemas: fc.dictionary(name, condition, { minKeys: 1, maxKeys: 1 }),
    not: condition,
    if: condition,
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema
    then: condition,
    else: condition,
    allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(inner, { minLength: 2, maxLength: 2 }),
    oneOf: fc.array(inner, { minLength: 2, maxLength: 2 }),
    unevaluatedProperties: fc.constant(false),
    maxProperties: fc.integer({ min: 1, max: 2 }),
  },
  { requiredKeys: [] },
);

const MOST_KEYWORDS = 5;
const few = keywords.map(
  (schema) => Object.fromEntries(Object.entries(schema).slice(0, MOST_KEYWORDS)) as JsonObject,
);

/** A schema, and what becomes of it when some of its keywords come, go or change. */
const pairs = fc
  .tuple(
    few,
    keywords,
    fc.subarray(
      Object.keys({
        properties: 0,
        required: 0,
        not: 0,
        if: 0,
        allOf: 0,
        anyOf: 0,
        patternProperties: 0,
        dependentRequired: 0,
        dependentSchemas: 0,
        additionalProperties: 0,
      }),
    ),
  )
  .map(([old, other, kept]): [JsonObject, JsonObject] => {
    const mixed = Object.entries({ ...old, ...(other as JsonObject) }).map(
      ([keyword, value]) => [keyword, kept.includes(keyword) ? value : old[keyword]] as const,
    );
    const now = Object.fromEntries(mixed.filter(([, value]) => value !== undefined)) as JsonObject;
    return [
      { type: "object", ...old },
      { type: "object", ...now },
    ];
  });

/** All small objects of these names and values. */
const VALUES: readonly (JsonValue | undefined)[] = [undefined, null, "x", "y", "z", 1];
const OBJECTS: readonly JsonObject[] = NAMES.reduce<JsonObject[]>(
  (objects, each) =>
    objects.flatMap((object) =>
      VALUES.map((value) => (value === undefined ? object : { ...object, [each]: value })),
    ),
  [{}],
).flatMap((object) => [object, { ...object, "x-": 1 }]);

/** What ajv makes of an empty `if` sets members of nothing. */
function stumbles(validate: (value: JsonValue) => unknown, value: JsonValue): boolean {
  try {
    validate(value);
    return false;
  } catch (error) {
    if (error instanceof TypeError) return true;
    throw error;
  }
}

/** In an open schema, a member that the new side alone names counts as not sent. */
function isNews(key: string, accepting: JsonObject, refusing: JsonObject): boolean {
  const [own, other] = [accepting, refusing].map((schema) => JSON.stringify(schema).includes(`"${key}"`));
  return other === true && own === false;
}

test("no small object tells apart what is called compatible or the same", async () => {
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(pairs, fc.constantFrom("input", "output"), async ([old, now], direction) => {
      const found = await compareSchemas({ old, new: now, direction });
      if (found.some(({ class: kind }) => kind === "breaking" || kind === "risky")) return;
      const [accepting, refusing] = direction === "input" ? [old, now] : [now, old];
      const [accepts, other] = [ajv.compile(accepting), ajv.compile(refusing)];
      const refuting = OBJECTS.filter((value) => !stumbles(accepts, value) && !stumbles(other, value)).find(
        (value) =>
          accepts(value) &&
          !other(value) &&
          !Object.keys(value).some((key) => isNews(key, accepting, refusing)),
      );
      expect(
        refuting,
        JSON.stringify({ old, now, direction, found: found.map(({ rule }) => rule) }),
      ).toBeUndefined();
      checked++;
    }),
    options,
  );
  expect(checked).toBeGreaterThan(numRuns / 10);
});
