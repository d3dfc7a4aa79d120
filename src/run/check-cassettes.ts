import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { Codec, Truncation } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import { placeIn } from "../cassette/fault.ts";
import { offsetOf } from "../cassette/place-in-text.ts";
import { Checker } from "../check/checker.ts";
import type { CheckRule, Finding, Report } from "../check/finding.ts";
import type { CheckedFile, PlacedFinding } from "../check/report.ts";
import { VcrError } from "../errors.ts";
import type { OwnRules } from "../redact/own-rules.ts";
import { secretsInComments } from "./find-comment-secrets.ts";
import { SecretFinder } from "./find-secrets.ts";
import { compileSchema } from "./json-schemas.ts";
import { warn } from "./notices.ts";
import { type RedactSettings, secretsToRecord } from "./own-secrets.ts";
import { readEntries } from "./read-entries.ts";
import { hashOf, openRedactor } from "./redaction.ts";
import { spillOf } from "./spill.ts";

export interface CheckOptions {
  /** Rules whose findings do not count. */
  readonly ignore: ReadonlySet<CheckRule>;
  /** What is a secret besides what is known for one. */
  readonly redact: RedactSettings;
}

export interface Checked {
  readonly files: readonly CheckedFile[];
  /** There is a finding. */
  readonly found: boolean;
  /** A file could not be read to its end. */
  readonly invalid: boolean;
}

/**
 * Looks cassettes through. What cannot be read is a finding too.
 * @throws VcrError `usage` for a name that is no cassette's
 */
export async function checkCassettes(files: readonly string[], options: CheckOptions): Promise<Checked> {
  const own = secretsToRecord(options.redact, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  const checked: CheckedFile[] = [];
  for (const file of files)
    checked.push(checkFile(file, await codecFor(file), { ...options, own: own.rules }));
  const findings = checked.flatMap((file) => file.findings);
  return {
    files: checked,
    found: findings.length > 0,
    invalid: findings.some(({ rule }) => rule === "format"),
  };
}

interface FileOptions extends CheckOptions {
  readonly own: OwnRules | undefined;
}

function checkFile(file: string, codec: Codec, { ignore, own }: FileOptions): CheckedFile {
  const places = new Places();
  const findings: Finding[] = [];
  const faults: PlacedFinding[] = [];
  try {
    const truncated = look(file, codec, { places, own, report: (finding) => findings.push(finding) });
    if (truncated) faults.push(cutOff(file, truncated));
    faults.push(...secretsInComments(file, codec, own));
  } catch (error) {
    faults.push(formatFault(file, error));
  }
  const counts = ({ rule }: { readonly rule: CheckRule }): boolean => !ignore.has(rule);
  const placed = [...placeAll(file, findings.filter(counts), places), ...faults.filter(counts)];
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  return { file, entries: places.count, findings: placed };
}

interface Looking {
  readonly places: Places;
  readonly own: OwnRules | undefined;
  readonly report: Report;
}

function look(file: string, codec: Codec, { places, own, report }: Looking): Truncation | undefined {
  const struck: string[] = [];
  const redactor = openRedactor(own, (rule) => struck.push(rule));
  const secrets = new SecretFinder(redactor, struck);
  let checker: Checker | undefined;
  const parts = { compile: compileSchema, report };
  const { header, truncated } = readEntries(file, codec, ({ entry, start, end, line }, ofFile) => {
    checker ??= new Checker(parts, ofFile);
    const ordinal = places.add(start, end, line);
    checker.add(entry);
    for (const finding of secrets.findings(entry, ordinal)) report(finding);
  });
  (checker ?? new Checker(parts, header)).finish();
  for (const finding of secrets.inHeader(header)) report(finding);
  return truncated;
}

function cutOff(file: string, { line, reason }: { line: number; reason: string }): PlacedFinding {
  const message = `the last entry is cut off (${reason}) and not served`;
  return { file, line, column: 1, rule: "cut-off", message, hint: "Delete it, or record it again." };
}

function formatFault(file: string, error: unknown): PlacedFinding {
  if (!(error instanceof VcrError) || error.code === "usage") throw error;
  const { place, hint } = error;
  const { line = 1, column = 1 } = place ?? {};
  // The place stands in the message of an error, and beside that of a finding.
  const message = error.message.replace(/^.*?(:\d+)?(:\d+)?: /, (start) =>
    place && start.startsWith(place.file) ? "" : start,
  );
  return { file, line, column, rule: "format", message, hint };
}

/** Byte ranges and lines of entries, three numbers each. */
class Places {
  readonly #numbers: number[] = [];

  add(start: number, end: number, line: number): number {
    this.#numbers.push(start, end, line);
    return this.count - 1;
  }

  get count(): number {
    return this.#numbers.length / 3;
  }

  at(ordinal: number): { readonly start: number; readonly end: number; readonly line: number } | undefined {
    const [start, end, line] = this.#numbers.slice(ordinal * 3, ordinal * 3 + 3);
    return start === undefined || ordinal < 0
      ? undefined
      : { start, end: end as number, line: line as number };
  }
}

function placeAll(file: string, findings: readonly Finding[], places: Places): PlacedFinding[] {
  if (findings.length === 0) return [];
  // What a killed recorder left aside is placed by its lines alone.
  const fd = existsSync(spillOf(file)) ? undefined : openSync(file, "r");
  try {
    return findings.map(({ ordinal, path, ...finding }) => {
      const place = places.at(ordinal);
      const text = fd === undefined || !place ? undefined : textAt(fd, place.start, place.end);
      const start = place?.line ?? 1;
      const offset = text === undefined ? undefined : offsetIn(text, path);
      if (text === undefined || offset === undefined) return { file, line: start, column: 1, ...finding };
      const { line = start, column = 1 } = placeIn(text, offset, { file, line: start });
      return { file, line, column, ...finding };
    });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Of what stands there, or of the nearest thing around it that is there. */
function offsetIn(text: string, path: Finding["path"]): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const offset = offsetOf(text, part, "value") ?? offsetOf(text, part, "key");
    if (offset !== undefined) return offset;
  }
  return undefined;
}

/** Longer entries are not looked into, in bytes. */
const LONGEST_ENTRY = 4 * 1024 * 1024;

function textAt(fd: number, start: number, end: number): string | undefined {
  if (end - start > LONGEST_ENTRY) return undefined;
  const bytes = Buffer.alloc(end - start);
  readSync(fd, bytes, 0, bytes.length, start);
  return bytes.toString();
}
