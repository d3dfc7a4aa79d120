import type { Folder } from "../../../src/setup/project.ts";

/** A folder of these files, by path, with the names of what is in the folders above it. */
export function folderOf(
  files: Readonly<Record<string, string>>,
  ...above: readonly (readonly string[])[]
): Folder {
  const names = new Set(Object.keys(files).map((path) => path.split("/")[0] as string));
  return { text: (path) => files[path], names: [[...names], ...above] };
}
