/**
 * Runs the official MCP conformance suite directly, through a recording, against the recording served back, and against
 * a scenario that says what the server does, and compares the verdicts of every check. README.md beside this file says how.
 * Exit codes: 0 the verdicts are the same and all of them are there, 1 otherwise.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { during } from "./runner/process.mjs";
import { runSuite } from "./runner/run-suite.mjs";
import { installSuites, SUITES } from "./runner/suites.mjs";
import { printTable } from "./runner/table.mjs";

const FIXTURE = fileURLToPath(new URL("server.mjs", import.meta.url));
const CLI = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const scenarioFile = (suite) =>
  fileURLToPath(new URL(SUITES[suite].file ?? "fixture.scenario.yaml", import.meta.url));
/** By the name `--through` takes: the ways to go, each of which is compared with the first. */
const WAYS = {
  direct: ["direct"],
  record: ["direct", "record"],
  serve: ["direct", "record", "serve"],
  scenario: ["direct", "scenario"],
  all: ["direct", "record", "serve", "scenario"],
};
const GROUPS = { both: ["legacy", "modern"], all: Object.keys(SUITES) };

const { values: options } = parseArgs({
  options: {
    suite: { type: "string", default: "all" },
    through: { type: "string", default: "all" },
    scenario: { type: "string", multiple: true },
    order: { type: "string", default: "recorded" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    cassette: { type: "string", default: "yaml" },
    keep: { type: "string" },
  },
});

const suites = GROUPS[options.suite] ?? [
  known("suite", options.suite, [...Object.keys(SUITES), "both", "all"]),
];
const asked = WAYS[known("through", options.through, Object.keys(WAYS))];
/** Where there is no fixture server there is the scenario alone. */
const waysOf = (suite) => (SUITES[suite].file ? asked.filter((way) => way === "scenario") : asked);
known("order", options.order, ["recorded", "shuffled"]);
known("cassette", options.cassette, ["yaml", "jsonl"]);

function known(option, value, allowed) {
  if (allowed.includes(value)) return value;
  console.error(`--${option} ${value}: give one of ${allowed.join(", ")}.`);
  process.exit(2);
}

/** Runs one suite all the asked ways. Gives a Map from the way to its verdicts, and complaints. */
async function runAllWays(suite, command, folder) {
  const cassette = join(folder, `${suite}.${options.cassette}`);
  const results = new Map();
  const complaints = [];
  const jobs = Number(options.jobs);
  const go = async (way, url, scenarios) => {
    const began = performance.now();
    const run = { suite, command, url, scenarios, folder: join(folder, suite, way) };
    const ran = await runSuite({ ...run, jobs: way === "serve" || way === "scenario" ? jobs : 1 });
    results.set(way, { verdicts: ran.verdicts, seconds: (performance.now() - began) / 1000 });
    complaints.push(...ran.complaints.map((complaint) => `${way}: ${complaint}`));
  };
  const named = options.scenario ?? SUITES[suite].scenarios;
  const directOrder = () => [...results.get("direct").verdicts.keys()];
  const ways = waysOf(suite);

  if (ways.includes("direct"))
    await during("the fixture server", [FIXTURE], async (fixture) => {
      await go("direct", fixture, named);
      if (!ways.includes("record")) return;
      const args = ["record", "-o", cassette, "--mode", "all", "--url", fixture, "--listen", "127.0.0.1:0"];
      const end = await during("mcp-vcr record", [CLI, ...args], (url) => go("record", url, named));
      complaints.push(...complaintsOf("mcp-vcr record", end));
    });
  const served = { serve: cassette, scenario: scenarioFile(suite) };
  for (const way of ways.filter((each) => each in served)) {
    // As the fixture server answers; a recording has its own way.
    const style = way === "scenario" ? ["--answers", SUITES[suite].answers] : [];
    const args = ["serve", served[way], "--listen", "127.0.0.1:0", ...style];
    const scenarios = replayOrder(named, directOrder, jobs);
    const end = await during(`mcp-vcr ${args[0]}`, [CLI, ...args], (url) => go(way, url, scenarios));
    complaints.push(...complaintsOf(`mcp-vcr serve (${way})`, end));
  }
  return { results, complaints };
}

function replayOrder(named, all, jobs) {
  if (options.order === "shuffled") return shuffled(named ?? all(), Number(options.seed));
  return named ?? (jobs > 1 ? all() : undefined);
}

/** The same order for the same seed (Fisher and Yates over a linear congruential generator). */
function shuffled(list, seed) {
  const copy = [...list];
  let state = seed;
  for (let at = copy.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [copy[at], copy[other]] = [copy[other], copy[at]];
  }
  return copy;
}

/** A miss makes `serve` exit 1: the same scenarios asked for what they asked before, so there may be none. */
const complaintsOf = (name, { code, signal, stderr }) =>
  code === 0 || signal === "SIGTERM" ? [] : [`${name} ended with ${signal ?? code}:\n${stderr}`];

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const command = await installSuites();
const folder = options.keep ?? (await mkdtemp(join(tmpdir(), "mcp-vcr-conformance-")));
let isGood = true;
for (const suite of suites.filter((each) => waysOf(each).length > 0)) {
  const { results, complaints } = await runAllWays(suite, command(suite), folder);
  for (const complaint of complaints) console.log(complaint);
  isGood = printTable(suite, results, options.scenario) && complaints.length === 0 && isGood;
}
if (isGood && options.keep === undefined) await rm(folder, { recursive: true });
else console.log(`Verdicts, logs and cassettes: ${folder}`);
process.exitCode = isGood ? 0 : 1;
