import { constants } from "node:os";
import spawn from "cross-spawn";
import { VcrError } from "../errors.ts";
import { ownStdin } from "../transport/own-stdin.ts";
import { tellWaiting } from "./notices.ts";
import { type PipedChild, relayStdio, type ServerEnd, StdioTap } from "./record-stdio.ts";
import type { Recorder } from "./recorder.ts";

/** Signals that ask this process to end, and are the server's to obey. */
const PASSED_ON = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Starts the server and stands between it and this process's own stdin and stdout until it ends. Resolves to the
 * server's exit code; a server that died by a signal makes this process die by the same.
 * @throws VcrError `server-failed`
 */
export async function runStdioServer(command: readonly string[], recorder: Recorder): Promise<number> {
  const child = await startServer(command);
  const own = { stdin: ownStdin(), stdout: process.stdout };
  tellWaiting(own.stdin, " Without a client, use record --drive.");
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal));
  const end = await relayStdio(own, child, new StdioTap(recorder, recorder.room()));
  recorder.close();
  return exitAs(end);
}

/**
 * Starts a server whose stdin and stdout are pipes of ours.
 * @throws VcrError `server-failed`
 */
export function startServer(
  [program = "", ...args]: readonly string[],
  stderr: "pipe" | "inherit" = "inherit",
): Promise<PipedChild> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", stderr] }) as PipedChild;
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.once("error", (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === "ENOENT" ? "there is no such program" : cause.message;
      reject(
        new VcrError("server-failed", `the server could not be started: ${program}: ${reason}`, {
          hint: "Check that the command after -- runs by itself.",
          cause,
        }),
      );
    });
  });
}

function exitAs({ code, signal }: ServerEnd): number {
  if (signal === null) return code ?? 0;
  for (const passed of PASSED_ON) process.removeAllListeners(passed);
  process.kill(process.pid, signal);
  // Reached only where this process cannot die by that signal.
  return 128 + constants.signals[signal];
}
