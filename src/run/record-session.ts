import type { Header, Source } from "../exchange/entry.ts";
import { REDACTION_RULES, type Redactor } from "../redact/redactor.ts";
import { VERSION } from "../version.ts";
import { CassetteFile, type RecordMode } from "./cassette-file.ts";
import { warn } from "./notices.ts";
import { Recorder } from "./recorder.ts";
import { loadRedactor } from "./redaction.ts";

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
  const redactor = await loadRedactor();
  const recorder = openRecorder(session, redactor);
  if (session.source.transport === "stdio") {
    const { runStdioServer } = await import("./run-stdio-server.ts");
    return runStdioServer(session.source.command, recorder);
  }
  const { runHttpRecorder } = await import("./run-http-recorder.ts");
  return runHttpRecorder(session.source.url, session.listen, recorder);
}

function openRecorder({ file, mode, source }: RecordSession, redactor: Redactor): Recorder {
  const header: Header = {
    recorded: new Date().toISOString(),
    recorder: `mcp-vcr/${VERSION}`,
    source: redactedSource(source, redactor),
    redacted: REDACTION_RULES,
  };
  return new Recorder({
    file: CassetteFile.open(file, mode, header),
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
