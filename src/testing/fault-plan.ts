import type { FaultPlan } from "../faults/plan.ts";
import type { FaultsOption } from "./options.ts";

/** Loaded when used: most tests lay no faults. */
export async function planOf(faults: FaultsOption | undefined): Promise<FaultPlan | undefined> {
  if (faults === undefined) return undefined;
  const { loadFaults, faultsOfValue } = await import("../run/load-faults.ts");
  return typeof faults === "string" ? loadFaults(faults) : faultsOfValue(faults);
}
