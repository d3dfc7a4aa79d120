import { readFileSync } from "node:fs";
import { readPlan } from "../drive/plan/read-plan.ts";
import { AUTO, type Plan } from "../drive/step.ts";
import { VcrError } from "../errors.ts";

/**
 * The plan that `--drive` names: a file, or `auto`.
 * @throws VcrError `usage`
 */
export function loadPlan(drive: string): Plan {
  return drive === "auto" ? AUTO : readPlan({ file: drive, text: textOf(drive) });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const reason = isMissing ? "there is no such file" : (cause as Error).message;
    throw new VcrError("usage", `--drive ${file}: ${reason}`, {
      hint: "Name a drive file, or auto to walk discovery.",
      cause,
    });
  }
}
