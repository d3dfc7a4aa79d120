import type { Header, Source } from "../exchange/entry.ts";
import { REDACTION_RULES, type Redactor } from "../redact/redactor.ts";
import { VERSION } from "../version.ts";
import { noSession } from "./beginning.ts";
import { CassetteFile } from "./cassette-file.ts";
import type { RecordMode } from "./cassette-open.ts";
import type { DriveOrder } from "./drive-run.ts";
import { warn } from "./notices.ts";
import { type RedactSettings, secretsToRecord } from "./own-secrets.ts";
import { Recorder } from "./recorder.ts";
import { redactedSource } from "./redact-entry.ts";
import { hashOf, openRedactor } from "./redaction.ts";

export interface RecordSession {
  readonly file: string;
  readonly mode: RecordMode;
  readonly source: Source;
  /** Where clients reach the recorder, when the source is a URL. */
  readonly listen: { readonly host: string; readonly port: number };
  /** What is asked of the server, when no client of its own does. */
  readonly drive?: DriveOrder | undefined;
  /** What is redacted besides what is known for a credential. */
  readonly redact: RedactSettings | undefined;
}

/**
 * Records one run of a real server. Resolves to the exit code when it is over.
 * @throws VcrError when the cassette cannot be opened or the server cannot be started or reached
 */
export async function recordSession(session: RecordSession): Promise<number> {
  const recorder = await openRecorder(session);
  try {
    return await recordSource(session, recorder);
  } catch (error) {
    // A file without an entry must not stand in the way of the next try.
    recorder.discard();
    throw error;
  }
}

async function recordSource(session: RecordSession, recorder: Recorder): Promise<number> {
  const { source, listen, drive } = session;
  if (drive) {
    const { driveSource } = await import("./drive.ts");
    return driveSource(source, { order: drive, recorder, file: session.file });
  }
  if (source.transport === "stdio") {
    const { runStdioServer } = await import("./run-stdio-server.ts");
    return runStdioServer(source.command, recorder);
  }
  const { runHttpRecorder } = await import("./run-http-recorder.ts");
  return runHttpRecorder(source.url, listen, recorder);
}

export interface ToRecord extends Pick<RecordSession, "file" | "mode" | "source" | "redact"> {
  /** Told when the cassette cannot be written any more, besides the notice. */
  readonly onLost?: (error: unknown) => void;
  /** Told at the end when there was nothing to record, besides the notice. */
  readonly onNothing?: () => void;
}

/**
 * Opens a cassette to be recorded.
 * @throws VcrError when it cannot be, or the settings of redaction are wrong
 */
export async function openRecorder({
  file,
  mode,
  source,
  redact,
  onLost,
  onNothing,
}: ToRecord): Promise<Recorder> {
  const own = secretsToRecord(redact ?? {}, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  const redactor = openRedactor(own.rules);
  return new Recorder({
    file: await CassetteFile.open(file, mode, headerOf(source, redactor, own.names)),
    redactor,
    clock: { now: () => Date.now() },
    onProgress: progressOf(file),
    onNothing: () => {
      warn(`${file}: nothing recorded, since the server said nothing`);
      onNothing?.();
    },
    onFailed: (why, kept) => warn(noSession(file, why, kept)),
    onNotice: (reason) => warn(`${file}: recorded anew; nothing of the old text was kept: ${reason}`),
    onFailure: (error) => {
      warn(`${file}: recording stopped, the session goes on: ${reasonOf(error)}`);
      onLost?.(error);
    },
  });
}

/**
 * What a cassette that is begun now says of itself.
 * @param ownRules names of the redaction rules that are the user's
 */
export function headerOf(source: Source, redactor: Redactor, ownRules: readonly string[]): Header {
  return {
    recorded: new Date().toISOString(),
    recorder: `mcp-vcr/${VERSION}`,
    source: redactedSource(source, redactor),
    redacted: [...REDACTION_RULES, ...ownRules],
  };
}

/** Says once a second how far the writing of a long recording is. */
function progressOf(file: string): (done: number) => void {
  let last: number | undefined;
  return (done) => {
    const now = performance.now();
    last ??= now;
    if (now - last < 1000 || done === 1) return;
    last = now;
    warn(`${file}: writing the recording, ${Math.floor(done * 100)} %`);
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
