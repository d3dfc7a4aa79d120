import type { AgainContext } from "../../../../src/drive/again/again-context.ts";
import { LiveNames } from "../../../../src/drive/again/live-names.ts";
import { type AskPermission, Permits } from "../../../../src/drive/again/permits.ts";
import { sessionsOf } from "../../../../src/drive/again/recorded-session.ts";
import { AgainReport } from "../../../../src/drive/again/report.ts";
import { SessionWalk } from "../../../../src/drive/again/session-walk.ts";
import { Turns } from "../../../../src/drive/again/turns.ts";
import { Driver } from "../../../../src/drive/driver.ts";
import type { Entry } from "../../../../src/exchange/entry.ts";
import { readMessage, textOf } from "../../../../src/protocol/message.ts";
import { outlineOf } from "../../../../src/rerecord/outlining.ts";
import { recorded } from "../../../cases/drift.ts";
import { bytesOf, HTTP, STDIO } from "../../../cases/tape.ts";
import { FakeClock } from "../support.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
export type Sent = any;

/**
 * What a live server does upon a message; `tell` sends one of its own, as a value or as exact text, on the same recorded
 * connection unless told otherwise.
 */
export type LiveServer = (
  sent: Sent,
  tell: (message: object | string, to?: number) => void,
  session: number,
) => void;

export interface Asking {
  readonly entries: readonly Entry[];
  readonly server: LiveServer;
  readonly permission?: AskPermission | boolean;
  readonly door?: "stdio" | "http";
}

export interface Asked {
  /** What was sent, connection after connection; what was done besides as `{ method: "(standalone)" }`. */
  readonly sent: readonly Sent[];
  /** The same as exact texts. */
  readonly texts: readonly string[];
  readonly report: AgainReport;
  readonly names: LiveNames;
  /** Milliseconds that had to pass. */
  readonly waited: number;
  /** How often an opening was borrowed. */
  readonly borrowed: number;
  /** `begin 1`, `end 1`, in order. */
  readonly connections: readonly string[];
}

/** Asks a server in memory what is recorded. Time passes only when nothing else can happen. */
export async function askAgain({
  entries,
  server,
  permission = true,
  door = "stdio",
}: Asking): Promise<Asked> {
  const clock = new FakeClock();
  const outline = outlineOf(recorded(entries, door === "http" ? HTTP : STDIO), door === "stdio");
  const sent: Sent[] = [];
  const texts: string[] = [];
  const told: string[] = [];
  const report = new AgainReport(outline, { place: () => ({ count: texts.length, session: 1 }) });
  let borrowed = 0;
  let moved = false;
  const context: AgainContext = {
    outline,
    names: new LiveNames(outline),
    permits: new Permits(permission),
    reveal: (message) => message,
    report,
    door,
    timeout: 10_000,
    turns: new Turns(),
    onProgress: () => {
      moved = true;
    },
  };
  const inbox: (() => void)[] = [];
  const open = new Set<{ readonly session: number; readonly driver: Driver<void> }>();
  const waiting = sessionsOf(outline).map((session) => {
    const own = {
      session,
      timedOut: new Set<string>(),
      lost: new Set<string>(),
      onBorrowed: () => borrowed++,
    };
    const walk = new SessionWalk(context, own);
    context.turns.join(session, walk);
    return { session, walk };
  });
  let failure: unknown;
  const start = ({ session, walk }: (typeof waiting)[number]) => {
    const driver: Driver<void> = new Driver<void>({
      course: walk.run(),
      client: { info: { name: "test", version: "1" }, capabilities: {} },
      answers: { answer: () => undefined },
      replyTo: walk.replyTo,
      onHeard: walk.onHeard,
      door,
      timer: clock.timer,
      act: (action) => {
        if (action.type !== "send") return void sent.push({ method: `(${action.type})` });
        texts.push(textOf(action.message.bytes));
        sent.push(JSON.parse(texts.at(-1) as string));
        const tell = (told: object | string, to = session) => {
          const text = typeof told === "string" ? told : JSON.stringify({ jsonrpc: "2.0", ...told });
          const link = [...open].find((each) => each.session === to);
          inbox.push(() => link?.driver.receive(readMessage(bytesOf(text))));
        };
        server(sent.at(-1), tell, session);
      },
      onEnd: (end) => {
        if ("error" in end) failure ??= end.error;
        open.delete(link);
        context.turns.leave(session);
        told.push(`end ${session}`);
      },
      onNote: (note) => report.notes.push(note),
    });
    const link = { session, driver };
    open.add(link);
    told.push(`begin ${session}`);
    driver.start();
  };
  while (open.size > 0 || waiting.length > 0) {
    const next = waiting[0] && context.turns.isTurn(waiting[0].session, waiting[0].walk.begins);
    if (next) start(waiting.shift() as (typeof waiting)[number]);
    // A person who is asked answers meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    const still = !moved;
    moved = false;
    for (const { driver } of [...open]) driver.look();
    const come = inbox.shift();
    if (come) come();
    else if (!next && still && open.size > 0 && !clock.tick())
      for (const { driver } of [...open]) driver.close("nothing more comes");
  }
  if (failure !== undefined) throw failure;
  return { sent, texts, report, names: context.names, waited: clock.now, borrowed, connections: told };
}

export const methodsOf = ({ sent }: Asked): string[] => sent.map(({ method }) => method);
