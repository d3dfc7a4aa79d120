import type { FilePlace } from "../errors.ts";
import { invalid } from "./fault.ts";

/** The format this program writes, and the newest it reads. */
export const FORMAT = 1;

/** A header or an entry as plain values, before it is trusted; `message` is JSON text in bytes. */
export type Members = Readonly<Record<string, unknown>>;

/** From one format to the next. Pure; a migrated document is then checked as if it had been written so. */
export interface Migration {
  header(members: Members): Members;
  entry(members: Members): Members;
}

/** The formats a reader knows: the newest, and the steps to it from `newest - steps.length`, oldest first. */
export interface Formats {
  readonly newest: number;
  readonly steps: readonly Migration[];
}

export const FORMATS: Formats = { newest: FORMAT, steps: [] };

/** Brings a header or an entry of an older format up to the newest. */
export function migrate(
  members: Members,
  from: number,
  how: { kind: keyof Migration; formats: Formats },
): Members {
  const { newest, steps } = how.formats;
  return steps.slice(steps.length - (newest - from)).reduce((older, step) => step[how.kind](older), members);
}

/**
 * The format a header names.
 * @throws VcrError `cassette-invalid` when this program cannot read it
 */
export function readableFormat(value: unknown, place: FilePlace, formats: Formats): number {
  const { newest, steps } = formats;
  const oldest = newest - steps.length;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) {
    throw invalid(
      `mcp-vcr: must be the number of a format, not ${JSON.stringify(value)}`,
      place,
      `Write mcp-vcr: ${newest}`,
    );
  }
  if (value > newest) {
    throw invalid(
      `written by a newer mcp-vcr (format ${value}); this one reads up to ${newest}`,
      place,
      "Update it: npm install --save-dev mcp-vcr@latest",
    );
  }
  if (value < oldest) {
    throw invalid(
      `format ${value} is no longer read; this mcp-vcr reads ${oldest} to ${newest}`,
      place,
      "Record it again.",
    );
  }
  return value;
}
