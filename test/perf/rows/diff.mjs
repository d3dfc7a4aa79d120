// Rows on comparing two cassettes. Each answers lines for the table.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeCassette } from "../cassette.mjs";
import { program } from "../processes.mjs";
import { interleave, median, ratios } from "../stats.mjs";
import { number, ratioLine } from "../table.mjs";

const LIBRARY = fileURLToPath(new URL("../../../dist/index.js", import.meta.url));
/** Of about 430 bytes each in JSON Lines: 10 MB. */
const EXCHANGES = 23_000;
const GONE = 777;

/** What becomes of the exchanges, each a list of entries as lines, and how many changes that makes. */
const EDITS = [
  {
    label: "1 % changed",
    edit: (all) => all.map((each, index) => (index % 100 === 50 ? changed(each) : each)),
    changes: (count) => countOf(count, 100, 50),
  },
  {
    label: "10 % changed, one removed",
    edit: (all) =>
      all
        .map((each, index) => (index % 10 === 5 ? changed(each) : each))
        .filter((_, index) => index !== GONE),
    changes: (count) => countOf(count, 10, 5) + 1,
  },
  {
    label: "reordered in windows of eight",
    edit: (all) => all.map((_, index) => all[inWindow(index, all.length)]),
    changes: () => 0,
  },
];

function changed([question, answer]) {
  return [question, answer.replace("Light wind", "Strong wind")];
}

function countOf(count, every, at) {
  return Math.ceil((count - at) / every);
}

/** Each window of eight from its end to its beginning. */
function inWindow(index, length) {
  const start = index - (index % 8);
  return start + Math.min(start + 8, length) - 1 - index;
}

/** Two cassettes of 10 MB, against a program that only parses both. */
export async function large(context) {
  const count = context.scaled(EXCHANGES);
  const old = join(context.folder, `diff-old.${context.codec}`);
  await writeCassette(old, count);
  const lines = [];
  for (const [index, { label, edit, changes }] of EDITS.entries()) {
    const fresh = join(context.folder, `diff-new-${index}.${context.codec}`);
    await writeEdited({ old, fresh, edit });
    const results = await interleave(context.repetitions(7), {
      diff: () => diffed(context, { old, fresh, expected: changes(count), exchanges: count }),
      parse: () => timed([program("parse-cassettes.mjs"), LIBRARY, old, fresh]),
    });
    const line = (name, key, unit, aim) => {
      const [own, bare] = [results.diff, results.parse].map((all) => all.map((each) => each[key]));
      return ratioLine({
        name,
        subject: `${number(median(own))} ${unit}`,
        baseline: `${number(median(bare))} ${unit}`,
        ratio: ratios(own, bare),
        aim,
      });
    };
    lines.push(
      line(`diff, two cassettes of 10 MB, ${label}, against parsing both`, "ms", "ms", 1.7),
      line("  memory", "memory", "MiB", 1.5),
    );
  }
  return lines;
}

async function writeEdited({ old, fresh, edit }) {
  const text = await readFile(old, "utf8");
  const jsonl = old.endsWith(".jsonl");
  const pieces = jsonl ? text.trimEnd().split("\n") : text.replace(/\.\.\.\n$/, "").split(/(?<=\n)(?=---\n)/);
  const [head, rest] = [pieces.slice(0, 4), pieces.slice(4)];
  const exchanges = [];
  for (let at = 0; at < rest.length; at += 2) exchanges.push([rest[at], rest[at + 1]]);
  const all = [...head, ...edit(exchanges).flat()];
  await writeFile(fresh, jsonl ? `${all.join("\n")}\n` : `${all.join("")}...\n`);
}

async function diffed({ subject, folder }, { old, fresh, expected, exchanges }) {
  const report = join(folder, "diff.json");
  const result = await timed([
    subject,
    "diff",
    old,
    fresh,
    "--format",
    `json=${report}`,
    "--fail-on",
    "never",
  ]);
  const { comparisons, compared } = JSON.parse(await readFile(report, "utf8"));
  const found = comparisons[0].changes.length;
  if (found !== expected || compared.exchanges < exchanges - 1) {
    throw new Error(`${found} changes in ${compared.exchanges} exchanges of ${fresh}, not ${expected}`);
  }
  return result;
}

/** Milliseconds between looks at a process's memory. */
const LOOKS = 10;

/** Runs a Node program: milliseconds from start to exit, and its peak memory in MiB. */
async function timed(args) {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  let memory = 0;
  const looking = setInterval(() => {
    memory = Math.max(memory, peakOf(child.pid));
  }, LOOKS);
  const [code] = await once(child, "exit");
  clearInterval(looking);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return { ms: performance.now() - began, memory };
}

/** Nothing of a process that has just ended. */
function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
