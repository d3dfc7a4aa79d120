import { expect, test } from "vitest";
import { Turns } from "../../../src/run/http-turns.ts";

test("jobs run at once, and after the ones that wait", async () => {
  const ran: number[] = [];
  const turns = new Turns(() => {});
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
  const turns = new Turns((fault) => faults.push(fault));
  turns.run(job);
  turns.run(() => {
    ran.push(1);
  });
  await turns.idle();
  turns.run(job);
  expect(faults).toEqual([new Error("no")]);
  expect(ran).toEqual([]);
});
