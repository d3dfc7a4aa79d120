import type { ChildProcess } from "node:child_process";
import { clearTimeout, setTimeout } from "node:timers";
import spawn from "cross-spawn";
import { type Message, readMessage } from "../protocol/message.ts";
import type { Link, LinkSide } from "../replay/forward/link.ts";
import { LineFramer } from "../wire/line-framer.ts";
import { singleLine } from "../wire/single-line.ts";

const NEWLINE = Uint8Array.of(0x0a);
/** Milliseconds a server has to end by itself, first when its stdin closed, then after SIGTERM. */
const GRACE = 1_000;

type Child = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess["stdin"]>;
  readonly stdout: NonNullable<ChildProcess["stdout"]>;
};

/** A server that is started for one client and spoken with over its stdin and stdout. Its stderr is our own. */
export class ChildLink implements Link {
  readonly drop = undefined;
  readonly #child: Child;
  readonly #side: LinkSide;
  readonly #ended: Promise<void>;
  #over = false;
  #closing: Promise<void> | undefined;

  constructor([program = "", ...args]: readonly string[], side: LinkSide) {
    this.#side = side;
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] }) as Child;
    const { stdin, stdout } = this.#child;
    const framer = new LineFramer();
    const onLine = (line: Uint8Array) => {
      if (!this.#over) side.message(readMessage(line), {});
    };
    stdout.on("data", (chunk: Buffer) => framer.push(chunk, onLine));
    stdout.on("end", () => framer.end(onLine));
    // A server that is gone: `close` tells.
    stdin.on("error", () => undefined);
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error: NodeJS.ErrnoException) => {
        const reason = error.code === "ENOENT" ? `there is no program ${program}` : error.message;
        this.#end(`could not be started: ${reason}`);
        resolve();
      });
      this.#child.once("close", (code, signal) => {
        this.#end(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
        resolve();
      });
    });
  }

  send({ bytes }: Message): void {
    if (this.#over) return;
    // One write, so that no line is ever cut in two by another.
    this.#child.stdin.write(Buffer.concat([singleLine(bytes), NEWLINE]));
  }

  close(): Promise<void> {
    this.#over = true;
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  /** As the specification has it: close stdin, wait, SIGTERM, wait, SIGKILL (2025-11-25 basic/lifecycle#stdio). */
  async #stop(): Promise<void> {
    this.#child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const timer = setTimeout(() => this.#child.kill(signal), GRACE);
      const ended = await Promise.race([
        this.#ended.then(() => true),
        new Promise<false>((resolve) => setTimeout(resolve, GRACE + 1, false).unref()),
      ]);
      clearTimeout(timer);
      if (ended) return;
    }
    await this.#ended;
  }

  #end(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#side.closed(reason);
  }
}
