import { expect, test } from "vitest";
import { Turns } from "../../../src/run/http-turns.ts";

const atOnce = (start: () => void): void => start();

test("jobs start together when told", async () => {
  const ran: number[] = [];
  const starts: (() => void)[] = [];
  const turns = new Turns({ defer: (start) => starts.push(start), onFailure: () => {} });
  for (const n of [1, 2]) turns.run(() => void ran.push(n));
  expect([ran, starts.length]).toEqual([[], 1]);
  starts[0]?.();
  expect(ran).toEqual([1, 2]);
  turns.run(() => turns.run(() => void ran.push(3)));
  starts[1]?.();
  await turns.idle();
  expect([ran, starts.length]).toEqual([[1, 2, 3], 2]);
});

test("jobs run in order, after the ones that wait", async () => {
  const ran: number[] = [];
  const turns = new Turns({ defer: atOnce, onFailure: () => {} });
  turns.run(() => {
    ran.push(1);
  });
  expect(ran).toEqual([1]);
  let go = (): void => {};
  turns.run(async () => {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    ran.push(2);
  });
  turns.run(() => {
    ran.push(3);
  });
  turns.run(async () => {
    ran.push(4);
  });
  expect(ran).toEqual([1]);
  go();
  await turns.idle();
  expect(ran).toEqual([1, 2, 3, 4]);
  await turns.idle();
});

test.each([
  [
    "thrown",
    () => {
      throw new Error("no");
    },
  ],
  ["rejected", () => Promise.reject(new Error("no"))],
])("a fault that is %s is reported once and ends it", async (_, job) => {
  const faults: unknown[] = [];
  const ran: number[] = [];
  const turns = new Turns({ defer: atOnce, onFailure: (fault) => faults.push(fault) });
  turns.run(job);
  turns.run(() => {
    ran.push(1);
  });
  await turns.idle();
  turns.run(job);
  expect(faults).toEqual([new Error("no")]);
  expect(ran).toEqual([]);
});
