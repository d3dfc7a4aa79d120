import { openConfig } from "../config/open-config.ts";
import type { DriftSettings } from "../drift/settings.ts";

/**
 * What the configuration decided on differences, as of today.
 * @param named the configuration's file; found where it usually stands when undefined
 * @throws VcrError `usage` when it is wrong
 */
export async function readDriftSettings(named: string | undefined): Promise<DriftSettings> {
  const { config, answers } = await openConfig(named);
  const { driftSettings } = await import("../drift/settings.ts");
  return driftSettings({ answers, accept: config.drift?.accept }, { now: () => Date.now() });
}
