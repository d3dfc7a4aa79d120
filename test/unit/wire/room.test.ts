import { expect, test } from "vitest";
import { Room } from "../../../src/wire/room.ts";

test("the same memory again, until more is needed; none for what is too much to keep", () => {
  const made: number[] = [];
  const room = new Room((length) => {
    made.push(length);
    return new Uint8Array(length);
  });
  const first = room.for(1000);
  expect(first?.length).toBeGreaterThanOrEqual(1000);
  expect(room.for(10)).toBe(first);
  expect(room.for(1500)).toBe(first);
  expect(room.for(5000)?.length).toBeGreaterThanOrEqual(5000);
  expect(room.for(5 * 1024 * 1024)).toBeUndefined();
  expect(made).toEqual([2000, 10_000]);
});

test("who still reads there is told before the memory is given again", () => {
  const told: number[] = [];
  const room = new Room(undefined, () => told.push(told.length));
  room.for(10);
  room.for(5 * 1024 * 1024);
  expect(told).toEqual([0]);
  room.for(10);
  expect(told).toEqual([0, 1]);
});
