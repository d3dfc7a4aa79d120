import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

interface Verdict {
  readonly outcome: string;
  readonly checks: ReadonlyMap<string, string>;
}
type Results = Map<string, { verdicts: Map<string, Verdict>; seconds: number }>;
interface Runner {
  readVerdicts(folder: string): Promise<Map<string, Verdict>>;
  differences(expected?: Verdict, actual?: Verdict): string[];
  printTable(suite: string, results: Results, asked?: string[]): boolean;
}

const load = (file: string): Promise<Partial<Runner>> => import(new URL(file, import.meta.url).href);
const { readVerdicts, differences, printTable } = {
  ...(await load("runner/verdicts.mjs")),
  ...(await load("runner/table.mjs")),
} as Runner;

let folder: string;
let printed: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "verdicts-"));
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** The verdict on a scenario whose checks ended like this. */
async function judged(...statuses: string[]): Promise<Verdict> {
  const place = await mkdtemp(join(folder, "run-"));
  await leave(place, "server-ping-2026-01-02T03-04-05-678Z", statuses);
  return (await readVerdicts(place)).get("ping") as Verdict;
}

async function leave(place: string, name: string, statuses: string[]): Promise<void> {
  await mkdir(join(place, name), { recursive: true });
  const checks = statuses.map((status) => ({ id: "ping", name: "Ping", status }));
  await writeFile(join(place, name, "checks.json"), JSON.stringify(checks));
}

const ran = (...ways: [way: string, verdict: Verdict | undefined][]): Results =>
  new Map(
    ways.map(([way, verdict]) => [way, { verdicts: new Map(verdict && [["ping", verdict]]), seconds: 1 }]),
  );

test("a scenario is named by its folder, whatever dashes it has", async () => {
  await leave(folder, "server-server-sse-polling-2026-01-02T03-04-05-678Z", ["SUCCESS"]);
  expect([...(await readVerdicts(folder)).keys()]).toEqual(["server-sse-polling"]);
});

test("a folder without checks is no verdict", async () => {
  await mkdir(join(folder, "server-ping-2026-01-02T03-04-05-678Z"));
  expect((await readVerdicts(folder)).size).toBe(0);
});

test.each([
  [["SUCCESS", "SUCCESS"], "pass"],
  [["SUCCESS", "WARNING"], "warn"],
  [["SUCCESS", "WARNING", "FAILURE"], "fail"],
  [["INFO"], "none"],
  [[], "none"],
])("checks %j make the outcome %s", async (statuses, outcome) => {
  expect((await judged(...statuses)).outcome).toBe(outcome);
});

test("equal verdicts do not differ, equal checks are told apart by their place", async () => {
  expect(differences(await judged("SUCCESS", "WARNING"), await judged("SUCCESS", "WARNING"))).toEqual([]);
  expect(differences(await judged("SUCCESS", "WARNING"), await judged("WARNING", "SUCCESS"))).toEqual([
    "ping (Ping): SUCCESS → WARNING",
    "ping (Ping) #2: WARNING → SUCCESS",
  ]);
});

test("a check that was not made differs, and so does a scenario that was not judged", async () => {
  expect(differences(await judged("SUCCESS", "SUCCESS"), await judged("SUCCESS"))).toEqual([
    "ping (Ping) #2: SUCCESS → not judged",
  ]);
  expect(differences(await judged("SUCCESS"), undefined)).toEqual(["a verdict is missing"]);
  expect(differences(undefined, undefined)).toEqual(["a verdict is missing"]);
});

test("a table is good only when every way gave the verdict of a direct pass", async () => {
  const pass = await judged("SUCCESS");
  const fail = await judged("FAILURE");
  expect(printTable("legacy", ran(["direct", pass], ["record", pass]), ["ping"])).toBe(true);
  expect(printTable("legacy", ran(["direct", pass], ["record", fail]))).toBe(false);
  expect(printTable("legacy", ran(["direct", pass], ["record", undefined]))).toBe(false);
  expect(printTable("legacy", ran(["direct", fail], ["record", fail]))).toBe(false);
  expect(printTable("legacy", ran(["direct", undefined]))).toBe(false);
  expect(printTable("legacy", ran(["direct", pass]), ["ping", "never-run"])).toBe(false);
  expect(printed).toContain("  record: ping (Ping): SUCCESS → FAILURE");
});
