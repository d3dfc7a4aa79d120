import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Milliseconds a program has to be ready, and to end after SIGTERM. */
const PATIENCE = 30_000;

/**
 * Starts a Node program, calls `use(url)`, and ends the program whatever came of it.
 * Gives how it ended: `{ code, signal, stderr }`.
 */
export async function during(name, args, use) {
  const running = await start(name, args);
  try {
    await use(running.url);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running.stop();
}

/**
 * Starts a Node program that prints one JSON line with its `url` when it is ready.
 * `stop()` ends it by SIGTERM; one that does not end is killed, and that throws.
 */
async function start(name, args) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  process.once("exit", () => child.kill());
  const errors = [];
  child.stderr.on("data", (chunk) => errors.push(chunk));
  const stderr = () => Buffer.concat(errors).toString();
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, "line", { signal: AbortSignal.timeout(PATIENCE) }),
    ended.then(([code, signal]) => {
      throw new Error(`${name} ended with ${signal ?? code} before it was ready:\n${stderr()}`);
    }),
  ]).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
  const { url } = JSON.parse(first[0]);
  if (typeof url !== "string") throw new Error(`${name} printed no url: ${first[0]}`);

  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
      const [code, signal] = await ended;
      clearTimeout(late);
      if (signal === "SIGKILL") throw new Error(`${name} did not end after SIGTERM`);
      return { code, signal, stderr: stderr() };
    },
  };
}
