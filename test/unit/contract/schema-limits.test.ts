import { describe, expect, test } from "vitest";
import { compareSchemas, type SchemaPair } from "../../../src/contract/schema/compare-schemas.ts";
import { Comparer } from "../../../src/contract/schema/comparer.ts";
import { nodeOf, SchemaDocument } from "../../../src/contract/schema/document.ts";
import { Expander } from "../../../src/contract/schema/expand.ts";
import type { JsonObject, JsonValue } from "../../../src/protocol/message.ts";
import { I, object, S, x } from "./corpus.ts";

const compare = (old: JsonValue, now: JsonValue, rest: Partial<SchemaPair> = {}) =>
  compareSchemas({ old, new: now, direction: "input", ...rest });

const numbered = <Each>(count: number, each: (index: number) => Each): Each[] =>
  Array.from({ length: count }, (_, index) => each(index));

/** Models whose members are unions of each other; those of the last one have `v`. */
function models(count: number, width: number, v: JsonValue): JsonObject {
  const union = (index: number, step: number) => ({
    anyOf: numbered(width, (i) => ({ $ref: `#/$defs/M${(index * step + i + 1) % count}` })),
  });
  const model = (index: number) =>
    object({ v: index === count - 1 ? v : I, left: union(index, 3), right: union(index, 5) });
  return x(
    { $ref: "#/$defs/M0" },
    { $defs: Object.fromEntries(numbered(count, (index) => [`M${index}`, model(index)])) },
  );
}

/** Steps that comparing takes one way. */
function stepsOf(old: JsonValue, now: JsonValue): number {
  const comparer = new Comparer(new Expander());
  const [a, b] = [
    nodeOf([new SchemaDocument(old, "old").root]),
    nodeOf([new SchemaDocument(now, "new").root]),
  ];
  comparer.all(a, b);
  return comparer.steps;
}

const wide = (count: number, schema: JsonValue, rest: JsonObject = {}) =>
  object(Object.fromEntries(numbered(count, (i) => [`p${i}`, schema])), rest);
const listed = (count: number) => x({ enum: numbered(count, (i) => `v${i}`) });

describe("steps grow no faster than schemas", () => {
  test.each<[string, (size: number) => [JsonValue, JsonValue]]>([
    ["members", (size) => [wide(size, S), wide(size, I)]],
    [
      "members that are needed",
      (size) => [wide(size, S), wide(size, S, { required: numbered(size, (i) => `p${i}`) })],
    ],
    ["listed values", (size) => [listed(size), listed(size - 1)]],
    [
      "items of a tuple",
      (size) => [x({ prefixItems: numbered(size, () => S) }), x({ prefixItems: numbered(size, () => I) })],
    ],
  ])("%s", (_, pair) => {
    const [few, many] = [stepsOf(...pair(200)), stepsOf(...pair(2000))];
    expect(few).toBeGreaterThan(100);
    expect(many).toBeLessThan(11 * few);
  });
});

test("models that are unions of each other end, and are given up in so many words", async () => {
  expect(stepsOf(models(25, 12, I), models(25, 12, S))).toBeLessThan(500_000);
  const found = await compare(models(25, 12, I), models(25, 12, S));
  expect(found).toEqual([
    expect.objectContaining({
      rule: "input-composition-narrowed",
      class: "risky",
      message: expect.stringContaining("comparing was given up there (more places than are looked through)"),
    }),
  ]);
});

test("what breaks beside what is given up is told all the same", async () => {
  const beside = (side: JsonObject, a: JsonValue): JsonObject => ({
    ...side,
    properties: { ...(side.properties as JsonObject), a },
  });
  const found = await compare(beside(models(25, 12, I), S), beside(models(25, 12, S), I));
  expect(found.find((finding) => finding.class === "breaking")).toMatchObject({
    witness: { value: { a: "" } },
  });
});

test("a schema nested beyond all use is risky", async () => {
  const deep = (leaf: JsonValue) => {
    let schema = leaf;
    for (let i = 0; i < 5000; i++) schema = { items: schema };
    return schema;
  };
  const [finding, ...more] = await compare(deep(S), deep(I));
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ rule: "schema-unreadable", class: "risky" });
});

describe("patterns that keep an engine busy", () => {
  const held = (pattern: string) => x({ ...S, pattern });
  const call = { x: `${"a".repeat(60)}!` };

  test("are tried on a recorded call in another way", async () => {
    const [finding] = await compare(x(S), held("^(a+)+$"), { recorded: [call] });
    expect(finding).toMatchObject({ class: "breaking", witness: { value: call, from: "recorded" } });
  });

  test("are not tried where there is none", async () => {
    const found = await compare(held("^a"), held("^(a+)+\\b$"), { recorded: [call] });
    expect(found.map((finding) => finding.class)).not.toContain("compatible");
  });

  test("among names of members", async () => {
    const named = (schema: JsonObject): JsonObject => ({
      type: "object",
      patternProperties: { "^(a+)+$": schema },
    });
    const found = await compare(named(S), named(I), { recorded: [{ [call.x]: "" }] });
    expect(found).toEqual([expect.objectContaining({ class: "breaking" })]);
  });
});

test("references that lead to each other without end keep the validator busy for so many steps", async () => {
  const twice = (depth: number, leaf: JsonValue) =>
    x(
      { $ref: `#/$defs/D${depth}` },
      {
        $defs: Object.fromEntries([
          ["D0", leaf],
          ...numbered(depth, (i) => [
            `D${i + 1}`,
            { allOf: [{ $ref: `#/$defs/D${i}` }, { $ref: `#/$defs/D${i}` }] },
          ]),
        ]) as JsonObject,
      },
    );
  const found = await compare(twice(40, S), twice(40, I));
  expect(found).toEqual([expect.objectContaining({ rule: "input-type-narrowed", class: "risky" })]);
});
