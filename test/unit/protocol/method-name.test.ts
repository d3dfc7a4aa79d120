import fc from "fast-check";
import { expect, test } from "vitest";
import { methodNameAt } from "../../../src/protocol/method-name.ts";

const encoder = new TextEncoder();

function named(name: string): string {
  const bytes = encoder.encode(`{"method":${JSON.stringify(name)}}`);
  return methodNameAt(bytes, 10, bytes.length - 1);
}

test("a method is what its token denotes, whatever was read before it", () => {
  const near = fc.stringMatching(/^[ab]{0,3}$/);
  fc.assert(
    fc.property(fc.array(fc.oneof(near, fc.string({ unit: "binary", maxLength: 80 }))), (names) => {
      expect(names.map(named)).toEqual(names);
    }),
    { seed: Number(process.env.FC_SEED ?? 1) },
  );
});

test.each([
  ["tools/call", "tools/cell"],
  ["prompts/list", "prompts/lisp"],
  ["a", "b"],
  ["", "x"],
])("%j is never taken for %j", (one, other) => {
  expect([named(one), named(other), named(one)]).toEqual([one, other, one]);
});

test("a method is known by bytes of its own: those it was read from may serve again", () => {
  const memory = Buffer.alloc(40);
  const read = (name: string): string => {
    const length = memory.write(`{"method":"${name}"}`);
    return methodNameAt(memory, 10, length - 1);
  };
  expect([read("tools/calm"), read("pools/calm"), named("tools/calm"), named("pools/calm")]).toEqual([
    "tools/calm",
    "pools/calm",
    "tools/calm",
    "pools/calm",
  ]);
});
