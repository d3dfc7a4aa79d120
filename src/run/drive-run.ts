import { WrittenAnswers } from "../drive/answers.ts";
import { Driver } from "../drive/driver.ts";
import type { DriveAction, DriverOptions } from "../drive/driver-options.ts";
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
  /** Sent with every request over HTTP, such as credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A driver without its link. */
export interface DriveRun<End> {
  readonly driver: Driver<End>;
  /** Starts, and resolves when the course is over; rejects as the course throws. */
  go(): Promise<End>;
}

/** Makes a driver for a link. */
export type Prepare<End> = (door: "stdio" | "http", act: (action: DriveAction) => void) => DriveRun<End>;

interface Parts {
  readonly door: "stdio" | "http";
  readonly act: (action: DriveAction) => void;
  readonly report: DriveReport;
}

export function prepared({ plan, era }: DriveOrder, { door, act, report }: Parts): DriveRun<DriveEnd> {
  const { name = "mcp-vcr", version = VERSION } = plan.client;
  const client = { info: { name, version }, capabilities: capabilitiesOf(plan) };
  const answers = new WrittenAnswers(plan.answers);
  return runOf({
    course: script({ plan, opening: { era, client, door }, answers, report }),
    client,
    answers,
    door,
    act,
    onNote: (note) => report.notes.push(note),
  });
}

/** A driver whose timers are real, and its end as a promise. */
export function runOf<End>(options: Omit<DriverOptions<End>, "timer" | "onEnd">): DriveRun<End> {
  const { promise, resolve, reject } = withResolvers<End>();
  const driver = new Driver<End>({
    ...options,
    timer: new Timers().start,
    onEnd: (end) => ("result" in end ? resolve(end.result) : reject(end.error)),
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
