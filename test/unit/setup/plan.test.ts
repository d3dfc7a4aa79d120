import { describe, expect, test } from "vitest";
import { knownServers } from "../../../src/setup/client-config.ts";
import { exampleTest } from "../../../src/setup/example-test.ts";
import { readManifest } from "../../../src/setup/manifest.ts";
import { planSetup, type Situation } from "../../../src/setup/plan.ts";
import type { Runner } from "../../../src/setup/project.ts";
import { recordables } from "../../../src/setup/recording.ts";
import { folderOf } from "./folder.ts";

const EXAMPLE = "the example\n";
const CLIENT = JSON.stringify({
  mcpServers: { weather: { command: "node", args: ["w.js"], env: { KEY: "v4lue" } } },
});

function planOf(files: Readonly<Record<string, string>>, more: Partial<Situation> = {}) {
  const folder = folderOf(files);
  const servers = recordables(knownServers(folder).servers, () => false);
  const text = files["package.json"];
  return planSetup({
    folder,
    root: "/home/me/agent",
    manifest: text === undefined ? undefined : readManifest(text),
    manager: "npm",
    runner: "vitest",
    servers,
    server: servers[0],
    config: undefined,
    example: EXAMPLE,
    ...more,
  });
}

const linesOf = (plan: ReturnType<typeof planOf>) => plan.steps.map(({ kind, path }) => `${kind} ${path}`);

describe("what is written", () => {
  test("all of it into a project that has nothing", () => {
    const plan = planOf({
      "package.json": '{ "devDependencies": { "vitest": "4.1.0" } }',
      ".mcp.json": CLIENT,
    });
    expect(linesOf(plan)).toEqual([
      "write mcp-vcr.config.yaml",
      "write cassettes/example.yaml",
      "write test/mcp-example.test.mjs",
      "change package.json",
    ]);
    expect(plan.notices).toEqual([]);
    expect(plan.next).toEqual([
      "Install it: npm install -D mcp-vcr",
      "Try it: npx vitest run test/mcp-example.test.mjs",
      'Record "weather" without a client: npm run record, with KEY in the environment as .mcp.json has it',
      expect.stringContaining('Record "weather" with its client'),
    ]);
    // The name of a variable is for the configuration; its value is for nobody.
    expect(JSON.stringify(plan)).toContain("env: [KEY]");
    expect(JSON.stringify(plan)).not.toContain("v4lue");
  });

  test("nothing over what is there, under whatever name", () => {
    const plan = planOf(
      {
        "package.json": '{ "scripts": { "record": "make record" }, "dependencies": { "mcp-vcr": "0.1.0" } }',
        ".mcp.json": CLIENT,
        "cassettes/example.yaml": EXAMPLE,
        "tests/mcp-example.test.ts": "",
      },
      { config: "../mcp-vcr.config.ts" },
    );
    expect(linesOf(plan)).toEqual([
      "leave ../mcp-vcr.config.ts",
      "leave cassettes/example.yaml",
      "leave tests/mcp-example.test.ts",
      "leave package.json",
    ]);
    // Somebody's own script is not called ours.
    expect(plan.next.join("\n")).not.toContain("npm run record");
    expect(plan.next[0]).toBe("Try it: npx vitest run tests/mcp-example.test.ts");
  });

  test("no test of a cassette that is another one", () => {
    const plan = planOf({ "package.json": "{}", "cassettes/example.yaml": "another" });
    expect(linesOf(plan)).toEqual(["write mcp-vcr.config.yaml", "leave cassettes/example.yaml"]);
    expect(plan.notices).toEqual([
      "no example test is written, since cassettes/example.yaml is another recording",
    ]);
  });

  test("no script that would not do", () => {
    const client = CLIENT.replace("w.js", "$HOME/w.js");
    const plan = planOf({ "package.json": "{}", ".mcp.json": client }, { runner: undefined });
    expect(linesOf(plan)).toEqual(["write mcp-vcr.config.yaml", "write cassettes/example.yaml"]);
    expect(plan.notices).toEqual([
      expect.stringMatching(
        /^package\.json gets no script "record" for the server "weather": it holds one of/,
      ),
    ]);
  });

  test.each([
    [{ "requirements.txt": "" }, "let your tests in Python start it", false],
    [{ "notes.md": "" }, "let a client start it", true],
  ])("configuration and cassette where there is no package.json: %j", (files, said, isTold) => {
    const plan = planOf(files);
    expect(linesOf(plan)).toEqual(["write mcp-vcr.config.yaml", "write cassettes/example.yaml"]);
    const next = plan.next.join("\n");
    expect(next).toContain("npx mcp-vcr serve cassettes/example.yaml");
    expect(next).toContain(said);
    expect(next.includes("npm init")).toBe(isTold);
  });
});

describe("the example test", () => {
  test.each([
    ["vitest", {}, {}, "test/mcp-example.test.mjs"],
    ["vitest", { type: "module" }, {}, "test/mcp-example.test.js"],
    ["vitest", {}, { "tsconfig.json": "" }, "test/mcp-example.test.ts"],
    ["vitest", { devDependencies: { typescript: "5" } }, { "tests/a.ts": "" }, "tests/mcp-example.test.ts"],
    // What jest makes of other files is a matter of its settings.
    ["jest", { type: "module" }, { "tsconfig.json": "" }, "test/mcp-example.test.mjs"],
    ["jest", {}, { "__tests__/a.js": "" }, "__tests__/mcp-example.test.mjs"],
    ["node-test", { type: "module" }, { "tsconfig.json": "" }, "test/mcp-example.test.js"],
    ["node-test", {}, {}, "test/mcp-example.test.mjs"],
  ] as [Runner, object, Record<string, string>, string][])(
    "%s, %j, %j: %s",
    (runner, manifest, files, path) => {
      expect(exampleTest(runner, readManifest(JSON.stringify(manifest)), folderOf(files)).path).toBe(path);
    },
  );

  test.each([
    ["@modelcontextprotocol/client", 'from "@modelcontextprotocol/client"'],
    ["@modelcontextprotocol/sdk", 'from "@modelcontextprotocol/sdk/client/index.js"'],
    ["express", "tape.fetch("],
  ])("with %s", (name, holds) => {
    const manifest = readManifest(JSON.stringify({ dependencies: { [name]: "1" } }));
    const { text } = exampleTest("vitest", manifest, folderOf({}));
    expect(text).toContain(holds);
    expect(text.includes("@modelcontextprotocol")).toBe(name !== "express");
  });
});
