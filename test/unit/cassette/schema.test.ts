import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { anyEntry } from "../../property/cassette-arbitraries.ts";
import { codecOf, fileOf, HEADER } from "./support.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
const validatorOf = (name: string) =>
  ajv.compile(
    JSON.parse(
      readFileSync(new URL(`../../../src/cassette/schema/${name}.schema.json`, import.meta.url), "utf8"),
    ),
  );
const header = validatorOf("header");
const entry = validatorOf("entry");

test("what is written conforms", () => {
  const property = fc.property(fc.array(anyEntry, { maxLength: 4 }), (entries) => {
    const yaml = loadAll(fileOf(codecOf("a.yaml"), entries), { maxDepth: 300 });
    const jsonl = fileOf(codecOf("a.jsonl"), entries)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const [first, ...rest] of [yaml, jsonl]) {
      expect(header(first), ajv.errorsText(header.errors)).toBe(true);
      for (const document of rest) expect(entry(document), ajv.errorsText(entry.errors)).toBe(true);
    }
  });
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns: 200 });
});

test.each([
  {},
  { at: 1 },
  { at: -1, from: "client" },
  { at: 1.5, from: "client" },
  { at: 1, from: "nobody" },
  { at: 1, from: "client", session: 0 },
  { at: 1, from: "client", mesage: {} },
  { at: 1, from: "client", on: null },
  { at: 1, from: "client", on: { id: 1 } },
  { at: 1, from: "client", http: { status: "200" } },
  { at: 1, from: "client", http: { headers: { a: 1 } } },
  { at: 1, from: "client", event: { retry: -1 } },
  { at: 1, from: "client", closed: "eof" },
  { at: 1, from: "client", base64: "a" },
  { at: 1, from: "client", message: {}, text: "" },
])("%j is no entry", (document) => {
  expect(entry(document)).toBe(false);
});

const good = { "mcp-vcr": 1, ...HEADER };

test("the header of these tests is one", () => expect(header(good)).toBe(true));

test.each([
  { ...good, "mcp-vcr": 2 },
  { ...good, recorded: undefined },
  { ...good, extra: 1 },
  { ...good, source: { transport: "stdio" } },
  { ...good, source: { transport: "stdio", command: [], url: "" } },
  { ...good, source: { transport: "carrier pigeon", url: "" } },
  { ...good, redacted: "all" },
])("%j is no header", (document) => {
  expect(header(JSON.parse(JSON.stringify(document)))).toBe(false);
});
