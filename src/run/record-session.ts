import type { Header, Source } from "../exchange/entry.ts";
import { REDACTION_RULES, type Redactor } from "../redact/redactor.ts";
import { VERSION } from "../version.ts";
import { CassetteFile, type RecordMode } from "./cassette-file.ts";
import { warn } from "./notices.ts";
import { Recorder } from "./recorder.ts";
import { openRedactor } from "./redaction.ts";
import { runStdioServer } from "./run-stdio-server.ts";

export interface RecordSession {
  readonly file: string;
  readonly mode: RecordMode;
  readonly source: Source;
  /** Where clients reach the recorder, when the source is a URL. */
  readonly listen: { readonly host: string; readonly port: number };
}

/**
 * Records one run of a real server. Resolves to the exit code when it is over.
 * @throws VcrError when the cassette cannot be opened or the server cannot be started or reached
 */
export async function recordSession(session: RecordSession): Promise<number> {
  const redactor = openRedactor();
  const recorder = await openRecorder(session, redactor);
  try {
    return await recordSource(session, recorder);
  } catch (error) {
    // A file without an entry must not stand in the way of the next try.
    recorder.discard();
    throw error;
  }
}

async function recordSource({ source, listen }: RecordSession, recorder: Recorder): Promise<number> {
  if (source.transport === "stdio") {
    return runStdioServer(source.command, recorder);
  }
  const { runHttpRecorder } = await import("./run-http-recorder.ts");
  return runHttpRecorder(source.url, listen, recorder);
}

async function openRecorder({ file, mode, source }: RecordSession, redactor: Redactor): Promise<Recorder> {
  const header: Header = {
    recorded: new Date().toISOString(),
    recorder: `mcp-vcr/${VERSION}`,
    source: redactedSource(source, redactor),
    redacted: REDACTION_RULES,
  };
  return new Recorder({
    file: await CassetteFile.open(file, mode, header),
    redactor,
    clock: { now: () => Date.now() },
    onFailure: (error) => warn(`${file}: recording stopped, the session goes on: ${reasonOf(error)}`),
  });
}

function redactedSource(source: Source, redactor: Redactor): Source {
  return source.transport === "stdio"
    ? { ...source, command: redactor.command(source.command) }
    : { ...source, url: redactor.url(source.url) };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
