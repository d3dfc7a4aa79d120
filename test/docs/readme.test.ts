import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { yamlCodec } from "../../src/cassette/yaml/codec.ts";
import { codeBlocks } from "./code-blocks.ts";

const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;
const CLI = resolve("dist/cli.cjs");
const BLOCKS = codeBlocks("README.md");

/** A folder in which a reader would stand: a server of their own, and the cassettes of this repository. */
let folder = "";

beforeAll(() => {
  mkdirSync("node_modules/.cache", { recursive: true });
  folder = mkdtempSync(resolve("node_modules/.cache/readme-"));
  copyFileSync("test/fixtures/servers/weather.mjs", `${folder}/weather.js`);
  cpSync("cassettes", `${folder}/served/cassettes`, { recursive: true });
  symlinkSync(resolve("package.json"), `${folder}/package.json`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, { cwd = folder, input = "" } = {}) {
  const args = command.trim().split(/\s+/).slice(1);
  return spawnSync(NODE, [CLI, ...args], { cwd, input, encoding: "utf8", timeout: 20_000 });
}

const FORECAST = (city: string) =>
  `${JSON.stringify({
    jsonrpc: "2.0",
    id: "live",
    method: "tools/call",
    params: {
      name: "forecast",
      arguments: { city },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  })}\n`;

/** What is done with each block, by how it begins. A block that nobody knows fails. */
const CHECKS: readonly { readonly begins: string; readonly check: (text: string) => void }[] = [
  {
    begins: "npm ci && npm run tour",
    check: (text) => {
      expect(scripts()).toHaveProperty(text.trim().split(" ").at(-1) as string);
      const tour = spawnSync(NODE, ["test/tour/tour.mjs"], { encoding: "utf8" });
      expect(tour.stdout).toContain("lines are equal with and without the server");
      expect(tour.status).toBe(0);
    },
  },
  {
    // The command that runs this very test.
    begins: "npm ci && npm run check",
    check: (text) => expect(scripts()).toHaveProperty(text.trim().split(" ").at(-1) as string),
  },
  {
    begins: "npx mcp-vcr record --drive auto",
    check: (text) => {
      const [record = "", serve = ""] = text.split("\n").map((line) => line.replace("npx ", ""));
      const server = resolve("node_modules/@modelcontextprotocol/server-memory/dist/index.js");
      const recorded = run(record.replace(/npx -y \S+$/, `${NODE} ${server}`));
      expect([recorded.status, recorded.stdout]).toEqual([0, ""]);
      const list = '{"jsonrpc":"2.0","id":"live","method":"tools/list"}\n';
      expect(JSON.parse(run(serve, { input: list }).stdout).result.tools).not.toEqual([]);
    },
  },
  {
    begins: '{\n  "mcpServers"',
    check: (text) => {
      const { args } = JSON.parse(text).mcpServers.weather;
      expect(args.join(" ")).toMatch(/^mcp-vcr record -o \S+ -- node weather\.js$/);
    },
  },
  {
    begins: "mcp-vcr record -o cassettes/weather.yaml -- node weather.js",
    check: (text) => {
      const recorded = run(text, { input: FORECAST("Oslo") });
      expect(recorded.stderr).toBe("");
      expect(JSON.parse(recorded.stdout).result.content[0].text).toContain("3 °C, rain");
      expect(readFileSync(`${folder}/cassettes/weather.yaml`, "utf8")).toContain(
        "# client: tools/call forecast",
      );
    },
  },
  {
    // A real URL is not called from a test: what is checked is that the options are understood.
    begins: "mcp-vcr record -o cassettes/weather.yaml --url",
    check: (text) =>
      expect(run(`${text} --mode nonsense`).stderr).toMatch(/'--mode <mode>' argument 'nonsense'/),
  },
  {
    begins: "mcp-vcr serve cassettes/weather.yaml --mode append",
    check: (text) => {
      const cwd = `${folder}/appended`;
      cpSync("cassettes", `${cwd}/cassettes`, { recursive: true });
      copyFileSync("test/fixtures/servers/weather.mjs", `${cwd}/weather.js`);
      symlinkSync(resolve("package.json"), `${cwd}/package.json`);
      const appended = run(text, { cwd, input: FORECAST("Nairobi") });
      expect(JSON.parse(appended.stdout).result.content[0].text).toContain("24 °C, clouds");
      expect(appended.status).toBe(0);
      const served = run("mcp-vcr serve cassettes/weather.yaml", { cwd, input: FORECAST("Nairobi") });
      expect(served.stdout).toBe(appended.stdout);
    },
  },
  {
    begins: "mcp-vcr serve cassettes/weather.yaml",
    check: (text) => {
      const [stdio = "", listening = ""] = text.split("\n");
      const served = run(stdio, { cwd: `${folder}/served`, input: FORECAST("Oslo") });
      expect(JSON.parse(served.stdout)).toMatchObject({ id: "live", result: { resultType: "complete" } });
      expect(listening).toBe(`${stdio} --listen 127.0.0.1:8080`);
    },
  },
  {
    begins: "mcp-vcr serve everything",
    check: (text) => {
      const [everything = "", written = ""] = text.split("\n");
      const answered = run(everything, { input: FORECAST("Oslo") });
      expect(JSON.parse(answered.stdout).result.content[0].text).toBe("3 °C, rain");
      const cwd = `${folder}/served`;
      expect(run(written, { cwd }).stdout).toBe("");
      const served = run("mcp-vcr serve weather.scenario.yaml", { cwd, input: FORECAST("Oslo") });
      expect(JSON.parse(served.stdout).result.content[0].text).toContain("3 °C, rain");
    },
  },
  {
    begins: "mcp-vcr: No recorded exchange answers",
    check: (text) => {
      const miss = run("mcp-vcr serve cassettes/weather.yaml", {
        cwd: `${folder}/served`,
        input: FORECAST("Bergen"),
      });
      expect(miss.stderr.trim()).toBe(text);
      expect(miss.status).toBe(1);
    },
  },
  {
    begins: "mcp-vcr diff cassettes/weather.yaml",
    check: (text) => {
      const [two = "", base = "", verify = ""] = text.split("\n");
      const cwd = `${folder}/served`;
      cpSync(`${cwd}/cassettes`, `${cwd}/new`, { recursive: true });
      expect(run(two, { cwd })).toMatchObject({
        status: 0,
        stdout: "no change; 8 exchanges, 3 tools and 1 resource compared\n",
      });
      // The reader's repository has such a branch, this one perhaps: that the options are understood is checked with none.
      expect(run(base.replace("origin/main", "no/such"), { cwd }).stderr).toMatch(
        /--base no\/such: git knows no such revision|no git repository/,
      );
      copyFileSync("test/fixtures/servers/weather.mjs", `${cwd}/weather.js`);
      if (!existsSync(`${cwd}/package.json`)) symlinkSync(resolve("package.json"), `${cwd}/package.json`);
      expect(run(verify, { cwd })).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("no change; 5 exchanges, 3 tools and 1 resource compared"),
      });
    },
  },
  {
    begins: "import assert",
    check: (text) => {
      // Command and library as built here, where the reader has them from npm.
      const here = text
        .replace('command: "npx"', `command: ${JSON.stringify(NODE)}`)
        .replace('["mcp-vcr", ', `[${JSON.stringify(CLI)}, `)
        .replace(
          'from "mcp-vcr/node-test"',
          `from ${JSON.stringify(pathToFileURL(resolve("dist/node-test.js")).href)}`,
        );
      writeFileSync(`${folder}/served/forecast.test.mjs`, here);
      const tested = spawnSync(NODE, ["--test", "forecast.test.mjs"], {
        cwd: `${folder}/served`,
        encoding: "utf8",
      });
      expect(tested.stdout).toContain("# pass 1");
      expect(tested.status).toBe(0);
    },
  },
  {
    begins: "mcp-vcr inspect cassettes/weather.yaml",
    check: (text) => {
      copyFileSync("test/fixtures/foreign/browser.har", `${folder}/served/browser.har`);
      const commands = text.trim().split("\n");
      const ended = commands.map((command) => run(command, { cwd: `${folder}/served` }));
      expect(ended.map(({ status }) => status)).toEqual(commands.map(() => 0));
      expect(ended[0]?.stdout).toContain("29 entries, 2 sessions");
      expect(readFileSync(`${folder}/served/weather.html`, "utf8")).toContain('id="session"');
      expect(ended[2]?.stdout).toContain("nothing found");
      expect(ended[3]?.stdout).toContain("no secret found");
      expect(ended[4]?.stdout).toContain("cassettes/remote.yaml: 9 entries");
    },
  },
  {
    begins: "--- # client: tools/call forecast",
    check: (text) => expect(entriesOf(text)).toHaveLength(2),
  },
];

function scripts(): unknown {
  return JSON.parse(readFileSync("package.json", "utf8")).scripts;
}

function entriesOf(text: string, header = HEADER) {
  const decoder = yamlCodec.decoder("x.yaml");
  const entries = decoder.push(
    new TextEncoder().encode(`${header}${text.replace(/\n?(\.\.\.)?\n?$/, "\n...\n")}`),
  );
  return [...entries, ...decoder.end().entries];
}

const HEADER =
  "mcp-vcr: 1\nrecorded: 2026-11-30T09:00:00.000Z\nrecorder: x\nsource: { transport: stdio, command: [x] }\n";

describe("README.md", () => {
  test.each(BLOCKS.map((block) => [block.text.split("\n")[0], block] as const))("%s", (_first, block) => {
    const known = CHECKS.find(({ begins }) => block.text.startsWith(begins));
    if (!known) throw new Error(`README.md:${block.line}: no check for this block`);
    known.check(block.text);
  });

  test("every check has its block", () => {
    for (const { begins } of CHECKS) expect(BLOCKS.some(({ text }) => text.startsWith(begins))).toBe(true);
  });
});

test("docs/cassette.md: its header and entry are read as they stand", () => {
  const [header, entry] = codeBlocks("docs/cassette.md");
  expect(entriesOf(entry?.text ?? "", `${header?.text}\n`)).toHaveLength(1);
});
