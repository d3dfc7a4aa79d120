import type { Clock } from "../clock.ts";
import type { RecordedEntries } from "../drift/side.ts";
import type { LivePlace } from "../drive/again/report.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { tokenAt } from "../exchange/token.ts";
import { type IdToken, readMessage } from "../protocol/message.ts";
import type { Redactor } from "../redact/redactor.ts";
import { NOT_REACHED, type Seen } from "./entry-sink.ts";
import type { Tape } from "./recorder.ts";
import { EntryMaker } from "./seen-entry.ts";

/** How a server ended that did not by itself. */
const MADE_TO_END = "made to end";

interface Taken {
  readonly entry: Entry;
  readonly by: LiveConnection;
}

/** A recording that is kept in memory alone, of several connections. */
export class LiveTape implements RecordedEntries {
  readonly header: Header;
  /** Why nothing more was recorded. */
  failure: unknown;
  readonly #maker: EntryMaker;
  readonly #clock: Clock;
  readonly #began: number;
  #taken: Taken[] = [];
  #sessions = 0;

  constructor(header: Header, redactor: Redactor, clock: Clock) {
    this.header = header;
    this.#maker = new EntryMaker(redactor);
    this.#clock = clock;
    this.#began = clock.now();
  }

  /** Another connection; they are numbered in this order. */
  connect(): LiveConnection {
    return new LiveConnection(this);
  }

  get count(): number {
    return this.#taken.length;
  }

  entryAt(ordinal: number): Entry {
    return (this.#taken[ordinal] as Taken).entry;
  }

  /** The server said something. */
  get heard(): boolean {
    return this.#taken.some(
      ({ entry: { from, body, http } }) =>
        from === "server" && (body !== undefined || http?.status !== undefined),
    );
  }

  /** A number that no connection has yet. */
  nextSession(): number {
    this.#sessions += 1;
    return this.#sessions;
  }

  take(seen: Seen, session: number, by: LiveConnection): void {
    const at = Math.max(0, this.#clock.now() - this.#began);
    this.#taken.push({ entry: this.#maker.entry(seen, at, session), by });
  }

  /** Whether some entry of a connection is such a one. */
  some(by: LiveConnection, such: (entry: Entry) => boolean): boolean {
    return this.#taken.some((each) => each.by === by && such(each.entry));
  }

  /** Takes out entries of one connection. */
  drop(by: LiveConnection, such: (entry: Entry) => boolean): void {
    this.#taken = this.#taken.filter((each) => each.by !== by || !such(each.entry));
  }
}

/** One connection's part of a tape. */
export class LiveConnection implements Tape {
  readonly #tape: LiveTape;
  /** Where a session was lost and another opened, it has several numbers. */
  readonly #numbers: number[];
  #madeToEnd = false;

  constructor(tape: LiveTape) {
    this.#tape = tape;
    this.#numbers = [tape.nextSession()];
  }

  /** Where its next entry will stand. */
  get place(): LivePlace {
    return { count: this.#tape.count, session: this.#numbers[0] as number };
  }

  put(seen: Seen): void {
    this.#tape.take(this.#renumbered(seen), this.#numberOf(seen.session), this);
  }

  #numberOf(session: number): number {
    while (this.#numbers.length < session) this.#numbers.push(this.#tape.nextSession());
    return this.#numbers[session - 1] as number;
  }

  /** What stands in the place of a session id is the number of its connection, which others have, too. */
  #renumbered(seen: Seen): Seen {
    const { http } = seen;
    const named = http?.headers?.["mcp-session-id"];
    if (!http || named === undefined || !/^[1-9]\d{0,5}$/.test(named)) return seen;
    const headers = { ...http.headers, "mcp-session-id": String(this.#numberOf(Number(named))) };
    return { ...seen, http: { ...http, headers } };
  }

  add(seen: Seen): void {
    const ended = this.#madeToEnd && seen.closed?.exit !== undefined;
    this.put(ended ? { ...seen, closed: { reason: MADE_TO_END } } : seen);
  }

  /** Its server has to be made to end: with what exit code it does tells nothing. */
  readonly madeToEnd = (): void => {
    this.#madeToEnd = true;
  };

  flush(): void {}

  fail(error: unknown): void {
    this.#tape.failure ??= error;
  }

  /** The server did not answer, not even with an HTTP status. */
  get lostServer(): boolean {
    return this.#tape.some(this, ({ closed }) => closed?.reason === NOT_REACHED);
  }

  /** Takes out what was said so far. */
  forgetAll(): void {
    this.#tape.drop(this, () => true);
  }

  /** Requests took too long: takes out that they were given up, and what came after all. */
  forgetEndOf(ids: ReadonlySet<IdToken>): void {
    if (ids.size > 0) this.#tape.drop(this, (entry) => cancelsOne(entry, ids) || answersOne(entry, ids));
  }

  /** Takes out requests, and what came in answer. */
  forget(ids: ReadonlySet<IdToken>): void {
    if (ids.size > 0) this.#tape.drop(this, (entry) => asksOne(entry, ids) || isOn(entry, ids));
  }
}

function asksOne({ from, body }: Entry, ids: ReadonlySet<IdToken>): boolean {
  if (from !== "client" || !body) return false;
  const { kind, id } = readMessage(body.bytes);
  return kind === "request" && id !== undefined && ids.has(id);
}

function isOn({ on }: Entry, ids: ReadonlySet<IdToken>): boolean {
  return typeof on === "object" && ids.has(on.id);
}

function cancelsOne({ from, body, closed, on }: Entry, ids: ReadonlySet<IdToken>): boolean {
  if (from !== "client") return false;
  if (closed) return typeof on === "object" && ids.has(on.id);
  const message = body && readMessage(body.bytes);
  if (message?.method !== "notifications/cancelled") return false;
  const id = tokenAt(message, ["params", "requestId"]);
  return id !== undefined && ids.has(id);
}

function answersOne({ from, body }: Entry, ids: ReadonlySet<IdToken>): boolean {
  if (from !== "server" || !body) return false;
  const { kind, id } = readMessage(body.bytes);
  return kind === "response" && id !== undefined && ids.has(id);
}
