import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { fixture, run } from "./support/program.ts";
import {
  type Door,
  type Era,
  PATIENCE_MS,
  recordingUrl,
  servingUrl,
  type Walker,
  walkRecorded,
  walkTogether,
} from "./support/walk.ts";

/** Clients share nothing, in whatever order they ask and however they number what they ask. */

const WALK = fixture("clients/walk.mjs");
const USERS = ["ada", "bob", "cyd", "dan", "eve", "fay", "gil", "hal", "ivy", "joe"];

/** Every other client counts from an offset of its own, the rest use strings. */
const idsOf = (index: number) => (index % 2 === 0 ? `offset:${(index + 1) * 1000}` : "string");
/** Both generations of the SDK speak the legacy era. */
const sdkOf = (era: Era, index: number) => (era === "legacy" && index % 3 === 0 ? "1" : "2");

interface Row {
  readonly era: Era;
  readonly names: "one name" | "names of their own";
  readonly where: "in processes of their own" | "in one process";
  readonly recorded: Door;
  readonly codec: "yaml" | "jsonl";
}

// In the legacy era session ids tell clients apart. In the modern one there are none, and names do: nobody asks on which
// socket, or from which process, a request comes.
const ROWS: readonly Row[] = [
  {
    era: "legacy",
    names: "one name",
    where: "in processes of their own",
    recorded: "stdio",
    codec: "yaml",
  },
  { era: "legacy", names: "one name", where: "in one process", recorded: "http", codec: "jsonl" },
  { era: "modern", names: "names of their own", where: "in one process", recorded: "stdio", codec: "yaml" },
  { era: "modern", names: "names of their own", where: "in one process", recorded: "json", codec: "jsonl" },
];

describe("ten clients at once on one serve --listen all print what one printed", () => {
  test.each(ROWS)(
    "$era, $names, $where, recorded over $recorded, .$codec",
    { timeout: PATIENCE_MS },
    async ({ era, names, where, recorded, codec }) => {
      const file = join(tempFolder(), `walk.${codec}`);
      const lines = await walkRecorded({ sdk: "2", era }, { door: recorded, file });
      const walkers = USERS.map(
        (user, index): Walker => ({
          sdk: sdkOf(era, index),
          era,
          clientName: names === "one name" ? "walk" : `client of ${user}`,
          order: 100 + index,
          ids: idsOf(index),
        }),
      );
      const together = where === "in one process" ? walkTogether : inProcesses;
      const printed = await servingUrl(file, (url) => together(url, walkers));
      expectEach(
        printed,
        walkers.map(() => lines),
      );
    },
  );
});

function inProcesses(url: string, walkers: readonly Walker[]): Promise<string[]> {
  return Promise.all(
    walkers.map(async ({ sdk, era, order, ids, clientName }) => {
      const who = ["--sdk", sdk, "--era", era, "--client-name", clientName];
      const how = ["--order", order, "--ids", ids, "--transport", "http", "--url", url];
      const { code, stdout, stderr } = await run([WALK, ...[...who, ...how].map(String)]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout.toString();
    }),
  );
}

/** Compared line by line, so that a failure shows the lines that differ. */
function expectEach(printed: readonly string[], expected: readonly string[]): void {
  expect(printed).toHaveLength(expected.length);
  for (const [index, own] of printed.entries()) {
    expect(own.split("\n"), `client ${index}`).toEqual(expected[index]?.split("\n"));
  }
}

describe("ten clients recorded at once come back each with its own answers", () => {
  /** Large answers that are the same for everybody, so that nobody can be given another's. */
  const ALIKE = "complete,emoji,picture,prompts,prompts list,read,resources list,templates list,tools list";

  const CASES: readonly [Era, Door, string][] = [
    ["legacy", "http", "yaml"],
    ["modern", "json", "jsonl"],
  ];

  test.each(CASES)("%s, %s, .%s", { timeout: PATIENCE_MS }, async (era, door, codec) => {
    const file = join(tempFolder(), `walk.${codec}`);
    const clients = USERS.map(
      (user, index): Walker => ({
        sdk: sdkOf(era, index),
        era,
        user,
        clientName: `client of ${user}`,
        order: index,
        // In the modern era this server tells everybody who listens, so clients would hear of each other.
        skip: [...ALIKE.split(","), ...(era === "modern" ? ["announce"] : [])],
      }),
    );
    const [direct, recorded] = await recordingUrl(era, { door, file }, async (url, server) => [
      await walkTogether(server, clients),
      await walkTogether(url, clients),
    ]);
    for (const [index, user] of USERS.entries()) expect(direct[index]).toContain(`welcome ${user}`);
    expectEach(recorded, direct);
    const sessions = new Set((await readCassette(file)).entries.map((entry) => entry.session));
    expect(sessions.size).toBe(USERS.length);

    const turned = clients.map((client, index) => ({ ...client, order: 50 - index, ids: idsOf(index) }));
    const again = await servingUrl(file, (url) => walkTogether(url, turned.toReversed()));
    expectEach(again.toReversed(), direct);
  });
});
