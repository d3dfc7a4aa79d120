import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.ts";

const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;
const BLOCKS = codeBlocks("docs/other-languages.md");

interface Language {
  /** Of the block. */
  readonly name: string;
  readonly file: string;
  readonly version: readonly string[];
  readonly run: readonly string[];
}

/** Without pytest the test function is called as pytest would. */
const PYTEST = `import pathlib, tempfile, test_memory
test_memory.test_the_graph_is_empty(pathlib.Path(tempfile.mkdtemp()))`;

const LANGUAGES: readonly Language[] = [
  {
    name: "python",
    file: "test_memory.py",
    version: ["python3", "--version"],
    run: ["python3", "-c", PYTEST],
  },
  {
    name: "go",
    file: "memory_test.go",
    version: ["go", "version"],
    run: ["go", "test", "-count=1", "./..."],
  },
];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-languages-"));
  cpSync("cassettes", join(folder, "cassettes"), { recursive: true });
  writeFileSync(join(folder, "go.mod"), "module memory\n\ngo 1.19\n");
  // What the reader has from npm is the command as built here.
  mkdirSync(join(folder, "bin"));
  const npx = `#!/bin/sh\nshift\nexec "${NODE}" "${resolve("dist/cli.cjs")}" "$@"\n`;
  writeFileSync(join(folder, "bin/npx"), npx, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run([program = "", ...args]: readonly string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, GOFLAGS: "-mod=mod" };
  return spawnSync(program, args, { cwd: folder, env, encoding: "utf8", timeout: 110_000 });
}

test("no block is left out", () => {
  expect(BLOCKS.map(({ language }) => language)).toEqual(LANGUAGES.map(({ name }) => name));
});

// What is not installed cannot be tried: where these run, both are.
describe.each(LANGUAGES)("$name", ({ name, file, version, run: command }) => {
  const text = BLOCKS.find(({ language }) => language === name)?.text ?? "";
  const isMissing = spawnSync(version[0] ?? "", version.slice(1)).status !== 0;

  test.skipIf(isMissing)(
    "the example passes, and fails when its recording is another",
    { timeout: 240_000 },
    () => {
      writeFileSync(join(folder, file), text);
      const passed = run(command);
      expect(passed.status, passed.stderr + passed.stdout).toBe(0);
      writeFileSync(join(folder, file), text.replaceAll("read_graph", "burn_graph"));
      const failed = run(command);
      expect(failed.status).toBe(1);
      expect(failed.stderr + failed.stdout).toContain("No recorded exchange answers tools/call burn_graph");
    },
  );
});
