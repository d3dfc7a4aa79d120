import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECK_RULES } from "../../src/check/finding.ts";
import { codeBlocks } from "./code-blocks.ts";

const [output, hook] = codeBlocks("docs/check.md");
const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-docs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("findings are told as they are shown", () => {
  const cassette = `mcp-vcr: 1
recorded: 2026-11-30T09:00:00.000Z
recorder: mcp-vcr/0.1.0
source: { transport: stdio, command: [node, server.js] }
--- # client: tools/call login
at: 1
from: client
message:
  jsonrpc: "2.0"
  id: 1
  method: tools/call
  params: { name: login, arguments: { password: hunter2hunter2 } }
...
`;
  writeFileSync(join(folder, "login.yaml"), cassette);
  const told = spawnSync(NODE, [resolve("dist/cli.cjs"), "check", "login.yaml"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(told.stdout.trim()).toBe(output?.text.trim());
  expect(told.status).toBe(1);
});

test("every rule is in the table", () => {
  const text = readFileSync("docs/check.md", "utf8");
  const rows = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, rule]) => rule);
  expect(rows).toEqual(Object.keys(CHECK_RULES));
});

test("the hook is one, and takes cassettes alone", () => {
  const { repos } = load(hook?.text ?? "") as { repos: { hooks: { files: string; entry: string }[] }[] };
  const [{ files, entry } = { files: "", entry: "" }] = repos[0]?.hooks ?? [];
  expect(entry).toBe("npx --no-install mcp-vcr check");
  const taken = [
    "cassettes/a.yaml",
    "cassettes/b/c.yml",
    "cassettes/d.jsonl",
    "cassettes/README.md",
    "e.yaml",
  ];
  expect(taken.filter((path) => new RegExp(files).test(path))).toEqual(taken.slice(0, 3));
});
