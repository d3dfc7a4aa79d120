import type { Entry } from "../../../src/exchange/entry.ts";
import { readMessage } from "../../../src/protocol/message.ts";
import { scanJson } from "../../../src/protocol/scan-json.ts";
import type { Journal, Passed } from "../../../src/replay/forward/journal.ts";
import type { Arrived, HeaderFields, Link, LinkSide } from "../../../src/replay/forward/link.ts";
import type { RealServer } from "../../../src/replay/forward/real-server.ts";
import {
  bytesOf,
  type LiveClient,
  type Said,
  type Tape,
  type TapeOptions,
  tape,
  textOf,
} from "../../cases/tape.ts";

const textOfSaid = (said: Said) => (typeof said === "string" ? said : JSON.stringify(said));

/** One connection to the fake server: what it was sent, and what it is made to say. */
export class FakeLink implements Link {
  readonly #side: LinkSide;
  readonly drop: Link["drop"];
  readonly headers: (HeaderFields | undefined)[] = [];
  readonly dropped: string[] = [];
  isClosed = false;
  #sent: string[] = [];

  constructor(side: LinkSide, drops: boolean) {
    this.#side = side;
    this.drop = drops ? (id) => void this.dropped.push(id) : undefined;
  }

  send({ bytes }: { bytes: Uint8Array }, headers?: HeaderFields): void {
    this.#sent.push(textOf(bytes));
    this.headers.push(headers);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  /** Exact texts since the last call. */
  texts(): string[] {
    return this.#sent.splice(0);
  }

  /** Messages since the last call. */
  sent(): unknown[] {
    return this.texts().map((text) => JSON.parse(text));
  }

  says(said: Said, arrived: Arrived = {}): void {
    this.#side.message(readMessage(bytesOf(textOfSaid(said))), arrived);
  }

  refuses(id: string, reason: string): void {
    this.#side.refused(id, reason);
  }

  ends(reason = "ended with exit code 3"): void {
    this.#side.closed(reason);
  }
}

export interface FakeOptions {
  /** A request is given up by its stream, as over HTTP in the modern era. */
  readonly drops?: boolean;
  readonly keeps?: boolean;
}

/** A real server in memory, and the cassette that its answers are appended to. */
export class FakeServer implements RealServer {
  readonly name = "node real.js";
  readonly keeps: boolean;
  readonly links: FakeLink[] = [];
  /** What was appended. */
  readonly kept: Entry[] = [];
  /** The tape that is served with this server behind. */
  readonly tape: Tape;
  readonly notices: string[] = [];
  readonly #drops: boolean;
  #sessions = 1;
  #clock = 0;

  constructor(
    entries: readonly Entry[],
    { drops = false, keeps = true }: FakeOptions = {},
    options: TapeOptions = {},
  ) {
    this.#drops = drops;
    this.keeps = keeps;
    const onNotice = (notice: string) => this.notices.push(notice);
    this.tape = tape(entries, { ...options, realServer: this, onNotice });
  }

  connect(side: LinkSide): Link {
    const link = new FakeLink(side, this.#drops);
    this.links.push(link);
    return link;
  }

  journal(): Journal {
    let session: number | undefined;
    const place = () => {
      session ??= ++this.#sessions;
      return session;
    };
    return {
      ready: () => Promise.resolve(),
      note: (passed) => this.#note(passed),
      keep: (entries) => this.#keep(entries, place),
    };
  }

  /** The link of the only client, or of the n-th that needed one. */
  get link(): FakeLink {
    const link = this.links.at(-1);
    if (!link) throw new Error("nobody connected to the real server");
    return link;
  }

  /** Kept entries as lines: `2 client {"id":1,…}`. */
  get keptLines(): string[] {
    return this.kept.map(
      ({ session, from, body, closed }) =>
        `${session} ${from} ${body ? textOf(body.bytes) : JSON.stringify(closed)}`,
    );
  }

  #note({ raw, ...facts }: Passed): Entry {
    const form = raw && scanJson(raw).harmed ? "json" : "message";
    const body = raw && ({ form, bytes: raw } as const);
    return { at: 1000 + this.#clock++, session: 0, ...facts, body };
  }

  #keep(entries: readonly Entry[], session: () => number): boolean {
    if (!this.keeps) return false;
    for (const noted of entries) {
      const entry = { ...noted, session: session() };
      this.kept.push(entry);
      this.tape.growing.append(entry, this.tape.recording);
    }
    return true;
  }
}

/** What is asked of the server goes out a moment later than the client asked. */
export const aMoment = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The client says something that goes to the server; returns what the client was sent meanwhile. */
export async function asks(live: LiveClient, said: Said): Promise<unknown[]> {
  const sent = live.say(said);
  await aMoment();
  return sent;
}
