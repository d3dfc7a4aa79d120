import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectComplete, recordedOnce, server } from "./support/calls.ts";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { onceFor } from "./support/once.ts";
import { CLI, isRunning, leftBehind, NODE, type Program, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { everyday, LISTEN, record, serve } from "./support/walk.ts";

/** How the command ends, with its client or when it is asked to, and what it leaves behind. */

const put = recordedOnce("a");

describe("serve over stdio ends with its client", () => {
  const ENDINGS: readonly { readonly name: string; readonly talk: (talk: Talk) => Promise<unknown> }[] = [
    { name: "before a word was said", talk: async () => {} },
    { name: "after the opening", talk: (talk) => talk.initialize() },
    {
      name: "while it waits for the client's answer",
      talk: async (talk) => {
        await talk.initialize();
        await new Promise((resolve) => {
          talk.on("elicitation/create", () => new Promise(resolve));
          talk.call("ask_name", { message: "Who?" }).catch(() => {});
        });
      },
    },
  ];

  const asking = onceFor(async (name: string) => {
    const file = join(tempFolder(), name);
    const talk = new Talk(start(record(file, everyday("legacy", "stdio"))));
    talk.on("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
    await talk.initialize();
    await talk.call("ask_name", { message: "Who?" });
    await talk.program.finish();
    return readFileSync(file);
  });

  test.each(ENDINGS)("$name", async ({ name, talk }) => {
    const file = join(tempFolder(), "asking.yaml");
    writeFileSync(file, await asking("asking.yaml"));
    const replay = new Talk(start(serve(file)));
    await talk(replay);
    const before = performance.now();
    const { code, signal } = await replay.program.finish();
    console.info(`serve ended ${Math.round(performance.now() - before)} ms after the end of stdin, ${name}`);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(leftBehind(replay.program)).toEqual([]);
  });

  test("a last line without a newline is still answered", async () => {
    const file = join(tempFolder(), "last.yaml");
    await put(file);
    const program = start(serve(file));
    program.child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"ping"}');
    expect((await program.finish()).stdout.toString()).toBe('{"jsonrpc":"2.0","id":7,"result":{}}\n');
  });

  test.skipIf(process.platform === "win32").each([
    { kind: "a pipe", line: 'cat "$IN" | "$@"', count: 3000 },
    { kind: "a file", line: '"$@" < "$IN"', count: 3000 },
    { kind: "nothing", line: '"$@" < /dev/null', count: 0 },
  ])("stdin may be $kind", async ({ line, count }) => {
    const folder = tempFolder();
    const [file, input] = [join(folder, "kinds.yaml"), join(folder, "input")];
    await put(file);
    const ids = Array.from({ length: count }, (_, id) => id);
    writeFileSync(input, ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join(""));
    const { stdout } = await promisify(execFile)("sh", ["-c", line, "sh", NODE, ...serve(file)], {
      env: { ...process.env, IN: input },
    });
    expect(stdout).toBe(ids.map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`).join(""));
  });

  test("stdin may be the channel to a parent in Node", async () => {
    const file = join(tempFolder(), "channel.yaml");
    await put(file);
    const child = spawn(NODE, [CLI, "serve", file], { stdio: ["ipc", "ignore", "inherit"] });
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("it ends with a client that closed its stdout", async () => {
    const file = join(tempFolder(), "gone.yaml");
    await put(file);
    const talk = new Talk(start(serve(file)));
    await talk.initialize();
    talk.program.child.stdout.destroy();
    for (let id = 0; id < 100; id++) talk.raw(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    expect(await talk.program.ended).toMatchObject({ signal: null, stderr: "" });
  });

  test.skipIf(process.platform === "win32")(
    "it ends where stdin has no end to come, a folder say",
    async () => {
      const file = join(tempFolder(), "folder.yaml");
      await put(file);
      const folder = openSync(tempFolder(), "r");
      const child = spawn(NODE, [CLI, "serve", file], { stdio: [folder, "ignore", "inherit"] });
      closeSync(folder);
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );

  test("a client that says nothing and stays is told at once that there is no cassette", async () => {
    const { code, stderr } = await start(serve(join(tempFolder(), "missing.jsonl"))).ended;
    expect(code).toBe(3);
    expect(stderr).toContain("there is no such file");
  });
});

/** One of each way to run, with a client in the middle of something, and the cassette it writes, if it does. */
interface Running {
  readonly program: Program;
  readonly writes?: string;
  /** Ends what only the test needs. */
  readonly after?: () => Promise<unknown>;
}

const WAYS: Readonly<Record<string, (folder: string, codec: string) => Promise<Running>>> = {
  "record over stdio": async (folder, codec) => {
    const file = join(folder, `way.${codec}`);
    const talk = new Talk(start(record(file, server("ignores-eof"))));
    await talk.initialize();
    await talk.call("pid");
    return { program: talk.program, writes: file };
  },
  "record over HTTP": async (folder, codec) => {
    const file = join(folder, `way.${codec}`);
    const upstream = start(everyday("legacy", "http"));
    const program = start(record(file, { url: await upstream.url() }));
    await openClient(await program.url());
    return { program, writes: file, after: () => upstream.stop() };
  },
  "serve over stdio": async (folder, codec) => {
    const file = join(folder, `way.${codec}`);
    await put(file);
    const talk = new Talk(start(serve(file)));
    await talk.initialize();
    return { program: talk.program };
  },
  "serve over HTTP": async (folder, codec) => {
    const file = join(folder, `way.${codec}`);
    const upstream = start(everyday("legacy", "http"));
    const recorder = start(record(file, { url: await upstream.url() }));
    await openClient(await recorder.url());
    await recorder.stop();
    await upstream.stop();
    const program = start(serve(file, ...LISTEN));
    await openClient(await program.url());
    return { program };
  },
};

/** A client with its standalone stream open and a call that hangs. */
async function openClient(url: string): Promise<void> {
  const talk = new HttpTalk(url);
  const { headers } = await talk.initialize();
  const session = headers.get("mcp-session-id") ?? "";
  const get = {
    accept: "text/event-stream",
    "mcp-session-id": session,
    "mcp-protocol-version": "2025-11-25",
  };
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  await fetch(url, { headers: get, signal: controller.signal });
  const arguments_ = { ticket: "one" };
  const params = { name: "hold", arguments: arguments_, _meta: { progressToken: "p" } };
  const hanging = fetch(url, {
    method: "POST",
    headers: { ...get, accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params }),
    signal: controller.signal,
  });
  const reader = (await hanging).body?.getReader();
  // The first progress message: the call has begun.
  await reader?.read();
}

describe.each(Object.keys(WAYS))("%s", (way) => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s ends it cleanly, and leaves nothing running",
    async (signal) => {
      const codec = signal === "SIGTERM" ? "yaml" : "jsonl";
      const { program, writes, after } = await (WAYS[way] as (typeof WAYS)[string])(tempFolder(), codec);
      if (way === "record over stdio" && signal === "SIGINT") {
        // This server ignores SIGINT, and the recorder obeys what the server does.
        program.kill(signal);
        await program.complained("ignores-eof: SIGINT");
        program.kill("SIGTERM");
      } else program.kill(signal);
      const { code, signal: death } = await program.ended;
      expect({ code, death }).toEqual({ code: 0, death: null });
      expect(leftBehind(program)).toEqual([]);
      if (writes !== undefined) await expectComplete(writes);
      await after?.();
    },
  );
});

test("a server behind a shell ends with its recorder", async () => {
  const folder = tempFolder();
  const pidFile = join(folder, "pid");
  const shell = `"$0" -e 'require("fs").writeFileSync(process.argv[1], String(process.pid)); process.stdin.resume(); console.log("{}")' ${pidFile}; exit 0`;
  const program = start([CLI, "record", "-o", join(folder, "shell.yaml"), "--", "sh", "-c", shell, NODE]);
  await program.printed("{}");
  const pid = Number(readFileSync(pidFile, "utf8"));
  expect(isRunning(pid)).toBe(true);
  expect((await program.stop()).signal).toBe("SIGTERM");
  expect(isRunning(pid)).toBe(false);
});

test("the server of a recorder that was killed sees the end of its stdin", async () => {
  const talk = new Talk(start(record(join(tempFolder(), "killed.yaml"), server("parallel"))));
  await talk.initialize();
  await talk.program.stop("SIGKILL");
  while (leftBehind(talk.program).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});
