import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SUITES } from "./suites.mjs";
import { readVerdicts } from "./verdicts.mjs";

/** Milliseconds one process of the suite may take. */
const LIMIT = 120_000;

/**
 * Runs a suite's scenarios against a server and gives their verdicts.
 * `scenarios`: a list has a process of its own for each, in that order, `jobs` at a time;
 * `undefined` runs the whole suite in one process, in the suite's order.
 * Throws when the suite ran another number of scenarios than it left verdicts.
 */
export async function runSuite({ suite, command, url, scenarios, jobs, folder }) {
  await mkdir(folder, { recursive: true });
  const { selection, specVersion } = SUITES[suite];
  const base = [...command, "server", "--url", url, "-o", folder, ...specVersion];
  if (scenarios === undefined) {
    const output = await finished([...base, ...selection], join(folder, "suite.log"));
    const verdicts = await readVerdicts(folder);
    const announced = Number(/\((\d+) scenarios\)/.exec(output)?.[1]);
    if (announced !== verdicts.size) {
      throw new Error(`The ${suite} suite ran ${announced} scenarios and left ${verdicts.size} verdicts.`);
    }
    return verdicts;
  }
  const queue = scenarios.values();
  const worker = async () => {
    for (const scenario of queue) {
      await finished([...base, "--scenario", scenario], join(folder, `${scenario}.log`));
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return readVerdicts(folder);
}

/** What a program printed, when it has ended. The suite exits 1 on a failed check, which is no error here. */
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
      if (code === 0 || code === 1) resolve(output);
      else reject(new Error(`The suite ended with ${signal ?? code}; see ${logFile}`));
    });
  });
}
