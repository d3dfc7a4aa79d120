/**
 * The main job in one go, with visible results: a real client uses a real server through `mcp-vcr record`, the server
 * is removed, and the same client gets the same answers from `mcp-vcr serve`.
 *
 *   node test/tour/tour.mjs      after a build; exit code 0 when every line of the two runs is equal
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const CLI = join(ROOT, "dist/cli.cjs");
const CLIENT = join(ROOT, "test/tour/client.mjs");

const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const title = (text) => console.log(`\n${paint("1", text)}`);
const shown = (path) => relative(process.cwd(), path) || path;

// Inside node_modules, so that the copied server finds its packages.
mkdirSync(join(ROOT, "node_modules/.cache"), { recursive: true });
const folder = mkdtempSync(join(ROOT, "node_modules/.cache/tour-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const server = join(folder, "weather.mjs");
const cassette = join(folder, "weather.yaml");
cpSync(join(ROOT, "test/fixtures/servers/weather.mjs"), server);

function ask(...command) {
  const run = spawnSync(process.execPath, [CLIENT, process.execPath, CLI, ...command], { encoding: "utf8" });
  if (run.status !== 0) {
    process.stderr.write(run.stdout + run.stderr);
    console.log(paint("31", `The client ended with exit code ${run.status}.`));
    process.exit(1);
  }
  return run.stdout.trimEnd().split("\n");
}

title("1. Record: the client uses the server, mcp-vcr stands in between");
console.log(paint("2", `   mcp-vcr record -o ${shown(cassette)} -- node ${shown(server)}`));
const recorded = ask("record", "-o", cassette, "--", process.execPath, server);
for (const line of recorded) console.log(`   ${line}`);

title("2. The cassette: one entry per message, made to be read in a review");
const text = readFileSync(cassette, "utf8");
const entries = text.split(/^---/m);
const index = entries.findIndex((entry) => entry.includes("client: tools/call forecast"));
for (const line of entries.slice(index, index + 2).flatMap((entry) => `---${entry.trimEnd()}`.split("\n"))) {
  console.log(paint("36", `   ${line}`));
}
console.log(`   … ${entries.length - 1} entries in ${(text.length / 1024).toFixed(1)} KB`);

title("3. Serve: the server is gone, the same client asks the same things");
rmSync(server);
console.log(paint("2", `   rm ${shown(server)}`));
console.log(paint("2", `   mcp-vcr serve ${shown(cassette)}`));
const served = ask("serve", cassette);
let different = Math.abs(recorded.length - served.length);
for (const [at, line] of served.entries()) {
  const equal = line === recorded[at];
  if (!equal) different++;
  console.log(`   ${equal ? paint("32", "=") : paint("31", "≠")} ${line}`);
}

title("4. Ask what was never recorded: nothing is made up");
const request = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "forecast",
    arguments: { city: "Bergen" },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};
const miss = spawnSync(process.execPath, [CLI, "serve", cassette], {
  input: `${JSON.stringify(request)}\n`,
  encoding: "utf8",
});
for (const line of miss.stderr.trimEnd().split("\n")) console.log(`   ${line}`);
console.log(`   exit code ${miss.status}`);

const good = different === 0 && served.length > 0 && miss.status === 1;
const verdict = good
  ? paint("32", `All ${served.length} lines are equal with and without the server.`)
  : paint("31", `${different} lines differ, exit code of the miss ${miss.status}.`);
console.log(`\n${verdict}`);
process.exitCode = good ? 0 : 1;
