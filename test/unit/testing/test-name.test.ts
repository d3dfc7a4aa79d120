import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cassetteNameOf } from "../../../src/testing/test-name.ts";

const ROOT = join("/", "home", "me", "agent");
const nameOf = (file: string, name: string) => cassetteNameOf({ file: join(ROOT, file), name }, ROOT);

test.each([
  ["weather.test.ts", "forecast", "weather/forecast"],
  ["test/weather.spec.mjs", "the forecast for Oslo", "test/weather/the-forecast-for-Oslo"],
  ["src/a_test.js", "ø 3 °", expect.stringMatching(/^src\/a\/ø-3-+[0-9a-f]{8}$/)],
  ["weather.ts", "two  spaces", expect.stringMatching(/^weather\/two-spaces-[0-9a-f]{8}$/)],
  ["weather.ts", "a-b", expect.stringMatching(/^weather\/a-b-[0-9a-f]{8}$/)],
  ["my-agent/a.b.test.ts", "a", expect.stringMatching(/^my-agent\/a-b-[0-9a-f]{8}\/a$/)],
])("%s, %s", (file, name, expected) => {
  expect(nameOf(file, name)).toEqual(expected);
});

test("names that would look alike as files are told apart", () => {
  const names = [
    "a b",
    "a-b",
    "a/b",
    "a:b",
    "../b",
    "..",
    ".",
    "",
    " ",
    "CON",
    "a".repeat(300),
    "a".repeat(301),
  ];
  const all = names.map((name) => nameOf("x.test.ts", name));
  expect(new Set(all).size).toBe(names.length);
});

test("every name is a file within the folder, and no two are one", () => {
  const names = fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(names, ([a, b]) => {
      const [one, other] = [nameOf("x.test.ts", a), nameOf("x.test.ts", b)];
      expect(one).toMatch(/^x\/[\p{L}\p{M}\p{N}_-]+$/u);
      expect(Buffer.byteLength(one)).toBeLessThan(400);
      if (a !== b) expect(one).not.toBe(other);
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: 300 },
  );
});

test("a file outside the working directory has no path out of the folder of cassettes", () => {
  const name = cassetteNameOf({ file: join("/", "elsewhere", "a.test.ts"), name: "a" }, ROOT);
  expect(name.split("/")).not.toContain("..");
});
