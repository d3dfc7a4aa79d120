import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** Files by path from the repository's root, with `/` between the parts. */
export type SourceTree = ReadonlyMap<string, string>;

/** Text of every file under the folders (or files) named that has one of the endings. */
export function readTree(places: readonly string[], endings: readonly string[]): SourceTree {
  const paths = places.flatMap(filesUnder).filter((path) => endings.some((ending) => path.endsWith(ending)));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

function filesUnder(place: string): string[] {
  if (!existsSync(join(ROOT, place))) return [];
  try {
    const entries = readdirSync(join(ROOT, place), { withFileTypes: true });
    return entries.flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${place}/${entry.name}`) : [`${place}/${entry.name}`],
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return [place];
    throw error;
  }
}
