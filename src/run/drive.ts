import type { DriveAction } from "../drive/driver-options.ts";
import { Ended } from "../drive/move.ts";
import { DriveReport } from "../drive/report.ts";
import type { DriveEnd } from "../drive/script.ts";
import { summaryOf } from "../drive/summary.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import { driveHttp } from "./drive-http.ts";
import { DriveProgress } from "./drive-progress.ts";
import { type DriveOrder, type Prepare, prepared } from "./drive-run.ts";
import { driveStdio } from "./drive-stdio.ts";
import { EraQuestion } from "./era-question.ts";
import { warn } from "./notices.ts";
import type { Recorder } from "./recorder.ts";
import { untilAskedToEnd } from "./signals.ts";

export interface DriveOptions {
  readonly order: DriveOrder;
  readonly recorder: Recorder;
  /** The cassette, for people. */
  readonly file: string;
}

const INTERRUPTED = "interrupted";

/**
 * Records a server while driving it: this process is the client. Resolves to the exit code: 1 when a step failed, or
 * the drive was interrupted, 4 when the server was gone before the last step.
 * @throws VcrError `server-failed` when the server cannot be started, reached or opened
 */
export async function driveSource(source: Source, { order, recorder, file }: DriveOptions): Promise<number> {
  const progress = new DriveProgress(process.stderr);
  const report = new DriveReport((label, method) => progress.asking(label, method));
  const question = order.era === undefined ? new EraQuestion(recorder) : undefined;
  const tape = question ?? recorder;
  const prepare: Prepare<DriveEnd> = (door, carry) => {
    const act = (action: DriveAction) => {
      question?.acts(action);
      carry(action);
    };
    const run = prepared(order, { door, act, report });
    untilAskedToEnd().then(() => run.driver.close(INTERRUPTED));
    return run;
  };
  try {
    const end =
      source.transport === "stdio"
        ? await driveStdio(source, tape, prepare)
        : await driveHttp({ url: source.url, headers: order.headers }, tape, prepare);
    progress.clear();
    question?.settle();
    recorder.close();
    warn(summaryOf({ file, report, end }));
    return exitOf(end, report);
  } catch (error) {
    progress.clear();
    if (!(error instanceof Ended)) throw error;
    if (error.message === INTERRUPTED) {
      recorder.discard();
      return 1;
    }
    throw new VcrError("server-failed", `the server could not be opened: ${error.message}`, {
      hint: "What it said on stderr may tell why.",
    });
  }
}

function exitOf({ cut }: DriveEnd, { failed }: DriveReport): number {
  if (cut !== undefined && cut !== INTERRUPTED) return 4;
  return cut !== undefined || failed.length > 0 ? 1 : 0;
}
