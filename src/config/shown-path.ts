import { relative } from "node:path";

/** A file as messages name it: from the working directory where it is inside of it, else whole. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path === "" || path.startsWith("..") ? file : path;
}
