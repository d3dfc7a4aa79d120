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

/** A recording that is kept in memory alone, of one connection after the other. */
export class LiveTape implements Tape, RecordedEntries {
  readonly header: Header;
  /** Why nothing more was recorded. */
  failure: unknown;
  readonly #maker: EntryMaker;
  readonly #clock: Clock;
  readonly #began: number;
  #entries: Entry[] = [];
  /** Of the present connection: where its entries begin, and how many connections there were before. */
  #from = 0;
  #sessions = 0;
  #begun = false;

  constructor(header: Header, redactor: Redactor, clock: Clock) {
    this.header = header;
    this.#maker = new EntryMaker(redactor);
    this.#clock = clock;
    this.#began = clock.now();
  }

  /** What comes from now on is another connection. */
  begin(): void {
    this.#from = this.#entries.length;
    this.#sessions = this.#begun ? this.#sessions + 1 : 0;
    this.#begun = true;
    for (const { session } of this.#entries) this.#sessions = Math.max(this.#sessions, session);
  }

  /** Where the next entry of the present connection will stand. */
  get place(): LivePlace {
    return { count: this.#entries.length, session: this.#sessions + 1 };
  }

  put(seen: Seen): void {
    const at = Math.max(0, this.#clock.now() - this.#began);
    this.#entries.push(this.#maker.entry(seen, at, this.#sessions + seen.session));
  }

  add(seen: Seen): void {
    this.put(seen);
  }

  flush(): void {}

  fail(error: unknown): void {
    this.failure ??= error;
  }

  get count(): number {
    return this.#entries.length;
  }

  entryAt(ordinal: number): Entry {
    return this.#entries[ordinal] as Entry;
  }

  /** The server said something. */
  get heard(): boolean {
    return this.#entries.some(
      ({ from, body, http }) => from === "server" && (body !== undefined || http?.status !== undefined),
    );
  }

  /** The server did not answer on the present connection, not even with an HTTP status. */
  get lostServer(): boolean {
    return this.#present.some(({ closed }) => closed?.reason === NOT_REACHED);
  }

  /** Takes out what was said on the present connection so far. */
  forgetPresent(): void {
    this.#entries.length = this.#from;
  }

  /** Requests of the present connection took too long: takes out that they were given up, and what came after all. */
  forgetEndOf(ids: ReadonlySet<IdToken>): void {
    if (ids.size === 0) return;
    const kept = this.#present.filter((entry) => !cancelsOne(entry, ids) && !answersOne(entry, ids));
    this.#entries = [...this.#entries.slice(0, this.#from), ...kept];
  }

  /** Takes out requests of the present connection, and what came in answer. */
  forget(ids: ReadonlySet<IdToken>): void {
    if (ids.size === 0) return;
    const kept = this.#present.filter((entry) => !asksOne(entry, ids) && !isOn(entry, ids));
    this.#entries = [...this.#entries.slice(0, this.#from), ...kept];
  }

  get #present(): readonly Entry[] {
    return this.#entries.slice(this.#from);
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
