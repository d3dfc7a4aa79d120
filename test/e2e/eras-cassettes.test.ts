import { expect, test } from "vitest";
import { start } from "./support/program.ts";
import { ask, type Era, type Heard, LISTEN, serve } from "./support/walk.ts";

/** The recordings of real servers in cassettes/, asked the same by a client of the other era. */

type Lines = readonly (readonly [what: string, answer: unknown])[];

function answersIn({ lines }: Heard): Lines {
  return lines
    .trimEnd()
    .split("\n")
    .filter(isTold)
    .map((line) => {
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

const overStdio = async (name: string, era: Era) =>
  answersIn(await ask(name, { program: serve(`cassettes/${name}`) }, era));

async function overHttp(name: string, era: Era): Promise<Lines> {
  const server = start(serve(`cassettes/${name}`, ...LISTEN));
  const heard = await ask(name, { url: await server.url(), transport: "http" }, era);
  expect((await server.stop()).code).toBe(0);
  return answersIn(heard);
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
