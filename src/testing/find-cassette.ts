import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { VcrError } from "../errors.ts";

const ENDINGS = [".yaml", ".yml", ".jsonl"] as const;
/** In the hint of an error. */
const MOST_NAMED = 10;

/**
 * The file a test means: a path where it ends as cassettes do, else a name in the folder of cassettes, without its
 * ending (`weather`, `remote/weather`). Relative paths begin at the working directory, also the one returned.
 * @throws VcrError `cassette-missing`; `usage` where a name could mean two files
 */
export function findCassette(nameOrFile: string, folder: string): string {
  if (typeof nameOrFile !== "string" || nameOrFile === "") {
    throw new VcrError("usage", "a cassette has a name", { hint: 'Give one: useCassette("weather").' });
  }
  if (ENDINGS.some((ending) => nameOrFile.toLowerCase().endsWith(ending))) return fileAt(nameOrFile, folder);
  const found = ENDINGS.map((ending) => join(folder, `${nameOrFile}${ending}`)).filter((file) =>
    existsSync(file),
  );
  if (found.length > 1) {
    throw new VcrError("usage", `"${nameOrFile}" could be ${found.join(" or ")}`, {
      hint: `Delete one, or name the file: useCassette(${JSON.stringify(found[0])}).`,
    });
  }
  return found[0] ?? missing(nameOrFile, folder);
}

function fileAt(file: string, folder: string): string {
  if (existsSync(file)) return file;
  const inFolder = join(folder, file);
  const hint = existsSync(inFolder)
    ? `Paths begin at the working directory: useCassette(${JSON.stringify(inFolder)}).`
    : `Record it: mcp-vcr record -o ${file} -- COMMAND`;
  throw new VcrError("cassette-missing", "there is no such file", { place: { file: resolve(file) }, hint });
}

function missing(name: string, folder: string): never {
  const names = namesIn(folder);
  const there = names.length > 0 ? `There are: ${names.join(", ")}. ` : "";
  throw new VcrError("cassette-missing", `no cassette is called "${name}"`, {
    place: { file: resolve(folder) },
    hint: `${there}Record it: mcp-vcr record -o ${join(folder, `${name}.yaml`)} -- COMMAND`,
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
