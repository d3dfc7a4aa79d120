import { VcrError } from "../errors.ts";
import type { FaultPlan } from "../faults/plan.ts";
import { Recording } from "../replay/recording.ts";
import type { MatchRules } from "../replay/rules.ts";
import { CassetteSource } from "../run/cassette-source.ts";
import { warn } from "../run/notices.ts";
import { secretsToServe } from "../run/own-secrets.ts";
import { hashOf, redactionOf } from "../run/redaction.ts";
import { findCassette } from "./find-cassette.ts";
import { settingsOf } from "./settings.ts";
import { Tape } from "./tape.ts";

export interface CassetteOptions {
  /** Where names are looked up; `cassettes` where not given. Relative to the working directory. */
  readonly folder?: string | undefined;
  /**
   * A request asked more often than it was recorded is a miss. Default: as the environment or the configuration says,
   * else false: the last answer serves again.
   */
  readonly strict?: boolean | undefined;
  /** Faults to lay over it: the name of a ready set, a file, or what such a file would hold. See docs/faults.md. */
  readonly faults?: string | { readonly seed?: number; readonly faults: readonly object[] } | undefined;
  /** What besides equal params makes two requests the same question, in place of the configuration's `match`. */
  readonly match?: MatchRules | undefined;
  /** The configuration's file, or false for none. Default: the one that `mcp-vcr serve` would read. */
  readonly config?: string | false | undefined;
}

interface OptionKind {
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
}

const TEXT: OptionKind = { is: "a string", fits: (value) => typeof value === "string" };

/** What each option takes. */
const OPTIONS: Readonly<Record<keyof CassetteOptions, OptionKind>> = {
  folder: TEXT,
  strict: { is: "a boolean", fits: (value) => typeof value === "boolean" },
  match: { is: "an object", fits: (value) => typeof value === "object" && value !== null },
  config: { is: "a file's name or false", fits: (value) => value === false || TEXT.fits(value) },
  faults: {
    is: "a string or an object",
    fits: (value) => TEXT.fits(value) || (typeof value === "object" && value !== null),
  },
};

/**
 * Opens a cassette for a test: a mock server within this process, which any MCP client connects to. It reads the
 * configuration as `mcp-vcr serve` does.
 *
 * ```ts
 * const tape = await useCassette("weather");
 * await client.connect(tape.transport());
 * ```
 *
 * @param nameOrFile `weather` is `cassettes/weather.yaml` or `.jsonl`; what ends so itself is a path
 * @throws VcrError for a cassette that is not there, could be two files, or does not hold to the format; for an option
 *   that is none; for faults that are none, and for a configuration that is wrong
 */
export async function useCassette(nameOrFile: string, options: CassetteOptions = {}): Promise<Tape> {
  checkOptions(options);
  const file = findCassette(nameOrFile, options.folder ?? "cassettes");
  const { faults } = options;
  const { strict, rules, redact } = await settingsOf(options);
  const recording = new Recording(await CassetteSource.open(file, warn), warn);
  // A broken entry is a fault of the test's opening, not of whichever request comes to need it.
  recording.readAll();
  const own = secretsToServe(recording.header, redact ?? {}, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  return new Tape({
    file,
    recording,
    strict,
    rules,
    redact: redactionOf(recording.header, own.rules),
    faults: faults === undefined ? undefined : await planOf(faults),
  });
}

/** Loaded when used: most tests lay no faults. */
async function planOf(faults: NonNullable<CassetteOptions["faults"]>): Promise<FaultPlan> {
  const { loadFaults, faultsOfValue } = await import("../run/load-faults.ts");
  return typeof faults === "string" ? loadFaults(faults) : faultsOfValue(faults);
}

function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new VcrError("usage", `useCassette has no option "${name}"`, {
        hint: `Its options are: ${Object.keys(OPTIONS).join(", ")}.`,
      });
    }
    const { is, fits } = OPTIONS[name as keyof CassetteOptions];
    if (value !== undefined && !fits(value)) {
      throw new VcrError("usage", `useCassette: ${name} must be ${is}, not ${JSON.stringify(value)}`);
    }
  }
}
