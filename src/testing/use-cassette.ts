import { VcrError } from "../errors.ts";
import { Recording } from "../replay/recording.ts";
import { CassetteSource } from "../run/cassette-source.ts";
import { warn } from "../run/notices.ts";
import { secretsToServe } from "../run/own-secrets.ts";
import { hashOf, redactionOf } from "../run/redaction.ts";
import { findCassette } from "./find-cassette.ts";
import { Tape } from "./tape.ts";

export interface CassetteOptions {
  /** Where names are looked up; `cassettes` where not given. Relative to the working directory. */
  readonly folder?: string | undefined;
  /** A request asked more often than it was recorded is a miss. Default false: the last answer serves again. */
  readonly strict?: boolean | undefined;
}

/** What each option takes. */
const OPTIONS: Readonly<Record<keyof CassetteOptions, "string" | "boolean">> = {
  folder: "string",
  strict: "boolean",
};

/**
 * Opens a cassette for a test: a mock server within this process, which any MCP client connects to.
 *
 * ```ts
 * const tape = await useCassette("weather");
 * await client.connect(tape.transport());
 * ```
 *
 * @param nameOrFile `weather` is `cassettes/weather.yaml` or `.jsonl`; what ends so itself is a path
 * @throws VcrError for a cassette that is not there, could be two files, or does not hold to the format; for an option
 *   that is none
 */
export async function useCassette(nameOrFile: string, options: CassetteOptions = {}): Promise<Tape> {
  checkOptions(options);
  const { folder = "cassettes", strict } = options;
  const file = findCassette(nameOrFile, folder);
  const recording = new Recording(await CassetteSource.open(file, warn), warn);
  // A broken entry is a fault of the test's opening, not of whichever request comes to need it.
  recording.readAll();
  const own = secretsToServe(recording.header, {}, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  return new Tape({ file, recording, strict, redact: redactionOf(recording.header, own.rules) });
}

function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new VcrError("usage", `useCassette has no option "${name}"`, {
        hint: `Its options are: ${Object.keys(OPTIONS).join(", ")}.`,
      });
    }
    const type = OPTIONS[name as keyof CassetteOptions];
    if (value !== undefined && typeof value !== type) {
      throw new VcrError("usage", `useCassette: ${name} must be a ${type}, not ${JSON.stringify(value)}`);
    }
  }
}
