import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { VcrError } from "../errors.ts";

/** The member of package.json, and what the files are called. */
export const MODULE = "mcp-vcr";

/** Where a configuration may stand, in the working directory or above. */
export const SEARCH_PLACES: readonly string[] = [
  "package.json",
  ...["ts", "js", "mjs", "json", "yaml", "yml"].map((ending) => `${MODULE}.config.${ending}`),
  ...["", ".json", ".yaml"].map((ending) => `.${MODULE}rc${ending}`),
];

/**
 * The configuration that counts in a folder: its own, else that of the nearest folder above it, up to the root of the
 * repository (which holds `.git`) or the home folder.
 *
 * @note Looked for without cosmiconfig, which takes longer to load than most commands need to start.
 * @throws VcrError `usage` when a folder holds two
 */
export function findConfig(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = SEARCH_PLACES.map((place) => join(at, place)).filter(isConfig);
    if (found.length > 1) throw several(found);
    if (found.length === 1) return found[0];
    if (at === dirname(at) || existsSync(join(at, ".git")) || at === homeFolder()) return undefined;
  }
}

/** Asked where it counts: loading `node:os` takes each start a millisecond. */
function homeFolder(): string {
  return process.getBuiltinModule("node:os").homedir();
}

function isConfig(file: string): boolean {
  if (!existsSync(file)) return false;
  if (basename(file) !== "package.json") return true;
  const text = textOf(file);
  if (!text.includes(`"${MODULE}"`)) return false;
  try {
    return Object.hasOwn(JSON.parse(text) as object, MODULE);
  } catch {
    // Told when it is read.
    return true;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Somebody else's package.json.
    return "";
  }
}

function several(files: readonly string[]): VcrError {
  const names = files.map((file) => basename(file));
  return new VcrError(
    "usage",
    `${dirname(files[0] as string)} holds several configurations: ${names.join(", ")}`,
    {
      hint: "Keep one of them, or name one with --config FILE.",
    },
  );
}
