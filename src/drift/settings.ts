import type { Clock } from "../clock.ts";
import type { Rules } from "../replay/rules.ts";
import { type Accepted, type Decisions, dayOf } from "./accepted.ts";
import { OwnRules } from "./own-rules.ts";

/** What people decided on differences. */
export interface DriftSettings {
  /** What may differ in answers. */
  readonly own: OwnRules | undefined;
  readonly decisions: Decisions;
}

export interface Decided {
  /** Rules on answers; undefined where there is no configuration. */
  readonly answers: Rules | undefined;
  readonly accept: readonly Accepted[] | undefined;
}

export function driftSettings({ answers, accept = [] }: Decided, clock: Clock): DriftSettings {
  return { own: answers && new OwnRules(answers), decisions: { accept, today: dayOf(clock.now()) } };
}
