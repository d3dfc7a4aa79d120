import { existsSync, readFileSync } from "node:fs";
import { nearestWord } from "../cassette/fault.ts";
import { VcrError } from "../errors.ts";
import type { FaultPlan } from "../faults/plan.ts";
import { readFaults } from "../faults/read-faults.ts";
import { READY } from "../faults/ready.ts";

/**
 * The faults that a name stands for: a ready set, or a file.
 * @throws VcrError `faults-invalid`
 */
export function loadFaults(nameOrFile: string): FaultPlan {
  const ready = READY.find(({ name }) => name === nameOrFile);
  if (ready) return readFaults({ file: `faults ${nameOrFile}`, text: ready.text });
  return readFaults({ file: nameOrFile, text: textOf(nameOrFile) });
}

/** @throws VcrError `faults-invalid` */
export function faultsOfValue(value: object): FaultPlan {
  return readFaults({ file: "the faults of the test", text: JSON.stringify(value, null, 2) });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    const names = READY.map(({ name }) => name);
    const nearest = nearestWord(file, names);
    const meant = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
    const reason = existsSync(file) ? (cause as Error).message : `there is no such file${meant}`;
    throw new VcrError("faults-invalid", reason, {
      place: { file },
      hint: `Name a faults file, or a ready set: ${names.join(", ")}.`,
      cause,
    });
  }
}
