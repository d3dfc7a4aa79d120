import { readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { recordCall } from "./support/calls.ts";
import { tempFolder } from "./support/cassette.ts";
import { CLI, type Ended, run, start } from "./support/program.ts";
import { record, serve } from "./support/walk.ts";

/** What cannot be done is said in a sentence, with an exit code of its own, and leaves nothing behind. */

describe("wrong usage ends with exit code 2 and says what is right", () => {
  const ROWS: readonly { name: string; args: string[]; says: string }[] = [
    { name: "record of nothing", args: ["record"], says: "mcp-vcr record -- node server.js" },
    { name: "record of both", args: ["record", "--url", "http://x/", "--", "node"], says: "not both" },
    { name: "record of no URL", args: ["record", "--url", "x"], says: "not an http or https URL" },
    {
      name: "a mode that is none",
      args: ["record", "--mode", "twice", "--", "node"],
      says: "once, all, append",
    },
    {
      name: "another ending",
      args: ["record", "-o", "tape.json", "--", "node"],
      says: "must end in .yaml, .yml or .jsonl",
    },
    { name: "serve of nothing", args: ["serve"], says: "missing required argument" },
    {
      name: "serve of another ending",
      args: ["serve", "tape.txt"],
      says: "must end in .yaml, .yml or .jsonl",
    },
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
    const recorder = await run(
      record(join(folder, "a.yaml"), { url: "http://127.0.0.1:9/mcp" }, "--listen", at),
    );
    expect(recorder).toMatchObject({ code: 2 });
    expect(recorder.stderr).toContain(at);
    expect(readdirSync(folder)).toEqual([]);
    await recordCall(join(folder, "b.yaml"), "a");
    const replay = await run(serve(join(folder, "b.yaml"), "--listen", at));
    expect(replay).toMatchObject({ code: 2 });
    expect(replay.stderr).toContain(`cannot listen at ${at}`);
  });
});

describe("a server that cannot be started", () => {
  const recordCommand = (file: string, ...command: string[]) => [CLI, "record", "-o", file, "--", ...command];

  test("is told with what was tried, exit code 4, and leaves no cassette", async () => {
    const folder = tempFolder();
    const { code, stdout, stderr } = await runWith(
      recordCommand(join(folder, "a.yaml"), "no-such-program-here"),
      HELLO,
    );
    expect(code).toBe(4);
    expect(stdout.toString()).toBe("");
    expect(stderr).toBe(
      "mcp-vcr: the server could not be started: no-such-program-here: there is no such program\n" +
        "Check that the command after -- runs by itself.\n",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a file that is no program", async () => {
    const folder = tempFolder();
    const plain = join(folder, "plain.txt");
    writeFileSync(plain, "not a program");
    const { code, stderr } = await runWith(recordCommand(join(folder, "a.yaml"), plain), HELLO);
    expect(code).toBe(4);
    expect(stderr).toContain(`the server could not be started: ${plain}: `);
    expect(readdirSync(folder)).toEqual(["plain.txt"]);
  });
});

const HELLO = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** Runs a program with something on its stdin. */
function runWith(args: readonly string[], input: string): Promise<Ended> {
  const program = start(args);
  program.child.stdin.write(input);
  return program.finish();
}
