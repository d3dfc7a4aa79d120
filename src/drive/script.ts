import { labelOf } from "../protocol/methods.ts";
import type { WrittenAnswers } from "./answers.ts";
import type { DriveContext } from "./asking.ts";
import { type Course, Ended, type Outcome } from "./move.ts";
import { type Opened, type OpeningOptions, open } from "./opening.ts";
import { type DriveReport, troubleOf } from "./report.ts";
import type { Doing, Plan, Step } from "./step.ts";
import { doStep, type Going } from "./steps.ts";

export interface ScriptOptions {
  readonly plan: Plan;
  readonly opening: Omit<OpeningOptions, "timeout">;
  readonly answers: WrittenAnswers;
  readonly report: DriveReport;
}

/** How a drive ended. */
export interface DriveEnd {
  readonly opened: Opened;
  /** Why it ended before its last step was done; undefined when all was driven. */
  readonly cut: string | undefined;
}

/**
 * The whole of a drive: opens the conversation, and does step after step.
 * @throws VcrError `server-failed` when the conversation cannot be opened
 * @throws Ended when it is over before it is open
 */
export function* script({ plan, opening, answers, report }: ScriptOptions): Course<DriveEnd> {
  const { timeout } = plan;
  let opened = yield* open({ ...opening, timeout });
  const context: DriveContext = { answers, report, timeout };
  let going: Going = { opened, context, subscriptions: new Map() };
  try {
    for (const step of plan.steps) {
      answers.use(step.answers);
      const failedBefore = report.driven.length;
      let outcome = yield* doStep(step, within(step, going));
      if (outcome.kind === "refused" && outcome.sessionLost) {
        report.notes.push("the server lost the session; opened a new one");
        opened = yield* open({ ...opening, era: opened.era, timeout });
        going = { ...going, opened };
        outcome = yield* doStep(step, within(step, going));
      }
      judge(step, outcome, report, failedBefore);
    }
    return { opened, cut: undefined };
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    return { opened, cut: error.message };
  }
}

function within({ timeout }: Step, going: Going): Going {
  return timeout === undefined ? going : { ...going, context: { ...going.context, timeout } };
}

/** A step fails when one of its requests timed out, or it did not end as expected. */
function judge(step: Step, outcome: Outcome, report: DriveReport, from: number): void {
  const label = stepLabel(step.doing);
  const { place, expect } = step;
  const timedOut = report.driven.slice(from).filter((driven) => driven.outcome.kind === "timeout");
  for (const driven of timedOut) {
    report.failed.push({ label: driven.label, reason: troubleOf(driven.outcome) ?? "", place });
  }
  if (timedOut.length > 0 || expect === undefined) return;
  const trouble = troubleOf(outcome);
  if (expect === "result" && trouble !== undefined) {
    report.failed.push({ label, reason: `expected a result, got ${trouble}`, place });
  }
  if (expect === "error" && trouble === undefined) {
    report.failed.push({ label, reason: "expected an error, got a result", place });
  }
}

/** As the step is written: `call forecast`, `list tools`. */
function stepLabel(doing: Doing): string {
  const { kind, ...rest } = doing;
  const [about] = Object.values(rest);
  return typeof about === "string" ? `${kind} ${labelOf(about, undefined)}` : kind;
}
