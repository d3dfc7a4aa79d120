import fc from "fast-check";
import { expect, test } from "vitest";
import { compareBehaviour } from "../../src/drift/compare-behaviour.ts";
import { Side } from "../../src/drift/side.ts";
import { recorded } from "../cases/drift.ts";
import { HTTP } from "../cases/tape.ts";
import { anyRun, anyStrands, recordingOf } from "./rerecord-arbitraries.ts";

const check = <T>(property: fc.IProperty<T>, numRuns = 100): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

/** Lists are the contract's, and strands make up their own, which no server does. */
const changesBetween = (old: ReturnType<typeof over>, fresh: ReturnType<typeof over>) =>
  compareBehaviour(new Side(old), new Side(fresh)).changes;
const over = (entries: Parameters<typeof recorded>[0]) => recorded(entries, HTTP);

test("two recordings of one server differ in nothing: ids, tokens, times, order and connections do not count", () => {
  check(
    fc.property(anyStrands, anyRun, anyRun, fc.boolean(), (strands, one, other, apart) => {
      const old = over(recordingOf(strands, one, apart));
      const fresh = over(recordingOf(strands, other, apart));
      expect(changesBetween(old, fresh)).toEqual([]);
    }),
  );
});

test("what one answer says differently is told of that call alone, in both directions", () => {
  check(
    fc.property(anyStrands, anyRun, anyRun, fc.nat(), (strands, one, other, at) => {
      const index = at % strands.length;
      const changed = strands.map((each, i) => (i === index ? { ...each, text: `${each.text}!` } : each));
      const [old, fresh] = [over(recordingOf(strands, one)), over(recordingOf(changed, other))];
      const { tool, leads } = strands[index] as (typeof strands)[number];
      // How a task is called while it works is told by the polls.
      const told = leads === "task" ? "tasks/get" : `tools/call ${tool}`;
      for (const changes of [changesBetween(old, fresh), changesBetween(fresh, old)]) {
        expect(new Set(changes.map(({ subject }) => subject.replace(/ #\d+$/, "")))).toEqual(new Set([told]));
      }
    }),
  );
});

test("a call that is gone is missing, and one that is new is added", () => {
  check(
    fc.property(anyStrands, anyRun, anyRun, (strands, one, other) => {
      const plain = strands.map((each) => ({ ...each, leads: "nothing" as const }));
      const [old, fresh] = [over(recordingOf(plain, one)), over(recordingOf(plain.slice(1), other))];
      expect(changesBetween(old, fresh).map(({ rule }) => rule)).toEqual(["exchange-missing"]);
      expect(changesBetween(fresh, old).map(({ rule }) => rule)).toEqual(["exchange-added"]);
    }),
    40,
  );
});
