import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { VcrError } from "../errors.ts";

const ENDINGS = [".yaml", ".yml", ".jsonl"] as const;
/** In the hint of an error. */
const MOST_NAMED = 10;

/** The file a test means, there or not yet. */
export interface Found {
  readonly file: string;
  readonly there: boolean;
}

/**
 * The file a test means: a path where it ends as cassettes do, else a name in the folder of cassettes, without its
 * ending (`weather`, `remote/weather`). Relative paths begin at the working directory, also the one returned.
 * @throws VcrError `usage` where a name could mean two files
 */
export function findCassette(nameOrFile: string, folder: string): Found {
  if (typeof nameOrFile !== "string" || nameOrFile === "") {
    throw new VcrError("usage", "a cassette has a name", { hint: 'Give one: useCassette("weather").' });
  }
  if (isPath(nameOrFile)) return { file: nameOrFile, there: existsSync(nameOrFile) };
  const found = ENDINGS.map((ending) => join(folder, `${nameOrFile}${ending}`)).filter((file) =>
    existsSync(file),
  );
  if (found.length > 1) {
    throw new VcrError("usage", `"${nameOrFile}" could be ${found.join(" or ")}`, {
      hint: `Delete one, or name the file: useCassette(${JSON.stringify(found[0])}).`,
    });
  }
  return { file: found[0] ?? join(folder, `${nameOrFile}.yaml`), there: found.length === 1 };
}

function isPath(nameOrFile: string): boolean {
  return ENDINGS.some((ending) => nameOrFile.toLowerCase().endsWith(ending));
}

/**
 * The error of a cassette that is not there.
 * @param remedy how it comes to be
 */
export function missingCassette(nameOrFile: string, folder: string, remedy: string): VcrError {
  if (!isPath(nameOrFile)) {
    const names = namesIn(folder);
    const there = names.length > 0 ? `There are: ${names.join(", ")}. ` : "";
    return new VcrError("cassette-missing", `no cassette is called "${nameOrFile}"`, {
      place: { file: resolve(folder) },
      hint: `${there}${remedy}`,
    });
  }
  const inFolder = join(folder, nameOrFile);
  const hint = existsSync(inFolder)
    ? `Paths begin at the working directory: useCassette(${JSON.stringify(inFolder)}).`
    : remedy;
  return new VcrError("cassette-missing", "there is no such file", {
    place: { file: resolve(nameOrFile) },
    hint,
  });
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((file) => {
    const ending = ENDINGS.find((each) => file.endsWith(each));
    return ending === undefined ? [] : [file.slice(0, -ending.length)];
  });
  return names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), "…"] : names;
}
