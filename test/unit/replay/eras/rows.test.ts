import { expect, test } from "vitest";
import { METHODS } from "../../../../src/protocol/methods.ts";
import { ERA_ROWS } from "../../../../src/replay/eras/rows.ts";

test("every method and notification of the specification has one row, and there are no others", () => {
  const methods = METHODS.map(({ method }) => method).sort();
  expect(ERA_ROWS.map(({ method }) => method).sort()).toEqual(methods);
});

test("what is not translated says why, in words that end a sentence", () => {
  const reasons = ERA_ROWS.flatMap(({ modern, legacy }) => [modern, legacy]).filter(
    (way) => typeof way === "object",
  );
  expect(reasons.length).toBeGreaterThan(0);
  for (const { why } of reasons) expect(why).toMatch(/^[a-z].{20,}[a-z]$/);
});
