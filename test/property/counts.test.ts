import fc from "fast-check";
import { expect, test } from "vitest";
import { Counts } from "../../src/replay/counts.ts";
import { Marks } from "../../src/replay/marks.ts";

/** Counts and marks of numbered things say what a map and a set of them say. */

const check = <T>(property: fc.IProperty<T>, numRuns = 300): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

const anyNumber = fc.oneof(
  fc.nat(40),
  fc.nat(100_000),
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2),
  // Multiples of a power of two, which a poor hash would heap up.
  fc.nat(200).map((some) => some * 65_536),
);

test("counts", () => {
  const anyStep = fc.tuple(anyNumber, fc.constantFrom("more", "less", "set"), fc.nat(9));
  check(
    fc.property(fc.array(anyStep, { maxLength: 400, size: "max" }), (steps) => {
      const [counts, slow] = [new Counts(), new Map<number, number>()];
      for (const [number, step, count] of steps) {
        const before = slow.get(number) ?? 0;
        expect(counts.of(number)).toBe(before);
        if (step === "set") counts.set(number, count);
        else if (step === "more" || before > 0) counts.add(number, step === "more" ? 1 : -1);
        slow.set(number, step === "set" ? count : Math.max(0, before + (step === "more" ? 1 : -1)));
      }
      for (const [number, count] of slow) expect(counts.of(number)).toBe(count);
    }),
  );
});

test("marks", () => {
  check(
    fc.property(fc.array(fc.tuple(anyNumber, fc.boolean()), { maxLength: 400, size: "max" }), (steps) => {
      const [marks, slow] = [new Marks(), new Set<number>()];
      for (const [number, puts] of steps) {
        expect(marks.has(number)).toBe(slow.has(number));
        if (puts) marks.put(number);
        else marks.remove(number);
        if (puts) slow.add(number);
        else slow.delete(number);
      }
      for (const [number] of steps) expect(marks.has(number)).toBe(slow.has(number));
    }),
  );
});
