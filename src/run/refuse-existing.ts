import { existsSync } from "node:fs";
import { VcrError } from "../errors.ts";

/**
 * An output that stands where something is already.
 * @param command which does not touch it
 * @throws VcrError `cassette-exists`
 */
export function refuseExisting(output: string, command: string): void {
  if (!existsSync(output)) return;
  throw new VcrError("cassette-exists", `${output} exists already, and ${command} does not touch it`, {
    hint: "Choose another file with -o, or delete that one first.",
  });
}
