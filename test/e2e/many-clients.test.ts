import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { start } from "./support/program.ts";
import {
  type Client,
  type Door,
  type Era,
  everyday,
  PATIENCE_MS,
  recordingUrl,
  servingUrl,
  type Walker,
  walk,
  walkRecorded,
  walkTogether,
} from "./support/walk.ts";

const TEN = Array.from({ length: 10 }, (_, index) => index);
/** Every other client counts from an offset of its own, the rest use strings; each walks in an order of its own. */
const idsOf = (index: number) => (index % 2 === 0 ? `offset:${(index + 1) * 1000}` : "string");

/** Both SDK generations speak the legacy era. */
const sdkOf = (era: Era, index: number) => (era === "legacy" && index % 3 === 0 ? "1" : "2");

describe.each(["legacy", "modern"] as const)("ten clients at once on one serve --listen, %s", (era) => {
  const client: Client = { sdk: "2", era };

  test.each([
    ["processes", "stdio", "yaml"],
    ["in one process", "http", "jsonl"],
  ] as const)("%s, recorded over %s, .%s", { timeout: PATIENCE_MS }, async (how, door, codec) => {
    const file = join(tempFolder(), `walk.${codec}`);
    const lines = await walkRecorded(client, { door, file });
    const walkers: Walker[] = TEN.map((index) => ({
      sdk: sdkOf(era, index),
      era,
      order: 100 + index,
      ids: idsOf(index),
    }));
    const printed = await servingUrl(file, (url) =>
      how === "processes" ? inProcesses(url, walkers) : walkTogether(url, walkers),
    );
    // SDK 1 and 2 print the same, but for how `list` treats pages, which is no line.
    for (const [index, own] of printed.entries()) expect(own, `client ${index}`).toBe(lines);
    expect(printed).toHaveLength(TEN.length);
  });
});

function inProcesses(url: string, walkers: readonly Walker[]): Promise<string[]> {
  return Promise.all(
    walkers.map(({ sdk, era, order, ids }) =>
      walk(
        { sdk, era, flags: ["--order", String(order), "--ids", String(ids)] },
        { url, transport: "http" },
      ),
    ),
  );
}

const USERS = ["ada", "bob", "cyd", "dan", "eve", "fay", "gil", "hal", "ivy", "joe"];

describe.each([
  ["legacy", "http", "yaml"],
  ["legacy", "json", "jsonl"],
  ["modern", "http", "jsonl"],
  ["modern", "json", "yaml"],
] as const)("ten clients recorded at once: %s, %s, .%s", (era, door, codec) => {
  const clients = USERS.map((user, index): Walker => ({
    sdk: sdkOf(era, index),
    era,
    user,
    clientName: `client of ${user}`,
    order: index,
  }));

  test("each comes back with its own answers, in any order", { timeout: PATIENCE_MS }, async () => {
    const file = join(tempFolder(), `walk.${codec}`);
    const direct = await directly(era, door, clients);
    for (const [index, user] of USERS.entries()) expect(direct[index]).toContain(`welcome ${user}`);

    const recorded = await recordingUrl(era, { door, file }, (url) => walkTogether(url, clients));
    expect(recorded).toEqual(direct);
    const sessions = new Set((await readCassette(file)).entries.map((entry) => entry.session));
    expect(sessions.size).toBeGreaterThanOrEqual(USERS.length);

    expect(await servingUrl(file, (url) => walkTogether(url, clients))).toEqual(direct);

    const turned = clients.map((client, index) => ({ ...client, order: 50 - index, ids: idsOf(index) }));
    const again = await servingUrl(file, (url) => walkTogether(url, turned.toReversed()));
    expect(again.toReversed()).toEqual(direct);
  });
});

async function directly(era: Era, door: Door, clients: readonly Walker[]): Promise<string[]> {
  const server = start(everyday(era, door));
  const lines = await walkTogether(await server.url(), clients);
  await server.stop();
  return lines;
}
