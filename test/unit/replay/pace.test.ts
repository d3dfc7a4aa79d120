import { expect, test } from "vitest";
import { parsePace, paused } from "../../../src/replay/pace.ts";

const NO_END = Number.POSITIVE_INFINITY;

test.each([
  ["recorded", { factor: 1, max: NO_END }],
  ["2x", { factor: 2, max: NO_END }],
  ["0.5x", { factor: 0.5, max: NO_END }],
  ["recorded,max=5s", { factor: 1, max: 5_000 }],
  ["10x,max=250ms", { factor: 10, max: 250 }],
  ["1x,max=1.5m", { factor: 1, max: 90_000 }],
])("%s", (text, pace) => {
  expect(parsePace(text)).toEqual(pace);
});

test("instant is no pace at all", () => {
  expect(parsePace("instant")).toBeUndefined();
});

test.each([
  "",
  "fast",
  "2",
  "x",
  "0x",
  "-1x",
  "1e3x",
  "2X",
  "recorded,max=5",
  "recorded,max=0s",
  "instant,max=5s",
  "recorded max=5s",
])("%j is no pace, and what is one is named", (text) => {
  expect(() => parsePace(text)).toThrow(
    expect.objectContaining({
      code: "usage",
      message: `--pace ${text}: not a pace`,
      hint: expect.stringContaining("recorded,max=5s"),
    }),
  );
});

test.each([
  [1, "2x", 0.5],
  [1000, "recorded", 1000],
  [1000, "2x", 500],
  [1000, "0.5x", 2000],
  [1000, "4x,max=1m", 250],
  [1000, "recorded,max=300ms", 300],
  [1000, "0.5x,max=1.2s", 1200],
  [-5, "recorded", 0],
])("%d ms at %s are %d ms", (recorded, text, ms) => {
  const pace = parsePace(text);
  expect(pace && paused(pace, recorded)).toBe(ms);
});
