import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../src/exchange/entry.ts";
import { Guestbook } from "../cases/guestbook.ts";
import { client, request, result, server } from "../cases/tape.ts";
import { anyTurns, merged } from "./replay-arbitraries.ts";

const META = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
/** What the nth time of polling brings. */
const ANSWERS = 4;
const RECORDED: readonly Entry[] = [
  client(request("d", "server/discover", META)),
  server(result("d", {})),
  ...Array.from({ length: ANSWERS }, (_, nth) => [
    client(request(nth, "tools/call", { name: "poll", ...META })),
    server(result(nth, nth)),
  ]).flat(),
];

/** A client of the modern era: it asks who is there, then polls; its requests take any connections. */
interface Life {
  /** Of few names, so that there are namesakes. */
  readonly name: number;
  /** From where it counts its ids. */
  readonly from: number;
  readonly over: readonly number[];
}

const anyLife: fc.Arbitrary<Life> = fc.record({
  name: fc.nat({ max: 2 }),
  from: fc.nat({ max: 3 }),
  over: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }),
});

interface Deed extends Life {
  readonly who: number;
  readonly turn: number;
}

/** Each client's answers, with undefined for its first question, when deeds are done in this order. */
function hear(deeds: readonly Deed[], lives: readonly Life[]): unknown[][] {
  const door = new Guestbook(RECORDED);
  const connections = Array.from({ length: 4 }, () => ({}));
  const heard: unknown[][] = lives.map(() => []);
  for (const { who, turn, name, from, over } of deeds) {
    const call = { name: String(name), id: from + turn, over: connections[over[turn] as number] as object };
    if (turn === 0) door.discover(call);
    else heard[who]?.push(door.poll(call));
  }
  return heard;
}

const deedsOf = (lives: readonly Life[]): Deed[][] =>
  lives.map((life, who) => life.over.map((_, turn) => ({ ...life, who, turn })));

const alone = (length: number): number[] =>
  Array.from({ length: length - 1 }, (_, nth) => Math.min(nth, ANSWERS - 1));

const check = <T>(property: fc.IProperty<T>): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns: 300 });
const anyLives = fc.array(anyLife, { minLength: 1, maxLength: 6 });

test("modern clients, in any order over any connections: none hears what is older than what it heard before", () => {
  check(
    fc.property(anyLives, anyTurns, (lives, turns) => {
      for (const heard of hear(merged(deedsOf(lives), turns), lives)) {
        expect(heard).toEqual(heard.toSorted((a, b) => Number(a) - Number(b)));
      }
    }),
  );
});

test("who has a name of its own is as if alone", () => {
  check(
    fc.property(anyLives, anyTurns, (namesakes, turns) => {
      const lives = namesakes.map((life, who) => ({ ...life, name: who }));
      const heard = hear(merged(deedsOf(lives), turns), lives);
      expect(heard).toEqual(lives.map(({ over }) => alone(over.length)));
    }),
  );
});

test("so is who comes after others of its name, as far as their ids went", () => {
  check(
    fc.property(fc.array(anyLife, { minLength: 1, maxLength: 4 }), fc.nat({ max: 6 }), (many, length) => {
      const over = Array.from({ length: length + 2 }, () => 0);
      const lives = many.map((life) => ({ ...life, name: 0, from: 0, over }));
      const heard = hear(deedsOf(lives).flat(), lives);
      expect(heard).toEqual(lives.map(() => alone(over.length)));
    }),
  );
});
