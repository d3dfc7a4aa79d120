import { type ErrorCode, VcrError } from "../errors.ts";

/** What this program's exit code says (a recorded server's own exit code is passed on instead). */
export const EXIT = {
  ok: 0,
  /** Misses, drift, secrets. */
  findings: 1,
  usage: 2,
  /** A file that cannot be read, or does not hold to its format. */
  invalidFile: 3,
  serverFailed: 4,
} as const;

const EXIT_OF: Readonly<Record<ErrorCode, number>> = {
  usage: EXIT.usage,
  "cassette-exists": EXIT.usage,
  "cassette-missing": EXIT.invalidFile,
  "cassette-invalid": EXIT.invalidFile,
  "faults-invalid": EXIT.invalidFile,
  "scenario-invalid": EXIT.invalidFile,
  "server-failed": EXIT.serverFailed,
  "test-failed": EXIT.findings,
};

/** Prints an error for people, and tells the exit code. What is no `VcrError` is a bug and is thrown on. */
export function reportError(error: unknown): number {
  if (!(error instanceof VcrError)) throw error;
  process.stderr.write(`mcp-vcr: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
  return EXIT_OF[error.code];
}
