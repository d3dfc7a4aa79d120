import { expect, test } from "vitest";
import { join, Pieces } from "../../../src/wire/pieces.ts";

test("a single piece comes back uncopied", () => {
  const piece = Uint8Array.of(1, 2);
  const pieces = new Pieces();
  pieces.add(piece);
  expect(pieces.take()).toBe(piece);
  expect(join([piece])).toBe(piece);
});

test("nothing is an empty run", () => {
  expect(new Pieces().take()).toEqual(new Uint8Array(0));
});

test("small and large pieces keep their order, past the views and past a slab", () => {
  const parts = Array.from({ length: 400 }, (_, index) => {
    const size = index % 7 === 0 ? 5000 : 1 + ((index * 613) % 1500);
    return new Uint8Array(size).fill(index % 251);
  });
  const pieces = new Pieces();
  for (let round = 0; round < 2; round += 1) {
    for (const part of parts) pieces.add(part);
    const expected = parts.flatMap((part) => [...part]);
    expect(pieces.length).toBe(expected.length);
    const whole = pieces.take();
    expect(whole.length).toBe(expected.length);
    expect(whole.every((byte, index) => byte === expected[index])).toBe(true);
    expect(pieces.length).toBe(0);
  }
});
