import type { SourceTree } from "./source-tree.ts";

export const MOST_LINES = 300;

/** Files longer than they may be, longest first, as sentences. */
export function findLongFiles(tree: SourceTree): string[] {
  return [...tree]
    .map(([path, text]) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > MOST_LINES)
    .sort((a, b) => b.lines - a.lines)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${MOST_LINES}; one file, one thing`);
}

/** Places where a path of the machine it was made on stayed behind: the folder of this checkout, a home folder. */
export function findMachinePaths(tree: SourceTree, folders: readonly string[]): string[] {
  return [...tree].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => {
      const found = folders.find((folder) => line.includes(folder));
      return found === undefined ? [] : [`${path}:${index + 1}: holds ${found}, a path of one machine`];
    }),
  );
}
