import type { Source } from "../exchange/entry.ts";
import { type Policy, refuseToRecordNothing } from "../replay/modes.ts";
import { noEntries } from "../replay/no-entries.ts";
import type { EntrySource } from "../replay/recording.ts";
import { type RedactSettings, secretsToRecord } from "./own-secrets.ts";
import { headerOf, recordSession } from "./record-session.ts";
import { hashOf, openRedactor } from "./redaction.ts";

export interface ToRecord {
  readonly file: string;
  readonly server?: Source | undefined;
  readonly redact?: RedactSettings | undefined;
  /** Where clients connect over HTTP; they come over stdio when undefined. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
}

/**
 * Records in place of serving, where clients speak with the server as they would with the mock: both over stdio, or both
 * over HTTP. Resolves to the exit code; undefined where they do not, and what is asked must be forwarded.
 * @throws VcrError `usage` when no server was named, and whatever `recordSession` throws
 */
export async function recordInstead(
  { file, server, listen, redact }: ToRecord,
  { mode }: Policy,
): Promise<number | undefined> {
  if (!server) return refuseToRecordNothing(file, mode);
  if ((server.transport === "http") !== (listen !== undefined)) return undefined;
  return recordSession({
    file,
    mode: "once",
    source: server,
    redact,
    listen: listen ?? { host: "127.0.0.1", port: 0 },
  });
}

/** The recording of a cassette that is still to be made. */
export function nothingRecorded(server: Source, redact: RedactSettings | undefined): EntrySource {
  const { rules, names } = secretsToRecord(redact ?? {}, { env: process.env, hash: hashOf });
  return noEntries(headerOf(server, openRedactor(rules), names));
}
