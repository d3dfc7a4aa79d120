import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Player } from "../../src/replay/player.ts";
import { Recording } from "../../src/replay/recording.ts";
import { CassetteSource } from "../../src/run/cassette-source.ts";
import type { ModelClient } from "./model/client.ts";
import { isRecorded, predict } from "./model/predict.ts";
import { nameOf, recordLives } from "./model/record.ts";
import { type Replayed, replayInProcess, replayOverHttp } from "./model/replay.ts";
import { anyLife, anyWorld, behaviourOf, type Call, type Life, type World } from "./model/world.ts";

/** How many sessions in all; `MODEL_RUNS=20000 npx vitest run test/property/sessions.test.ts` looks longer. */
const RUNS = Number(process.env.MODEL_RUNS ?? 600);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-model-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const anyCodec = fc.constantFrom("yaml", "jsonl");
const anyRecorded = fc.array(anyLife, { minLength: 1, maxLength: 3 });
/** Which recorded client each live one says it is, what it does, and from where its ids count. */
const anyLive = fc.array(fc.tuple(fc.nat({ max: 2 }), anyLife, fc.integer({ min: -3, max: 5000 })), {
  minLength: 1,
  maxLength: 3,
});

type Run = readonly [World, readonly Life[], readonly (readonly [number, Life, number])[], string];
type Door = (
  world: World,
  player: Player,
  lives: readonly Replayed[],
) => Promise<ModelClient[]> | ModelClient[];

const OTHER = { legacy: "modern", modern: "legacy" } as const;

let count = 0;
/** Answers held against the model since the test began: a property that compares nothing must not pass. */
let compared = 0;

async function check([world, recorded, live, codec]: Run, door: Door, era = world.era): Promise<void> {
  const file = join(folder, `${count++}.${codec}`);
  const clients = await recordLives(world, recorded, file);
  // A recording in which the server says nothing is not kept.
  if (!existsSync(file)) {
    expect(clients.flatMap(({ stories }) => stories.flatMap(({ answers }) => answers))).toEqual([]);
    return;
  }
  // A legacy client's hello can be answered only where some result names the server.
  if (era !== world.era && era === "legacy" && !clients.some(namesServer)) return;
  const source = await CassetteSource.open(file, (notice) => {
    throw new Error(notice);
  });
  const player = new Player(new Recording(source), { cassette: "model" });
  const hangs = (call: Call) => isRecorded(clients, call) && behaviourOf(world, call).ending === "hang";
  const lives = live.map(([who, life, firstId]) => ({
    name: nameOf(who % recorded.length),
    life,
    firstId,
    hangs,
  }));
  const played = { ...world, era };
  const replayed = await door(played, player, isTold(played, door) ? lives : namedApart(lives));
  for (const client of replayed) {
    expect(client.stray).toEqual([]);
    predict(world, clients, client);
    compared += client.stories.reduce((sum, { answers }) => sum + answers.length, 0);
  }
  rmSync(file);
}

function namesServer({ stories }: ModelClient): boolean {
  return stories.some(({ answers }) => answers.some(({ result }) => result !== undefined));
}

/** Whether the wire tells clients of one name apart: in the modern era HTTP does not. */
function isTold({ era }: World, door: Door): boolean {
  return era === "legacy" || door !== replayOverHttp;
}

function namedApart(lives: readonly Replayed[]): readonly Replayed[] {
  return lives.filter(({ name }, index) => lives.findIndex((life) => life.name === name) === index);
}

const anyRun = fc.tuple(anyWorld, anyRecorded, anyLive, anyCodec);
const seed = Number(process.env.FC_SEED ?? 1);

describe("any server and any clients, recorded and served to any clients", () => {
  beforeEach(() => {
    compared = 0;
  });

  test("in process, every answer is the one that was recorded for it, or a miss", async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, (run) => check(run, replayInProcess)),
      { seed, numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(4 * RUNS);
  });

  test("so it is with clients of the other era", async () => {
    const inOtherEra = (run: Run) => check(run, replayInProcess, OTHER[run[0].era]);
    await fc.assert(fc.asyncProperty(anyRun, inOtherEra), { seed, numRuns: Math.ceil(RUNS / 3) });
    expect(compared).toBeGreaterThan(RUNS);
  });

  test("over HTTP too", async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, (run) => check(run, replayOverHttp)),
      { seed, numRuns: Math.ceil(RUNS / 10) },
    );
    expect(compared).toBeGreaterThan(RUNS / 3);
  });
});
