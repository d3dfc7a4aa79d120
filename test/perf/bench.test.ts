import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function bench(...args: string[]): Promise<Outcome> {
  const command = promisify(execFile)(process.execPath, [here("bench.mjs"), "--quick", ...args]);
  return await command.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Outcome) => error,
  );
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bench-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(process.platform !== "linux")("the benchmark", () => {
  test("prints a table with medians, ratios and aims", async () => {
    const { code, stdout } = await bench(
      "--only",
      "record-ready",
      "--subject",
      here("programs/stand-in.mjs"),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^record stdio, ready +[\d.]+ ms +[\d.]+ ms +[\d.]+ x +\([\d.]+-[\d.]+\) +<= 1\.2 x +(met|MISSED)$/m,
    );
  });

  test("fails at a subject that gives wrong answers", async () => {
    const subject = join(folder, "wrong.mjs");
    const program = `process.stdin.on("data", (chunk) => {
      for (const line of chunk.toString().trim().split("\\n")) {
        const { id, method } = JSON.parse(line);
        const result = method === "initialize" ? { serverInfo: {} } : { content: [] };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      }
    });`;
    await writeFile(subject, program);
    const { code, stderr } = await bench("--only", "record-stdio", "--subject", subject);
    expect(code).toBe(1);
    expect(stderr).toContain("an answer of");
  });

  test("refuses rows it does not have, and a subject that is not there", async () => {
    expect((await bench("--only", "record-pigeon")).code).toBe(2);
    expect((await bench("--subject", join(folder, "gone.mjs"))).code).toBe(2);
  });
});

interface Stats {
  percentile(values: readonly number[], share: number): number;
  ratios(
    subject: readonly number[],
    baseline: readonly number[],
  ): { median: number; low: number; high: number };
  interleave(repetitions: number, sides: Record<string, () => string>): Promise<Record<string, string[]>>;
}

interface Processes {
  countEntries(file: string): Promise<number>;
}

describe("its arithmetic", async () => {
  const { percentile, ratios, interleave } = (await import(here("stats.mjs"))) as Stats;

  test("percentiles lie between neighbours", () => {
    expect(percentile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(percentile([7], 0.9)).toBe(7);
    expect(() => percentile([], 0.5)).toThrow("no values");
  });

  test("ratios are those of neighbouring runs", () => {
    expect(ratios([2, 30, 8], [1, 10, 2])).toEqual({ median: 3, low: 2, high: 4 });
    expect(() => ratios([1], [])).toThrow("do not pair up");
  });

  test("sides take turns", async () => {
    const order: string[] = [];
    const side = (name: string) => () => `${name}${order.push(name)}`;
    expect(await interleave(2, { a: side("a"), b: side("b") })).toEqual({ a: ["a1", "a3"], b: ["b2", "b4"] });
  });
});

test.each([
  ["jsonl", '{"mcp-vcr":1}\n{"at":0}\n{"at":1}\n'],
  ["yaml", 'mcp-vcr: 1\n--- # client: ping\nat: 0\nmessage:\n  text: "---"\n---\nat: 1\n'],
])("entries of a %s recording are counted", async (codec, text) => {
  const { countEntries } = (await import(here("processes.mjs"))) as Processes;
  const file = join(folder, `two.${codec}`);
  await writeFile(file, text);
  expect(await countEntries(file)).toBe(2);
});
