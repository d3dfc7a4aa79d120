import { type ComparingOptions, compareRecordings } from "../drift/compare-recordings.ts";
import type { Comparison, Noted, Withheld } from "../drift/drift.ts";
import type { RecordedEntries } from "../drift/side.ts";
import type { Echoes } from "../drive/again/echoes.ts";
import type { AskPermission } from "../drive/again/permits.ts";
import { messageAt } from "../drive/again/places.ts";
import { VcrError } from "../errors.ts";
import type { Entry, Header, Source } from "../exchange/entry.ts";
import type { Redactor } from "../redact/redactor.ts";
import { paramsOf } from "../replay/key.ts";
import type { CassetteText } from "../rerecord/cassette-text.ts";
import { type AskedAgain, askAgain } from "./ask-again.ts";
import { LiveTape } from "./live-tape.ts";
import { loadRecording } from "./load-recording.ts";
import { warn } from "./notices.ts";
import { type RedactSettings, secretsToServe } from "./own-secrets.ts";
import { nameOfSource } from "./real-server.ts";
import { headerOf } from "./record-session.ts";
import { EntryRedactor } from "./redact-entry.ts";
import { hashOf, openRedactor } from "./redaction.ts";
import { revealer } from "./reveal.ts";
import { updateCassette } from "./update-cassette.ts";

export interface VerifyOptions {
  readonly file: string;
  readonly source: Source;
  /** Sent with every HTTP request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly permission: AskPermission | boolean;
  /** Milliseconds that a request may take. */
  readonly timeout: number;
  /** What the configuration says is secret. */
  readonly redact: RedactSettings | undefined;
  readonly comparing: ComparingOptions;
  /** Put in the cassette what the server says now. */
  readonly update: boolean;
}

export interface Verified {
  readonly comparison: Noted;
  readonly withheld: readonly Withheld[];
  readonly notes: readonly string[];
  /** Why the server could not be asked to the end. */
  readonly failed: VcrError | undefined;
  readonly interrupted: boolean;
  /** Why the cassette was not brought up to date, where it was to be. */
  readonly notUpdated: string | undefined;
}

/**
 * Asks a real server what is recorded in a cassette, and compares what it says with what was recorded.
 * @throws VcrError when the cassette cannot be read, or the server not be started or reached
 */
export async function verifyCassette(options: VerifyOptions): Promise<Verified> {
  const { file, source, redact = {} } = options;
  const recording = await loadRecording(file);
  if (options.update) refuseUpdate(file, recording);
  const { outline } = recording;
  const own = secretsToServe(recording.header, redact, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  const redactor = openRedactor(own.rules);
  const tape = new LiveTape(headerFor(source, recording.header, redactor), redactor, {
    now: () => Date.now(),
  });
  const reveal = revealer(secretVariables(recording.header, redact), process.env);
  const asked = await askAgain({ ...options, outline, tape, reveal });
  const { report, failed, interrupted } = asked;
  if (failed && !tape.heard) throw failed;
  if (tape.failure !== undefined) throw tape.failure;
  const redacting = recording.header.redacted?.length ? undefined : new EntryRedactor(redactor);
  const compared = ordinalsWithout(recording, report.leftOut);
  const before = picked(recording, compared, redacting);
  const live = asRecorded(tape, asked.names.echoes);
  for (const { outlined } of report.kept) {
    const { exchange } = outlined;
    options.comparing.own?.leaveOut(exchange.method, paramsOf(messageAt(recording, exchange)));
  }
  const forgiven = new Map<number, number>();
  const comparison = await compareRecordings(before, live, {
    ...options.comparing,
    onForgiven: (old, fresh) => forgiven.set(fresh, compared[old] as number),
  });
  const notUpdated = options.update ? reasonAgainstUpdate(asked, comparison) : undefined;
  if (options.update && notUpdated === undefined) {
    await updateCassette({ file, live, outline, ...asked, redactor: redacting, forgiven });
  }
  return {
    comparison: { old: file, new: nameOfSource(source), file, ...comparison },
    withheld: report.withheld,
    notes: [...report.notes, ...asked.names.echoes.notes],
    failed,
    interrupted,
    notUpdated,
  };
}

/** What was redacted stays redacted in the same way, and a command is as good as another that starts the server. */
function headerFor(source: Source, before: Header, redactor: Redactor): Header {
  const header = headerOf(source, redactor, []);
  const both = source.transport === "stdio" && before.source.transport === "stdio";
  return {
    ...header,
    source: both ? before.source : header.source,
    redacted: before.redacted?.length ? before.redacted : header.redacted,
  };
}

/**
 * What the update would lose is not asked for in vain.
 * @throws VcrError `usage`
 */
function refuseUpdate(file: string, { concatenated, crlf }: CassetteText): void {
  if (concatenated) {
    throw new VcrError(
      "usage",
      `${file} holds several recordings one after the other, and --update keeps one`,
      {
        hint: "Give each a file of its own, with its own header, and update those.",
      },
    );
  }
  if (crlf) {
    throw new VcrError("usage", `the lines of ${file} end in CR LF, and --update writes LF`, {
      hint: "Convert the line endings to LF first; `*.yaml text eol=lf` in .gitattributes keeps them so.",
    });
  }
}

function reasonAgainstUpdate(
  { failed, interrupted, lostSession, report }: AskedAgain,
  comparison: Pick<Comparison, "compared">,
): string | undefined {
  if (failed) return "the server failed";
  if (interrupted) return "interrupted";
  if (lostSession) return "the server lost the session";
  if (!report.allOpened) return "a connection could not be opened";
  if (Object.values(comparison.compared).every((count) => count === 0)) return "nothing was compared";
  return report.allAnswered ? undefined : "not every request got an answer";
}

/** Ids that the server drew anew, and that were sent back, are no difference. */
function asRecorded(tape: RecordedEntries, echoes: Echoes): RecordedEntries {
  const { header, count } = tape;
  return { header, count, entryAt: (ordinal) => echoes.entryAsRecorded(tape.entryAt(ordinal)) };
}

/** Variables whose values a recording redacted, and those that the configuration names. */
function secretVariables({ redacted = [] }: Header, { env = [] }: RedactSettings): string[] {
  const recorded = redacted.flatMap((name) => (name.startsWith("env:") ? [name.slice("env:".length)] : []));
  return [...new Set([...recorded, ...env])];
}

function ordinalsWithout({ count }: RecordedEntries, leftOut: ReadonlySet<number>): number[] {
  return Array.from({ length: count }, (_, ordinal) => ordinal).filter((ordinal) => !leftOut.has(ordinal));
}

/** Some entries of a recording; one that was not redacted is, since what is compared with it was. */
function picked(
  recording: RecordedEntries,
  ordinals: readonly number[],
  redactor: EntryRedactor | undefined,
): RecordedEntries {
  const entryAt = (index: number): Entry => {
    const entry = recording.entryAt(ordinals[index] as number);
    return redactor ? redactor.redact(entry) : entry;
  };
  return { header: recording.header, count: ordinals.length, entryAt };
}
