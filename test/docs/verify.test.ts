import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.ts";

const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;
const BLOCKS = codeBlocks("docs/verify.md");
const [examples, shown, update] = BLOCKS.map(({ text }) => text);

/** Where a reader would stand, with a server of their own. */
let folder = "";

beforeAll(() => {
  mkdirSync("node_modules/.cache", { recursive: true });
  folder = mkdtempSync(resolve("node_modules/.cache/verify-"));
  cpSync("test/fixtures/servers/weather.mjs", `${folder}/weather.js`);
  cpSync("cassettes", `${folder}/cassettes`, { recursive: true });
  symlinkSync(resolve("package.json"), `${folder}/package.json`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string) {
  const [, ...args] = command.split(" ");
  return spawnSync(NODE, [resolve("dist/cli.cjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 30_000,
  });
}

test("docs/verify.md: the first command prints what is shown", () => {
  const [first = "", second = ""] = (examples ?? "").split("\n");
  expect(run(first)).toMatchObject({ status: 0, stderr: "", stdout: `${shown}\n` });
  // A real URL is not called from a test: what is checked is that the options are understood.
  expect(second).toMatch(/^mcp-vcr verify \S+ --url \S+ --header "Authorization: Bearer \$TOKEN"$/);
  expect(
    run("mcp-vcr verify cassettes/remote.yaml --url https://example.com/mcp --header A:b"),
  ).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("cassettes/remote.yaml: there is no such file"),
  });
});

test("docs/verify.md: --update leaves the cassette of a server that did not change", () => {
  expect(run((update ?? "").trim())).toMatchObject({
    status: 0,
    stderr: "mcp-vcr: cassettes/weather.yaml is up to date\n",
  });
  expect(readFileSync(`${folder}/cassettes/weather.yaml`, "utf8")).toBe(
    readFileSync("cassettes/weather.yaml", "utf8"),
  );
});

test("docs/verify.md: every option of the command is told", () => {
  const { stdout } = run("mcp-vcr verify --help");
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name as string);
  expect(options.length).toBeGreaterThan(8);
  const text = readFileSync("docs/verify.md", "utf8");
  for (const option of options.filter((each) => each !== "--help")) expect(text).toContain(option);
});
