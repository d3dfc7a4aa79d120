/** What went wrong, for callers that branch; the sentence is in `message`, the mend in `hint`. */
export type ErrorCode =
  | "usage" // wrong flags or configuration
  | "cassette-invalid" // a file that does not hold to the format
  | "cassette-exists" // recording would touch an existing file
  | "cassette-missing" // a file that is not there
  | "faults-invalid" // a list of faults that is not there, or does not hold to its form
  | "scenario-invalid" // a scenario that does not hold to its form
  | "server-failed" // the real server could not be started or reached
  | "test-failed"; // what a test did is not what its tape holds

/** Where in a file a fault was seen. Lines and columns count from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Of a value that a program made, which has no lines: the member, as a program names it. */
  readonly path?: string | undefined;
}

export interface VcrErrorOptions {
  /** A command or a line of configuration that mends it. */
  readonly hint?: string | undefined;
  readonly place?: FilePlace | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** The one error this program throws on purpose. Anything else that surfaces is a bug. */
export class VcrError extends Error {
  override readonly name = "VcrError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly place: FilePlace | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: VcrErrorOptions = {}) {
    const { cause } = options;
    super(
      options.place ? `${formatPlace(options.place)}: ${message}` : message,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.hint = options.hint;
    this.place = options.place;
    this.data = options.data;
    // Who prints an error has the place, and what a test failed with, in its message already.
    for (const name of ["place", "data", ...(options.hint === undefined ? ["hint"] : [])]) {
      Object.defineProperty(this, name, { enumerable: false });
    }
  }
}

/** `file:line:column`, the form editors and terminals turn into a link. */
export function formatPlace({ file, line, column, path }: FilePlace): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return path === undefined ? place : `${place}: ${path}`;
}
