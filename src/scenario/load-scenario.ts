import { type FilePlace, VcrError } from "../errors.ts";
import { checkWhole } from "./check/check-whole.ts";
import { compiled } from "./compile.ts";
import type { Scenario } from "./model.ts";
import { extended, leftOut } from "./read/merge.ts";
import type { ScenarioParts, Without } from "./read/parts.ts";
import {
  type ReadScenario,
  readScenarioText,
  readScenarioValue,
  type TurnIds,
  turnIds,
} from "./read/read-scenario.ts";

/** What a file holds: text that is to be read, or a value, made by a program or of a recording. */
export type Held =
  | { readonly text: string }
  | { readonly value: unknown /** It is a cassette's. */; readonly recorded?: boolean };

/** Where files come from. */
export interface ScenarioFiles {
  /** The file that another one names. */
  resolve(from: string, named: string): string;
  /**
   * @param place where it is named, undefined for the first
   * @throws VcrError when it cannot be read
   */
  open(file: string, place: FilePlace | undefined): Promise<Held>;
}

/**
 * Reads a scenario, with the files it extends, and checks it as far as no schema has to be compiled for it.
 * @param name what misses and reports call it
 * @throws VcrError `scenario-invalid`
 */
export async function loadScenario(
  file: string,
  files: ScenarioFiles,
  name: string = file,
): Promise<Scenario> {
  const held = await files.open(file, undefined);
  const ids = turnIds();
  const without: Without[] = [];
  const cassettes = new Map<string, FilePlace>();
  const chain = { file, files, ids, chain: [file], without, cassettes };
  const scenario = compiled(await whole(read(file, held, ids), chain), name, cassettes);
  checkWhole(scenario, without);
  return scenario;
}

/**
 * A scenario that a program made, and that extends none; checked as by `loadScenario`.
 * @throws VcrError `scenario-invalid`
 */
export function scenarioOfValue(value: unknown, name: string): Scenario {
  const { parts, extension } = readScenarioValue(value, name, turnIds());
  if (extension)
    throw new VcrError("scenario-invalid", "extends: only files extend files", { place: extension.place });
  const scenario = compiled(parts, name);
  checkWhole(scenario, []);
  return scenario;
}

interface Chain {
  readonly file: string;
  readonly files: ScenarioFiles;
  readonly ids: TurnIds;
  /** Files that extend each other, down to this one. */
  readonly chain: readonly string[];
  /** What of them is left out, gathered. */
  readonly without: Without[];
  /** Those of them that are cassettes, with where they are named, gathered. */
  readonly cassettes: Map<string, FilePlace>;
}

function read(file: string, held: Held, ids: TurnIds): ReadScenario {
  return "text" in held
    ? readScenarioText({ file, text: held.text }, ids)
    : readScenarioValue(held.value, file, ids);
}

async function whole(
  { parts, extension }: ReadScenario,
  { file, chain, ...shared }: Chain,
): Promise<ScenarioParts> {
  if (!extension) return parts;
  const { files, ids, without, cassettes } = shared;
  const base = files.resolve(file, extension.file);
  if (chain.includes(base)) {
    throw new VcrError("scenario-invalid", `extends: goes in a circle: ${[...chain, base].join(" -> ")}`, {
      place: extension.place,
      hint: "A scenario cannot build on itself.",
    });
  }
  const held = await files.open(base, extension.place);
  if ("recorded" in held && held.recorded) cassettes.set(base, extension.place);
  const inner = { ...shared, file: base, chain: [...chain, base] };
  const below = await whole(read(base, held, ids), inner);
  without.push(...extension.without);
  return extended(leftOut(below, extension.without), parts);
}
