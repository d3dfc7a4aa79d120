import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Project } from "../e2e/support/project.ts";
import { codeBlocks } from "./code-blocks.ts";

const PAGE = "docs/agents.md";
const BLOCKS = codeBlocks(PAGE);
const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;
const [AGENT = "", REAL = "", TEST = "", SCRIPT = "", SERVED = ""] = BLOCKS.map(({ text }) => text);

/** Where a reader stands who has the agent, its configuration, and the server. */
function projectOf(files: Readonly<Record<string, string>>): Project {
  const project = new Project("node-test", ["lib"]);
  const write = (name: string, text: string) => writeFileSync(join(project.folder, name), text);
  cpSync("test/fixtures/projects/lib/weather.mjs", join(project.folder, "weather.js"));
  write("package.json", '{ "type": "module" }');
  write("agent.js", AGENT);
  for (const [name, text] of Object.entries(files)) write(name, text);
  return project;
}

function node({ folder }: Project, ...args: readonly string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, CI: "" };
  return spawnSync(NODE, args, { cwd: folder, env, encoding: "utf8", timeout: 30_000 });
}

test("has no block that nobody tries", () => {
  expect(BLOCKS.map(({ language }) => language)).toEqual(["js", "json", "js", "js", "json"]);
});

test("the test records, passes without the server, and fails with the reason for what is not recorded", async () => {
  const project = projectOf({ "agent.test.js": TEST });
  const name = "the agent tells the forecast for Oslo";
  expect((await project.run()).results).toEqual({ [name]: [] });
  rmSync(join(project.folder, "weather.js"));
  expect((await project.run([], { CI: "true" })).results).toEqual({ [name]: [] });
  // The agent fails for itself, and the test says why.
  writeFileSync(join(project.folder, "agent.test.js"), TEST.replaceAll('"Oslo"', '"Bergen"'));
  const failures = (await project.run([], { CI: "true" })).results[name] ?? [];
  expect(failures.join("\n")).toContain('differs at /arguments/city: recorded "Oslo", asked "Bergen"');
});

test("the script ends well, and with exit code 1 and the reason for what is not recorded", () => {
  const project = projectOf({ "script.js": SCRIPT, "mcp.json": REAL });
  expect(node(project, "agent.js", "mcp.json", "Oslo").stdout).toBe("Oslo: 3 °C, rain\n");
  expect(node(project, "script.js")).toMatchObject({ status: 0, stdout: "Oslo: 3 °C, rain\n" });
  writeFileSync(join(project.folder, "script.js"), SCRIPT.replace('"Oslo"', '"Bergen"'));
  const failed = node(project, "script.js");
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain("VcrError: No recorded exchange answers tools/call forecast.");
});

test("the configuration serves the agent", () => {
  const { mcpServers } = JSON.parse(SERVED);
  const [program, ...args] = mcpServers.weather.args;
  expect([mcpServers.weather.command, program]).toEqual(["npx", "mcp-vcr"]);
  const project = projectOf({ "script.js": SCRIPT });
  node(project, "script.js");
  // npx, as it finds the command here.
  const weather = { command: NODE, args: ["../node_modules/mcp-vcr/dist/cli.cjs", ...args] };
  writeFileSync(join(project.folder, "served.json"), JSON.stringify({ mcpServers: { weather } }));
  expect(node(project, "agent.js", "served.json", "Oslo").stdout).toBe("Oslo: 3 °C, rain\n");
  expect(JSON.parse(readFileSync(join(project.folder, "report.json"), "utf8")).misses).toEqual([]);
});
