import { resolve } from "node:path";
import { Rules } from "../replay/rules.ts";
import type { Config } from "./config.ts";
import { findConfig } from "./find-config.ts";

/** A configuration that was read and checked. */
export interface OpenedConfig {
  readonly config: Config;
  /** Its matching rules, be there any or not; undefined where there is no configuration. */
  readonly rules: Rules | undefined;
  /** The same of its rules on answers. */
  readonly answers: Rules | undefined;
}

/**
 * The configuration of the working directory, or of the file that was named; an empty one where there is none.
 * @throws VcrError `usage` when it cannot be read or is wrong
 */
export async function openConfig(named: string | undefined): Promise<OpenedConfig> {
  const file = named === undefined ? findConfig(process.cwd()) : resolve(named);
  if (file === undefined) return { config: {}, rules: undefined, answers: undefined };
  // One after the other: jest takes no two modules at once that share a third (Node 20).
  const { readConfig } = await import("./read-config.ts");
  const { checkConfig } = await import("./check-config.ts");
  const written = await readConfig(file);
  const config = checkConfig(written);
  return {
    config,
    rules: new Rules(config.match ?? {}, written.file),
    answers: new Rules(config.drift?.match ?? {}, written.file),
  };
}
