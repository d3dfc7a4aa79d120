import fc from "fast-check";
import { expect, test } from "vitest";
import { Pending } from "../../../src/cassette/pending.ts";

test("holds what came in and was not dropped, and never writes to what it handed out", () => {
  const step = fc.record({ chunk: fc.uint8Array({ maxLength: 20 }), drop: fc.nat({ max: 30 }) });
  const property = fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
    const pending = new Pending();
    let expected: number[] = [];
    const handedOut: { bytes: Uint8Array; copy: number[] }[] = [];
    for (const { chunk, drop } of steps) {
      pending.append(chunk);
      expected.push(...chunk);
      expect([...pending.bytes]).toEqual(expected);
      handedOut.push({ bytes: pending.bytes, copy: [...expected] });
      const count = Math.min(drop, expected.length);
      pending.drop(count);
      expected = expected.slice(count);
    }
    for (const { bytes, copy } of handedOut) expect([...bytes]).toEqual(copy);
  });
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns: 300 });
});
