import { isPace } from "../config/settings.ts";
import type { Source } from "../exchange/entry.ts";
import { SERVE_MODES, type ServeMode } from "../replay/modes.ts";
import type { PaceText } from "../replay/pace.ts";
import { Recording } from "../replay/recording.ts";
import type { MatchRules } from "../replay/rules.ts";
import { CassetteSource } from "../run/cassette-source.ts";
import { warn } from "../run/notices.ts";
import type { OpenedRecording } from "../run/open-recording.ts";
import { type RedactSettings, secretsToServe } from "../run/own-secrets.ts";
import { hashOf, redactionOf } from "../run/redaction.ts";
import { CassettePlay } from "./cassette-play.ts";
import { refuseCutOff } from "./cut-off.ts";
import { planOf } from "./fault-plan.ts";
import { type Found, findCassette, missingCassette } from "./find-cassette.ts";
import { type Settled, settleMode } from "./mode.ts";
import {
  callerOf,
  checkOptions,
  FAULTS,
  type FaultsOption,
  OBJECT,
  type OptionKinds,
  oneOf,
  TEXT,
  VERDICTS,
  YES_OR_NO,
} from "./options.ts";
import { SERVER, type ServerOption, sourceOf, writtenServer } from "./server.ts";
import { settingsOf } from "./settings.ts";
import { Tape } from "./tape.ts";
import type { Verdicts } from "./verdict.ts";

export interface CassetteOptions extends Verdicts {
  /** The real server, to record where there is no cassette yet: its command as a list, or its URL. */
  readonly server?: ServerOption | undefined;
  /**
   * `replay` the cassette and nothing else; `once` records where there is none yet; `append` asks the real server what is
   * not recorded, and appends its answers. Default: `replay` where CI is set, else `once`. The environment's
   * `MCP_VCR_MODE` counts before it.
   */
  readonly mode?: ServeMode | undefined;
  /** Where names are looked up; `cassettes` where not given. Relative to the working directory. */
  readonly folder?: string | undefined;
  /**
   * A request asked more often than it was recorded is a miss. Default: as the environment or the configuration says,
   * else false: the last answer serves again.
   */
  readonly strict?: boolean | undefined;
  /** How fast: `instant`, `recorded`, or a factor such as `10x`. Default: as the environment or the configuration says. */
  readonly pace?: PaceText | undefined;
  /** Faults to lay over it: the name of a ready set, a file, or what such a file would hold. See docs/faults.md. */
  readonly faults?: FaultsOption | undefined;
  /** What besides equal params makes two requests the same question, in place of the configuration's `match`. */
  readonly match?: MatchRules | undefined;
  /** The configuration's file, or false for none. Default: the one that `mcp-vcr serve` would read. */
  readonly config?: string | false | undefined;
}

const OPTIONS: OptionKinds<CassetteOptions> = {
  server: SERVER,
  mode: oneOf(SERVE_MODES),
  folder: TEXT,
  strict: YES_OR_NO,
  pace: {
    is: "instant, recorded, or a factor such as 10x",
    fits: (value) => typeof value === "string" && isPace(value),
  },
  match: OBJECT,
  config: { is: "a file's name or false", fits: (value) => value === false || TEXT.fits(value) },
  faults: FAULTS,
  ...VERDICTS,
};

/**
 * Opens a cassette for a test: a mock server within this process, which any MCP client connects to. It reads the
 * configuration as `mcp-vcr serve` does.
 *
 * ```ts
 * const tape = await useCassette("weather", { server: ["node", "weather.js"] });
 * await client.connect(tape.transport());
 * ```
 *
 * @param nameOrFile `weather` is `cassettes/weather.yaml` or `.jsonl`; what ends so itself is a path
 * @throws VcrError for a cassette that is not there and not to be recorded, could be two files, or does not hold to the
 *   format; for an option that is none; for faults that are none, and for a configuration that is wrong
 */
export async function useCassette(nameOrFile: string, options: CassetteOptions = {}): Promise<Tape> {
  const opened = callerOf(useCassette);
  return openTape(nameOrFile, options, opened);
}

/** @param opened where the test opens it */
export async function openTape(
  nameOrFile: string,
  options: CassetteOptions,
  opened: string | undefined,
): Promise<Tape> {
  checkOptions("useCassette", options, OPTIONS);
  const { folder = "cassettes", misses, unused } = options;
  const server = options.server === undefined ? undefined : sourceOf(options.server);
  const found = findCassette(nameOrFile, folder);
  const mode = settleMode({ mode: options.mode, hasServer: server !== undefined, env: process.env });
  if (!found.there && !(server && mode.policy.records)) {
    throw missingCassette(nameOrFile, folder, remedyFor(found, mode, server));
  }
  const { strict, pace, rules, redact } = await settingsOf(options);
  const { recording, behind, isNew } = await opening(found, { mode, server, redact });
  // A broken entry is a fault of the test's opening, not of whichever request comes to need it.
  recording.readAll();
  const own = secretsToServe(recording.header, redact ?? {}, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  const play = new CassettePlay({
    file: found.file,
    recording,
    behind,
    fresh: isNew && server?.transport === "http" ? { source: server, redact } : undefined,
    strict: strict ?? false,
    pace,
    rules,
    redact: redactionOf(recording.header, own.rules),
    faults: await planOf(options.faults),
    remedy: server && !behind ? APPEND : undefined,
  });
  return new Tape(play, { misses, unused, opened });
}

const APPEND = "Or let the test record it:  MCP_VCR_MODE=append";

interface Opening {
  readonly mode: Settled;
  readonly server: Source | undefined;
  readonly redact: RedactSettings | undefined;
}

interface Opened extends OpenedRecording {
  readonly isNew: boolean;
}

/** What records is loaded where something is to be recorded. */
async function opening({ file }: Found, { mode, server, redact }: Opening): Promise<Opened> {
  const { policy } = mode;
  if (server && policy.records) {
    const { isToBeRecorded } = await import("../run/to-be-recorded.ts");
    const { openRecording } = await import("../run/open-recording.ts");
    const isNew = await isToBeRecorded(file, policy);
    return {
      ...(await openRecording({ file, policy, isNew, server, redact, onTruncated: refuseCutOff })),
      isNew,
    };
  }
  return {
    recording: new Recording(await CassetteSource.open(file, refuseCutOff), warn),
    behind: undefined,
    isNew: false,
  };
}

function remedyFor({ file }: Found, { because }: Settled, server: Source | undefined): string {
  if (!server) {
    return `Record it: npx mcp-vcr record --drive auto -o ${file} -- COMMAND, or name the server, and let the test record it: useCassette(…, { server: ["node", "server.js"] }).`;
  }
  const why =
    because === undefined ? 'mode: "replay" records nothing' : `Nothing is recorded, since ${because}`;
  return `${why}. Run the test once with MCP_VCR_MODE=once, which records it from ${writtenServer(server)}, and commit it.`;
}
