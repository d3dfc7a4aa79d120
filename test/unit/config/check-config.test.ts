import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check-config.ts";
import { openConfig } from "../../../src/config/open-config.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import type { VcrError } from "../../../src/errors.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function configOf(name: string, text: string) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return checkConfig(await readConfig(file));
}

/** What is said of a file, without the folder it stands in: the message, and then the hint. */
async function faultOf(name: string, text: string): Promise<string> {
  const error = await configOf(name, text).then(
    () => undefined,
    (error: VcrError) => error,
  );
  expect(error?.code).toBe("usage");
  return `${error?.message}\n${error?.hint}`.replaceAll(`${folder}/`, "");
}

const RULES = {
  match: { "tools/call": { ignore: ["/arguments/at"] } },
  redact: { env: ["KEY"] },
  serve: { strict: true },
};
const YAML = `match:
  tools/call:
    ignore: [/arguments/at]
redact: { env: [KEY] }
serve: { strict: true }
`;

describe("every way to write one", () => {
  test.each([
    ["mcp-vcr.config.yaml", YAML],
    ["mcp-vcr.config.yml", YAML],
    [".mcp-vcrrc", YAML],
    [".mcp-vcrrc", JSON.stringify(RULES)],
    [".mcp-vcrrc.yaml", YAML],
    ["mcp-vcr.config.json", `\ufeff${JSON.stringify(RULES, null, "\t")}`],
    [".mcp-vcrrc.json", JSON.stringify(RULES)],
    ["package.json", JSON.stringify({ name: "x", "mcp-vcr": RULES })],
    ["mcp-vcr.config.mjs", `export default ${JSON.stringify(RULES)};`],
    ["mcp-vcr.config.cjs", `module.exports = ${JSON.stringify(RULES)};`],
  ])("%s", async (name, text) => {
    expect(await configOf(name, text)).toEqual(RULES);
  });

  test.each(["mcp-vcr.config.yaml", ".mcp-vcrrc"])(
    "%s may hold nothing but comments, and is the one to add to",
    async (name) => {
      const file = join(folder, name);
      writeFileSync(file, "\ufeff# match:\n\n  # serve: {}\r\n");
      const { config, rules } = await openConfig(file);
      expect([config, rules?.origin]).toEqual([{}, file]);
    },
  );

  test.each(["mcp-vcr.config.yaml", "mcp-vcr.config.json", ".mcp-vcrrc"])(
    "an empty %s is none",
    async (name) => {
      expect(await configOf(name, "\n")).toEqual({});
    },
  );

  test("functions stay what they are", async () => {
    const rules = `{ match: { "tools/call a": (x, y) => x === y, b: { match: { "/q": () => true } } } }`;
    const text = `const rules = ${rules}; export default { ...rules, drift: rules };`;
    const { match, drift } = await configOf("functions.mjs", text);
    expect(drift?.match?.["tools/call a"]).toBeTypeOf("function");
    expect(match?.["tools/call a"]).toBeTypeOf("function");
    expect(match?.b).toMatchObject({ match: { "/q": expect.any(Function) } });
  });
});

describe("a wrong key is named with its place and the right one", () => {
  test.each([
    [
      "a.yaml",
      "match:\n  tools/call forecast:\n    ingore: [/arguments/at]\n",
      'a.yaml:3:5: match["tools/call forecast"] has no key "ingore"; did you mean "ignore"?\nIts keys are ignore and match.',
    ],
    [
      "a.json",
      '{\n  "serve": {\n    "Strickt": true\n  }\n}',
      'a.json:3:5: serve has no key "Strickt"; did you mean "strict"?\nIts keys are mode, strict and pace.',
    ],
    [
      "package.json",
      '{\n  "name": "x",\n  "mcp-vcr": { "matches": {} }\n}',
      'package.json:3:16: the configuration has no key "matches"; did you mean "match"?',
    ],
    [
      "a.mjs",
      "export default { mach: {} };",
      'a.mjs: the configuration has no key "mach"; did you mean "match"?',
    ],
    [
      "a.yaml",
      'match: { a: { match: { "/q": { tolerence: 1 } } } }',
      'a.yaml:1:32: match.a.match["/q"] has no key "tolerence"; did you mean "tolerance"?',
    ],
    [
      "a.yaml",
      "colour: red",
      'a.yaml:1:1: the configuration has no key "colour"\nIts keys are $schema, match,',
    ],
  ])("%s: %s", async (name, text, fault) => {
    expect(await faultOf(name, text)).toContain(fault);
  });
});

describe("a wrong value is told with its place and what is right", () => {
  test.each([
    ["serve: { strict: yes please }", "a.yaml:1:18: serve.strict must be true or false, and is text"],
    [
      "record: { mode: onc }",
      'a.yaml:1:17: record.mode must be once, all or append, and is "onc"; did you mean "once"?',
    ],
    [
      "serve: { pace: fast }",
      'a.yaml:1:16: serve.pace must be instant, recorded or a factor such as 2x, and is "fast"',
    ],
    ["match: [a]", "a.yaml:1:8: match must be a mapping, and is a list"],
    ["match:\n  a:\n", "a.yaml:2:3: match.a must be a mapping, and is empty"],
    ["match: { a: { ignore: /x } }", "match.a.ignore must be a list, and is text"],
    ["match: { a: { ignore: [/x, x] } }", '1:28: "x" is no JSON pointer into params\nIt begins with /'],
    ['match: { a: { match: { "q~": any } } }', '1:24: "q~" is no JSON pointer into params'],
    ['match: { a: { ignore: [""] } }', '"" is no JSON pointer into params'],
    [
      'match: { a: { match: { "/q": all } } }',
      '1:30: match.a.match["/q"] must be "any", and is "all"\nWrite "any", {',
    ],
    ['match: { a: { match: { "/q": {} } } }', 'match.a.match["/q"] says nothing\nWrite "any"'],
    [
      'match: { a: { match: { "/q": { pattern: a, tolerance: 1 } } } }',
      'match.a.match["/q"] must say one thing',
    ],
    [
      'match: { a: { match: { "/q": { pattern: "(" } } } }',
      'match.a.match["/q"].pattern is no regular expression: /(/u: Unterminated group',
    ],
    [
      'match: { a: { match: { "/q": { tolerance: -1 } } } }',
      'match.a.match["/q"].tolerance must not be negative',
    ],
    [
      'match: { a: { match: { "/q": { unordered: false } } } }',
      'match.a.match["/q"].unordered must be true, and is false',
    ],
    ["redact: { patterns: ['ok', '['] }", "1:28: redact.patterns[1] is no regular expression"],
    ["redact: { env: [''] }", "redact.env[0] must not be empty"],
    ["match: { tools/call: { ignore: [/name] } }", "a.yaml:1:33: the name always counts in tools/call"],
    [
      "match: { a: { match: { /l: { unordered: true }, /l/*/x: { tolerance: 1 } } } }",
      "a.yaml:1:49: /l/*/x is in /l, whose elements have no order",
    ],
    [
      "drift: { accept: [{ rule: tool-removde, reason: r }] }",
      'a.yaml:1:27: drift.accept[0].rule names no rule of diff: "tool-removde"; did you mean "tool-removed"?\nA report names',
    ],
    ["drift: { accept: [{ rule: tool-removed }] }", "a.yaml:1:19: drift.accept[0] has no reason\nSay why"],
    ["drift: { accept: [{ rule: tool-removed, reason: '' }] }", "drift.accept[0].reason must not be empty"],
    [
      "drift: { accept: [{ rule: tool-removed, reason: r, expires: 2027-02-30 }] }",
      'a.yaml:1:61: drift.accept[0].expires must be a day such as 2027-01-31, and is "2027-02-30"',
    ],
    [
      "drift: { accept: [{ rule: tool-removed, reason: r, expiry: 2027-02-28 }] }",
      'drift.accept[0] has no key "expiry"; did you mean "expires"?',
    ],
    [
      "drift: { accept: [{ rule: tool-removed, reason: r, pointer: tools }] }",
      '"tools" is no JSON pointer\nIt begins with /, as in "/content/0/text"',
    ],
    ["drift: { match: { a: { match: { q: any } } } }", '"q" is no JSON pointer\nIt begins with /'],
    [
      "drift: { match: { tools/list: { ignore: [/tools] } } }",
      "a.yaml:1:19: what tools/list answers is what the server promises, and no answer that may differ\nAccept",
    ],
    [
      "drift: { match: { a: { match: { /l: { unordered: true }, /l/*/x: { tolerance: 1 } } } } }",
      "a.yaml:1:58: /l/*/x is in /l, whose elements have no order",
    ],
  ])("%s", async (text, fault) => {
    expect(await faultOf("a.yaml", text)).toContain(fault);
  });

  test("of an answer the name is nothing special", async () => {
    const { drift } = await configOf("a.yaml", "drift: { match: { tools/call: { ignore: [/name] } } }");
    expect(drift?.match).toEqual({ "tools/call": { ignore: ["/name"] } });
  });

  test("a text that cannot be read is told with its place", async () => {
    expect(await faultOf("a.json", '{\n  "serve": {},\n}')).toContain(
      "a.json:3:1: no valid JSON: a key in double quotes was expected here",
    );
    expect(await faultOf("a.yaml", "serve: {}\nserve: {}\n")).toMatch(
      /^a\.yaml:2:1: no valid YAML: duplicate/,
    );
    expect(await faultOf("a.yaml", "serve: [\n")).toMatch(/^a\.yaml:\d+:\d+: no valid YAML: /);
  });

  test("a program without a default export, or that fails", async () => {
    expect(await faultOf("none.mjs", "export const config = {};")).toBe(
      "none.mjs: there is no default export\nWrite export default defineConfig({ … }).",
    );
    expect(await faultOf("fails.mjs", "throw new TypeError('oh')")).toContain(
      "fails.mjs: it cannot be loaded: TypeError: oh",
    );
    expect(await faultOf("list.mjs", "export default [];")).toContain(
      "the configuration must be a mapping, and is a list",
    );
  });

  test("a file that is not there, and one of an unknown kind", async () => {
    const missing = readConfig(join(folder, "gone.yaml"));
    await expect(missing).rejects.toThrow("gone.yaml: there is no such file");
    expect(await faultOf("a.toml", "x = 1")).toContain("a.toml: ");
  });
});

test.each([
  ["match: { a: { match: { /q: { tolerance: .nan } } } }", "must be a number, and is NaN"],
  ["match: { a: { match: { /q: { tolerance: -.inf } } } }", "must be a number, and is -Infinity"],
  ["serve: {}\n--- # more\nserve: {}\n", "a.yaml:2:1: no valid YAML"],
])("what is no number, and more than one document: %s", async (text, message) => {
  expect(await faultOf("a.yaml", text)).toContain(message);
});
