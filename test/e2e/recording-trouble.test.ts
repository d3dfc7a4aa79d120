import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { answersTo, expectComplete, recordCall, recordedFor, recordedOnce, server } from "./support/calls.ts";
import { tempFolder } from "./support/cassette.ts";
import { type Ended, NODE, Program, run, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { everyday, record } from "./support/walk.ts";

/**
 * What can go wrong with the cassette while a session is recorded: it is said once, the session goes on, the server's
 * exit code is passed on, and nothing is left that would confuse later.
 */

const CODECS = ["yaml", "jsonl"] as const;
const AGAIN = ["--mode", "all"] as const;
const putOld = recordedOnce("old");

/** A session of one call with a server that ends with exit code 7. */
const SERVER = ["-e", `process.stdin.on("end", () => { process.exitCode = 7; }); import(process.argv[1]);`];
const failing = [...SERVER, server("parallel")[0] as string, "1"];

function expectOnce({ code, stderr }: Ended, says: string): void {
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining(says) });
  expect(stderr.match(/mcp-vcr: /g)).toHaveLength(1);
}

describe("two recorders of one cassette", () => {
  test("the second is refused in every mode, and the first goes on", async () => {
    const folder = tempFolder();
    const file = join(folder, "tape.yaml");
    const talk = new Talk(start(record(file, server("parallel", "1"))));
    await talk.initialize();
    for (const mode of ["once", "append", "all"]) {
      const { code, stderr, stdout } = await run(record(file, server("parallel", "1"), "--mode", mode));
      expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`is being recorded by another mcp-vcr (process ${talk.program.pid})`);
    }
    await talk.call("ask", { tag: "first" });
    expect(await talk.program.finish()).toMatchObject({ code: 0, stderr: "" });
    await expectComplete(file);
    expect(readdirSync(folder)).toEqual(["tape.yaml"]);
  });

  test("of many that start at once over the lock of a dead one, one records", async () => {
    const folder = tempFolder();
    const file = join(folder, "tape.jsonl");
    await putOld(file);
    writeFileSync(`${file}.lock`, "999999999");
    const all = Array.from({ length: 4 }, () =>
      start(record(file, server("parallel", "1"), "--mode", "append")),
    );
    const talks = all.map((program) => new Talk(program));
    // Whoever is refused has ended before it answers.
    const opened = await Promise.all(
      talks.map((talk) =>
        talk.initialize().then(
          () => talk,
          () => undefined,
        ),
      ),
    );
    const [winner, ...others] = opened.filter((talk) => talk !== undefined);
    expect(others).toEqual([]);
    await winner?.call("ask", { tag: "new" });
    const codes = await Promise.all(all.map(async (program) => (await program.finish()).code));
    expect(codes.sort()).toEqual([0, 2, 2, 2]);
    await expectComplete(file);
    expect(await answersTo(file, "new")).toEqual(recordedFor("new"));
    expect(readdirSync(folder)).toEqual(["tape.jsonl"]);
  });

  test("what a killed one leaves is gone after the next", async () => {
    const folder = tempFolder();
    const file = join(folder, "tape.yaml");
    await putOld(file);
    const talk = new Talk(start(record(file, server("parallel", "1"), ...AGAIN)));
    await talk.initialize();
    await talk.program.stop("SIGKILL");
    expect(readdirSync(folder).sort()).toEqual(["tape.yaml", "tape.yaml.lock", "tape.yaml.recording"]);
    await recordCall(file, "new", "--mode", "append");
    expect(readdirSync(folder)).toEqual(["tape.yaml"]);
  });
});

describe.each(CODECS)("a disk that is full, .%s", (codec) => {
  /** The shell's limit on file sizes (in blocks of 512 or 1024 bytes) stands for it. */
  async function limited(file: string, ...flags: string[]): Promise<Ended> {
    const script = 'ulimit -f 32; exec "$@"';
    const child = spawn("sh", ["-c", script, "sh", NODE, ...record(file, failing, ...flags)]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    for (let id = 1; id <= 60; id++) {
      const params = { name: "ask", arguments: { text: "x".repeat(1000) } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
      while (stdout.split("\n").length <= id) await once(child.stdout, "data");
    }
    child.stdin.end();
    const [code, signal] = await once(child, "close");
    return { code, signal, stdout: Buffer.from(stdout), stderr };
  }

  test.each(["once", "append"])("--mode %s keeps what was complete", async (mode) => {
    const folder = tempFolder();
    const file = join(folder, `tape.${codec}`);
    const before = mode === "append" ? await putOld(file) : undefined;
    expectOnce(await limited(file, "--mode", mode), `${file}: recording stopped, the session goes on: EFBIG`);
    const left = readdirSync(folder).filter((name) => !name.endsWith(".spill.jsonl"));
    expect(left).toEqual([`tape.${codec}`]);
    await expectComplete(file);
    expect(readFileSync(file).length).toBeGreaterThan(before?.length ?? 0);
    if (before) expect(await answersTo(file, "old")).toEqual(recordedFor("old"));
  });

  test("--mode all leaves the old cassette, and nothing else", async () => {
    const folder = tempFolder();
    const file = join(folder, `tape.${codec}`);
    const before = await putOld(file);
    expectOnce(await limited(file, ...AGAIN), "recording stopped, the session goes on: EFBIG");
    expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    expect(readdirSync(folder)).toEqual([`tape.${codec}`]);
  });
});

describe("a folder that vanishes while it is recorded into", () => {
  test.each(["once", "all"])("--mode %s, over stdio", async (mode) => {
    const folder = join(tempFolder(), "cassettes");
    const file = join(folder, "tape.yaml");
    if (mode === "all") await putOld(file);
    const talk = new Talk(start(record(file, failing, "--mode", mode)));
    await talk.initialize();
    rmSync(folder, { recursive: true });
    await talk.call("ask", { tag: "on" });
    expectOnce(await talk.program.finish(), `${file}: recording stopped, the session goes on: `);
    expect(existsSync(folder)).toBe(false);
  });

  test("over HTTP, where the exit code tells of it too", async () => {
    const folder = join(tempFolder(), "cassettes");
    const file = join(folder, "tape.jsonl");
    const real = start(everyday("legacy", "json"));
    const recorder = start(record(file, { url: await real.url() }));
    const url = await recorder.url();
    const ping = () =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      });
    const { status } = await ping();
    rmSync(folder, { recursive: true });
    expect((await ping()).status).toBe(status);
    const { code, stderr } = await recorder.stop();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^mcp-vcr: .*: recording stopped.*\n$/),
    });
  });
});

describe("a folder that is read-only", () => {
  const heeding = { heedsRights: true };

  function newFolder(): string {
    const folder = join(tempFolder(), "cassettes");
    mkdirSync(folder);
    onTestFinished(() => chmodSync(folder, 0o755));
    return folder;
  }

  test("is told before the server is started", async () => {
    const folder = newFolder();
    chmodSync(folder, 0o555);
    const mark = join(folder, "mark");
    const starts = ["-e", "require('fs').writeFileSync(process.argv[1], '')", mark];
    const { code, stderr, stdout } = await new Program(
      record(join(folder, "tape.yaml"), starts),
      heeding,
    ).finish();
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^mcp-vcr: .*tape\.yaml cannot be written: EACCES.*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("since the session began: the old cassette stays, and the next recording tidies up", async () => {
    const folder = newFolder();
    const file = join(folder, "tape.yaml");
    const before = await putOld(file);
    const talk = new Talk(new Program(record(file, failing, ...AGAIN), heeding));
    await talk.initialize();
    chmodSync(folder, 0o555);
    await talk.call("ask", { tag: "new" });
    expectOnce(await talk.program.finish(), `what was recorded is in ${file}.recording`);
    expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    chmodSync(folder, 0o755);
    await recordCall(file, "later", ...AGAIN);
    expect(readdirSync(folder)).toEqual(["tape.yaml"]);
  });
});
