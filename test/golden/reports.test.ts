import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Look } from "../../src/report/reporter.ts";
import { FORMATS, REPORTERS } from "../../src/report/reporters.ts";
import { DRIFTS } from "../cases/drift-report.ts";
import { junitFaults } from "../cases/junit.ts";
import { sarifFaults } from "../cases/sarif-subset.ts";

// `npx vitest run test/golden -u` writes the golden files anew.

const ENDING: Partial<Record<string, string>> = {
  markdown: "md",
  junit: "xml",
  sarif: "sarif.json",
  json: "json",
};
const LOOK: Look = { width: 80, colour: false, failOn: "breaking" };

const rendered = (format: keyof typeof REPORTERS, name: string, look: Partial<Look> = {}) =>
  REPORTERS[format].render(DRIFTS[name] as never, { ...LOOK, ...look });

describe.each(FORMATS)("%s", (format) => {
  test.each(Object.keys(DRIFTS))("of %s", async (name) => {
    const text = await rendered(format, name);
    expect(text.endsWith("\n") && !text.endsWith("\n\n")).toBe(true);
    await expect(text).toMatchFileSnapshot(`reports/${name}-${format}.golden.${ENDING[format] ?? "txt"}`);
  });
});

test("the terminal's width and colours are used", async () => {
  const wide = await rendered("terminal", "changes", { width: 200, colour: true });
  await expect(wide).toMatchFileSnapshot("reports/changes-terminal-colour.golden.txt");
  for (const width of [60, 80, 120]) {
    const lines = (await rendered("terminal", "changes", { width })).split("\n");
    for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(width);
  }
});

const schema = JSON.parse(readFileSync("src/report/schema/drift.schema.json", "utf8"));
const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);

describe("the JSON holds to its schema", () => {
  test.each(Object.keys(DRIFTS))("%s", async (name) => {
    const report = JSON.parse(await rendered("json", name));
    expect(validate(report) ? undefined : validate.errors).toBeUndefined();
  });

  test.each([
    ["another verdict", { verdict: "fine" }],
    ["a count that is no number", { counts: { breaking: "1", risky: 0, compatible: 0, info: 0 } }],
    ["a member more", { more: 1 }],
    ["a change without a rule", { comparisons: [{ old: "a", new: "b", compared: {}, changes: [{}] }] }],
  ])("which refuses %s", async (_, wrong) => {
    const report = JSON.parse(await rendered("json", "changes"));
    expect(validate({ ...report, ...wrong })).toBe(false);
  });
});

const NAMES = Object.keys(DRIFTS);

describe("SARIF holds to its schema", () => {
  test.each(NAMES)("%s", async (name) => {
    expect(sarifFaults(await rendered("sarif", name))).toEqual([]);
  });

  test.each([
    ["another version", '"version": "2.1.0"', '"version": "2.0.0"', "/version"],
    ["another level", '"level": "error"', '"level": "fatal"', "/level"],
    ["a rule that is not described", '"ruleId": "result-became-error"', '"ruleId": "x"', "no rule x"],
    ["a place that is no URI", '"uri": "new/weather.yaml"', '"uri": "a b"', "uri-reference"],
    ["a member more", '"ruleId":', '"rule": "x", "ruleId":', "must NOT have additional properties"],
    ["suppressions of some only", '"suppressions": [],', "", "and some have none"],
  ])("which refuses %s", async (_, right, wrong, fault) => {
    const report = await rendered("sarif", "changes");
    expect(report).toContain(right);
    expect(sarifFaults(report.replace(right, wrong)).join()).toContain(fault);
  });
});

describe("JUnit holds to its schema", () => {
  test.each(NAMES)("%s", async (name) => {
    for (const failOn of ["breaking", "any", "never"] as const) {
      expect(junitFaults(await rendered("junit", name, { failOn }))).toEqual([]);
    }
  });

  test.each([
    ["an element that is not closed", "</testsuite>", "", "closes"],
    ["a stray <", "BREAKING|accepted: ", "<", "not well formed"],
    ["a stray &", "accepted: ", "& ", "no XML"],
    ["a control character", "accepted: ", "\u0007", "no XML"],
    ["an attribute twice", ' errors="0"', ' errors="0" errors="0"', "has one twice"],
    ["an attribute too few", ' errors="0"', "", "testsuite lacks errors"],
    ["an attribute too many", "<testsuites ", '<testsuites skipped="0" ', "testsuites has skipped"],
    [
      "an element in the wrong place",
      "<testcase ",
      '<failure message="x"/><testcase ',
      "failure in testsuite",
    ],
    ["a wrong count", 'failures="2" errors', 'failures="3" errors', "failures should be 2"],
    ["text between", "</testsuite>", "text</testsuite>", "text in testsuite"],
  ])("which refuses %s", async (_, right, wrong, fault) => {
    const report = await rendered("junit", "changes");
    expect(report).toMatch(new RegExp(right));
    expect(junitFaults(report.replace(new RegExp(right), wrong)).join()).toContain(fault);
  });
});

test("where one side is no file, changes are shown at the other", async () => {
  const changes = DRIFTS.changes?.comparisons[0]?.changes ?? [];
  const comparison = {
    old: "a.yaml",
    new: "node weather.js",
    file: "a.yaml",
    changes,
    compared: { tools: 1 },
    accepted: [],
  };
  const drift = { ...DRIFTS.changes, comparisons: [comparison] } as never;
  expect(await REPORTERS.github.render(drift, LOOK)).toMatch(/^::error file=a\.yaml,/);
  expect(await REPORTERS.sarif.render(drift, LOOK)).toContain('"uri": "a.yaml"');
  expect(validate(JSON.parse(await REPORTERS.json.render(drift, LOOK))) ? [] : validate.errors).toEqual([]);
});

test("what nobody meant as markup is none, and nothing acts upon the terminal", async () => {
  const markdown = await rendered("markdown", "changes");
  expect(markdown).not.toMatch(/<script|<code>[^<]*<b>|@someone|[\u001B\u0007\u202e]/);
  const terminal = await rendered("terminal", "changes");
  expect(terminal).not.toMatch(/[\u001B\u0007\u202e]/);
  const junit = await rendered("junit", "changes");
  expect(junit).not.toMatch(/[\u001B\u0007]|<b>/);
});

test("JUnit fails what fails the diff, and a diff of nothing", async () => {
  const failures = async (name: string, failOn: Look["failOn"]) =>
    /<testsuites [^>]*failures="(\d+)"/.exec(await rendered("junit", name, { failOn }))?.[1];
  expect(await failures("changes", "breaking")).toBe("2");
  expect(await failures("changes", "risky")).toBe("4");
  expect(await failures("changes", "any")).toBe("7");
  expect(await failures("changes", "never")).toBe("0");
  expect(await failures("same", "any")).toBe("0");
  expect(await failures("nothing", "never")).toBe("1");
});

test("a comment stays below what GitHub takes, however much changed", async () => {
  const [change] = DRIFTS.changes?.comparisons[0]?.changes ?? [];
  const changes = Array.from({ length: 3000 }, (_, index) => ({
    ...change,
    subject: `tool t${index}`,
    message: `The ${index}th change.`,
  }));
  const accepted = changes.map((each) => ({ ...each, reason: "so it is" }));
  const drift = {
    ...DRIFTS.changes,
    comparisons: [{ old: "a", new: "b", changes, compared: { exchanges: 1 }, accepted }],
  };
  const text = await REPORTERS.markdown.render(drift as never, LOOK);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/Details of \d+ more are left out/);
});
