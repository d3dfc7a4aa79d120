import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.ts";

const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;
const LINES = codeBlocks("docs/http.md").flatMap(({ text }) => text.split("\n"));

/** A real URL is not called from a test: what is checked is that the options are understood, up to one that is none. */
const REFUSED: Readonly<Record<string, readonly [flag: string, refusal: string]>> = {
  "record --drive": ["--era nonsense", "'--era <era>' argument 'nonsense'"],
  "record -o": ["--mode nonsense", "'--mode <mode>' argument 'nonsense'"],
  "verify ": ["--fail-on nonsense", "'--fail-on <class>' argument 'nonsense'"],
  "serve ": ["--answers nonsense", "'--answers <style>' argument 'nonsense'"],
};

function run(line: string) {
  const args = line.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replace(/^"|"$/g, "")) ?? [];
  return spawnSync(NODE, [resolve("dist/cli.cjs"), ...args.slice(1)], { encoding: "utf8", timeout: 20_000 });
}

test.each(LINES)("%s", (line) => {
  const begins = Object.keys(REFUSED).find((each) => line.startsWith(`mcp-vcr ${each}`));
  const [flag, refusal] = REFUSED[begins ?? ""] ?? [];
  const ended = run(`${line} ${flag}`);
  expect(ended.stderr).toContain(refusal);
  expect(ended.status).toBe(2);
});

test("the fault strikes where it is said to", () => {
  const faulty = LINES.find((line) => line.includes("expired-auth")) ?? "";
  expect(run(`${faulty} --dry-run`)).toMatchObject({ status: 0, stdout: expect.stringContaining("401") });
});
