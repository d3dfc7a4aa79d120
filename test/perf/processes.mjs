import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export function program(name) {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}

export function node(path, ...args) {
  return [process.execPath, path, ...args];
}

export const ECHO_SERVER = node(program("echo-server.mjs"));

const PATIENCE = 300_000;

/** Runs a client program with one job; `pinned` puts it and everything it starts on one core. */
export async function drive(client, job, { pinned = false } = {}) {
  const command = [...(pinned ? ["taskset", "-c", "0"] : []), ...node(program(client), JSON.stringify(job))];
  const options = { maxBuffer: 1 << 24, timeout: PATIENCE };
  const { stdout } = await promisify(execFile)(command[0], command.slice(1), options).catch((error) => {
    if (error.killed) throw new Error(`no end after ${PATIENCE / 1000} s: ${JSON.stringify(job)}`);
    throw error;
  });
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

/** Milliseconds from spawn to exit. */
export async function timeToExit(command) {
  const began = performance.now();
  const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  return performance.now() - began;
}

/** Starts something that listens and prints one JSON line with its `url`; `stop` ends it and waits. */
export async function listen(command) {
  const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), exited]);
  if (typeof line !== "string") throw new Error(`${command.join(" ")} ended before it listened`);
  return {
    url: JSON.parse(line).url,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Entries in a cassette of either codec, its header not counted. */
export async function countEntries(file) {
  const isEntry = file.endsWith(".jsonl") ? (line) => line.startsWith("{") : (line) => line.startsWith("---");
  let count = file.endsWith(".jsonl") ? -1 : 0;
  for await (const line of createInterface({ input: createReadStream(file) })) if (isEntry(line)) count++;
  return count;
}
