import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { fixture, NODE, run, start } from "./support/program.ts";
import { type Client, clientTransport, type Door, everyday, PATIENCE_MS, walk } from "./support/walk.ts";

/** A folder with this package and a version of msw in its node_modules, as npm would put them there. */
function projectWith(msw: "msw" | "msw3"): string {
  const folder = tempFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "mcp-vcr"), { recursive: true });
  for (const part of ["package.json", "dist"])
    cpSync(part, join(modules, "mcp-vcr", part), { recursive: true });
  symlinkSync(realpathSync(`node_modules/${msw}`), join(modules, "msw"));
  symlinkSync(realpathSync("node_modules/@secretlint"), join(modules, "@secretlint"));
  const entry = [
    `export { useCassette } from "mcp-vcr";`,
    `export { mcpHandlers } from "mcp-vcr/msw";`,
    `export { setupServer } from "msw/node";`,
  ].join("\n");
  writeFileSync(join(folder, "installed.mjs"), entry);
  return folder;
}

/** msw 3 needs Node 22.12. */
const [major = 0, minor = 0] = execFileSync(NODE, ["-p", "process.versions.node"], { encoding: "utf8" })
  .split(".")
  .map(Number);
const VERSIONS = [
  { msw: "msw", runs: true },
  { msw: "msw3", runs: major > 22 || (major === 22 && minor >= 12) },
] as const;

const RECORDED =
  /^mcp-vcr: \d+ requests were asked of the real server \(\S+\), and recorded in \S+walk\.yaml\n$/;
const WALK_MSW = fixture("../e2e/support/walk-msw.mjs");

const ROWS: readonly { readonly name: string; readonly client: Client; readonly door: Door }[] = [
  { name: "SDK 1, SSE answers", client: { sdk: "1", era: "legacy" }, door: "http" },
  { name: "SDK 2 modern", client: { sdk: "2", era: "modern" }, door: "http" },
  { name: "SDK 2, HTTP+SSE pair", client: { sdk: "2", era: "legacy" }, door: "sse" },
];

describe.each(VERSIONS)("$msw, where Node is new enough: $runs", ({ msw, runs }) => {
  test.skipIf(!runs).each(ROWS)(
    "$name: the same lines directly, recorded through bypass, and replayed at another URL",
    {
      timeout: PATIENCE_MS,
    },
    async ({ client, door }) => {
      const transport = clientTransport(door);
      const url = await start(everyday(client.era, door)).url();
      const direct = await walk(client, { url, transport });
      const project = projectWith(msw);
      const cassette = join(project, "walk.yaml");
      const urls = [url, "https://everyday.example/api"];
      const { code, stdout, stderr } = await run([
        WALK_MSW,
        project,
        JSON.stringify({ cassette, urls, walk: { ...client, transport } }),
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(RECORDED) });
      expect(JSON.parse(stdout.toString())).toEqual([direct, direct]);
    },
  );
});
