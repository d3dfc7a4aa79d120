import type { AgainContext } from "../drive/again/again-context.ts";
import { LiveNames } from "../drive/again/live-names.ts";
import { type AskPermission, Permits } from "../drive/again/permits.ts";
import { isCrashed, sessionsOf } from "../drive/again/recorded-session.ts";
import { AgainReport } from "../drive/again/report.ts";
import { SessionWalk } from "../drive/again/session-walk.ts";
import { Ended } from "../drive/move.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";
import type { Outline } from "../rerecord/outline.ts";
import { VERSION } from "../version.ts";
import { driveHttp } from "./drive-http.ts";
import { DriveProgress } from "./drive-progress.ts";
import { type Prepare, runOf } from "./drive-run.ts";
import { driveStdio } from "./drive-stdio.ts";
import type { LiveTape } from "./live-tape.ts";
import { untilAskedToEnd } from "./signals.ts";
import { StderrTail } from "./stderr-tail.ts";

export interface AskAgain {
  readonly outline: Outline;
  readonly source: Source;
  /** Sent with every HTTP request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tape: LiveTape;
  readonly reveal: (message: Message) => Message;
  readonly permission: AskPermission | boolean;
  /** Milliseconds that a request may take. */
  readonly timeout: number;
}

export interface AskedAgain {
  readonly report: AgainReport;
  readonly names: LiveNames;
  /** Why the server could not be asked to the end. */
  readonly failed: VcrError | undefined;
  /** The server lost a session, and a new one was opened. */
  readonly lostSession: boolean;
  /** This process was asked to end before. */
  readonly interrupted: boolean;
}

const INTERRUPTED = "interrupted";

/**
 * Asks a real server what a recording's clients asked, one connection after the other.
 * @throws VcrError `server-failed` when it cannot be started, or says nothing at all
 */
export async function askAgain(order: AskAgain): Promise<AskedAgain> {
  const { outline, source, tape, timeout, reveal, permission } = order;
  const progress = new DriveProgress(process.stderr);
  // Where nobody looks on, the report tells enough.
  const told = process.stderr.isTTY ? progress : undefined;
  const report = new AgainReport(outline, {
    place: () => tape.place,
    onAsk: (label, method) => told?.asking(label, method),
  });
  const permits = new Permits(
    typeof permission === "boolean"
      ? permission
      : (tool) => {
          progress.clear();
          return permission(tool);
        },
  );
  const names = new LiveNames(outline);
  const context: AgainContext = {
    outline,
    names,
    permits,
    reveal,
    report,
    timeout,
    door: source.transport,
    onBorrowed: () => tape.forgetPresent(),
  };
  const stderr = new StderrTail();
  const interrupted = untilAskedToEnd();
  let failed: VcrError | undefined;
  let cut: string | undefined;
  let lostSession = false;
  for (const session of sessionsOf(outline)) {
    tape.begin();
    const reason = await connection(order, {
      walk: new SessionWalk(context, session),
      report,
      stderr,
      interrupted,
    });
    tape.forgetEndOf(report.timedOut);
    report.timedOut.clear();
    tape.forget(report.lost);
    lostSession ||= report.lost.size > 0;
    report.lost.clear();
    cut = reason;
    if (reason === undefined || (reason !== INTERRUPTED && isCrashed(outline, session))) continue;
    report.withholdRest(reason);
    if (reason !== INTERRUPTED) {
      failed = new VcrError("server-failed", `${reason}, before all was asked`, { hint: stderr.hint });
    }
    break;
  }
  progress.clear();
  return { report, names, failed, lostSession, interrupted: cut === INTERRUPTED };
}

interface Connection {
  readonly walk: SessionWalk;
  readonly report: AgainReport;
  readonly stderr: StderrTail;
  readonly interrupted: Promise<void>;
}

/** Resolves to the reason for which it was cut, if it was. */
async function connection(
  { source, headers, tape }: AskAgain,
  { walk, report, stderr, interrupted }: Connection,
): Promise<string | undefined> {
  const prepare: Prepare<void> = (door, act) => {
    const run = runOf<void>({
      course: walk.run(() => run.driver.look()),
      client: { info: { name: "mcp-vcr", version: VERSION }, capabilities: {} },
      answers: { answer: () => undefined },
      replyTo: walk.replyTo,
      onHeard: walk.onHeard,
      door,
      act,
      onNote: (note) => report.notes.push(note),
    });
    interrupted.then(() => run.driver.close(INTERRUPTED));
    return run;
  };
  try {
    if (source.transport === "stdio") {
      await driveStdio({ command: source.command, onStderr: stderr.add }, tape, prepare);
    } else await driveHttp({ url: source.url, headers }, tape, prepare);
  } catch (error) {
    if (error instanceof Ended) return error.message;
    throw error;
  }
  return tape.lostServer ? "the server could not be reached" : undefined;
}
