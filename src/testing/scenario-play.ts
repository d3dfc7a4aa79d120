import { Faults } from "../faults/faults.ts";
import type { FaultPlan } from "../faults/plan.ts";
import { Player } from "../replay/player.ts";
import type { Recording } from "../replay/recording.ts";
import { nothingBehind } from "../run/nothing-behind.ts";
import { ScenarioBehind } from "../scenario/behind-player.ts";
import type { Scenario } from "../scenario/model.ts";
import type { Schemas } from "../scenario/schemas.ts";
import { Timers } from "../transport/timer.ts";
import type { Listening, Play, Run } from "./play.ts";

export interface ScenarioParts {
  readonly name: string;
  readonly file: string;
  readonly scenario: Scenario;
  readonly schemas: Schemas;
  readonly faults: FaultPlan | undefined;
}

export interface ScenarioRun extends Run {
  readonly behind: ScenarioBehind;
}

/** A scenario: every run has a state of its own. */
export class ScenarioPlay implements Play {
  readonly name: string;
  readonly file: string;
  readonly recording: Recording = nothingBehind();
  readonly faults: FaultPlan | undefined;
  readonly strict = false;
  readonly #parts: ScenarioParts;

  constructor(parts: ScenarioParts) {
    this.name = parts.name;
    this.file = parts.file;
    this.faults = merged(parts.scenario.faults, parts.faults);
    this.#parts = parts;
  }

  begin(listening: Listening): ScenarioRun {
    return beginScenario(this.#parts, this.recording, listening);
  }

  async close(): Promise<void> {}
}

export function beginScenario(
  { name, scenario, schemas, faults }: Omit<ScenarioParts, "file">,
  recording: Recording,
  listening: Listening,
): ScenarioRun {
  const timers = new Timers();
  const plans = [scenario.faults, faults].flatMap((plan) => plan ?? []);
  const behind = new ScenarioBehind(scenario, {
    timer: timers.start,
    apart: timers.apart,
    now: () => Date.now(),
    schemas,
    onMiss: (miss, explanation) => player.missed(miss, explanation),
    onNotice: (notice) => listening.onNotice?.(notice),
  });
  const player: Player = new Player(recording, {
    ...listening,
    cassette: name,
    realServer: behind,
    between: plans.length > 0 ? new Faults(...plans) : undefined,
  });
  return { player, behind, problems: () => [], end: () => timers.close() };
}

/** All that is laid, for what only looks whether it can be shown. */
function merged(own: FaultPlan | undefined, laid: FaultPlan | undefined): FaultPlan | undefined {
  if (!own || !laid) return own ?? laid;
  return { ...laid, faults: [...own.faults, ...laid.faults] };
}
