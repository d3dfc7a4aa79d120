import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The Node that every spawned program runs under. */
export const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;
/** The built command. */
export const CLI = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

export const fixture = (path: string) => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Rights to files hold for it, though they do not for the superuser. */
  readonly heedsRights?: boolean;
}

/** Without the superuser's right to pass over all others (util-linux, capabilities(7)). */
const HEEDING = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"];

/**
 * A running Node program, the leader of a process group of its own: what it leaves behind can be seen, and is ended
 * with the test.
 */
export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when it has exited and its output was read to the end. */
  readonly ended: Promise<Ended>;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];

  constructor(args: readonly string[], { cwd, env, heedsRights = false }: StartOptions = {}) {
    const [program, ...before] = heedsRights && process.getuid?.() === 0 ? HEEDING : [];
    this.child = spawn(program ?? NODE, program === undefined ? args : [...before, NODE, ...args], {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: "pipe",
    });
    this.child.stdout.on("data", (chunk: Buffer) => this.#stdout.push(chunk));
    this.child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    // A program that is gone: its exit code tells.
    this.child.stdin.on("error", () => {});
    this.ended = once(this.child, "close").then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** What it has printed so far. */
  get stdout(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString();
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    this.child.kill(signal);
  }

  /** Closes its stdin and waits for its end. */
  finish(): Promise<Ended> {
    this.child.stdin.end();
    return this.ended;
  }

  /** Asks it to end, and waits. */
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    this.kill(signal);
    return this.ended;
  }

  /** Resolves when stdout holds `text`; fails when the program ends before. */
  printed(text: string): Promise<void> {
    return this.#until("stdout", () => this.stdout.includes(text), text);
  }

  /** The same for stderr. */
  complained(text: string): Promise<void> {
    return this.#until("stderr", () => this.stderr.includes(text), text);
  }

  /** The `url` of the one JSON line that what listens prints when it is ready. */
  async url(): Promise<string> {
    await this.printed("\n");
    const { url } = JSON.parse(this.stdout.toString()) as { url: string };
    return url;
  }

  async #until(stream: "stdout" | "stderr", holds: () => boolean, wanted: string): Promise<void> {
    let over = false;
    const end = this.ended.then(() => {
      over = true;
    });
    while (!holds()) {
      if (over) {
        throw new Error(
          `ended before it wrote ${JSON.stringify(wanted)} to ${stream}, which holds ${JSON.stringify(this[stream].toString())}; stderr ${JSON.stringify(this.stderr)}`,
        );
      }
      await Promise.race([new Promise((resolve) => this.child[stream].once("data", resolve)), end]);
    }
  }
}

/** Starts a Node program that ends with the test at the latest, and all its descendants with it. */
export function start(args: readonly string[], options?: StartOptions): Program {
  const program = new Program(args, options);
  onTestFinished(() => endGroup(program.pid));
  return program;
}

/** Runs a Node program to its end, with nothing on its stdin. */
export function run(args: readonly string[], options?: StartOptions): Promise<Ended> {
  return start(args, options).finish();
}

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    // Nobody is left in it.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Commands of the processes that a program started and left running. */
export function leftBehind({ pid }: Program): string[] {
  const table = execFileSync("ps", ["-A", "-o", "pgid=,stat=,args="], { encoding: "utf8" });
  return table
    .split("\n")
    .map((row) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(row))
    .filter((match) => Number(match?.[1]) === pid && !match?.[2]?.startsWith("Z"))
    .map((match) => match?.[3] ?? "");
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  const state = execFileSync("sh", ["-c", `ps -o stat= -p ${pid} || true`], { encoding: "utf8" }).trim();
  return state !== "" && !state.startsWith("Z");
}

/** A port of this machine that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
