import { WrittenAnswers } from "../drive/answers.ts";
import { type DriveAction, Driver } from "../drive/driver.ts";
import { Ended } from "../drive/move.ts";
import { DriveReport } from "../drive/report.ts";
import { type DriveEnd, script } from "../drive/script.ts";
import { capabilitiesOf, type Plan } from "../drive/step.ts";
import { summaryOf } from "../drive/summary.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import type { Era } from "../protocol/revisions.ts";
import { timer } from "../transport/timer.ts";
import { VERSION } from "../version.ts";
import { driveHttp } from "./drive-http.ts";
import { DriveProgress } from "./drive-progress.ts";
import { driveStdio } from "./drive-stdio.ts";
import { warn } from "./notices.ts";
import type { Recorder } from "./recorder.ts";
import { untilAskedToEnd } from "./signals.ts";

/** What is to be asked, and in which era; undefined lets the server choose. */
export interface DriveOrder {
  readonly plan: Plan;
  readonly era: Era | undefined;
}

export interface DriveOptions {
  readonly order: DriveOrder;
  readonly recorder: Recorder;
  /** The cassette, for people. */
  readonly file: string;
}

/** A driver without its link. */
export interface DriveRun {
  readonly driver: Driver<DriveEnd>;
  /** Starts, and resolves when the course is over; rejects as `script` throws. */
  go(): Promise<DriveEnd>;
}

/** Makes a driver for a link. */
export type Prepare = (door: "stdio" | "http", act: (action: DriveAction) => void) => DriveRun;

const INTERRUPTED = "interrupted";

/**
 * Records a server while driving it: this process is the client. Resolves to the exit code: 1 when a step failed, or
 * the drive was interrupted, 4 when the server was gone before the last step.
 * @throws VcrError `server-failed` when the server cannot be started, reached or opened
 */
export async function driveSource(source: Source, { order, recorder, file }: DriveOptions): Promise<number> {
  const progress = new DriveProgress(process.stderr);
  const report = new DriveReport((label, method) => progress.asking(label, method));
  const prepare: Prepare = (door, act) => {
    const run = prepared(order, { door, act, report });
    untilAskedToEnd().then(() => run.driver.close(INTERRUPTED));
    return run;
  };
  try {
    const end =
      source.transport === "stdio"
        ? await driveStdio(source.command, recorder, prepare)
        : await driveHttp(source.url, recorder, prepare);
    progress.clear();
    recorder.close();
    warn(summaryOf({ file, report, end }));
    return exitOf(end, report);
  } catch (error) {
    progress.clear();
    if (!(error instanceof Ended)) throw error;
    throw new VcrError("server-failed", `the server could not be opened: ${error.message}`, {
      hint: "What it said on stderr may tell why.",
    });
  }
}

function exitOf({ cut }: DriveEnd, { failed }: DriveReport): number {
  if (cut !== undefined && cut !== INTERRUPTED) return 4;
  return cut !== undefined || failed.length > 0 ? 1 : 0;
}

interface Parts {
  readonly door: "stdio" | "http";
  readonly act: (action: DriveAction) => void;
  readonly report: DriveReport;
}

function prepared({ plan, era }: DriveOrder, { door, act, report }: Parts): DriveRun {
  const { name = "mcp-vcr", version = VERSION } = plan.client;
  const client = { info: { name, version }, capabilities: capabilitiesOf(plan) };
  const answers = new WrittenAnswers(plan.answers);
  const { promise, resolve, reject } = withResolvers<DriveEnd>();
  const driver = new Driver({
    course: script({ plan, opening: { era, client, door }, answers, report }),
    client,
    answers,
    door,
    timer,
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
