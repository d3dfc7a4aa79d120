import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestWord } from "../cassette/fault.ts";
import { type FilePlace, VcrError } from "../errors.ts";
import type { Held, ScenarioFiles } from "../scenario/load-scenario.ts";
import { warn } from "./notices.ts";

/** Loads a program's default export. */
export type LoadModule = (file: string) => Promise<unknown>;

const PROGRAMS = new Set([".ts", ".mts", ".js", ".mjs", ".cjs"]);
const TEXTS = new Set([".yaml", ".yml", ".json"]);

/** Scenarios that come with the program, by name. */
const READY = ["everything"] as const;

/** The file that a name means: a file, or a scenario that comes with the program. */
export function scenarioFile(name: string): string {
  if (existsSync(name) || !(READY as readonly string[]).includes(name)) return name;
  return join(readyFolder(), `${name}.yaml`);
}

/** Beside the built command, or beside the sources. */
function readyFolder(): string {
  // The command is CommonJS, where this is a path.
  const url: string = import.meta.url;
  const here = dirname(url.startsWith("file:") ? fileURLToPath(url) : url);
  const built = join(here, "scenarios");
  return existsSync(built) ? built : join(here, "../scenario/ready");
}

/** What a top-level member of a scenario that is none of a cassette looks like in a file. */
const SCENARIO_MEMBER =
  /^["']?(?:scenario|extends|server|tools|resources|templates|prompts|timeline)["']?\s*:/m;
const CASSETTE_MEMBER = /^["']?mcp-vcr["']?\s*:/m;
/** A file that says by its name what it is, whether it is there yet or holds anything. */
const NAMED_SO = /\.scenario\.ya?ml$/i;
/** Characters looked at. */
const LOOKED_AT = 65_536;

/** Whether a file is a scenario rather than a cassette, by its ending and how it begins. */
export function isScenario(file: string): boolean {
  const ending = extname(file).toLowerCase();
  if (PROGRAMS.has(ending) || ending === ".json") return true;
  if (NAMED_SO.test(file)) return !existsSync(file) || (statSync(file).isFile() && !isCassette(file));
  if (!TEXTS.has(ending) || !existsSync(file) || !statSync(file).isFile()) return false;
  const text = readFileSync(file, "utf8").slice(0, LOOKED_AT);
  return !isCassette(file) && (SCENARIO_MEMBER.test(text) || text.trimStart().startsWith("{"));
}

/**
 * Refuses a scenario where a cassette is meant, or another tool's recording: only what surely is one.
 * @param instead what to do with it, after the way to serve it
 * @throws VcrError `usage`
 */
export function refuseScenario(file: string, instead = ""): void {
  const isReady = scenarioFile(file) !== file;
  const isNamedSo = /\.scenario\.\w+$/i.test(file) || /\.ya?ml$/i.test(file);
  if (!isReady && !(isNamedSo && existsSync(file) && isScenario(file))) return;
  throw new VcrError("usage", `${file} is a scenario, and this is for cassettes`, {
    hint: `Serve it: mcp-vcr serve ${file}${instead}`,
  });
}

/** @throws VcrError `usage` for a name that is nearly that of a scenario that comes with the program */
export function refuseMisspelt(name: string): void {
  if (existsSync(name) || extname(name) !== "") return;
  const meant = nearestWord(name, READY);
  if (meant === undefined || meant === name) return;
  throw new VcrError("usage", `there is no file ${name} (did you mean ${meant}?)`, {
    hint: `${meant} is a scenario that comes with the program: mcp-vcr serve ${meant}`,
  });
}

/** Files of scenarios, as they stand on disk. */
export function scenarioFiles(loadModule: LoadModule): ScenarioFiles {
  return {
    resolve: (from, named) =>
      (READY as readonly string[]).includes(named)
        ? scenarioFile(named)
        : normalize(isAbsolute(named) ? named : join(dirname(from), named)),
    open: (file, place) => open(file, place, loadModule),
  };
}

async function open(file: string, place: FilePlace | undefined, loadModule: LoadModule): Promise<Held> {
  const ending = extname(file).toLowerCase();
  if (!existsSync(file)) throw missing(file, place);
  if (PROGRAMS.has(ending)) return { value: await loaded(file, loadModule) };
  if (!isScenario(file) && (ending !== ".yaml" && ending !== ".yml" ? true : isCassette(file)))
    return { value: await recorded(file), recorded: true };
  return { text: textOf(file, place) };
}

function isCassette(file: string): boolean {
  return CASSETTE_MEMBER.test(readFileSync(file, "utf8").slice(0, LOOKED_AT));
}

async function loaded(file: string, loadModule: LoadModule): Promise<unknown> {
  try {
    return await loadModule(file);
  } catch (error) {
    if (!(error instanceof VcrError)) throw error;
    const { message, hint, cause } = error;
    throw new VcrError("scenario-invalid", message, {
      hint: hint
        ?.replaceAll("defineConfig", "defineScenario")
        .replace("mcp-vcr.config.mjs", `${file.replace(/\.\w+$/, "")}.mjs`)
        .replace(".Config}", ".ScenarioDocument}"),
      cause,
    });
  }
}

/** A cassette, as the scenario that would answer as it did. */
async function recorded(file: string): Promise<unknown> {
  const { documentOfCassette } = await import("./write-scenario.ts");
  const { document, notices } = await documentOfCassette(file);
  for (const notice of notices) warn(`${file}: ${notice}`);
  return document;
}

function textOf(file: string, place: FilePlace | undefined): string {
  const text = readText(file, place);
  if (text.trim() !== "") return text;
  throw new VcrError("scenario-invalid", "the file is empty", { place: { file }, hint: EXAMPLE });
}

const EXAMPLE = `A scenario looks like this:
scenario: 1
tools:
  - name: greet
    replies: [{ text: Hello }]`;

function readText(file: string, place: FilePlace | undefined): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new VcrError("scenario-invalid", `${file}: ${(cause as Error).message}`, { place, cause });
  }
}

function missing(file: string, place: FilePlace | undefined): VcrError {
  const meant = nearestWord(file, READY);
  const begin = `Write it (docs/scenarios.md), or begin from a recording: mcp-vcr scenario CASSETTE -o ${file}`;
  return new VcrError("scenario-invalid", place ? `there is no file ${file}` : "there is no such file", {
    place: place ?? { file },
    hint: meant === undefined ? begin : `A scenario that comes with the program is ${meant}.`,
  });
}
