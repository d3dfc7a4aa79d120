import { expect, test } from "vitest";
import { exitAsTold } from "../../../src/cli/pending.ts";

test("a process that ends before its command has a result has failed", async () => {
  const ended: { exitCode?: number } = {};
  let finish: (code: number) => void = () => undefined;
  const told = exitAsTold(
    new Promise((resolve) => {
      finish = resolve;
    }),
    ended,
  );
  expect(ended.exitCode).toBe(1);
  finish(0);
  await told;
  expect(ended.exitCode).toBe(0);
});
