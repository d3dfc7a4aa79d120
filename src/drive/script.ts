import { labelOf } from "../protocol/methods.ts";
import type { WrittenAnswers } from "./answers.ts";
import type { DriveContext } from "./asking.ts";
import { type Course, Ended, type Outcome } from "./move.ts";
import { type Opened, type OpeningOptions, open } from "./opening.ts";
import { type DriveReport, troubleOf } from "./report.ts";
import type { Doing, Expected, Plan, Step } from "./step.ts";
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

/** A step fails when it did not end as expected, or one of its requests timed out when that was not. */
function judge(step: Step, outcome: Outcome, report: DriveReport, from: number): void {
  const { place, expect } = step;
  if (expect !== undefined && endOf(outcome) !== expect) {
    const got = troubleOf(outcome) ?? "a result";
    report.failed.push({
      label: stepLabel(step.doing),
      reason: `expected ${WORDS[expect]}, got ${got}`,
      place,
    });
    return;
  }
  if (expect === "timeout") return;
  for (const { label, outcome: each } of report.driven.slice(from)) {
    if (each.kind === "timeout") report.failed.push({ label, reason: troubleOf(each) ?? "", place });
  }
}

const WORDS: Readonly<Record<Expected, string>> = {
  result: "a result",
  error: "an error",
  timeout: "no answer",
};

function endOf(outcome: Outcome): Expected {
  if (outcome.kind === "timeout") return "timeout";
  return troubleOf(outcome) === undefined ? "result" : "error";
}

/** As the step is written: `call forecast`, `list tools`. */
function stepLabel(doing: Doing): string {
  const { kind, ...rest } = doing;
  const [about] = Object.values(rest);
  return typeof about === "string" ? `${kind} ${labelOf(about, undefined)}` : kind;
}
