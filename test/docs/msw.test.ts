import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { Project } from "../e2e/support/project.ts";
import { codeBlocks } from "./code-blocks.ts";

const PAGE = "docs/msw.md";
const BLOCKS = codeBlocks(PAGE).map(({ text }) => text);
const blockWith = (text: string): string => {
  const [block = "", ...others] = BLOCKS.filter((each) => each.includes(text));
  if (block === "" || others.length > 0) throw new Error(`${PAGE}: ${others.length + 1} blocks hold ${text}`);
  return block;
};

const project = (): Project => {
  const made = new Project("node-test", ["lib"]);
  writeFileSync(join(made.folder, "package.json"), '{ "type": "module" }');
  cpSync("cassettes", join(made.folder, "cassettes"), { recursive: true });
  return made;
};

test("the test it shows passes, beside the handler it shows", async () => {
  const made = project();
  const handler = blockWith("http.get(").replace("METADATA", '{ resource: "https://weather.example/mcp" }');
  const text = blockWith('from "mcp-vcr/node-test"')
    .replace('from "msw/node";', 'from "msw/node";\nimport { http, HttpResponse } from "msw";')
    .replace("setupServer();", `setupServer(${handler.replace(/;$/, "")});`);
  writeFileSync(join(made.folder, "weather.test.js"), text);
  const { code, results } = await made.run();
  expect(results).toEqual({ "the forecast for Oslo, from afar": [] });
  expect(code).toBe(0);
});

test("what it shows for a page can be bundled for one", async () => {
  const contents = blockWith('from "mcp-vcr/msw/browser"');
  const { errors, warnings } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
  });
  expect([errors, warnings]).toEqual([[], []]);
});

test("has no other block", () => {
  expect(BLOCKS).toHaveLength(3);
});
