import { foresee, foreseenWords } from "../faults/dry-run.ts";
import { Faults } from "../faults/faults.ts";
import type { FaultPlan } from "../faults/plan.ts";
import { httpCarrierOf, refuseImpossible } from "../faults/suits.ts";
import { Recording } from "../replay/recording.ts";
import { CassetteSource } from "./cassette-source.ts";
import { loadFaults } from "./load-faults.ts";
import { warn } from "./notices.ts";

export interface FaultOptions {
  /** A file, or the name of a ready set. */
  readonly faults: string;
  /** Over HTTP; over stdio when undefined. */
  readonly listen: object | undefined;
}

export interface OwnFaultOptions extends Omit<FaultOptions, "faults"> {
  readonly faults: string | undefined;
  /** Of the scenario itself, below the others. */
  readonly own: FaultPlan | undefined;
}

/**
 * The faults to lay over a recording.
 * @throws VcrError `faults-invalid`; `usage` for one that cannot be shown where it is served
 */
export function openFaults({ faults, listen }: FaultOptions, recording: Recording): Faults {
  return new Faults(planOf({ faults, listen }, recording));
}

/**
 * The faults to lay over a scenario, its own among them.
 * @throws VcrError as `openFaults`
 */
export function openFaultsOver({ own, faults, listen }: OwnFaultOptions, recording: Recording): Faults {
  const carrier = listen ? httpCarrierOf(recording) : "stdio";
  if (own) refuseImpossible(own, { carrier, recording });
  const laid = faults === undefined ? [] : [planOf({ faults, listen }, recording)];
  return new Faults(...(own ? [own] : []), ...laid);
}

/**
 * Says on stdout what each fault would strike in a cassette. Resolves to the exit code: 1 when one would never.
 * @throws VcrError as `openFaults`, and when the cassette cannot be read
 */
export async function dryRun(file: string, options: FaultOptions): Promise<number> {
  const recording = new Recording(await CassetteSource.open(file, warn), warn);
  const foreseen = foresee(planOf(options, recording), recording);
  process.stdout.write(`${foreseenWords(foreseen)}\n`);
  return foreseen.some(({ strikes }) => strikes.length === 0) ? 1 : 0;
}

/** Tells of faults that never struck. */
export function tellIdleFaults({ faults }: Faults): void {
  for (const { place, fault, struck } of faults) if (struck === 0) warn(`${place}: never struck: ${fault}`);
}

function planOf({ faults, listen }: FaultOptions, recording: Recording): FaultPlan {
  const plan = loadFaults(faults);
  refuseImpossible(plan, { carrier: listen ? httpCarrierOf(recording) : "stdio", recording });
  return plan;
}
