import { counted } from "../inspect/amounts.ts";
import type { CheckRule } from "./finding.ts";
import { CHECK_RULES } from "./finding.ts";

/** A finding where it stands in a file. Lines and columns count from 1. */
export interface PlacedFinding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly rule: CheckRule;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface CheckedFile {
  readonly file: string;
  /** Entries that were looked at. */
  readonly entries: number;
  readonly findings: readonly PlacedFinding[];
}

/** The format of `check --format json`; see schema/check.schema.json. */
const CHECK_FORMAT = 1;

/** How findings are told. */
export const CHECK_FORMATS: Readonly<
  Record<"text" | "json" | "github", (files: readonly CheckedFile[]) => string>
> = {
  text: (files) => [...files.flatMap(({ findings }) => findings.map(asText)), summary(files)].join("\n"),
  json: (files) => JSON.stringify({ "mcp-vcr-check": CHECK_FORMAT, files }, null, 2),
  github: (files) =>
    [...files.flatMap(({ findings }) => findings.map(asAnnotation)), summary(files)].join("\n"),
};

function asText({ file, line, column, rule, message, hint }: PlacedFinding): string {
  const first = `${file}:${line}:${column}: ${message} [${rule}]`;
  return printable(hint === undefined ? first : `${first}\n  ${hint.replaceAll("\n", "\n  ")}`);
}

/** https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions */
function asAnnotation({ file, line, column, rule, message, hint }: PlacedFinding): string {
  const title = property(`${rule}: ${CHECK_RULES[rule]}`);
  const place = `file=${property(file)},line=${line},col=${column},title=${title}`;
  return `::error ${place}::${data(hint === undefined ? message : `${message}\n${hint}`)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function summary(files: readonly CheckedFile[]): string {
  const entries = files.reduce((sum, file) => sum + file.entries, 0);
  const findings = files.reduce((sum, file) => sum + file.findings.length, 0);
  const looked = `${counted(files.length, "cassette")}, ${counted(entries, "entry", "entries")}`;
  return `${looked}: ${findings === 0 ? "nothing found" : counted(findings, "finding")}`;
}

/** A terminal does what control characters say, and a cassette is a stranger's. */
function printable(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
