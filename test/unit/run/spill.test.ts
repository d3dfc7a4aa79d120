import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import { CassetteFile } from "../../../src/run/cassette-file.ts";
import { CassetteSource } from "../../../src/run/cassette-source.ts";
import { entriesOf } from "../../cases/entries-of.ts";

const HEADER: Header = {
  recorded: "2026-11-30T09:00:00.000Z",
  recorder: "mcp-vcr/0.1.0",
  source: { transport: "stdio", command: ["node", "server.js"] },
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-spill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (at: number, size: number): Entry => ({
  at,
  from: "server",
  session: 1,
  body: {
    form: "message",
    bytes: new TextEncoder().encode(`{"jsonrpc":"2.0","method":"n","params":{"text":"${"x".repeat(size)}"}}`),
  },
});

async function timesIn(file: string): Promise<number[]> {
  const source = await CassetteSource.open(file, () => {});
  return entriesOf(source).map(({ at }) => at);
}

/** Two small entries, a flood of forty large ones at once, and a small one after it. */
async function flooded(file: string): Promise<CassetteFile> {
  const cassette = await CassetteFile.open(file, "once", HEADER);
  for (const at of [0, 1]) {
    cassette.add(entry(at, 10));
    cassette.flush();
  }
  for (let at = 2; at < 42; at++) cassette.add(entry(at, 10_000));
  cassette.flush();
  cassette.add(entry(42, 10));
  cassette.flush();
  return cassette;
}

/** As a recorder leaves it that was killed in a flood: its process is gone. */
async function killed(file: string): Promise<void> {
  await flooded(file);
  writeFileSync(`${file}.lock`, "999999999");
}

const ALL = Array.from({ length: 43 }, (_, at) => at);

describe("a flood that the codec is too slow for", () => {
  test("waits in a spill, and is in the cassette in order at the end", async () => {
    const file = join(folder, "a.yaml");
    const cassette = await flooded(file);
    expect(cassette.behind).toBe(true);
    expect(readFileSync(file).length).toBeLessThan(100_000);
    cassette.close();
    expect(existsSync(`${file}.spill.jsonl`)).toBe(false);
    expect(await timesIn(file)).toEqual(ALL);
  });

  test("is brought over while nothing passes, and the cassette is written directly again", async () => {
    const file = join(folder, "a.yaml");
    const cassette = await flooded(file);
    while (!cassette.catchUp(1));
    expect(cassette.behind).toBe(false);
    expect(existsSync(`${file}.spill.jsonl`)).toBe(false);
    cassette.add(entry(43, 10));
    cassette.flush();
    expect(await timesIn(file)).toEqual([...ALL, 43]);
    cassette.close();
  });

  test("is read whole at every point between, as a kill would leave it", async () => {
    const file = join(folder, "a.yaml");
    const killed = join(folder, "killed.yaml");
    const cassette = await flooded(file);
    for (let done = false; !done; done = cassette.catchUp(0.1)) {
      copyFileSync(file, killed);
      copyFileSync(`${file}.spill.jsonl`, `${killed}.spill.jsonl`);
      expect(await timesIn(killed)).toEqual(ALL);
    }
    cassette.close();
  });

  test("does not spill in a fast codec, nor for messages that come one by one", async () => {
    const jsonl = await flooded(join(folder, "a.jsonl"));
    expect(jsonl.behind).toBe(false);
    const slow = await CassetteFile.open(join(folder, "b.yaml"), "once", HEADER);
    for (const at of ALL) {
      slow.add(entry(at, 10_000));
      slow.flush();
    }
    expect(slow.behind).toBe(false);
  });
});

describe("a spill that was left behind", () => {
  test("is settled before a recording goes on after it", async () => {
    const file = join(folder, "a.yaml");
    await killed(file);
    const next = await CassetteFile.open(file, "append", HEADER);
    expect(existsSync(`${file}.spill.jsonl`)).toBe(false);
    next.add(entry(100, 10));
    next.close();
    expect(await timesIn(file)).toEqual([...ALL, 100]);
  });

  test("of a cassette that is gone is not taken for that of a new one", async () => {
    const file = join(folder, "a.yaml");
    await killed(file);
    rmSync(file);
    const anew = await CassetteFile.open(file, "once", HEADER);
    anew.add(entry(7, 10));
    anew.close();
    expect(await timesIn(file)).toEqual([7]);
  });

  test("that was only just opened when its recorder was killed holds nothing yet", async () => {
    const file = join(folder, "just.yaml");
    const cassette = await CassetteFile.open(file, "all", HEADER);
    cassette.add(entry(1, 10));
    cassette.close();
    const written = await timesIn(file);
    for (const begun of ["", '{"aft']) {
      writeFileSync(`${file}.spill.jsonl`, begun);
      expect(await timesIn(file)).toEqual(written);
    }
  });

  test("that is not the cassette's is an error", async () => {
    const file = join(folder, "a.yaml");
    const cassette = await CassetteFile.open(file, "once", HEADER);
    cassette.add(entry(0, 10));
    cassette.close();
    writeFileSync(`${file}.spill.jsonl`, '{"after":99999}\n');
    await expect(CassetteSource.open(file, () => {})).rejects.toThrow(VcrError);
    await expect(CassetteSource.open(file, () => {})).rejects.toThrow(/spill\.jsonl:1: is not the spill of/);
  });
});
