import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { run } from "./support/program.ts";
import { PATIENCE_MS } from "./support/walk.ts";

const tool = (path: string) => fileURLToPath(new URL(`../tools/${path}`, import.meta.url));
/** A list, an answer that stands alone, one with notifications before it, and one for which the server asks back. */
const SCENES = "add,elicit,progress,tools list";
const DOORS = ["stdio", "HTTP, JSON", "HTTP, SSE", "HTTP+SSE pair", "in process"];

type Verdicts = readonly [string, string, string, string, string];
const RIGHT: Verdicts = ["right", "right", "right", "right", "right"];
const UNPAIRED: Verdicts = ["right", "right", "right", "impossible", "right"];
const NEVER: Verdicts = ["impossible", "impossible", "impossible", "impossible", "impossible"];

/** What each client gets of each cassette, door by door. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, Verdicts>>>> = {
  "legacy, over stdio": {
    "SDK 1.x, legacy": RIGHT,
    "SDK 2.x, legacy": RIGHT,
    "SDK 1.x, modern": NEVER,
    "SDK 2.x, modern": UNPAIRED,
  },
  "modern, over HTTP": {
    "SDK 1.x, legacy": RIGHT,
    "SDK 2.x, legacy": RIGHT,
    "SDK 1.x, modern": NEVER,
    "SDK 2.x, modern": UNPAIRED,
  },
};

interface Meeting {
  meet(cell: object, direct: ReadonlyMap<string, string[]>): Promise<Pick<Cell, "verdict" | "reason">>;
}

interface Cell {
  readonly cassette: string;
  readonly client: string;
  readonly door: string;
  readonly verdict: string;
  readonly reason?: string;
}

test("a cassette of each era, by every door to every client", { timeout: PATIENCE_MS }, async () => {
  const cassettes = Object.keys(EXPECTED).join(";");
  const args = [tool("matrix.mjs"), "--json", "--scenes", SCENES, "--cassettes", cassettes];
  const { stdout, stderr, code } = await run(args);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  const cells = JSON.parse(stdout.toString()) as Cell[];
  const seen: Record<string, Record<string, string[]>> = {};
  for (const { cassette, client, door, verdict } of cells) {
    seen[cassette] ??= {};
    seen[cassette][client] ??= [];
    seen[cassette][client][DOORS.indexOf(door)] = verdict;
  }
  expect(seen).toEqual(EXPECTED);
  const unexplained = cells.filter(({ verdict, reason }) => verdict !== "right" && !reason);
  expect(unexplained).toEqual([]);
});

describe("a verdict", () => {
  const client = { era: "legacy" };
  const verdictOf = async (era: string, lines: string[] | Error) => {
    const { meet } = (await import(tool("matrix/meeting.mjs"))) as Meeting;
    const served = {
      seenBy: async () => (lines instanceof Error ? Promise.reject(lines) : new Map([["add", lines]])),
    };
    return meet({ client, cassette: { era }, door: {}, served }, new Map([["add", ["3"]]]));
  };
  const MISS = 'error {"code":-32010,"message":"mcp-vcr: It cannot be.\\nBecause."}';

  test.each([
    ["right", "what is seen of the real server", "legacy", ["3"], undefined],
    ["wrong", "something else", "legacy", ["4"], "add (saw 4, not 3)"],
    ["wrong", "a miss in the cassette's own era", "legacy", [MISS], "add (mcp-vcr: It cannot be.)"],
    ["impossible", "a miss in the other one", "modern", [MISS], "in part: add (mcp-vcr: It cannot be.)"],
    ["wrong", "something else in the other one", "modern", ["4"], "add (saw 4, not 3)"],
    ["wrong", "no connection", "legacy", new Error("gone"), "gone"],
    ["impossible", "no connection in the other one", "modern", new Error("gone"), "not translated: gone"],
  ] as const)("is %s for %s", async (verdict, _what, era, lines, reason) => {
    const seen = lines instanceof Error ? lines : [...lines];
    expect(await verdictOf(era, seen)).toEqual(reason === undefined ? { verdict } : { verdict, reason });
  });
});
