import { existsSync, statSync } from "node:fs";
import { codecFor } from "../cassette/codecs.ts";
import type { Policy } from "../replay/modes.ts";

/**
 * Whether a recording is still to be made: there is no file, an empty one, or one in which no session came about.
 * @throws VcrError `cassette-invalid`
 */
export async function isToBeRecorded(file: string, { records }: Policy): Promise<boolean> {
  if (!records) return false;
  if (!existsSync(file)) return true;
  const stats = statSync(file);
  if (!stats.isFile()) return false;
  if (stats.size === 0) return true;
  const { beginningOf } = await import("./beginning.ts");
  return beginningOf(file, await codecFor(file)) !== undefined;
}
