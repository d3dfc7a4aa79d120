import { WrittenAnswers } from "../drive/answers.ts";
import { type DriveAction, Driver } from "../drive/driver.ts";
import type { DriveReport } from "../drive/report.ts";
import { type DriveEnd, script } from "../drive/script.ts";
import { capabilitiesOf, type Plan } from "../drive/step.ts";
import type { Era } from "../protocol/revisions.ts";
import { Timers } from "../transport/timer.ts";
import { VERSION } from "../version.ts";

/** What is to be asked, and in which era; undefined lets the server choose. */
export interface DriveOrder {
  readonly plan: Plan;
  readonly era: Era | undefined;
}

/** A driver without its link. */
export interface DriveRun {
  readonly driver: Driver<DriveEnd>;
  /** Starts, and resolves when the course is over; rejects as `script` throws. */
  go(): Promise<DriveEnd>;
}

/** Makes a driver for a link. */
export type Prepare = (door: "stdio" | "http", act: (action: DriveAction) => void) => DriveRun;

interface Parts {
  readonly door: "stdio" | "http";
  readonly act: (action: DriveAction) => void;
  readonly report: DriveReport;
}

export function prepared({ plan, era }: DriveOrder, { door, act, report }: Parts): DriveRun {
  const { name = "mcp-vcr", version = VERSION } = plan.client;
  const client = { info: { name, version }, capabilities: capabilitiesOf(plan) };
  const answers = new WrittenAnswers(plan.answers);
  const { promise, resolve, reject } = withResolvers<DriveEnd>();
  const driver = new Driver({
    course: script({ plan, opening: { era, client, door }, answers, report }),
    client,
    answers,
    door,
    timer: new Timers().start,
    act,
    onEnd: (end) => ("result" in end ? resolve(end.result) : reject(end.error)),
    onNote: (note) => report.notes.push(note),
  });
  return {
    driver,
    go: () => {
      driver.start();
      return promise;
    },
  };
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
