// The benchmark: one table of medians and ratios, each side measured in the same run. `--help` tells the method.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as diff from "./rows/diff.mjs";
import * as http from "./rows/http.mjs";
import * as serve from "./rows/serve.mjs";
import * as stdio from "./rows/stdio.mjs";
import * as tapes from "./rows/tapes.mjs";
import { formatTable } from "./table.mjs";

const ROWS = {
  "record-stdio": stdio.sequential,
  "record-flood": stdio.flood,
  "record-memory": stdio.memory,
  "record-ready": stdio.ready,
  "record-http": http.sequential,
  "serve-start": serve.start,
  "serve-large": serve.large,
  "serve-load": serve.load,
  "serve-http": serve.http,
  "diff-large": diff.large,
  "tape-small": tapes.small,
};

const USAGE = `npm run bench -- [--only ROW]… [--quick] [--codec jsonl|yaml] [--subject PROGRAM]

  rows: ${Object.keys(ROWS).join(" ")}

Method. Baselines are programs of this folder: a byte pipe between two stdio streams, a node:http proxy, a mock written
with the SDK's McpServer (its own process, or the tests' in memory), a program that parses cassettes with the library, and \`node -e 0\`. Each run starts fresh processes; client, subject and server are processes of
their own; the sides take turns (A B A B …). A time is the median over all runs of each run's median after a warm-up; a
ratio is the median over pairs of neighbouring runs, with the lowest and highest in brackets. Every answer is checked,
and so is the number of entries in each recording. "One core" pins all three processes with taskset. Processor time is
that of the subject with all its threads, from /proc, taken when it has nothing left to do. Memory is the peak resident
set. Linux only. With --quick there are fewer runs and a tenth of the calls: a look, no measurement.
`;

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: Object.keys(ROWS) },
    quick: { type: "boolean", default: false },
    codec: { type: "string", default: "jsonl" },
    subject: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (flags.help) process.stdout.write(USAGE);
else process.exitCode = await main();

async function main() {
  const unknown = flags.only.filter((name) => !(name in ROWS));
  const built = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
  const subject = flags.subject ? resolve(flags.subject) : built;
  if (unknown.length > 0 || !["jsonl", "yaml"].includes(flags.codec))
    return usage(`unknown: ${unknown} ${flags.codec}`);
  if (process.platform !== "linux") return usage("the benchmark reads /proc, so it runs on Linux alone");
  if (!existsSync(subject)) return usage(`${subject} is not there: npm run build`);
  const folder = await mkdtemp(join(tmpdir(), "mcp-vcr-bench-"));
  try {
    await run({
      subject,
      folder,
      codec: flags.codec,
      checksCassette: subject === built,
      repetitions: (count) => (flags.quick ? Math.min(count, 2) : count),
      scaled: (count) => (flags.quick ? Math.ceil(count / 10) : count),
    });
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(context) {
  const began = performance.now();
  const [loadBefore] = loadavg();
  const lines = [];
  for (const name of flags.only) {
    process.stderr.write(`${name} …\n`);
    lines.push(...(await ROWS[name](context)));
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const load = `load ${loadBefore.toFixed(1)} before, with nothing else running it should be near 0`;
  const machine = `${cpus().length} x ${cpus()[0].model}, Node ${process.version}, codec ${context.codec}, ${seconds} s; ${load}`;
  process.stdout.write(
    `${formatTable(lines)}\n\n${machine}${flags.quick ? ", quick: a look, no measurement" : ""}\n`,
  );
}

function usage(sentence) {
  process.stderr.write(`${sentence}\n\n${USAGE}`);
  return 2;
}
