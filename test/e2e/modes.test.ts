import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answersTo, expectComplete, recordCall, recordedFor, recordedOnce, server } from "./support/calls.ts";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { CLI, NODE, run, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { record } from "./support/walk.ts";

/** What becomes of a cassette that is there already, and where one without a name goes. */

const CODECS = ["yaml", "jsonl"] as const;
const putOld = recordedOnce("old");

describe.each(CODECS)("modes, .%s", (codec) => {
  const fileIn = (folder: string) => join(folder, `tape.${codec}`);

  test("all replaces the old recording at its end, and not before", async () => {
    const folder = tempFolder();
    const file = fileIn(folder);
    const before = await putOld(file);
    const talk = new Talk(start(record(file, server("parallel", "1"), "--mode", "all")));
    await talk.initialize();
    await talk.call("ask", { tag: "new" });
    expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    await talk.program.finish();
    expect(await answersTo(file, "new", "old")).toEqual([...recordedFor("new"), "error -32010"]);
    await expectComplete(file);
    expect(readdirSync(folder)).toEqual([`tape.${codec}`]);
  });

  test("all keeps the old recording when it is killed, or its server does not start", async () => {
    const folder = tempFolder();
    const file = fileIn(folder);
    const before = await putOld(file);
    const { code } = await run([CLI, "record", "-o", file, "--mode", "all", "--", "no-such-program-here"]);
    expect(code).toBe(4);
    expect(readdirSync(folder)).toEqual([`tape.${codec}`]);
    const talk = new Talk(start(record(file, server("parallel", "1"), "--mode", "all")));
    await talk.initialize();
    await talk.call("ask", { tag: "new" });
    await talk.program.stop("SIGKILL");
    expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    // What the killed one left does not stand in the way.
    await recordCall(file, "again", "--mode", "all");
    expect(await answersTo(file, "again")).toEqual(recordedFor("again"));
  });

  test("append goes on after the end, in sessions of their own", async () => {
    const file = fileIn(tempFolder());
    for (const tag of ["one", "two", "three"]) {
      await recordCall(file, tag, "--mode", "append");
      await expectComplete(file);
    }
    const { entries } = await readCassette(file);
    expect([...new Set(entries.map(({ session }) => session))]).toEqual([1, 2, 3]);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(await answersTo(file, "one", "two", "three")).toEqual(recordedFor("one", "two", "three"));
  });

  test("once goes on where no session came about, and says what there was", async () => {
    const file = fileIn(tempFolder());
    const refuses = `process.stdin.once("data", () => {
      console.log('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no key"}}');
    })`;
    const talk = new Talk(start(record(file, ["-e", refuses])));
    expect((await talk.ask("initialize", {})).error?.message).toBe("no key");
    const first = await talk.program.finish();
    expect(first.stderr).toContain(
      'no session was recorded, since initialize was refused: "no key". The next recording takes its place.',
    );
    const again = new Talk(start(record(file, server("parallel", "1"))));
    await again.initialize();
    await again.call("ask", { tag: "new" });
    const second = await again.program.finish();
    expect(second.stderr).toMatch(/tape\.\w+ is recorded anew: in it initialize was refused: "no key"\n$/);
    expect(await answersTo(file, "new")).toEqual(recordedFor("new"));
    expect(readFileSync(file, "utf8")).not.toContain("no key");
    await expectComplete(file);
  });

  test("append killed before its first entry leaves the file as it was", async () => {
    const file = fileIn(tempFolder());
    const before = await putOld(file);
    const quiet = ["-e", "process.stdin.resume(); process.stderr.write('ready')"];
    const program = start(record(file, quiet, "--mode", "append"));
    await program.complained("ready");
    await program.stop("SIGKILL");
    expect(readFileSync(file, "latin1")).toBe(before.toString("latin1"));
    await recordCall(file, "two", "--mode", "append");
    await expectComplete(file);
  });

  test("append to a file that was cut off is refused, and leaves it alone", async () => {
    const file = fileIn(tempFolder());
    const before = (await putOld(file)).subarray(0, -20);
    writeFileSync(file, before);
    const { code, stderr } = await run(record(file, server("parallel"), "--mode", "append"));
    expect(code).toBe(3);
    expect(stderr).toMatch(
      new RegExp(`^mcp-vcr: ${file}:\\d+: the last entry is cut off .*; nothing was appended\n\\w`),
    );
    expect(readFileSync(file, "latin1")).toBe(before.toString("latin1"));
  });
});

test("once refuses to touch a cassette, and does not start the server", async () => {
  const folder = tempFolder();
  const file = join(folder, "tape.yaml");
  const before = await putOld(file);
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
  await run(record(`${file}.yaml`, starts));
  expect(existsSync(mark)).toBe(true);
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
    const during = readdirSync(join(cwd, "cassettes"));
    await recorder.stop();
    // Beside it stands the lock while it is recorded; what nobody asked is not kept.
    expect(during).toContain("127.0.0.1.yaml");
    expect(readdirSync(join(cwd, "cassettes"))).toEqual([]);
  });
});
