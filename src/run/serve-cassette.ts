import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import { type ModeFlags, policyOf } from "../replay/modes.ts";
import type { Pace } from "../replay/pace.ts";
import { Player } from "../replay/player.ts";
import type { Rules } from "../replay/rules.ts";
import type { AnswerStyle } from "../transport/http-streams.ts";
import { ownStdin } from "../transport/own-stdin.ts";
import type { Behind } from "./behind.ts";
import { takeFirstWords } from "./first-words.ts";
import { tellIdleRules } from "./idle-rules.ts";
import { warn } from "./notices.ts";
import { openRecording } from "./open-recording.ts";
import { type RedactSettings, secretsToServe } from "./own-secrets.ts";
import { hashOf, redactionOf } from "./redaction.ts";
import { ReportFile } from "./report-file.ts";
import { conclude, servePlayer } from "./serve-player.ts";
import { untilAskedToEnd } from "./signals.ts";
import { isToBeRecorded } from "./to-be-recorded.ts";

/** In bytes. Who starts a server over stdio waits for it, and for no more than the beginning of a longer cassette. */
const FIRST_READ = 64 * 1024;

export interface ServeOptions extends Omit<ModeFlags, "hasServer"> {
  readonly file: string;
  /** Serve over HTTP at this address; over stdio when undefined. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** How HTTP answers are given that stand alone. */
  readonly answers: AnswerStyle;
  readonly strict: boolean;
  /** How fast; as fast as it can be when undefined. */
  readonly pace?: Pace | undefined;
  /** Where the report goes. */
  readonly report: string | undefined;
  /** What besides equal params makes two requests the same question. */
  readonly rules?: Rules | undefined;
  /** Where the patterns are that the cassette may have been redacted by. */
  readonly redact?: RedactSettings | undefined;
  /** The real server, for what is not recorded. */
  readonly server?: Source | undefined;
  /** A faults file, or the name of a ready set. */
  readonly faults?: string | undefined;
}

/**
 * Serves a cassette until the client's side ends (stdio) or the process is asked to (both). Resolves to the exit code.
 * @throws VcrError when the cassette cannot be read, or the address not be listened at
 */
export async function serveCassette(options: ServeOptions): Promise<number> {
  if (options.listen || options.server) return serveOpened(options);
  const stdin = ownStdin();
  await takeFirstWords(stdin);
  try {
    return await serveOpened(options);
  } finally {
    // What is still read keeps the process.
    stdin.destroy();
  }
}

async function serveOpened(options: ServeOptions): Promise<number> {
  const report = options.report === undefined ? undefined : new ReportFile(options.report, options.file);
  const { file, server, redact } = options;
  const policy = policyOf({ ...options, hasServer: server !== undefined });
  const isNew = await isToBeRecorded(file, policy);
  if (isNew && options.faults !== undefined) throw nothingToStrike(file);
  // What records is loaded where something is to be recorded.
  const recorded = isNew ? await (await import("./serve-new.ts")).recordInstead(options, policy) : undefined;
  const { recording, behind } = await openRecording(
    { file, policy, isNew, server, redact, atOnce: options.listen ? undefined : FIRST_READ },
    recorded === undefined,
  );
  const laying = options.faults === undefined ? undefined : await import("./serve-faults.ts");
  const faults = laying?.openFaults({ faults: options.faults ?? "", listen: options.listen }, recording);
  const own = secretsToServe(recording.header, redact ?? {}, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  const player = new Player(recording, {
    cassette: file,
    strict: options.strict,
    pace: options.pace,
    rules: options.rules,
    redact: redactionOf(recording.header, own.rules),
    realServer: behind?.server,
    between: faults,
    onNotice: warn,
    onMiss: (_miss, explanation) => warn(explanation),
  });
  const exit = recorded ?? (await serve(player, options, behind));
  tellIdleRules(player, warn);
  if (faults && !player.tally.probed) laying?.tellIdleFaults(faults);
  conclude(player, { file: options.report, report });
  return behind?.exitCode(player) ?? (player.failed ? 1 : (exit ?? 0));
}

async function serve(player: Player, { listen, answers }: ServeOptions, behind: Behind | undefined) {
  try {
    return await servePlayer(player, { listen, answers, asked: untilAskedToEnd() });
  } finally {
    await behind?.close(player);
  }
}

function nothingToStrike(file: string): VcrError {
  return new VcrError("usage", `${file} is still to be recorded, and faults lie over a recording`, {
    hint: "Record it first, without --faults.",
  });
}
