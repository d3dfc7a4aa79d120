// Runs the end-to-end tests with another Node at the far side: every process the tests spawn runs under it.
// Usage: node test/tools/with-node.mjs 22|24 [arguments for vitest]
// The binary comes from the npm package node-<system>-<machine> and stays in node_modules/.cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const SYSTEMS = { linux: "linux", darwin: "darwin", win32: "win" };

const [version, ...vitestArgs] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? ""))
  fail("usage: node test/tools/with-node.mjs 22|24 [arguments for vitest]", 2);
if (!existsSync(join(ROOT, "dist/cli.cjs"))) fail("dist/cli.cjs is not there: npm run build", 2);

const binary = nodeBinary(version);
const found = spawnSync(binary, ["--version"], { encoding: "utf8" }).stdout.trim();
if (!found.startsWith(`v${version}.`) && found !== `v${version}`)
  fail(`${binary} is Node ${found}, not ${version}`, 1);
process.stderr.write(`end-to-end tests under Node ${found}\n`);
const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "test/e2e", ...vitestArgs], {
  cwd: ROOT,
  stdio: "inherit",
  env: { ...process.env, MCP_VCR_TEST_NODE: binary },
});
process.exitCode = status ?? 1;

/** Path of a Node binary of this version, fetched when it is not in the cache. */
function nodeBinary(version) {
  const prefix = join(ROOT, "node_modules/.cache/node", version);
  const name = `node-${SYSTEMS[process.platform]}-${process.arch}`;
  const path = join(prefix, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(path)) return path;
  mkdirSync(prefix, { recursive: true });
  const args = ["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { status } = spawnSync("npm", [...args, "--prefix", prefix, `${name}@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0 || !existsSync(path)) fail(`npm could not bring ${name}@${version}`, 1);
  return path;
}

function fail(sentence, code) {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}
