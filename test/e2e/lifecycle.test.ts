import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { CLI, type Ended, fixture, isRunning, leftBehind, NODE, type Program, run, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { everyday, LISTEN, record, serve } from "./support/walk.ts";

const server = (name: string, ...args: string[]) => [fixture(`servers/${name}.mjs`), ...args];
const CODECS = ["yaml", "jsonl"] as const;

/** Records a session of calls, which tell a tag and are answered with it. */
async function recordCalls(file: string, tag: string, ...flags: string[]): Promise<void> {
  const talk = new Talk(start(record(file, server("parallel", "1"), ...flags)));
  await talk.initialize();
  await talk.call("ask", { tag });
  expect(await talk.program.finish()).toMatchObject({ code: 0, stderr: "" });
}

/** What a cassette of `recordCalls` answers to a call. */
async function answerTo(file: string, tag: string): Promise<string> {
  const talk = new Talk(start(serve(file)));
  await talk.initialize();
  const { result, error } = await talk.call("ask", { tag });
  await talk.program.finish();
  return result?.content[0].text ?? `error ${error?.code}`;
}

/** A complete file: the reader has nothing to complain of, and a .yaml says where it ends. */
async function expectComplete(file: string): Promise<void> {
  expect((await readCassette(file)).truncated).toEqual([]);
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".yaml")) expect(text.match(/^\.\.\.$/gm)).toHaveLength(1);
  expect(text.endsWith(file.endsWith(".yaml") ? "\n...\n" : "}\n")).toBe(true);
}

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

  test.each(ENDINGS)("$name", async ({ name, talk }) => {
    const file = join(tempFolder(), "elicit.yaml");
    const live = new Talk(start(record(file, everyday("legacy", "stdio"))));
    live.on("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
    await live.initialize();
    await live.call("ask_name", { message: "Who?" });
    await live.program.finish();

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
    await recordCalls(file, "a");
    const program = start(serve(file));
    program.child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"ping"}');
    expect((await program.finish()).stdout.toString()).toBe('{"jsonrpc":"2.0","id":7,"result":{}}\n');
  });

  test("it ends with a client that closed its stdout", async () => {
    const file = join(tempFolder(), "gone.yaml");
    await recordCalls(file, "a");
    const talk = new Talk(start(serve(file)));
    await talk.initialize();
    talk.program.child.stdout.destroy();
    for (let id = 0; id < 100; id++) talk.raw(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    expect(await talk.program.ended).toMatchObject({ signal: null, stderr: "" });
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
    await recordCalls(file, "a");
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
  const get = { accept: "text/event-stream", "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
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
  test.each(["SIGTERM", "SIGINT"] as const)("%s ends it cleanly, and leaves nothing running", async (signal) => {
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
  });
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

describe.each(CODECS)("modes, .%s", (codec) => {
  const fileIn = (folder: string) => join(folder, `tape.${codec}`);

  test("once refuses to touch a cassette, and does not start the server", async () => {
    const folder = tempFolder();
    const file = fileIn(folder);
    await recordCalls(file, "old");
    const before = readFileSync(file);
    const mark = join(folder, "mark");
    const starts = ["-e", "require('fs').writeFileSync(process.argv[1], '')", mark];
    for (const flags of [[], ["--mode", "once"]]) {
      const { code, stdout, stderr } = await run(record(file, starts, ...flags));
      expect(code).toBe(2);
      expect(stdout.length).toBe(0);
      expect(stderr).toMatch(/^mcp-vcr: .*tape\.\w+ exists already, and --mode once does not touch it\n/);
      expect(stderr).toContain("--mode all");
      expect(stderr).toContain("--mode append");
    }
    expect(existsSync(mark)).toBe(false);
    expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    // The check can fail: with another file the server starts.
    await run(record(`${file}.${codec}`, starts));
    expect(existsSync(mark)).toBe(true);
  });

  test("all replaces the old recording at its end, and not before", async () => {
    const folder = tempFolder();
    const file = fileIn(folder);
    await recordCalls(file, "old", "--mode", "all");
    const before = readFileSync(file);
    const talk = new Talk(start(record(file, server("parallel", "1"), "--mode", "all")));
    await talk.initialize();
    await talk.call("ask", { tag: "new" });
    expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    await talk.program.finish();
    expect(await answerTo(file, "new")).toBe('answer to {"tag":"new"}');
    expect(await answerTo(file, "old")).toBe("error -32010");
    await expectComplete(file);
    expect(readdirSync(folder)).toEqual([`tape.${codec}`]);
  });

  test("all keeps the old recording when it is killed, or its server does not start", async () => {
    const folder = tempFolder();
    const file = fileIn(folder);
    await recordCalls(file, "old");
    const before = readFileSync(file);
    const { code } = await run([CLI, "record", "-o", file, "--mode", "all", "--", "no-such-program-here"]);
    expect(code).toBe(4);
    expect(readdirSync(folder)).toEqual([`tape.${codec}`]);
    const talk = new Talk(start(record(file, server("parallel", "1"), "--mode", "all")));
    await talk.initialize();
    await talk.call("ask", { tag: "new" });
    await talk.program.stop("SIGKILL");
    expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    // What the killed one left does not stand in the way.
    await recordCalls(file, "again", "--mode", "all");
    expect(await answerTo(file, "again")).toBe('answer to {"tag":"again"}');
  });

  test("append goes on after the end, in sessions of their own", async () => {
    const file = fileIn(tempFolder());
    for (const tag of ["one", "two", "three"]) {
      await recordCalls(file, tag, "--mode", "append");
      await expectComplete(file);
    }
    const { entries } = await readCassette(file);
    expect([...new Set(entries.map(({ session }) => session))]).toEqual([1, 2, 3]);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const tag of ["one", "two", "three"]) expect(await answerTo(file, tag)).toBe(`answer to {"tag":"${tag}"}`);
  });

  test("append killed before its first entry leaves the file as it was", async () => {
    const file = fileIn(tempFolder());
    await recordCalls(file, "one");
    const before = readFileSync(file);
    const program = start(record(file, server("never-reads"), "--mode", "append"));
    await program.complained("never-reads: ready");
    await program.stop("SIGKILL");
    expect(readFileSync(file, "latin1")).toBe(before.toString("latin1"));
    await recordCalls(file, "two", "--mode", "append");
    await expectComplete(file);
  });

  test("append to a file that was cut off is refused, and leaves it alone", async () => {
    const file = fileIn(tempFolder());
    await recordCalls(file, "one");
    truncateSync(file, statSync(file).size - 20);
    const before = readFileSync(file);
    const { code, stderr } = await run(record(file, server("parallel"), "--mode", "append"));
    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`^mcp-vcr: ${file}:\\d+: the last entry is cut off .*; nothing was appended\n\\w`));
    expect(readFileSync(file, "latin1")).toBe(before.toString("latin1"));
  });
});

describe("a cassette without a name", () => {
  test("of a command goes to cassettes/ under the server's name", async () => {
    const cwd = tempFolder();
    const talk = new Talk(start([CLI, "record", "--", NODE, ...server("parallel")], { cwd }));
    await talk.initialize();
    await talk.program.finish();
    expect(readdirSync(cwd)).toEqual(["cassettes"]);
    expect(readdirSync(join(cwd, "cassettes"))).toEqual(["parallel.yaml"]);
    await expectComplete(join(cwd, "cassettes/parallel.yaml"));
  });

  test("of a URL goes to cassettes/ under its host", async () => {
    const cwd = tempFolder();
    const recorder = start([CLI, "record", "--url", "http://127.0.0.1:9/mcp"], { cwd });
    await recorder.url();
    await recorder.stop();
    expect(readdirSync(join(cwd, "cassettes"))).toEqual(["127.0.0.1.yaml"]);
  });
});

describe("files that cannot be served end with exit code 3, the place and a hint", () => {
  const HEADER = "mcp-vcr: 1\nrecorded: 2026-11-30T09:00:00.000Z\nrecorder: x/1\nsource: { transport: stdio, command: [x] }\n";
  const entry = (id: number) =>
    `--- # client: ping\nat: ${id}\nfrom: client\nmessage:\n  jsonrpc: "2.0"\n  id: ${id}\n  method: ping\n`;
  const JSONL_HEADER =
    '{"mcp-vcr":1,"recorded":"2026-11-30T09:00:00.000Z","recorder":"x/1","source":{"transport":"stdio","command":["x"]}}\n';
  /** Longer than what is read before the first answer. */
  const LONG = Array.from({ length: 8000 }, (_, id) => entry(id)).join("");

  const ROWS: readonly { name: string; file: string; text?: string; says: RegExp }[] = [
    { name: "missing", file: "a.yaml", says: /a\.yaml: there is no such file\nRecord it: {2}?mcp-vcr record -o/ },
    { name: "empty", file: "a.yaml", text: "", says: /a\.yaml(:1)?(:1)?: .+\n.+/ },
    { name: "not a cassette", file: "a.yaml", text: "hello: world\n", says: /a\.yaml:1(:1)?: .+\n.+/ },
    { name: "no YAML", file: "a.yaml", text: `${HEADER}--- # x\nat: 1\nfrom: client\nmessage: { a: [1, }\n...\n`, says: /a\.yaml:8(:\d+)?: .+/ },
    { name: "an unknown key", file: "a.yaml", text: `${HEADER}${entry(1)}form: x\n...\n`, says: /a\.yaml:12(:\d+)?: .*form.*\n.+/ },
    { name: "a newer format", file: "a.yaml", text: HEADER.replace("mcp-vcr: 1", "mcp-vcr: 2") + entry(1), says: /a\.yaml:1(:\d+)?: .*2.*\n.+/ },
    { name: "a newer format, .jsonl", file: "a.jsonl", text: JSONL_HEADER.replace('"mcp-vcr":1', '"mcp-vcr":2'), says: /a\.jsonl:1(:\d+)?: .*2.*\n.+/ },
    { name: "no JSON", file: "a.jsonl", text: `${JSONL_HEADER}{"at":1,"from":"client",}\n`, says: /a\.jsonl:2(:\d+)?: .+\n.+/ },
    { name: "broken far behind", file: "a.yaml", text: `${HEADER}${LONG}--- # x\nat: never\nfrom: client\n...\n`, says: /a\.yaml:56006(:\d+)?: .+/ },
  ];

  const serveBroken = async (row: (typeof ROWS)[number], ...flags: string[]): Promise<Ended> => {
    const folder = tempFolder();
    const file = join(folder, row.file);
    if (row.text !== undefined) writeFileSync(file, row.text);
    return run(serve(file, ...flags));
  };

  test.each(ROWS)("$name", async (row) => {
    for (const flags of [[], LISTEN]) {
      const { code, stdout, stderr } = await serveBroken(row, ...flags);
      expect({ code, stdout: stdout.toString() }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toMatch(/^mcp-vcr: /);
      expect(stderr).toMatch(row.says);
      expect(stderr).not.toContain("    at ");
    }
  });

  test("a broken entry far behind ends a client that is still there, too", async () => {
    const folder = tempFolder();
    const file = join(folder, "a.yaml");
    writeFileSync(file, `${HEADER}${LONG}--- # x\nat: never\nfrom: client\n...\n`);
    const program = start(serve(file));
    const { code, stderr } = await program.ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/a\.yaml:56006(:\d+)?: /);
  });

  test("a folder is no cassette", async () => {
    const folder = join(tempFolder(), "a.yaml");
    mkdirSync(folder);
    const { code, stderr } = await run(serve(folder));
    expect(code).toBe(3);
    expect(stderr).toContain(`mcp-vcr: ${folder}: `);
  });
});

test.each(CODECS)("a cassette that was cut off is served, with a warning that names the place, .%s", async (codec) => {
  const file = join(tempFolder(), `cut.${codec}`);
  await recordCalls(file, "a");
  const lines = readFileSync(file, "utf8").split("\n").length;
  truncateSync(file, statSync(file).size - 12);
  const program = start(serve(file));
  const talk = new Talk(program);
  await talk.initialize();
  expect((await talk.call("ask", { tag: "a" })).result.content[0].text).toBe('answer to {"tag":"a"}');
  const { code, stderr } = await program.finish();
  expect(code).toBe(0);
  const [, line] = /^mcp-vcr: .*cut\.\w+:(\d+): the last entry is cut off \(.+\) and left out\n$/.exec(stderr) ?? [];
  expect(Number(line)).toBeGreaterThan(lines - 8);
  expect(Number(line)).toBeLessThanOrEqual(lines);
});

describe("wrong usage ends with exit code 2 and says what is right", () => {
  const ROWS: readonly { name: string; args: string[]; says: string }[] = [
    { name: "record of nothing", args: ["record"], says: "mcp-vcr record -- node server.js" },
    { name: "record of both", args: ["record", "--url", "http://x/", "--", "node"], says: "not both" },
    { name: "record of no URL", args: ["record", "--url", "x"], says: "not an http or https URL" },
    { name: "a mode that is none", args: ["record", "--mode", "twice", "--", "node"], says: "once, all, append" },
    { name: "another ending", args: ["record", "-o", "tape.json", "--", "node"], says: "must end in .yaml, .yml or .jsonl" },
    { name: "serve of nothing", args: ["serve"], says: "missing required argument" },
    { name: "serve of another ending", args: ["serve", "tape.txt"], says: "must end in .yaml, .yml or .jsonl" },
    { name: "an address that is none", args: ["serve", "a.yaml", "--listen", "x:y"], says: "Give HOST:PORT" },
    { name: "an unknown option", args: ["serve", "a.yaml", "--listn", "1"], says: "--listen" },
    { name: "an unknown command", args: ["replay"], says: "unknown command" },
  ];

  test.each(ROWS)("$name", async ({ args, says }) => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await run([CLI, ...args], { cwd });
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("an address that is taken, and no cassette is left of it", async () => {
    const folder = tempFolder();
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const at = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
    const recorder = await run(record(join(folder, "a.yaml"), { url: "http://127.0.0.1:9/mcp" }, "--listen", at));
    expect(recorder).toMatchObject({ code: 2 });
    expect(recorder.stderr).toContain(at);
    expect(readdirSync(folder)).toEqual([]);
    await recordCalls(join(folder, "b.yaml"), "a");
    const replay = await run(serve(join(folder, "b.yaml"), "--listen", at));
    expect(replay).toMatchObject({ code: 2 });
    expect(replay.stderr).toContain(`cannot listen at ${at}`);
  });
});
