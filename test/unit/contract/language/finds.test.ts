import fc from "fast-check";
import { expect, test } from "vitest";
import { Expressions } from "../../../../src/contract/language/expression.ts";
import { finds } from "../../../../src/contract/language/finds.ts";
import { readPattern } from "../../../../src/contract/language/read-pattern.ts";
import { Steps, TooComplex } from "../../../../src/contract/language/steps.ts";
import { shortestText } from "../../../../src/contract/language/texts.ts";

const steps = () => new Steps(50_000, "too much");
const without = (a: string, b: string) => shortestText({ patterns: [a] }, { patterns: [b] }, steps());

test.each([
  ["^\\d+$", "^[0-9]+$"],
  ["^a+$", "^aa*$"],
  ["^(?:foo|bar)$", "^(foo|bar)$"],
  ["^(?!x)[a-z]+$", "^[a-wyz][a-z]*$"],
  ["a", "^[\\s\\S]*a"],
  ["^(a+)+$", "^a+$"],
  ["^[\\w.-]+$", "^[-.A-Za-z0-9_]+$"],
  ["^(?=.*\\d)[a-z\\d]{2,4}$", "^(?=[a-z]*[0-9])(?:[a-z]|[0-9]){2,4}$"],
])("%s and %s find themselves in the same texts", (a, b) => {
  expect([without(a, b), without(b, a)]).toEqual(["none", "none"]);
});

test.each([
  ["^[a-zA-Z]+$", "^[a-z]+$", "A"],
  ["^[a-z]*$", "^(?!x)[a-z]*$", "x"],
  ["", "^.+$", ""],
  ["", "^(?=.*\\d).{3,}$", ""],
  ["^.{8,}$", "^(?=.*[A-Z])(?=.*\\d).{8,}$", "aaaaaaaa"],
  ["\\p{Lu}", "[A-Z]", "À"],
])("%s finds more than %s", (a, b, text) => {
  expect(without(a, b)).toEqual({ text });
});

const pieces = fc.constantFrom(
  "a",
  "b",
  "[ab]",
  "[^a]",
  ".",
  "\\d",
  "(?:a|bc)",
  "(?!b)",
  "(?=a)",
  "^",
  "$",
  "c",
  "(ab)",
  "(?:x?)",
  "\\p{L}",
);
const part = fc
  .tuple(pieces, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}"))
  .map(([p, q]) => (/^\^|^\$|^\(\?[!=]/.test(p) ? p : p + q));
const pattern = fc
  .array(
    fc.oneof(
      part,
      fc
        .array(part, { minLength: 1, maxLength: 3 })
        .chain((all) =>
          fc.constantFrom(`(?:${all.join("|")})`, `(${all.join("")})*`, `(?:${all.join("")}|a)`),
        ),
    ),
    { maxLength: 5 },
  )
  .map((all) => all.join(""));
test("as the engine", () => {
  let said = 0;
  fc.assert(
    fc.property(pattern, fc.array(fc.constantFrom(..."abcx1d\né"), { maxLength: 8 }), (p, letters) => {
      const make = new Expressions();
      let left = readPattern(make, p);
      if (!left) return;
      said++;
      const text = letters.join("");
      for (const c of text) left = make.after(left, c.codePointAt(0) as number, steps());
      expect(left.empty, `${p} in ${JSON.stringify(text)}`).toBe(new RegExp(p, "u").test(text));
    }),
    { numRuns: Number(process.env.RUNS ?? 2000), seed: Number(process.env.FC_SEED ?? 1) },
  );
  expect(said).toBeGreaterThan(1000);
});
test("hang", () => {
  expect(finds("^(a+)+$", `${"a".repeat(40)}b`)).toBe(false);
  expect(finds("^(a|a)*$", "a".repeat(5000))).toBe(true);
  expect(finds("x*x*x*x*y", "x".repeat(3000))).toBe(false);
  expect(() => finds("^(a+)+\\b$", `${"a".repeat(40)}b`)).toThrow(TooComplex);
});
