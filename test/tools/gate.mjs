// The whole gate: every step runs, what fails prints its output, the last line counts tests and steps.
// Usage: node test/tools/gate.mjs [--node 22] [--node 24]   (also run the end-to-end tests under these Nodes)
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
const scratch = await mkdtemp(join(tmpdir(), "mcp-vcr-gate-"));
const tarball = join(scratch, `${manifest.name}-${manifest.version}.tgz`);
const { node: otherNodes } = parseArgs({
  options: { node: { type: "string", multiple: true, default: [] } },
}).values;

/** `needs` names a step without whose success this one cannot tell anything. */
const TESTS = [
  { name: "build", run: () => node("build.mjs") },
  { name: "unit, property, house and docs tests", needs: "build", run: () => tests("in-process*") },
  { name: "end-to-end tests", needs: "build", run: () => tests("e2e") },
  ...otherNodes.map((version) => ({
    name: `end-to-end tests under Node ${version}`,
    needs: "build",
    run: () => testsUnder(version),
  })),
];

/** They fill the time in which tests wait for processes and sockets. */
const CHECKS = [
  { name: "types", run: () => bin("tsc") },
  { name: "lint and format", run: () => bin("biome", "ci", "--colors=off", "--error-on-warnings", ".") },
  { name: "unused code and dependencies (knip)", needs: "build", run: () => bin("knip") },
  { name: "pack", needs: "build", run: pack },
  {
    name: "package contents (publint)",
    needs: "pack",
    run: () => bin("publint", "run", "--strict", tarball),
  },
  { name: "package types (attw)", needs: "pack", run: () => bin("attw", tarball, "--profile", "esm-only") },
  { name: "install and run", needs: "pack", run: installAndRun },
];

const CONSUMER_FLAGS =
  "--ignoreConfig --strict --noEmit --module nodenext --target es2022 --types node".split(" ");

/** What became of a step, by its name: whether it went well. */
const outcomes = new Map();
let testsPassed = 0;
let testsFailed = 0;
let stepsPassed = 0;
let stepsFailed = 0;

await Promise.all([inOrder(TESTS), inOrder(CHECKS)]);
await rm(scratch, { recursive: true, force: true });
const failures = testsFailed + stepsFailed;
process.exitCode = failures > 0 ? 1 : 0;
process.stdout.write(`${testsPassed + stepsPassed} passed, ${failures} failed\n`);

async function inOrder(steps) {
  for (const step of steps) {
    outcomes.set(step.name, runStep(step));
    await outcomes.get(step.name);
  }
}

async function runStep({ name, needs, run }) {
  const isBlocked = needs !== undefined && !(await outcomes.get(needs));
  const began = performance.now();
  const outcome = isBlocked
    ? { ok: false, output: `not run, since "${needs}" failed` }
    : await run().catch((error) => ({ ok: false, output: String(error.stack ?? error) }));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const { passed = 0, failed: broken = 0 } = outcome.counts ?? {};
  testsPassed += passed;
  testsFailed += broken;
  if (outcome.ok) stepsPassed++;
  else stepsFailed++;
  const counts = outcome.counts ? `  (${passed} passed, ${broken} failed)` : "";
  process.stdout.write(`${outcome.ok ? "ok    " : "FAILED"} ${name}${counts}  ${seconds} s\n`);
  if (!outcome.ok) process.stdout.write(`${outcome.output.trimEnd().replace(/^/gm, "       ")}\n`);
  return outcome.ok;
}

function tests(project) {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  return counted(project, (...reporters) => node(vitest, "run", "--project", project, ...reporters));
}

/** The end-to-end tests with another Node at the far side. */
function testsUnder(version) {
  return counted(version, (...reporters) => node("test/tools/with-node.mjs", version, ...reporters));
}

async function counted(name, run) {
  const report = join(scratch, `vitest-${name.replace(/\W/g, "")}.json`);
  const outcome = await run("--reporter=default", "--reporter=json", `--outputFile.json=${report}`);
  const { numPassedTests, numFailedTests, numTotalTests } = JSON.parse(await readFile(report, "utf8"));
  if (numTotalTests === 0) return { ok: false, output: "no test was found" };
  return { ...outcome, counts: { passed: numPassedTests, failed: numFailedTests } };
}

function pack() {
  return command("npm", ["pack", "--ignore-scripts", "--pack-destination", scratch]);
}

/** Installs the tarball into an empty project: the command answers, the types compile, the schemas resolve. */
async function installAndRun() {
  const project = await mkdtemp(join(scratch, "project-"));
  const inProject = { cwd: project };
  await writeFile(
    join(project, "package.json"),
    '{ "name": "consumer", "private": true, "type": "module" }\n',
  );
  await writeFile(
    join(project, "types.ts"),
    'import * as vcr from "mcp-vcr";\nexport const names = Object.keys(vcr);\n',
  );
  await writeFile(join(project, "run.js"), await consumerProgram());
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const typeRoots = join(ROOT, "node_modules/@types");
  const commands = [
    () => command("npm", ["install", "--no-audit", "--no-fund", tarball], inProject),
    () => command("npx", ["--no-install", "mcp-vcr", "--version"], inProject),
    () => command(process.execPath, ["run.js"], inProject),
    () =>
      command(process.execPath, [tsc, ...CONSUMER_FLAGS, "--typeRoots", typeRoots, "types.ts"], inProject),
  ];
  const outcomes = [];
  for (const run of commands) outcomes.push(await run());
  const version = outcomes[1].output.trim();
  const wrongVersion =
    version === manifest.version ? "" : `--version printed ${version}, not ${manifest.version}\n`;
  return {
    ok: outcomes.every(({ ok }) => ok) && wrongVersion === "",
    output: wrongVersion + outcomes.map(({ output }) => output).join(""),
  };
}

async function consumerProgram() {
  const schemas = await readdir(join(ROOT, "dist/schema"));
  const imports = schemas.map(
    (name) => `await import("mcp-vcr/schema/${name}", { with: { type: "json" } });`,
  );
  return ['import "mcp-vcr";', ...imports, ""].join("\n");
}

function bin(name, ...args) {
  return command(join(ROOT, "node_modules/.bin", name), args);
}

function node(...args) {
  return command(process.execPath, args);
}

/** Runs a program to its end and answers whether it went well and everything it printed. */
function command(program, args, { cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}
