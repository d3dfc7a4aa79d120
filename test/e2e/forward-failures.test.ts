import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answersTo, expectComplete, recordedFor, recordedOnce, server } from "./support/calls.ts";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { freePort, leftBehind, NODE, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { LISTEN, serve } from "./support/walk.ts";

/** Modes with a real server behind: what is written, what clients get when it fails, what a kill leaves. */

const APPEND = ["--mode", "append"];
const PARALLEL = ["--", NODE, ...server("parallel", "1")];

const putKnown = recordedOnce("known");

/** A recording of one call, told apart by its tag. */
async function recorded(codec = "yaml"): Promise<string> {
  const file = join(tempFolder(), `tape.${codec}`);
  await putKnown(file);
  return file;
}

async function talkTo(args: readonly string[]): Promise<Talk> {
  const talk = new Talk(start(args));
  await talk.initialize();
  return talk;
}

const textIn = (answer: { result?: { content: [{ text: string }] } }) => answer.result?.content[0].text;

describe("append", () => {
  test.each(["yaml", "jsonl"])(
    "killed after an answer, the cassette is complete and holds it, .%s",
    async (codec) => {
      const file = await recorded(codec);
      const talk = await talkTo(serve(file, ...APPEND, ...PARALLEL));
      expect(textIn(await talk.call("ask", { tag: "new" }))).toBe('answer to {"tag":"new"}');
      await talk.program.stop("SIGKILL");
      await expectComplete(file);
      expect(await answersTo(file, "new", "known")).toEqual(recordedFor("new", "known"));
      expect((await readCassette(file)).entries.at(-1)?.session).toBe(2);
    },
  );

  test("redacts what it appends, and finds it again all the same", async () => {
    const file = await recorded();
    const talk = await talkTo(serve(file, ...APPEND, ...PARALLEL));
    const secret = `ghp_${"a1B2".repeat(9)}`;
    await talk.call("ask", { tag: secret });
    expect((await talk.program.finish()).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    expect(await answersTo(file, secret)).toEqual([expect.stringMatching(/^answer to .*redacted/)]);
  });

  test("two servers at once: the second's answers are passed on, and missed in the file", async () => {
    const file = await recorded();
    const first = await talkTo(serve(file, ...APPEND, ...PARALLEL));
    await first.call("ask", { tag: "first" });
    const second = await talkTo(serve(file, ...APPEND, ...PARALLEL));
    expect(textIn(await second.call("ask", { tag: "second" }))).toBe('answer to {"tag":"second"}');
    const ended = await second.program.finish();
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /nothing more is appended, the clients are served on: .* being recorded by another/,
    );
    expect((await first.program.finish()).code).toBe(0);
    await expectComplete(file);
    expect(await answersTo(file, "first", "second")).toEqual([...recordedFor("first"), "error -32010"]);
  });

  test("clients over HTTP have a process each, which is gone when serving ends", async () => {
    const file = await recorded();
    const program = start(serve(file, ...LISTEN, ...APPEND, ...PARALLEL));
    const url = await program.url();
    const talks = [new HttpTalk(url), new HttpTalk(url)];
    for (const talk of talks) await talk.initialize();
    const answers = await Promise.all(talks.map((talk, index) => talk.call("ask", { tag: `of ${index}` })));
    expect(answers.map(textIn)).toEqual(['answer to {"tag":"of 0"}', 'answer to {"tag":"of 1"}']);
    expect(leftBehind(program)).toHaveLength(3);
    expect((await program.stop()).code).toBe(0);
    expect(leftBehind(program)).toEqual([]);
    await expectComplete(file);
    expect([...new Set((await readCassette(file)).entries.map(({ session }) => session))]).toEqual([1, 2, 3]);
  });
});

describe("a real server that fails", () => {
  test.each<[string, string[], string]>([
    [
      "cannot be started",
      ["--", "no-such-program-here"],
      "could not be started: there is no program no-such-program-here",
    ],
    ["dies", ["--", NODE, ...server("crashes-mid-answer")], "ended with exit code 7"],
  ])("%s: the client is told, the cassette stays as it is, the exit code is 4", async (_, behind, reason) => {
    const file = await recorded();
    const before = readFileSync(file, "utf8");
    const report = `${file}.report.json`;
    const talk = await talkTo(serve(file, ...APPEND, "--report", report, ...behind));
    const { error } = await talk.call("ask", { tag: "new" });
    expect(error).toMatchObject({ code: -32011, data: { label: "tools/call ask", reason } });
    // What is recorded is answered as before.
    expect(textIn(await talk.call("ask", { tag: "known" }))).toBe('answer to {"tag":"known"}');
    const { code, stderr } = await talk.program.finish();
    expect(code).toBe(4);
    expect(stderr).toContain(`tools/call ask was not answered: the real server (`);
    expect(stderr).toContain(reason);
    expect(JSON.parse(readFileSync(report, "utf8")).forwarded).toMatchObject([{ outcome: "failed", reason }]);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

test("a URL where nobody listens fails likewise", async () => {
  const file = await recorded();
  const url = `http://127.0.0.1:${await freePort()}/mcp`;
  const talk = await talkTo(serve(file, ...APPEND, "--url", url));
  const { error } = await talk.call("ask", { tag: "new" });
  expect(error?.data.reason).toMatch(/^did not answer: the connection broke: connect ECONNREFUSED/);
  expect((await talk.program.finish()).code).toBe(4);
});

describe("replay and once", () => {
  test("replay forwards when told to, and leaves the cassette as it is", async () => {
    const file = await recorded();
    const before = readFileSync(file, "utf8");
    const talk = await talkTo(serve(file, "--mode", "replay", "--on-miss", "forward", ...PARALLEL));
    expect(textIn(await talk.call("ask", { tag: "new" }))).toBe('answer to {"tag":"new"}');
    expect((await talk.program.finish()).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("replay does not start a server that was named", async () => {
    const file = await recorded();
    const talk = await talkTo(serve(file, "--", "no-such-program-here"));
    expect((await talk.call("ask", { tag: "new" })).error?.code).toBe(-32010);
    expect((await talk.program.finish()).code).toBe(1);
  });

  test("once records where there is nothing, and serves from then on", async () => {
    const file = join(tempFolder(), "tape.yaml");
    const first = await talkTo(serve(file, "--mode", "once", ...PARALLEL));
    await first.call("ask", { tag: "new" });
    expect(await first.program.finish()).toMatchObject({ code: 0, stderr: "" });
    const second = await talkTo(serve(file, "--mode", "once", "--", "no-such-program-here"));
    expect(textIn(await second.call("ask", { tag: "new" }))).toBe('answer to {"tag":"new"}');
    expect((await second.call("ask", { tag: "other" })).error?.code).toBe(-32010);
    expect((await second.program.finish()).code).toBe(1);
  });

  test("once records a command's server for clients over HTTP", async () => {
    const file = join(tempFolder(), "tape.yaml");
    const program = start(serve(file, "--mode", "once", ...LISTEN, ...PARALLEL));
    const talk = new HttpTalk(await program.url());
    await talk.initialize();
    expect(textIn(await talk.call("ask", { tag: "new" }))).toBe('answer to {"tag":"new"}');
    expect((await program.stop()).code).toBe(0);
    await expectComplete(file);
    expect(await answersTo(file, "new")).toEqual(recordedFor("new"));
  });

  test("once with nothing recorded and no server named is refused", async () => {
    const { code, stderr } = await start(serve(join(tempFolder(), "tape.yaml"), "--mode", "once")).finish();
    expect(code).toBe(2);
    expect(stderr).toContain("is still to be recorded (--mode once), and no server was named\n");
  });
});
