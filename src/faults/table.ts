import type { FaultKind } from "./kind.ts";
import { ANSWERS } from "./kinds/answers.ts";
import { CONNECTION } from "./kinds/connection.ts";
import { OF_HTTP } from "./kinds/http.ts";
import { NOISE } from "./kinds/noise.ts";
import { TIME } from "./kinds/time.ts";

/** Every fault that can be laid over a recording or a scenario. docs/faults.md shows this table. */
export const FAULTS: readonly FaultKind[] = [...TIME, ...ANSWERS, ...CONNECTION, ...OF_HTTP, ...NOISE];

/** In the order of the table; the rows of one name differ in its value. */
export const FAULT_NAMES: readonly string[] = [...new Set(FAULTS.map(({ name }) => name))];

export function faultsNamed(name: string): readonly FaultKind[] {
  return FAULTS.filter((each) => each.name === name);
}
