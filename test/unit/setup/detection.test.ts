import { describe, expect, test } from "vitest";
import { readManifest } from "../../../src/setup/manifest.ts";
import { otherLanguageOf, packageManagerOf } from "../../../src/setup/project.ts";
import { obstaclesOf, runnersOf } from "../../../src/setup/runner.ts";
import { folderOf } from "./folder.ts";

const manifestOf = (value: object) => readManifest(JSON.stringify(value));

describe("the package manager", () => {
  test.each([
    ["npm", [["package-lock.json"]], undefined],
    ["pnpm", [["pnpm-lock.yaml"]], undefined],
    ["yarn", [["yarn.lock"]], "npm@11.0.0"],
    ["bun", [["bun.lock"]], undefined],
    ["bun", [["bun.lockb"]], undefined],
    // Of a workspace, where the lock file is at its root.
    ["pnpm", [["package.json"], [], ["pnpm-lock.yaml", "package.json"]], undefined],
    ["yarn", [["package.json"]], "yarn@4.6.0"],
    ["npm", [["package.json"]], "vlt@1.0.0"],
    ["npm", [["package.json"]], undefined],
  ] as const)("%s, of %j", (manager, names, named) => {
    expect(packageManagerOf({ text: () => undefined, names }, named)).toBe(manager);
  });
});

describe("the test runner", () => {
  test.each([
    ["installed", { devDependencies: { vitest: "^4.1.0" } }, {}, ["vitest"]],
    ["installed, another", { devDependencies: { "ts-jest": "1", "@types/jest": "1" } }, {}, ["jest"]],
    ["configured", { jest: {} }, {}, ["jest"]],
    ["configured in a file", {}, { "vitest.config.ts": "" }, ["vitest"]],
    ["started by the script", { scripts: { test: "node --import tsx --test" } }, {}, ["node-test"]],
    [
      "of two the one that the script starts",
      { scripts: { test: "jest --ci" }, devDependencies: { vitest: "4", jest: "30" } },
      {},
      ["jest", "vitest"],
    ],
    ["of two, both", { devDependencies: { vitest: "4", jest: "30" } }, {}, ["vitest", "jest"]],
    ["none", { scripts: { test: 'echo "Error: no test specified" && exit 1' } }, {}, []],
  ] as const)("%s", (_how, manifest, files, found) => {
    expect(runnersOf(manifestOf(manifest), folderOf(files))).toEqual({ found, other: undefined });
  });

  test.each([
    ["mocha", { devDependencies: { mocha: "11" } }],
    ["bun test", { scripts: { test: "bun test" } }],
    ["Playwright", { devDependencies: { "@playwright/test": "1" } }],
  ] as [string, Record<string, Record<string, string>>][])("%s, which has no entry", (other, manifest) => {
    expect(runnersOf(manifestOf(manifest), folderOf({}))).toEqual({ found: [], other });
    const both = { ...manifest, devDependencies: { ...manifest.devDependencies, vitest: "4" } };
    expect(runnersOf(manifestOf(both), folderOf({}))).toEqual({ found: ["vitest"], other: undefined });
  });

  test.each([
    ["vitest", "^3.2.0", /for vitest 4\.1 or later.*\^3\.2\.0/],
    ["vitest", "4.0.2", /for vitest 4\.1 or later/],
    ["jest", "~29.7.0", /for jest 30\.0 or later/],
    ["vitest", "^4.0.0", undefined],
    ["vitest", "4.1.12", undefined],
    ["vitest", "catalog:", undefined],
    ["vitest", "latest", undefined],
    ["jest", ">=30", undefined],
  ] as const)("%s %s", (runner, range, said) => {
    const obstacles = obstaclesOf(runner, manifestOf({ devDependencies: { [runner]: range } }));
    expect(obstacles).toEqual(said ? [expect.stringMatching(said)] : []);
  });

  test("jest that is started without ES modules", () => {
    const started = (test: string) => obstaclesOf("jest", manifestOf({ scripts: { test } }));
    expect(started("jest --ci")).toEqual([expect.stringContaining("--experimental-vm-modules")]);
    expect(started("NODE_OPTIONS=--experimental-vm-modules jest")).toEqual([]);
    expect(started("make test")).toEqual([]);
  });
});

test.each([
  ["Python", "pyproject.toml"],
  ["Python", "requirements-dev.txt"],
  ["Go", "go.mod"],
  ["Rust", "Cargo.toml"],
  ["Java", "build.gradle.kts"],
  ["C#", "agent.csproj"],
  ["Ruby", "Gemfile"],
  [undefined, "README.md"],
])("a project in %s has %s", (language, file) => {
  expect(otherLanguageOf(folderOf({ [file]: "" }))).toBe(language);
});

describe("package.json", () => {
  test.each([
    ['{\n  "name": "a"\n  "type": "module"\n}', "package.json:3:3: no valid JSON: , or } was expected here"],
    ["", "package.json:1:1: no valid JSON: a value was expected here"],
    ["[]", "package.json:1:1: holds no object"],
    ['{ "name": "ü",\n  "scripts": [] }', 'package.json:2:3: "scripts" holds no object'],
  ])("%j", (text, message) => {
    expect(() => readManifest(text)).toThrow(expect.objectContaining({ message, code: "usage" }));
  });

  test("is read with a byte order mark, and whatever odd things stand in it", () => {
    const manifest = readManifest('\ufeff{ "dependencies": [], "scripts": { "//": ["no"], "test": "x" } }');
    expect([...manifest.scripts]).toEqual([["test", "x"]]);
  });
});
