import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PatternFault } from "../../../src/scenario/pattern/parse-pattern.ts";
import { textOfPattern } from "../../../src/scenario/pattern/text-of-pattern.ts";
import { randomFrom } from "../../../src/scenario/random.ts";
import { Bench, type Json, load, schemas } from "./support.ts";

const made = (pattern: string, seed: number, least = 0, most = Number.POSITIVE_INFINITY) =>
  textOfPattern(pattern, { random: randomFrom(`${seed}`), least, most });

describe("a text of a pattern", () => {
  test.each([
    "^[a-z]+$",
    "^[A-Z]{2}\\d{2}[A-Z0-9]{4}\\d{7}([A-Z0-9]?){0,16}$",
    "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-[\\da-z-]+)?$",
    "^[\\da-f]{8}-[\\da-f]{4}-4[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$",
    "^#(?:[\\dA-Fa-f]{3}){1,2}$",
    "^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])-\\k<year>$",
    "^(a|b)c\\1$",
    "^\\p{Lu}\\p{Ll}+ \\p{Script=Greek}+$",
    "^\\+?[1-9]\\d{1,14}$",
    "^(?=.*\\d)(?=.*[a-z])[a-z\\d]{8,12}$",
    "^(?!admin$)[a-z]{5}$",
    "^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}?$",
    "^\\u0041\\x42\\u{1F600}\\t\\cA\\/\\.\\$$",
    "^[\\]\\\\^-]{3}$",
    "^$",
    "\\bword\\b",
    "^[^a-zA-Z0-9]{4}$",
    "^(?:[01]\\d|2[0-3])(?::[0-5]\\d){1,2}$",
  ])("%s", (pattern) => {
    const expression = new RegExp(pattern, "u");
    for (let seed = 0; seed < 20; seed++) {
      expect(made(pattern, seed)).toMatch(expression);
      expect(made(pattern, seed)).toBe(made(pattern, seed));
    }
  });

  test("is now one, now another", () => {
    expect(new Set(Array.from({ length: 20 }, (_, seed) => made("^[a-z]{6}$", seed))).size).toBe(20);
  });

  test.each([
    [1, 1],
    [40, 40],
    [3, 5],
    [500, 900],
  ])("is of the length wanted: %i to %i", (least, most) => {
    for (let seed = 0; seed < 10; seed++) {
      const { length } = made("^[a-z ]+$", seed, least, most);
      expect(length).toBeGreaterThanOrEqual(least);
      expect(length).toBeLessThanOrEqual(most);
    }
    expect(Array.from(made("^\u{1F600}*$", 1, 2, 2))).toHaveLength(2);
  });

  test.each([
    ["^a{3}$", 0, 2, "none was found of 0 to 2 characters"],
    ["^a$", 2, Number.POSITIVE_INFINITY, "none was found of 2 or more characters"],
    ["(?!)x", 0, 9, "none was found"],
    ["^[^\\s\\S]$", 0, 9, "no character is one of [^\\s\\S]"],
  ])("is told of where there is none: %s", (pattern, least, most, why) => {
    expect(() => made(pattern, 1, least, most)).toThrow(PatternFault);
    expect(() => made(pattern, 1, least, most)).toThrow(why);
  });

  test("is one whatever the pattern is made of", () => {
    const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
      atom: fc.oneof(
        fc.constantFrom("a", "é", "\\d", "\\w", ".", "[a-f]", "[^x]", "\\.", "\\p{L}", "\\u{1F600}"),
        tie("pattern").map((inner) => `(${inner})`),
        tie("pattern").map((inner) => `(?:${inner})`),
      ),
      pattern: fc.oneof(
        { depthSize: "small" },
        tie("atom"),
        fc
          .tuple(tie("atom"), fc.constantFrom("", "?", "*", "+", "{2}", "{1,3}", "{0,}", "+?"))
          .map((both) => both.join("")),
        fc.array(tie("pattern"), { minLength: 1, maxLength: 3 }).map((all) => all.join("")),
        fc.tuple(tie("pattern"), tie("pattern")).map((both) => `(?:${both.join("|")})`),
      ),
    }));
    fc.assert(
      fc.property(pattern, fc.nat(), (one, seed) => {
        const whole = `^(?:${one})$`;
        expect(made(whole, seed)).toMatch(new RegExp(whole, "u"));
      }),
      { seed: Number(process.env.FC_SEED ?? 1), numRuns: 200 },
    );
  });
});

const withSchema = (schema: string) =>
  `scenario: 1\ntools: [{ name: make, outputSchema: { type: object, required: [v], properties: { v: ${schema} } } }]\n`;

describe("a result made from its schema", () => {
  test.each([
    '{ type: string, pattern: "^[A-Z]{3}-\\\\d+$", minLength: 8, maxLength: 10 }',
    '{ type: object, minProperties: 2, additionalProperties: { type: string, pattern: "^x" } }',
    '{ type: array, items: { type: string, pattern: "^[ab]$" }, uniqueItems: true, minItems: 2 }',
    "{ type: array, minItems: 2, contains: { const: here } }",
    '{ type: string, not: { pattern: "a" } }',
    "{ type: object, properties: { kind: { enum: [a, b] }, n: { type: integer } }, required: [kind], if: { properties: { kind: { const: a } } }, then: { required: [n] }, else: { not: { required: [n] } } }",
    '{ type: object, propertyNames: { pattern: "^p_" }, minProperties: 1 }',
    "{ oneOf: [{ type: integer, minimum: 5 }, { type: integer, maximum: 3 }] }",
  ])("is one that the schema accepts: %s", async (schema) => {
    const bench = await Bench.of(withSchema(schema));
    bench.initialize();
    for (let i = 0; i < 5; i++) {
      const { result } = bench.call("make", { i }) as { result: Json };
      expect(result?.structuredContent).toBeDefined();
    }
    expect(bench.misses).toEqual([]);
  });

  test("is the same in every run, and another for other arguments", async () => {
    const text = withSchema('{ type: string, pattern: "^[a-z]{12}$" }');
    const answers = async () => {
      const bench = await Bench.of(text);
      bench.initialize();
      return [bench.call("make", { i: 1 }), bench.call("make", { i: 2 })].map(({ result }) => result);
    };
    const [first, second] = await answers();
    expect(await answers()).toEqual([first, second]);
    expect(first).not.toEqual(second);
  });

  test("is told of before anything is served where there is none", async () => {
    const { checkSchemas } = await import("../../../src/scenario/check/check-schemas.ts");
    const checker = await schemas.load();
    const scenario = await load({
      "s.yaml": withSchema('{ type: string, pattern: "^a{3}$", maxLength: 2 }'),
    });
    expect(() => checkSchemas(scenario, checker)).toThrow(
      "s.yaml:2:37: no result of make can be made from its outputSchema: there is no text of the pattern ^a{3}$: none was found of 0 to 2 characters",
    );
  });
});
