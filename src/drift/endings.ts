import type { Change } from "../contract/change.ts";
import type { Closed, Entry } from "../exchange/entry.ts";
import { pairSessions } from "../rerecord/sessions.ts";
import { driftOf } from "./rules.ts";
import type { Side } from "./side.ts";

/** Signals by which clients, and people, end a server (2025-11-25 basic/lifecycle, shutdown), by their numbers. */
const ASKED: ReadonlyMap<string, number> = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGKILL", 9],
  ["SIGPIPE", 13],
  ["SIGTERM", 15],
]);

/** What a shell adds to the number of the signal that ended a command. */
const BY_SIGNAL = 128;

/** Whether a process ended by itself without failure, or because it was told to. */
export function isGoodEnd({ exit = 0, signal }: Closed): boolean {
  if (signal !== undefined) return ASKED.has(signal);
  return exit === 0 || [...ASKED.values()].some((number) => exit === BY_SIGNAL + number);
}

interface Ending {
  readonly closed: Closed;
  /** Before its client ended. */
  readonly first: boolean;
}

/** Connections on which the server's process ended in another way, as far as that is its own doing. */
export function compareEndings(old: Side, fresh: Side): Change[] {
  const [before, after] = [endingsOf(old), endingsOf(fresh)];
  if (before.size === 0 || after.size === 0) return [];
  return [...pairSessions(fresh.outline, old.outline)].flatMap(([later, earlier]) => {
    const [was, is] = [before.get(earlier), after.get(later)];
    return was && is ? changeOf(was, is, before.size > 1 ? `session ${earlier}` : "session") : [];
  });
}

function changeOf(was: Ending, is: Ending, subject: string): Change[] {
  const [well, good] = [isGoodEnd(was.closed), isGoodEnd(is.closed)];
  const [before, after] = [wordsOf(was.closed), wordsOf(is.closed)];
  if ((well && good) || before === after) return [];
  const inTime = well && is.first ? " before its client did" : "";
  const message = `The server's process ended with ${before}, and ends with ${after}${inTime} now.`;
  const own = good ? "compatible" : well && is.first ? "breaking" : "risky";
  return [driftOf("exit-changed", { subject, pointer: "", message, before, after, class: own })];
}

function wordsOf({ exit, signal }: Closed): string {
  return signal === undefined ? `exit code ${exit ?? 0}` : signal;
}

/** By connection, those whose server was a process. */
function endingsOf({ outline }: Side): ReadonlyMap<number, Ending> {
  const endings = new Map<number, Ending>();
  const left = new Set<number>();
  for (const ordinal of outline.odd.ends) {
    const { from, session, closed } = outline.entries.entryAt(ordinal) as Entry;
    if (from === "client") left.add(session);
    else if (closed?.exit !== undefined || closed?.signal !== undefined) {
      endings.set(session, { closed, first: !left.has(session) });
    }
  }
  return endings;
}
