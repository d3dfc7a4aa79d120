import type { AgainContext, OwnConnection } from "../drive/again/again-context.ts";
import { deletedSessions, isCrashed } from "../drive/again/recorded-session.ts";
import { SessionWalk } from "../drive/again/session-walk.ts";
import { Ended } from "../drive/move.ts";
import type { Source } from "../exchange/entry.ts";
import { VERSION } from "../version.ts";
import { driveHttp } from "./drive-http.ts";
import { type Prepare, runOf } from "./drive-run.ts";
import { driveStdio } from "./drive-stdio.ts";
import type { LiveConnection } from "./live-tape.ts";
import type { Looks } from "./looks.ts";
import type { StderrTail } from "./stderr-tail.ts";

export const INTERRUPTED = "interrupted";

interface Server {
  readonly source: Source;
  /** Sent with every HTTP request. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Parts {
  readonly context: AgainContext;
  /** By the recorded connections, in their order. */
  readonly lines: ReadonlyMap<number, LiveConnection>;
  readonly looks: Looks;
  readonly stderr: StderrTail;
}

export interface Walked {
  /** Why nothing more was asked. */
  readonly cut: string | undefined;
  /** The server lost a session, and a new one was opened. */
  readonly lostSession: boolean;
}

/** The connections of a recording, made again: each begins and ends where it did among the others. */
export class AgainConnections {
  readonly #server: Server;
  readonly #parts: Parts;
  /** Close those that are open. */
  readonly #closers = new Set<(reason: string) => void>();
  #deleted: ReadonlySet<number> | undefined;
  #cut: string | undefined;
  #lostSession = false;

  constructor(server: Server, parts: Parts) {
    this.#server = server;
    this.#parts = parts;
  }

  /** Nothing more is asked on any. */
  readonly stop = (reason: string): void => {
    this.#cut ??= reason;
    for (const close of [...this.#closers]) close(reason);
    this.#parts.looks.changed();
  };

  /** @throws whatever a connection fails by, when all have ended */
  async walk(): Promise<Walked> {
    const { lines, context } = this.#parts;
    const walks = [...lines].map(([session, line]) => {
      const own = {
        session,
        timedOut: new Set<string>(),
        lost: new Set<string>(),
        onBorrowed: () => line.forgetAll(),
      };
      const walk = new SessionWalk(context, own);
      context.turns.join(session, walk);
      return { own, walk, line };
    });
    const ends = await Promise.allSettled(walks.map((each) => this.#inTurn(each)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return { cut: this.#cut, lostSession: this.#lostSession };
  }

  async #inTurn(connection: Connection): Promise<void> {
    const { own, walk } = connection;
    const { context, looks } = this.#parts;
    const { turns, outline } = context;
    await looks.until(() => this.#cut !== undefined || turns.isTurn(own.session, walk.begins));
    try {
      const reason = this.#cut === undefined ? await this.#connect(connection) : undefined;
      // Where it broke in the recording, it is to break.
      if (reason !== undefined && (reason === INTERRUPTED || !isCrashed(outline, own.session)))
        this.stop(reason);
    } catch (error) {
      this.stop("another connection failed");
      throw error;
    } finally {
      turns.leave(own.session);
      looks.changed();
    }
  }

  /** Resolves to the reason for which it was cut, if it was. */
  async #connect({ own, walk, line }: Connection): Promise<string | undefined> {
    const { source, headers } = this.#server;
    const { stderr } = this.#parts;
    const release: (() => void)[] = [];
    const prepare: Prepare<void> = (door, act) => {
      const run = this.#run(walk, door, act);
      release.push(this.#hold(run));
      return run;
    };
    try {
      if (source.transport === "stdio") {
        const { command } = source;
        await driveStdio({ command, onStderr: stderr.add, onKill: line.madeToEnd }, line, prepare);
      } else {
        const lingering = () => this.#lingering(own.session);
        await driveHttp({ url: source.url, headers, lingering }, line, prepare);
      }
    } catch (error) {
      if (error instanceof Ended) return error.message;
      throw error;
    } finally {
      for (const each of release) each();
      line.forgetEndOf(own.timedOut);
      line.forget(own.lost);
      this.#lostSession ||= own.lost.size > 0;
    }
    return line.lostServer ? "the server could not be reached" : undefined;
  }

  /** A session that its client did not end in the recording lives on until nobody needs the server any more. */
  async #lingering(session: number): Promise<void> {
    const { context, looks } = this.#parts;
    const { turns, outline } = context;
    this.#deleted ??= deletedSessions(outline);
    if (this.#deleted.has(session)) return;
    turns.leave(session);
    looks.changed();
    await looks.until(() => this.#cut !== undefined || turns.allLeft);
  }

  #run(walk: SessionWalk, ...[door, act]: Parameters<Prepare<void>>): ReturnType<Prepare<void>> {
    return runOf<void>({
      course: walk.run(),
      client: { info: { name: "mcp-vcr", version: VERSION }, capabilities: {} },
      answers: { answer: () => undefined },
      replyTo: walk.replyTo,
      onHeard: walk.onHeard,
      door,
      act,
      onNote: (note) => this.#parts.context.report.notes.push(note),
    });
  }

  /** Until what is returned is called, the driver is looked at and can be closed. */
  #hold({ driver }: ReturnType<Prepare<void>>): () => void {
    const { looks } = this.#parts;
    const look = () => driver.look();
    const close = (reason: string) => driver.close(reason);
    looks.add(look);
    this.#closers.add(close);
    // Stopped while the link was made: once it has started.
    const cut = this.#cut;
    if (cut !== undefined) Promise.resolve().then(() => close(cut));
    return () => {
      looks.delete(look);
      this.#closers.delete(close);
    };
  }
}

interface Connection {
  readonly own: OwnConnection;
  readonly walk: SessionWalk;
  readonly line: LiveConnection;
}
