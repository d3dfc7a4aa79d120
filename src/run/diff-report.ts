import { existsSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Drift, FailOn } from "../drift/drift.ts";
import { VcrError } from "../errors.ts";
import type { Look } from "../report/reporter.ts";
import { type Format, REPORTERS } from "../report/reporters.ts";

/** Where a report goes. */
export interface Target {
  readonly format: Format;
  /** Standard output when undefined. */
  readonly file: string | undefined;
}

/** Columns where nothing tells how many there are. */
const USUAL_WIDTH = 80;

/** What a terminal shows, or a file. */
function lookOf({ file }: Target, failOn: FailOn): Look {
  const { isTTY, columns } = process.stdout;
  if (file !== undefined || !isTTY) {
    const width = Number(process.env.COLUMNS) || USUAL_WIDTH;
    return { width, failOn, colour: file === undefined && paged() };
  }
  return { width: columns, failOn, colour: process.stdout.hasColors() };
}

/** git hands what it shows to a pager, which understands colours. */
function paged(): boolean {
  const { GIT_PAGER_IN_USE: pager, NO_COLOR: none } = process.env;
  return pager === "true" && !none;
}

/**
 * Writes a drift in every format that is asked for.
 * @throws VcrError `usage` where a file cannot be written
 */
export async function writeReports(drift: Drift, targets: readonly Target[], failOn: FailOn): Promise<void> {
  for (const target of targets) {
    const text = await REPORTERS[target.format].render(drift, lookOf(target, failOn));
    if (target.file === undefined) process.stdout.write(text);
    else write(target.file, text, target.format);
  }
}

function write(file: string, text: string, format: Format): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new VcrError("usage", `--format ${format}=${file}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Refuses to write a report over what is compared.
 * @throws VcrError `usage`
 */
export function refuseInputs(targets: readonly Target[], inputs: readonly string[]): void {
  for (const { file, format } of targets) {
    if (file === undefined || !inputs.some((input) => isSame(file, input))) continue;
    throw new VcrError(
      "usage",
      `--format ${format}=${file} is one of the cassettes, which it would overwrite`,
      {
        hint: `Give the report a file of its own, such as --format ${format}=drift-report.`,
      },
    );
  }
}

/** Whatever links lead there. */
function isSame(file: string, other: string): boolean {
  if (resolve(file) === resolve(other)) return true;
  if (!existsSync(file) || !existsSync(other)) return false;
  const [a, b] = [statSync(file), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}
