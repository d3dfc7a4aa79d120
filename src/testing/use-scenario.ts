import { VcrError } from "../errors.ts";
import type { ScenarioDocument } from "../scenario/define-scenario.ts";
import { planOf } from "./fault-plan.ts";
import { callerOf, checkOptions, FAULTS, type FaultsOption, type OptionKinds, VERDICTS } from "./options.ts";
import { Tape } from "./tape.ts";
import type { Verdicts } from "./verdict.ts";

export interface ScenarioOptions extends Verdicts {
  /** Faults to lay over it: the name of a ready set, a file, or what such a file would hold. See docs/faults.md. */
  readonly faults?: FaultsOption | undefined;
}

const OPTIONS: OptionKinds<ScenarioOptions> = { faults: FAULTS, ...VERDICTS };

/** As messages call a scenario that no file holds. */
const WRITTEN_HERE = "the scenario of the test";

/**
 * Opens a scenario for a test, as `useCassette` opens a cassette.
 *
 * ```ts
 * const tape = await useScenario("weather.scenario.yaml");
 * await client.connect(tape.transport());
 * ```
 *
 * @param scenario a file, the name of one that comes with the program (`everything`), or what `defineScenario` returns
 * @throws VcrError `scenario-invalid`, for one that is not there or does not hold to its form; for an option that is none,
 *   and for faults that are none
 */
export async function useScenario(
  scenario: string | ScenarioDocument,
  options: ScenarioOptions = {},
): Promise<Tape> {
  const opened = callerOf(useScenario);
  return openScenario(scenario, options, opened);
}

/** @param opened where the test opens it */
export async function openScenario(
  scenario: string | ScenarioDocument,
  options: ScenarioOptions,
  opened: string | undefined,
): Promise<Tape> {
  checkOptions("useScenario", options, OPTIONS);
  if (typeof scenario !== "string" && (typeof scenario !== "object" || scenario === null)) {
    throw new VcrError("usage", `a scenario is a file or a value, not ${typeof scenario}`, {
      hint: 'Name its file: useScenario("weather.scenario.yaml").',
    });
  }
  // Loaded when used: most tests open cassettes.
  const { readScenario } = await import("./read-scenario.ts");
  const { ScenarioPlay } = await import("./scenario-play.ts");
  const name = typeof scenario === "string" ? scenario : WRITTEN_HERE;
  const faults = await planOf(options.faults);
  const play = new ScenarioPlay({ ...(await readScenario(scenario, name)), name, faults });
  return new Tape(play, { misses: options.misses, unused: options.unused, opened });
}
