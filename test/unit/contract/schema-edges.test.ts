import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../../src/contract/schema/compare-schemas.ts";
import { sampleOfPattern } from "../../../src/contract/schema/pattern.ts";
import type { JsonObject } from "../../../src/protocol/message.ts";
import { I, object, S, x } from "./corpus.ts";

const input = (old: JsonObject, now: JsonObject) => compareSchemas({ old, new: now, direction: "input" });

test("a schema that refers to nothing but itself proves nothing, and does no harm", async () => {
  const [finding] = await input({ $ref: "#" }, object({}));
  expect(finding).toMatchObject({ class: "risky" });
  expect(finding?.message).toContain("Not proven");
});

test("very many places are counted rather than listed", async () => {
  const wide = (schema: JsonObject) =>
    object(Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`p${i}`, schema])));
  const found = await input(wide(S), wide(I));
  expect(found).toHaveLength(61);
  expect(found.at(-1)?.message).toBe("30 more places differ, and were not looked into one by one.");
});

test("more alternatives than are looked through are risky, not silent", async () => {
  const several = (n: number) => ({
    anyOf: Array.from({ length: n }, (_, i) => ({ type: "integer", maximum: i })),
  });
  const found = await input(
    x({ allOf: [several(20), several(20)] }),
    x({ allOf: [several(21), several(20)] }),
  );
  expect(found).toEqual([expect.objectContaining({ rule: "input-composition-narrowed", class: "risky" })]);
});

test("a witness holds no more than it needs, and shows its own place alone", async () => {
  const edit = (rest: JsonObject, required: string[]) =>
    object(
      {
        path: S,
        edits: { type: "array", items: object({ text: { ...S, ...rest } }, { required: ["text"] }) },
      },
      { required },
    );
  const found = await input(edit({}, ["path"]), edit({ minLength: 1 }, ["path", "edits"]));
  expect(found.map(({ rule, pointer, witness }) => [rule, pointer, witness?.value])).toEqual([
    ["input-required-added", "/required", { path: "" }],
    [
      "input-length-narrowed",
      "/properties/edits/items/properties/text/minLength",
      { path: "", edits: [{ text: "" }] },
    ],
  ]);
});

test("pointers lead into definitions where the difference stands", async () => {
  const unit = (values: string[]) => x({ $ref: "#/$defs/Unit" }, { $defs: { Unit: { enum: values } } });
  const [finding] = await input(unit(["C", "F"]), unit(["C"]));
  expect(finding).toMatchObject({ pointer: "/$defs/Unit/enum", before: ["C", "F"], after: ["C"] });
});

describe("texts for patterns", () => {
  test.each([
    "^[a-z0-9-]{3,8}$",
    "^(?:foo|bar)+\\d{2}$",
    "^\\p{Lu}.*$",
    "^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$",
    "^\\u00e9\\x41$",
    "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    "^(?!x)[a-z]*$",
    "a|b",
    "",
    "^(a)\\1$",
  ])("%s", (pattern) => {
    const samples = sampleOfPattern(pattern);
    expect(samples.length).toBeGreaterThan(0);
    for (const text of samples) expect(text).toMatch(new RegExp(pattern, "u"));
  });

  test.each(["[", "(", "^a(?<=b)$"])("%s has none, and no wrong one", (pattern) => {
    expect(sampleOfPattern(pattern)).toEqual([]);
  });
});

const NAMED = (pattern: string) => ({ type: "object", patternProperties: { [pattern]: { type: "string" } } });

test.each(["^(.*)$", ".*", "", "^.{0,1000}$"])("names that all match %j leave no others", async (pattern) => {
  const others: JsonObject = { type: "object", additionalProperties: { type: "string" } };
  const breaking = async (old: JsonObject, now: JsonObject) =>
    (await input(old, now)).filter((finding) => finding.class === "breaking");
  expect(await breaking(NAMED(pattern), others)).toEqual([]);
  expect(await breaking(others, NAMED(pattern))).toEqual([]);
});

test("one layer that matches all names hides no other that is closed", async () => {
  const closed: JsonObject = { allOf: [NAMED(".*"), { type: "object", additionalProperties: false }] };
  const found = await input(NAMED(".*"), closed);
  expect(found.map((finding) => finding.class)).toContain("breaking");
  const odd = NAMED("^(extra|extra_|Extra|EXTRA|0|_|-|x+|é|a b|)$");
  const told = await input(odd, { ...odd, additionalProperties: { type: "string" } });
  expect(told.filter((finding) => finding.class === "risky")).not.toEqual([]);
});

test.each<[JsonObject, JsonObject]>([
  [{ type: "number" }, { type: "number", maximum: 1e16 }],
  [
    { type: "number", maximum: 1e30 },
    { type: "number", maximum: 1e20 },
  ],
  [
    { type: "number", minimum: -1e20 },
    { type: "number", minimum: -1e18 },
  ],
  [
    { type: "integer", maximum: 1.8e19 },
    { type: "integer", maximum: 9.2e18 },
  ],
])("a bound is one however large it is: %j to %j", async (old, now) => {
  expect(await input(x(old), x(now))).toEqual([
    expect.objectContaining({ rule: "input-range-narrowed", class: "breaking" }),
  ]);
});

const DRAFT = (version: string, rest: JsonObject) => ({ $schema: version, ...rest });

test.each(["http://json-schema.org/draft-04/schema#", "urn:my:dialect"])(
  "what %s means is not known here, and said so",
  async (version) => {
    const old = DRAFT(version, x({ type: "number", minimum: 1 }));
    const now = DRAFT(version, x({ type: "number", minimum: 1, exclusiveMinimum: true }));
    expect(await input(old, old)).toEqual([]);
    expect(await input(old, now)).toEqual([
      expect.objectContaining({
        rule: "schema-unreadable",
        class: "risky",
        message: expect.stringContaining(version),
      }),
    ]);
  },
);

test("keywords that a dialect does not have say nothing in it", async () => {
  const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
  const list = (rest: JsonObject) => DRAFT(DRAFT_07, x({ type: "array", ...rest }));
  const found = await input(list({}), list({ contains: { type: "string" }, minContains: 0 }));
  expect(found).toEqual([expect.objectContaining({ class: "breaking", witness: expect.anything() })]);
  expect(await input(list({}), list({ prefixItems: [{ type: "string" }] }))).toEqual([]);
});

test("a reference that leads outside is equal to itself, and the rest is decided around it", async () => {
  const outside = { $ref: "https://example.com/x.json" };
  const found = await input(object({ a: outside }), object({ a: outside, b: S }));
  expect(found.filter((finding) => finding.class !== "compatible" && finding.class !== "info")).toEqual([]);
});
