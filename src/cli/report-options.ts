import { Option } from "commander";
import { FAIL_ON, type FailOn } from "../drift/drift.ts";
import { VcrError } from "../errors.ts";
import type { Target } from "../run/diff-report.ts";

/** Of every command that reports what changed. */
export interface ReportOptions {
  readonly format: readonly Target[];
  readonly failOn: FailOn;
}

export const FORMAT_OPTION = (): Option =>
  new Option("--format <format[=file]>", "how to report, and where to; may be repeated")
    .argParser(addTarget)
    .default([], "terminal");

export const FAIL_ON_OPTION = (): Option =>
  new Option("--fail-on <class>", "exit 1 at changes of this class, or of a worse one")
    .choices(FAIL_ON)
    .default("breaking");

/**
 * Where reports go: to the terminal unless told otherwise.
 * @throws VcrError `usage` when two go to one place
 */
export function targetsOf(format: readonly Target[]): readonly Target[] {
  refuseTwice(format);
  return format.length > 0 ? format : [{ format: "terminal", file: undefined }];
}

function addTarget(text: string, before: readonly Target[]): readonly Target[] {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? undefined : text.slice(at + 1);
  if (!isFormat(name)) {
    throw new VcrError("usage", `--format ${text}: there is no format ${JSON.stringify(name)}`, {
      hint: `Formats: ${FORMATS.join(", ")}. FORMAT=FILE writes it to a file.`,
    });
  }
  if (file === "") throw new VcrError("usage", `--format ${text}: the file has no name`);
  return [...before, { format: name, file }];
}

/** The names are told without loading what makes the reports. */
const FORMATS: readonly Target["format"][] = ["terminal", "json", "markdown", "junit", "sarif", "github"];

function isFormat(name: string): name is Target["format"] {
  return FORMATS.some((format) => format === name);
}

function refuseTwice(targets: readonly Target[]): void {
  const places = targets.map(({ file }) => file);
  const twice = places.find((file, index) => places.indexOf(file) !== index);
  if (places.length === new Set(places).size) return;
  throw new VcrError("usage", `two reports go to ${twice ?? "standard output"}`, {
    hint: "Give each a file of its own: --format markdown=drift.md --format json=drift.json",
  });
}
