import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/exchange/entry.ts";
import { server } from "./support/calls.ts";
import { bodiesOf, readCassette, tempFolder } from "./support/cassette.ts";
import { type Ended, isRunning, type Program, start } from "./support/program.ts";
import { Random } from "./support/random.ts";
import { INITIALIZE, Talk } from "./support/talk.ts";
import { PATIENCE_MS, record } from "./support/walk.ts";

/** With the recorder in between, client and server see what they would have seen without it. */

const rpc = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const call = (id: number, name: string) => rpc(id, "tools/call", { name, arguments: {} });
const HELLO = rpc(1, "initialize", INITIALIZE);

/** Writes a client's whole side at once, closes it, and waits for the end. */
function converse(args: readonly string[], input: string | Uint8Array): Promise<Ended> {
  const program = start(args);
  program.child.stdin.write(input);
  return program.finish();
}

interface Row {
  readonly name: string;
  readonly program: readonly string[];
  readonly input: string;
  readonly ends: Partial<Ended>;
  /** What the recording's last entries are. */
  readonly last?: readonly object[];
}

const HALF = /^\{"jsonrpc".*this sentence is never fin$/;

const ROWS: readonly Row[] = [
  {
    name: "noise, empty lines, CRLF, no UTF-8, no final newline",
    program: server("noisy-stdout"),
    input: HELLO + call(2, "noise"),
    ends: { code: 0 },
  },
  {
    name: "batches",
    program: server("batches"),
    input: `${HELLO}[${rpc(2, "ping").trim()},${rpc(3, "tools/list").trim()}]\n${call(4, "one")}`,
    ends: { code: 0 },
  },
  {
    name: "a server that waits for the end of stdin",
    program: server("half-close"),
    input: HELLO + rpc(2, "ping"),
    ends: { code: 3 },
  },
  { name: "an exit code", program: server("exits-with-code", "5"), input: HELLO, ends: { code: 5 } },
  {
    name: "a crash in the middle of an answer",
    program: server("crashes-mid-answer"),
    input: HELLO + call(2, "crash"),
    ends: { code: 7 },
    last: [
      { from: "server", text: expect.stringMatching(HALF) },
      { from: "server", closed: { exit: 7 } },
    ],
  },
  {
    name: "a death by SIGKILL",
    program: server("dies-by-signal", "SIGKILL"),
    input: HELLO + call(2, "die"),
    ends: { code: null, signal: "SIGKILL" },
    last: [{ from: "server", closed: { signal: "SIGKILL" } }],
  },
  {
    name: "a death by SIGABRT",
    program: server("dies-by-signal", "SIGABRT"),
    input: HELLO + call(2, "die"),
    ends: { code: null, signal: "SIGABRT" },
  },
  {
    name: "a flood that nobody asked for",
    program: server("floods", "1000000", "997"),
    input: "",
    ends: { code: 0 },
  },
  {
    name: "secrets, and stderr",
    program: server("leaks-secrets"),
    input: HELLO + call(2, "text"),
    ends: { code: 0 },
  },
  {
    name: "input that is no message",
    program: server("echo-bytes"),
    input: "\n\r\nnot JSON\r\n{}\n[1,\n\u0000\ufeff{}",
    ends: { code: 0 },
  },
];

describe("stdout, stderr, exit code and signal are the server's own", () => {
  test.each(ROWS)("$name", async ({ program, input, ends, last = [] }) => {
    const direct = await converse(program, input);
    expect(direct).toMatchObject(ends);
    const file = join(tempFolder(), "own.yaml");
    const { stdout, ...through } = await converse(record(file, program), input);
    expect({ stdout: stdout.toString("latin1"), ...through }).toEqual({
      ...direct,
      stdout: direct.stdout.toString("latin1"),
    });
    const { entries, truncated } = await readCassette(file);
    expect(truncated).toEqual([]);
    expect(entries.slice(entries.length - last.length).map(told)).toMatchObject(last);
  });
});

/** An entry, with its body as text where it is no message. */
function told(entry: Entry): object {
  return entry.body?.form === "text" ? { ...entry, text: Buffer.from(entry.body.bytes).toString() } : entry;
}

describe("bytes in both directions", () => {
  test.each(["yaml", "jsonl"])("any bytes arrive as they were sent, .%s", async (codec) => {
    const folder = tempFolder();
    const bytes = new Random(7).bytes(1_000_000);
    const sum = join(folder, "sum.json");
    const ended = await converse(record(join(folder, `any.${codec}`), server("echo-bytes", sum)), bytes);
    expect(ended.code).toBe(0);
    expect(Buffer.compare(ended.stdout, bytes)).toBe(0);
    expect(JSON.parse(readFileSync(sum, "utf8"))).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
    const kept = await readCassette(join(folder, `any.${codec}`));
    // All of it is in the file, line for line, on both sides.
    const lines = bytes.toString("latin1").split("\n");
    for (const side of ["client", "server"] as const)
      expect(bodiesOf(kept.entries, side)).toEqual(linesKept(lines));
  });

  test.each(["yaml", "jsonl"])("lines of 10 MB pass and are recorded whole, .%s", async (codec) => {
    const file = join(tempFolder(), `long.${codec}`);
    const line = rpc(1, "tools/call", { text: '🧵 "long" \\ \n'.repeat(600_000) });
    expect(Buffer.byteLength(line)).toBeGreaterThan(10_000_000);
    const ended = await converse(record(file, server("echo-bytes", `${file}.sum`)), line + HELLO);
    expect(sha256(ended.stdout)).toBe(sha256(line + HELLO));
    const { entries, truncated } = await readCassette(file);
    expect(truncated).toEqual([]);
    const wanted = [line, HELLO].map((each) => sha256(Buffer.from(each.trimEnd()).toString("latin1")));
    for (const side of ["client", "server"] as const) {
      expect(bodiesOf(entries, side).map(sha256)).toEqual(wanted);
    }
  });
});

/** A carriage return before the newline is the line's ending, and an empty line is no frame. */
function linesKept(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

describe("signals", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends server and recorder alike", async (signal) => {
    const file = join(tempFolder(), "signal.yaml");
    const { program, pid } = await greeted(record(file, server("ignores-eof")));
    if (signal === "SIGINT") {
      // This server ignores it, and so the recorder stays too.
      program.kill(signal);
      await program.complained("ignores-eof: SIGINT");
      expect(isRunning(program.pid)).toBe(true);
      program.kill("SIGTERM");
    } else program.kill(signal);
    const { code, signal: death } = await program.ended;
    expect({ code, death }).toEqual(
      signal === "SIGHUP" ? { code: null, death: "SIGHUP" } : { code: 0, death: null },
    );
    expect(isRunning(pid)).toBe(false);
    const last = (await readCassette(file)).entries.at(-1);
    expect(last).toMatchObject({
      from: "server",
      closed: signal === "SIGHUP" ? { signal: "SIGHUP" } : { exit: 0 },
    });
    if (signal === "SIGTERM") expect((await program.ended).stderr).toContain("ignores-eof: SIGTERM");
  });

  test("a server that says with which code SIGTERM ends it", async () => {
    const { program } = await greeted(record(join(tempFolder(), "code.yaml"), server("ignores-eof", "9")));
    expect(await program.stop("SIGTERM")).toMatchObject({ code: 9, signal: null });
  });

  test("a server without handlers dies by the signal, and the recorder by the same", async () => {
    const talk = new Talk(start(record(join(tempFolder(), "die.yaml"), server("parallel"))));
    await talk.initialize();
    expect(await talk.program.stop("SIGTERM")).toMatchObject({ code: null, signal: "SIGTERM" });
  });
});

/** Starts a server that tells its pid. */
async function greeted(args: readonly string[]): Promise<{ program: Program; talk: Talk; pid: number }> {
  const talk = new Talk(start(args));
  await talk.initialize();
  const { result } = await talk.call("pid");
  return { program: talk.program, talk, pid: Number(result.content[0].text.replace("pid ", "")) };
}

describe("ends", () => {
  test("a server that ignores the end of stdin lives on, and is still heard", async () => {
    const { program, pid } = await greeted(record(join(tempFolder(), "eof.yaml"), server("ignores-eof")));
    program.child.stdin.end();
    await program.complained("ignores-eof: end of stdin");
    await sleep(100);
    expect(isRunning(program.pid)).toBe(true);
    expect(isRunning(pid)).toBe(true);
    expect(await program.stop()).toMatchObject({ code: 0 });
  });

  test("a client that closes its stdout gives the server a closed pipe", async () => {
    const flood = server("floods", "100000000", "1000", "--on-request");
    const ends = async (args: readonly string[]) => {
      const program = start(args);
      program.child.stdin.write(HELLO);
      await program.printed("\n");
      program.child.stdout.destroy();
      const { code, signal, stderr } = await program.ended;
      return { code, signal, broken: stderr.includes("EPIPE"), own: stderr.includes("mcp-vcr") };
    };
    const direct = await ends(flood);
    expect(direct).toEqual({ code: 1, signal: null, broken: true, own: false });
    const file = join(tempFolder(), "pipe.jsonl");
    expect(await ends(record(file, flood))).toEqual(direct);
    expect((await readCassette(file)).entries.at(-1)).toMatchObject({ closed: { exit: 1 } });
  });
});

test("stderr passes while the server runs", async () => {
  const { program } = await greeted(record(join(tempFolder(), "stderr.yaml"), server("ignores-eof")));
  expect(program.stderr).toBe("");
  program.kill("SIGINT");
  await program.complained("ignores-eof: SIGINT\n");
  expect(isRunning(program.pid)).toBe(true);
  await program.stop();
});

describe("backpressure", () => {
  /** Bytes that pipes and buffers on the way may hold: some chunks, not the flood. */
  const ON_THE_WAY = 4_000_000;
  const FLOOD = 20_000_000;

  test("a client that does not read stops the server", { timeout: PATIENCE_MS }, async () => {
    const file = join(tempFolder(), "flood.jsonl");
    const program = start(record(file, server("floods", String(FLOOD), "1000")));
    program.child.stdout.pause();
    const stalled = await settled(() => (existsSync(file) ? statSync(file).size : 0));
    expect(stalled).toBeGreaterThan(0);
    expect(stalled).toBeLessThan(ON_THE_WAY);
    program.child.stdout.resume();
    const { code, stdout } = await program.finish();
    expect(code).toBe(0);
    expect(stdout.length).toBe(FLOOD);
    expect(statSync(file).size).toBeGreaterThan(FLOOD);
  });

  test("a server that does not read stops the client", { timeout: PATIENCE_MS }, async () => {
    const file = join(tempFolder(), "flood.jsonl");
    const program = start(record(file, server("never-reads")));
    await program.complained("never-reads: ready");
    const line = Buffer.from(rpc(1, "ping", { filling: "x".repeat(100_000) }));
    let passed = 0;
    for (let count = 0; count < 200; count++) {
      program.child.stdin.write(line, (error) => {
        if (!error) passed += line.length;
      });
    }
    expect(await settled(() => passed)).toBeLessThan(ON_THE_WAY);
    expect(passed).toBeGreaterThan(0);
    expect(statSync(file).size).toBeLessThan(ON_THE_WAY);
    expect(await program.stop("SIGTERM")).toMatchObject({ signal: "SIGTERM" });
  });
});

/** A number once it has begun and no longer grows. */
async function settled(value: () => number): Promise<number> {
  let same = 0;
  let last = value();
  while (last === 0 || same < 10) {
    await sleep(50);
    const now = value();
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}
