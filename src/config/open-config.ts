import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Rules } from "../replay/rules.ts";
import type { Config } from "./config.ts";
import { findConfig } from "./find-config.ts";
import { shownPath } from "./shown-path.ts";

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
  const config = isBlank(file) ? {} : await checked(file);
  return {
    config,
    rules: new Rules(config.match ?? {}, shownPath(file)),
    answers: new Rules(config.drift?.match ?? {}, shownPath(file)),
  };
}

/** Loaded when there is something to be read: it takes some tenths of a second, in every file of tests. */
async function checked(file: string): Promise<Config> {
  // One after the other: jest takes no two modules at once that share a third (Node 20).
  const { readConfig } = await import("./read-config.ts");
  const { checkConfig } = await import("./check-config.ts");
  return checkConfig(await readConfig(file));
}

/** Whether it holds nothing but comments, as the one that `init` writes: no document, which YAML's readers refuse. */
function isBlank(file: string): boolean {
  if (!/(\.ya?ml|rc)$/.test(file)) return false;
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.every((line) => /^\s*(#|$)/.test(line));
  } catch {
    // Told when it is read.
    return false;
  }
}
