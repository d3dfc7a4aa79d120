import fc from "fast-check";
import { expect, test } from "vitest";
import { Places } from "../../../src/cassette/places.ts";

const part = { format: 1, sessionBase: 0 } as never;
const near = fc.integer({ min: 0, max: 1000 });
const far = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

test("every entry is found where it was put, however far into a file", () => {
  const placed = fc.record({ start: near, end: fc.oneof(near, far), line: near });
  fc.assert(
    fc.property(fc.array(placed, { maxLength: 40 }), fc.integer({ min: 0, max: 1100 }), (all, before) => {
      const places = new Places();
      const filler = { start: 1, end: 2, line: 3, part };
      for (let i = 0; i < before; i++) places.add(filler);
      for (const each of all) places.add({ ...each, part });
      expect(places.count).toBe(before + all.length);
      expect(all.map((_, index) => places.at(before + index))).toEqual(
        all.map((each) => ({ ...each, part })),
      );
      if (before > 0) expect(places.at(before - 1)).toEqual({ start: 1, end: 2, line: 3, part });
    }),
    { seed: Number(process.env.FC_SEED ?? 1) },
  );
});
