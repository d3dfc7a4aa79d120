import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SUITES } from "./suites.mjs";
import { readVerdicts } from "./verdicts.mjs";

/** Milliseconds one process of the suite may take. */
const LIMIT = 120_000;

/**
 * Runs a suite's scenarios against a server. Gives `{ verdicts, complaints }`: what went wrong besides the checks, as
 * a process that had to be ended, or a number of verdicts other than the suite's own count of its scenarios.
 * `scenarios`: a list has a process of its own for each, in that order, `jobs` at a time;
 * `undefined` runs the whole suite in one process, in the suite's order.
 */
export async function runSuite({ suite, command, url, scenarios, jobs, folder }) {
  await mkdir(folder, { recursive: true });
  const { selection, specVersion } = SUITES[suite];
  const base = [...command, "server", "--url", url, "-o", folder, ...specVersion];
  const complaints = [];
  const go = async (args, logFile) => {
    const { output, end } = await finished([...base, ...args], logFile);
    if (end !== 0 && end !== 1) complaints.push(`The ${suite} suite ended with ${end}; see ${logFile}`);
    return output;
  };
  if (scenarios === undefined) {
    const output = await go(selection, join(folder, "suite.log"));
    const verdicts = await readVerdicts(folder);
    const announced = Number(/\((\d+) scenarios\)/.exec(output)?.[1]);
    if (announced !== verdicts.size) {
      complaints.push(`The ${suite} suite has ${announced} scenarios and left ${verdicts.size} verdicts.`);
    }
    return { verdicts, complaints };
  }
  const queue = scenarios.values();
  const worker = async () => {
    for (const scenario of queue) await go(["--scenario", scenario], join(folder, `${scenario}.log`));
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return { verdicts: await readVerdicts(folder), complaints };
}

/**
 * Runs a program to its end and gives `{ output, end }`: what it printed, and its exit code or the signal that ended
 * it. The suite exits 1 on a failed check.
 */
function finished([program, ...args], logFile) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], timeout: LIMIT });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", async (code, signal) => {
      const output = Buffer.concat(chunks).toString();
      await writeFile(logFile, output);
      resolve({ output, end: signal ?? code });
    });
  });
}
