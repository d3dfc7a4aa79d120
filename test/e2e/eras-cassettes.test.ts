import { expect, test } from "vitest";
import { fixture, run, start } from "./support/program.ts";
import { LISTEN, serve } from "./support/walk.ts";

/** The recordings of real servers in cassettes/, asked the same by a client of the other era. */

const ASK = fixture("clients/ask.mjs");
type Era = "legacy" | "modern";
type Lines = readonly (readonly [what: string, answer: unknown])[];

async function ask(name: string, era: Era, way: readonly string[]): Promise<Lines> {
  const ended = await run([ASK, name, "--era", era, ...way]);
  expect(ended.code).toBe(0);
  const lines = ended.stdout.toString().trimEnd().split("\n");
  return lines.filter(isTold).map((line) => {
    const [what = "", answer = "null"] = line.split(" → ");
    return [what, answer.startsWith("{") ? JSON.parse(answer, withoutEra) : answer];
  });
}

// An SDK may lose progress on a busy machine, and 2.x reports some of its own for each input round; a legacy server
// asks for roots when it pleases.
const isTold = (line: string) => !line.startsWith("progress ") && line !== "asked roots/list";

/** What one era says of every result or tool, and clients of the other leave out. */
const ERA_MEMBERS = new Set(["_meta", "ttlMs", "cacheScope", "execution"]);
const withoutEra = (key: string, value: unknown) => (ERA_MEMBERS.has(key) ? undefined : value);

const overStdio = (name: string, era: Era) =>
  ask(name, era, ["--", process.execPath, ...serve(`cassettes/${name}`)]);

async function overHttp(name: string, era: Era): Promise<Lines> {
  const server = start(serve(`cassettes/${name}`, ...LISTEN));
  const lines = await ask(name, era, ["--url", await server.url()]);
  expect((await server.stop()).code).toBe(0);
  return lines;
}

const DOORS = { stdio: overStdio, http: overHttp };

interface Row {
  readonly name: string;
  readonly recorded: Era;
  readonly served: Era;
  /** Lines that are compared, at least. */
  readonly lines: number;
  readonly doors: readonly (keyof typeof DOORS)[];
}

const TO_MODERN = { recorded: "legacy", served: "modern" } as const;

const ROWS: readonly Row[] = [
  { name: "everything.yaml", ...TO_MODERN, lines: 20, doors: ["stdio", "http"] },
  { name: "everything-http.yaml", ...TO_MODERN, lines: 20, doors: ["http"] },
  { name: "memory.yaml", ...TO_MODERN, lines: 8, doors: ["stdio"] },
  { name: "filesystem.yaml", ...TO_MODERN, lines: 10, doors: ["http"] },
  { name: "weather.yaml", recorded: "modern", served: "legacy", lines: 7, doors: ["stdio", "http"] },
];

test.each(ROWS)(
  "$name, recorded in the $recorded era, answers the $served one the same, over $doors",
  async (row) => {
    const { name, recorded, served, lines, doors } = row;
    const same = await overStdio(name, recorded);
    expect(same.length).toBeGreaterThanOrEqual(lines);
    for (const door of doors) expect(await DOORS[door](name, served)).toEqual(same);
  },
);
