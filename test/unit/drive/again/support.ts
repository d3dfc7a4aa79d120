import type { AgainContext } from "../../../../src/drive/again/again-context.ts";
import { LiveNames } from "../../../../src/drive/again/live-names.ts";
import { type AskPermission, Permits } from "../../../../src/drive/again/permits.ts";
import { sessionsOf } from "../../../../src/drive/again/recorded-session.ts";
import { AgainReport } from "../../../../src/drive/again/report.ts";
import { SessionWalk } from "../../../../src/drive/again/session-walk.ts";
import { Driver } from "../../../../src/drive/driver.ts";
import type { Entry } from "../../../../src/exchange/entry.ts";
import { readMessage, textOf } from "../../../../src/protocol/message.ts";
import { Outline } from "../../../../src/rerecord/outline.ts";
import { recorded } from "../../../cases/drift.ts";
import { bytesOf, HTTP, STDIO } from "../../../cases/tape.ts";
import { FakeClock } from "../support.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
export type Sent = any;

/** What a live server does upon a message; `tell` sends one of its own, as a value or as exact text. */
export type LiveServer = (sent: Sent, tell: (message: object | string) => void) => void;

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
}

/** Asks a server in memory what is recorded. Time passes only when nothing else can happen. */
export async function askAgain({
  entries,
  server,
  permission = true,
  door = "stdio",
}: Asking): Promise<Asked> {
  const clock = new FakeClock();
  const outline = new Outline(recorded(entries, door === "http" ? HTTP : STDIO), door === "stdio");
  const sent: Sent[] = [];
  const texts: string[] = [];
  const report = new AgainReport(outline, { place: () => ({ count: texts.length, session: 1 }) });
  let borrowed = 0;
  const context: AgainContext = {
    outline,
    names: new LiveNames(outline),
    permits: new Permits(permission),
    reveal: (message) => message,
    report,
    door,
    timeout: 10_000,
    onBorrowed: () => borrowed++,
  };
  for (const session of sessionsOf(outline)) {
    const walk = new SessionWalk(context, session);
    const inbox: (() => void)[] = [];
    let ended: object | undefined;
    const driver = new Driver<void>({
      course: walk.run(() => driver.look()),
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
        server(sent.at(-1), (told) => {
          const text = typeof told === "string" ? told : JSON.stringify({ jsonrpc: "2.0", ...told });
          inbox.push(() => driver.receive(readMessage(bytesOf(text))));
        });
      },
      onEnd: (end) => {
        ended = end;
      },
      onNote: (note) => report.notes.push(note),
    });
    driver.start();
    while (!ended) {
      // A person who is asked answers meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      const next = inbox.shift();
      if (next) next();
      else if (!ended && !clock.tick()) driver.close("nothing more comes");
    }
    if ("error" in ended) throw ended.error;
  }
  return { sent, texts, report, names: context.names, waited: clock.now, borrowed };
}

export const methodsOf = ({ sent }: Asked): string[] => sent.map(({ method }) => method);
