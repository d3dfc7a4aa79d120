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
      const project = projectWith(msw);
      const cassette = join(project, "walk.yaml");
      const transport = clientTransport(door);
      const stood = async (url: string, mode: string) => {
        const ended = await run([
          WALK_MSW,
          project,
          JSON.stringify({ cassette, url, mode, walk: { ...client, transport } }),
        ]);
        expect({ stderr: ended.stderr, code: ended.code }).toEqual({ stderr: "", code: 0 });
        return ended.stdout.toString();
      };
      const server = start(everyday(client.era, door));
      const url = await server.url();
      const direct = await walk(client, { url, transport });
      await server.stop();
      const again = start([...everyday(client.era, door), "--port", new URL(url).port]);
      await again.url();
      expect(await stood(url, "once")).toBe(direct);
      await again.stop();
      expect(await stood("https://everyday.example/api", "replay")).toBe(direct);
    },
  );
});
