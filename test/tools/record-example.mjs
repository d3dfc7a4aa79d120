/**
 * Makes the example cassette of `mcp-vcr init` anew, of a weather server as the guides name it, with the built command:
 *
 *   npm run build && node test/tools/record-example.mjs
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const EXAMPLE = resolve("src/setup/example/example.yaml");

mkdirSync("node_modules/.cache", { recursive: true });
const folder = mkdtempSync(resolve("node_modules/.cache/example-"));
try {
  cpSync("test/fixtures/projects/lib/weather.mjs", join(folder, "weather.js"));
  cpSync("package.json", join(folder, "package.json"));
  const drive = resolve("test/fixtures/drives/example.yaml");
  // Clients of either era, and those that know one of them alone, are answered by a legacy recording without a probe.
  const how = ["--era", "legacy", "--mode", "all", "--drive", drive, "-o", EXAMPLE];
  const args = [resolve("dist/cli.cjs"), "record", ...how, "--", "node", "weather.js"];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
