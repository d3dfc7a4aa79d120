import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CassetteFile } from "../../../src/run/cassette-file.ts";
import { Recorder } from "../../../src/run/recorder.ts";
import { openRedactor } from "../../../src/run/redaction.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-recorder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const message = (id: string, length: number): Buffer =>
  Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result: { text: "x".repeat(length) } }));
const LONG = 200_000;
const SHORT = 10;

async function recording(name = "a.jsonl"): Promise<{
  readonly recorder: Recorder;
  readonly failures: unknown[];
  readonly ids: () => string[];
}> {
  const file = join(folder, name);
  const source = { transport: "stdio", command: ["server"] } as const;
  const header = { recorded: "2026-11-30T09:00:00.000Z", recorder: "mcp-vcr/0.1.0", source };
  const failures: unknown[] = [];
  const recorder = new Recorder({
    file: await CassetteFile.open(file, "once", header),
    redactor: openRedactor(),
    clock: { now: () => 0 },
    onFailure: (error) => failures.push(error),
  });
  const ids = () => [...readFileSync(file, "utf8").matchAll(/"?id"?: ?"?(\w+)/g)].map(([, id]) => String(id));
  return { recorder, failures, ids };
}

describe("a long answer", () => {
  test("is written when nothing else is to be done, a step at a time", async () => {
    const { recorder, ids } = await recording();
    recorder.add({ from: "client", session: 1, raw: message("asked", SHORT) });
    recorder.add({ from: "server", session: 1, raw: message("long", LONG) });
    expect(ids()).toEqual(["asked"]);
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(ids()).toEqual(["asked", "long"]);
    recorder.close();
  });

  test.each(["a.jsonl", "a.yaml"])("is in %s before the next entry is, whatever that is", async (name) => {
    const { recorder, ids } = await recording(name);
    recorder.put({ from: "server", session: 1, raw: message("one", SHORT) });
    recorder.put({ from: "server", session: 1, raw: message("two", LONG) });
    recorder.put({ from: "server", session: 1, raw: message("three", LONG) });
    recorder.put({ from: "client", session: 1, raw: message("four", SHORT) });
    recorder.flush();
    if (name === "a.jsonl") expect(ids()).toEqual(["one", "two", "three", "four"]);
    recorder.add({ from: "server", session: 1, raw: message("five", LONG) });
    recorder.close();
    expect(ids()).toEqual(["one", "two", "three", "four", "five"]);
  });

  test("of the client's is written at once: its answer must not be there without it", async () => {
    const { recorder, ids } = await recording();
    recorder.add({ from: "client", session: 1, raw: message("long", LONG) });
    expect(ids()).toEqual(["long"]);
    recorder.close();
  });

  test("is written before its memory serves again", async () => {
    const { recorder, ids } = await recording();
    const room = recorder.room();
    const join = (bytes: Uint8Array): Uint8Array => {
      const memory = room.for(bytes.length)?.subarray(0, bytes.length) as Uint8Array;
      memory.set(bytes);
      return memory;
    };
    for (const id of ["one", "two", "three"])
      recorder.add({ from: "server", session: 1, raw: join(message(id, LONG)) });
    recorder.close();
    expect(ids()).toEqual(["one", "two", "three"]);
  });

  test("that cannot be written ends the recording, and is told once", async () => {
    const { recorder, failures } = await recording();
    const broken = {
      valid: true,
      get harmed(): boolean {
        throw new Error("no more");
      },
    };
    const scan = broken as unknown as NonNullable<Parameters<Recorder["add"]>[0]["scan"]>;
    recorder.add({ from: "server", session: 1, raw: message("one", LONG), scan });
    recorder.add({ from: "server", session: 1, raw: message("two", SHORT) });
    expect(failures).toEqual([new Error("no more")]);
    expect(recorder.failed).toBe(true);
    recorder.close();
    expect(failures).toHaveLength(1);
  });

  test("of a recording that is thrown away is not waited for", async () => {
    const { recorder, failures } = await recording();
    recorder.add({ from: "server", session: 1, raw: message("one", LONG) });
    recorder.discard();
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(failures).toEqual([]);
  });
});
