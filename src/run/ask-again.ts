import type { AgainContext } from "../drive/again/again-context.ts";
import { LiveNames } from "../drive/again/live-names.ts";
import { type AskPermission, Permits } from "../drive/again/permits.ts";
import { sessionsOf } from "../drive/again/recorded-session.ts";
import { AgainReport } from "../drive/again/report.ts";
import { Turns } from "../drive/again/turns.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";
import type { Outline } from "../rerecord/outline.ts";
import { AgainConnections, INTERRUPTED } from "./again-connections.ts";
import { DriveProgress } from "./drive-progress.ts";
import type { LiveConnection, LiveTape } from "./live-tape.ts";
import { Looks } from "./looks.ts";
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

/**
 * Asks a real server what a recording's clients asked. Connections that were open at once are so again.
 * @throws VcrError `server-failed` when it cannot be started, or says nothing at all
 */
export async function askAgain(order: AskAgain): Promise<AskedAgain> {
  const { outline, source, tape, timeout, reveal, permission } = order;
  const progress = new DriveProgress(process.stderr);
  // Where nobody looks on, the report tells enough.
  const told = process.stderr.isTTY ? progress : undefined;
  const lines = new Map(sessionsOf(outline).map((session) => [session, tape.connect()]));
  const report = new AgainReport(outline, {
    place: (session) => (lines.get(session) as LiveConnection).place,
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
  const looks = new Looks();
  const context: AgainContext = {
    outline,
    names,
    permits,
    reveal,
    report,
    timeout,
    door: source.transport,
    turns: new Turns(),
    onProgress: looks.changed,
  };
  const stderr = new StderrTail();
  const connections = new AgainConnections(order, { context, lines, looks, stderr });
  untilAskedToEnd().then(() => connections.stop(INTERRUPTED));
  const { cut, lostSession } = await connections.walk();
  progress.clear();
  if (cut !== undefined) report.withholdRest(cut);
  const interrupted = cut === INTERRUPTED;
  const failed =
    cut === undefined || interrupted
      ? undefined
      : new VcrError("server-failed", `${cut}, before all was asked`, { hint: stderr.hint });
  return { report, names, failed, lostSession, interrupted };
}
