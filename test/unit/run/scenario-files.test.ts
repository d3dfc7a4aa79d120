import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import {
  isScenario,
  refuseMisspelt,
  refuseScenario,
  scenarioFiles,
} from "../../../src/run/scenario-files.ts";

const files = scenarioFiles(async () => {
  throw new VcrError("usage", "Node 20 does not read TypeScript", {
    hint: 'name it mcp-vcr.config.mjs, with /** @type {import("mcp-vcr").Config} */; write defineConfig({})',
  });
});

function folderOf(texts: Readonly<Record<string, string>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-vcr-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  return (name) => join(folder, name);
}

const CASSETTE = 'mcp-vcr: 1\nrecorded: 2026-11-30T09:00:00.000Z\nrecorder: "x"\n---\n';

test("a path that is whole stays as it is, others go from the file that names them", () => {
  expect(files.resolve("/a/b/own.yaml", "/c/base.yaml")).toBe("/c/base.yaml");
  expect(files.resolve("/a/b/own.yaml", "../base.yaml")).toBe("/a/base.yaml");
});

describe("a file that is called a scenario", () => {
  test("is one, empty or missing, and a cassette is none whatever it is called", () => {
    const at = folderOf({ "empty.scenario.yaml": "", "tape.scenario.yaml": CASSETTE });
    const names = ["empty.scenario.yaml", "nowhere.scenario.yaml", "tape.scenario.yaml", "nowhere.yaml"];
    expect(names.map(at).map(isScenario)).toEqual([true, true, false, false]);
  });

  test("and is empty: an example of a scenario", async () => {
    const at = folderOf({ "a.scenario.yaml": " \n" });
    await expect(files.open(at("a.scenario.yaml"), undefined)).rejects.toMatchObject({
      code: "scenario-invalid",
      hint: expect.stringContaining("scenario: 1\ntools:") as string,
    });
  });

  test("and is not there: nothing of recording under that name", async () => {
    await expect(files.open("nowhere.scenario.yaml", undefined)).rejects.toMatchObject({
      message: "nowhere.scenario.yaml: there is no such file",
      hint: expect.stringMatching(
        /^Write it .* mcp-vcr scenario CASSETTE -o nowhere\.scenario\.yaml$/,
      ) as string,
    });
  });

  test("and cannot be loaded: words of scenarios", async () => {
    const at = folderOf({ "a.scenario.ts": "export default {}" });
    const loading = files.open(at("a.scenario.ts"), undefined).catch((error: VcrError) => error.hint);
    const hint = await loading;
    expect(hint).toContain("a.scenario.mjs");
    expect(hint).toContain('import("mcp-vcr").ScenarioDocument}');
    expect(hint).toContain("defineScenario({})");
    expect(hint).not.toMatch(/config/i);
  });
});

describe("where a cassette is meant", () => {
  test.each([
    ["s.yaml", "scenario: 1\ntools: []\n"],
    ["s.scenario.json", '{ "scenario": 1 }'],
  ])("a scenario is called one: %s", (name, text) => {
    const at = folderOf({ [name]: text });
    expect(() => refuseScenario(at(name))).toThrow(/is a scenario, and this is for cassettes$/);
  });

  test("so is one that comes with the program", () => {
    expect(() => refuseScenario("everything")).toThrow("everything is a scenario");
  });

  test.each([
    ["a.yaml", CASSETTE],
    ["a.scenario.yaml", CASSETTE],
    ["session.json", "{}"],
    ["a.jsonl", "{}"],
  ])("whatever may be a recording is not: %s", (name, text) => {
    const at = folderOf({ [name]: text });
    expect(() => refuseScenario(at(name))).not.toThrow();
  });
});

test("a name that is nearly a ready scenario's is told so", () => {
  expect(() => refuseMisspelt("everythng")).toThrow("there is no file everythng (did you mean everything?)");
  for (const name of ["everything", "other", "everythin.yaml"])
    expect(() => refuseMisspelt(name)).not.toThrow();
});
