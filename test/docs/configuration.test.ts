import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkConfig } from "../../src/config/check-config.ts";
import { SEARCH_PLACES } from "../../src/config/find-config.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { RECORD_SETTINGS, SERVE_SETTINGS } from "../../src/config/settings.ts";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";

const FILE = "docs/configuration.md";
const TEXT = readFileSync(FILE, "utf8");
const BLOCKS = codeBlocks(FILE);
const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-docs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How a block is read, by its language: the file's ending, and its text on a Node that reads no TypeScript. */
const WRITTEN: Readonly<Record<string, (text: string) => readonly [ending: string, text: string]>> = {
  yaml: (text) => ["yaml", text],
  json: (text) => ["json", text],
  js: (text) => ["mjs", text],
  ts: (text) => {
    const here = text.replace('"mcp-vcr"', JSON.stringify(pathToFileURL(resolve("dist/index.js")).href));
    return ["mjs", transformSync(here, { loader: "ts" }).code];
  },
};

const CONFIGURATIONS = BLOCKS.filter(({ language }) => language !== "text");

test.each(CONFIGURATIONS.map((block) => [block.line, block] as const))(
  "the configuration at line %i is right",
  async (line, { language, text }: CodeBlock) => {
    const [ending, written] = WRITTEN[language]?.(text) ?? [];
    if (written === undefined) throw new Error(`${FILE}:${line}: no check for ${language}`);
    const file = join(folder, `${line}.${ending}`);
    writeFileSync(file, written);
    const config = checkConfig(await readConfig(file));
    expect(Object.keys(config).length).toBeGreaterThan(0);
  },
);

test("the fault is told as it is shown", () => {
  const [shown] = BLOCKS.filter(({ language }) => language === "text");
  writeFileSync(
    join(folder, "mcp-vcr.config.yaml"),
    "match:\n  tools/call forecast:\n    ingore: [/arguments/at]\n",
  );
  copyFileSync("cassettes/weather.yaml", join(folder, "weather.yaml"));
  const told = spawnSync(NODE, [resolve("dist/cli.cjs"), "serve", "weather.yaml"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(told.stderr.trim()).toBe(shown?.text);
  expect(told.status).toBe(2);
});

describe("nothing is left out", () => {
  const { properties, $defs } = JSON.parse(readFileSync("src/config/schema/config.schema.json", "utf8"));
  const operators = Object.keys($defs.operator.else.properties);

  test.each([
    ...Object.keys(properties).flatMap((name) => [name, ...Object.keys(properties[name].properties ?? {})]),
    ...Object.keys($defs.rule.properties),
    ...operators,
    ...Object.values({ ...RECORD_SETTINGS, ...SERVE_SETTINGS }).map(({ variable }) => variable),
  ])("%s", (name) => {
    expect(TEXT).toContain(name);
  });

  test.each(SEARCH_PLACES)("%s", (place) => {
    // The table names the first of the files whole, and of the others the endings.
    const ending = /^mcp-vcr\.config(\.(?!ts|json).*)$/.exec(place)?.[1] ?? place;
    expect(TEXT).toContain(`\`${ending}\``);
  });
});
