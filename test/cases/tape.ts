import { Correlator } from "../../src/exchange/correlator.ts";
import type { Body, Closed, Entry, Header } from "../../src/exchange/entry.ts";
import type { Exchange, Step } from "../../src/exchange/exchange.ts";
import { type JsonValue, readMessage, type Side } from "../../src/protocol/message.ts";
import { scanJson } from "../../src/protocol/scan-json.ts";
import type { Action } from "../../src/replay/action.ts";
import type { Arrival } from "../../src/replay/arrival.ts";
import { GrowingSource } from "../../src/replay/growing-source.ts";
import type { Timer } from "../../src/replay/pacer.ts";
import { Player } from "../../src/replay/player.ts";
import type { ClientSession, PlayerOptions } from "../../src/replay/playing.ts";
import { type EntrySource, Recording } from "../../src/replay/recording.ts";
import type { Visitors } from "../../src/replay/visitor.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** A message as a value, or as exact text. */
export type Said = string | number | null | readonly unknown[] | { readonly [key: string]: unknown };

export type Extra = Partial<Omit<Entry, "from" | "body">>;

const textOfSaid = (said: Said): string => (typeof said === "string" ? said : JSON.stringify(said));

function bodyOf(text: string): Body {
  const bytes = bytesOf(text);
  const { valid, harmed } = scanJson(bytes);
  return { form: valid ? (harmed ? "json" : "message") : "text", bytes };
}

function entry(from: Side, said: Said | undefined, extra: Extra): Entry {
  const body = said === undefined ? {} : { body: bodyOf(textOfSaid(said)) };
  return { at: 0, session: 1, ...extra, from, ...body };
}

/** What the client sent. A string is the exact text, which need not be JSON. */
export const client = (said: Said | undefined, extra: Extra = {}): Entry => entry("client", said, extra);
export const server = (said: Said | undefined, extra: Extra = {}): Entry => entry("server", said, extra);
export const closed = (from: Side, how: Closed, extra: Extra = {}): Entry =>
  entry(from, undefined, { closed: how, ...extra });

/** `request(1, "tools/list")`, `notice("notifications/initialized")`, `result(1, {})`, `error(1, -32000, "no")`. */
export const request = (id: JsonValue, method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
export const notice = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  method,
  ...(params === undefined ? {} : { params }),
});
export const result = (id: JsonValue, value: unknown) => ({ jsonrpc: "2.0", id, result: value });
export const error = (id: JsonValue, code: number, message = "refused") => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

export const STDIO: Header = {
  recorded: "2026-11-30T09:00:00.000Z",
  recorder: "mcp-vcr/0.1.0",
  source: { transport: "stdio", command: ["node", "weather.js"] },
};
export const HTTP: Header = {
  ...STDIO,
  source: { transport: "http", url: "http://127.0.0.1:3000/mcp?a=1&b=2" },
};

/** Entries in memory, which counts how it is read. */
export class MemorySource implements EntrySource {
  readonly header: Header;
  readonly #entries: readonly Entry[];
  #next = 0;
  /** Entries handed out in order so far. */
  get handedOut(): number {
    return this.#next;
  }
  /** How often an entry was asked for by its ordinal. */
  lookUps = 0;

  constructor(entries: readonly Entry[], header: Header) {
    this.#entries = entries;
    this.header = header;
  }

  next(count: number): readonly Entry[] {
    const slice = this.#entries.slice(this.#next, this.#next + count);
    this.#next += slice.length;
    return slice;
  }

  placeOf(ordinal: number): string {
    return `weather.yaml:${ordinal + 1}`;
  }

  entryAt(ordinal: number): Entry {
    this.lookUps += 1;
    const found = this.#entries[ordinal];
    if (!found) throw new RangeError(`no entry ${ordinal}`);
    return found;
  }
}

const atOnce: Timer = (_ms, then) => {
  then();
  return () => undefined;
};

export interface ConnectOptions {
  readonly carriesStatus?: boolean;
  readonly timer?: Timer;
  /** Who it may be; a new client where not given. */
  readonly visitors?: Visitors;
}

/** A live client, and all that it was sent. */
export class LiveClient {
  readonly session: ClientSession;
  readonly #actions: Action[] = [];
  /** What `receive` returned last. */
  taken = true;

  constructor(player: Player, { carriesStatus = false, timer = atOnce, visitors }: ConnectOptions) {
    const act = (action: Action) => void this.#actions.push(action);
    this.session = player.connect({ carriesStatus, timer, act }, visitors);
  }

  /** Says something; returns what the player did since the last call. */
  act(said: Said, arrival: Arrival = {}): Action[] {
    this.taken = this.session.receive(readMessage(bytesOf(textOfSaid(said))), arrival);
    return this.actions();
  }

  /** What the player did since the last call. */
  actions(): Action[] {
    return this.#actions.splice(0);
  }

  /** The messages that were sent since the last call. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  told(): any[] {
    return textsOf(this.actions()).map((text) => JSON.parse(text));
  }

  /** Says something; returns the exact texts sent since the last call. */
  texts(said: Said, arrival?: Arrival): string[] {
    return textsOf(this.act(said, arrival));
  }

  /** Says something; returns the messages sent since the last call. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  say(said: Said, arrival?: Arrival): any[] {
    return this.texts(said, arrival).map((text) => JSON.parse(text));
  }
}

export function textsOf(actions: readonly Action[]): string[] {
  const messages = actions.filter((action) => action.type === "send" || action.type === "outcome");
  return messages.map(({ bytes }) => textOf(bytes));
}

export interface TapeOptions extends Partial<PlayerOptions> {
  readonly header?: Header;
}

/** A recording in memory, and a player of it. */
export class Tape {
  readonly source: MemorySource;
  readonly growing: GrowingSource;
  readonly recording: Recording;
  readonly player: Player;

  constructor(entries: readonly Entry[], { header = STDIO, ...options }: TapeOptions = {}) {
    const timed = entries.map((each, index) => ({ ...each, at: each.at || index }));
    this.source = new MemorySource(timed, header);
    this.growing = new GrowingSource(this.source);
    this.recording = new Recording(this.growing, options.onNotice);
    this.player = new Player(this.recording, { cassette: "weather.yaml", ...options });
  }

  connect(options: ConnectOptions = {}): LiveClient {
    return new LiveClient(this.player, options);
  }
}

export const tape = (entries: readonly Entry[], options?: TapeOptions): Tape => new Tape(entries, options);
/** The same recorded over HTTP. */
export const httpTape = (entries: readonly Entry[], options?: TapeOptions): Tape =>
  new Tape(entries, { header: HTTP, ...options });

/** The exchanges that a correlator makes of entries. */
export function exchangesOf(entries: readonly Entry[], sharedStream = true): Exchange[] {
  const exchanges: Exchange[] = [];
  const correlator = new Correlator({ sharedStream, onExchange: (exchange) => exchanges.push(exchange) });
  for (const [ordinal, each] of entries.entries()) correlator.add(each, ordinal);
  correlator.finish();
  return exchanges;
}

/** Exchanges as lines: `0 tools/call: ask 1, reply 2, outcome 3`, numbers being places in the list of entries. */
export function outline(entries: readonly Entry[], sharedStream = true): string[] {
  return exchangesOf(entries, sharedStream).map(({ entry: opener, item, method, kind, steps }) =>
    `${place(opener, item)} ${method ?? kind}: ${steps.map(stepLine).join(", ")}`.trimEnd(),
  );
}

function stepLine({ role, entry: ordinal, item, listener, after, ...marks }: Step): string {
  const named = Object.entries(marks).filter(([name, value]) => name !== "id" && value !== undefined);
  const all = named.map(([name, value]) => (value === true ? name : `${name} ${value}`));
  if (listener) all.push(`listener ${listener.entry}`);
  if (after) all.push(`after ${place(after.entry, after.item)}`);
  return `${role} ${place(ordinal, item)}${all.length > 0 ? ` (${all.join(" ")})` : ""}`;
}

function place(ordinal: number, item: number): string {
  return item < 0 ? `${ordinal}` : `${ordinal}.${item}`;
}
