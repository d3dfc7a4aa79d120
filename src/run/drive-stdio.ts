import { PassThrough } from "node:stream";
import { readMessage } from "../protocol/message.ts";
import { LineFramer } from "../wire/line-framer.ts";
import type { Prepare } from "./drive-run.ts";
import { type PipedChild, relayStdio, type ServerEnd, StdioTap } from "./record-stdio.ts";
import type { Tape } from "./recorder.ts";
import { startServer } from "./run-stdio-server.ts";

export interface StdioServer {
  readonly command: readonly string[];
  /** Given what the server writes to its stderr, which is this process's own otherwise. */
  readonly onStderr?: ((chunk: Buffer) => void) | undefined;
  /** Told before a server that does not end by itself is made to. */
  readonly onKill?: (() => void) | undefined;
}

/** Milliseconds that a server has to end after its stdin did, and again after each signal (2025-11-25 basic/lifecycle). */
const END_PATIENCE = 2_000;

/**
 * Drives a server over stdio through the recording passthrough, of which this process is the client's side. The server
 * has ended when this resolves.
 * @throws VcrError `server-failed`
 */
export async function driveStdio<End>(
  { command, onStderr, onKill }: StdioServer,
  recorder: Tape,
  prepare: Prepare<End>,
): Promise<End> {
  const child = await startServer(command, onStderr ? "pipe" : "inherit");
  if (onStderr) child.stderr?.on("data", onStderr);
  const toServer = new PassThrough();
  const fromServer = new PassThrough();
  const { driver, go } = prepare("stdio", (action) => {
    if (action.type === "send") toServer.write(Buffer.concat([action.message.bytes, Buffer.from("\n")]));
  });
  const framer = new LineFramer();
  const receive = (chunk: Buffer) => framer.push(chunk, (line) => driver.receive(readMessage(line)));
  // What is received is answered at once, and that must not be recorded before what it answers.
  fromServer.on("data", (chunk: Buffer) => setImmediate(receive, chunk));
  const ended = relayStdio({ stdin: toServer, stdout: fromServer }, child, new StdioTap(recorder));
  ended.then((end) => setImmediate(() => driver.close(sentenceOf(end))));
  try {
    return await go();
  } finally {
    await shutDown({ child, toServer, ended, onKill });
  }
}

interface Ending {
  readonly child: PipedChild;
  readonly toServer: PassThrough;
  readonly ended: Promise<ServerEnd>;
  readonly onKill: (() => void) | undefined;
}

async function shutDown({ child, toServer, ended, onKill }: Ending): Promise<void> {
  toServer.end();
  const kill = (signal: NodeJS.Signals) => {
    onKill?.();
    child.kill(signal);
  };
  const timers = (["SIGTERM", "SIGKILL"] as const).map((signal, index) =>
    setTimeout(kill, END_PATIENCE * (index + 1), signal),
  );
  await ended;
  for (const each of timers) clearTimeout(each);
}

function sentenceOf({ code, signal }: ServerEnd): string {
  return signal === null ? `the server ended with exit code ${code}` : `the server was ended by ${signal}`;
}
