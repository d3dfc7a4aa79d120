import type { On } from "../exchange/entry.ts";
import type { IdToken } from "../protocol/message.ts";
import { RecentMap } from "./http-recent.ts";

/** Sessions and endpoints remembered at once, and lanes that neither names. */
const MOST_LANES = 10_000;
/** Event ids a lane remembers for clients that resume. */
const MOST_EVENTS = 4096;

/** What tells one client's request from another's. */
export interface RequestSigns {
  /** Equal for requests over one TCP connection. */
  readonly connection: object;
  readonly method: string;
  readonly sessionId?: string | undefined;
  /** Path and query, where it is one that an `endpoint` event could have announced. */
  readonly endpoint?: string | undefined;
  /** Of the JSON-RPC requests in the body. */
  readonly ids: readonly IdToken[];
  /** One of them is `initialize`, under this id. */
  readonly initialize?: IdToken | undefined;
  /** The client's name for itself, as exact JSON text. */
  readonly clientInfo?: string | undefined;
}

/** One client, as far as the wire tells: what a recording calls a session. */
export class HttpLane {
  /** Counted from 1 in order of appearance. */
  readonly number: number;
  clientInfo: string | undefined;
  /** Named by a session id or by an endpoint, so that nothing needs to be guessed. */
  named: "session" | "endpoint" | undefined;
  /** A request of it succeeded: the client behind it is settled. */
  settled = false;
  /** GET streams that are open. */
  streams = 0;
  lastUsed = 0;
  readonly #outstanding = new Set<IdToken>();
  readonly #events = new RecentMap<string, On>(MOST_EVENTS);
  #opening: IdToken | undefined;

  constructor(number: number) {
    this.number = number;
  }

  get idle(): boolean {
    return this.#outstanding.size === 0 && this.streams === 0;
  }

  /** Whether the next response tells something about the client: has it come in, or was it refused? */
  get undecided(): boolean {
    return !this.settled || this.#opening !== undefined;
  }

  begin({ ids, initialize, clientInfo }: RequestSigns): void {
    for (const id of ids) this.#outstanding.add(id);
    this.clientInfo ??= clientInfo;
    if (initialize === undefined) return;
    this.#opening = initialize;
    this.settled = true;
  }

  isOutstanding(id: IdToken): boolean {
    return this.#outstanding.has(id);
  }

  /** A response to a request was seen. */
  answered(id: IdToken, isError: boolean): void {
    if (!this.#outstanding.delete(id)) return;
    if (!isError) this.settled = true;
    else if (this.#opening === id) this.settled = false;
    if (this.#opening === id) this.#opening = undefined;
  }

  /** Requests whose response will not come any more, if it has not. */
  release(ids: readonly IdToken[]): void {
    for (const id of ids) this.answered(id, true);
  }

  sawEvent(eventId: string, on: On): void {
    this.#events.set(eventId, on);
  }

  /** The stream that an event came on. */
  streamOf(eventId: string): On | undefined {
    return this.#events.get(eventId);
  }
}

/**
 * Sorts requests into lanes, one a client. Session ids and endpoints decide where there are any. Without them, the TCP
 * connection and the client's name for itself do, and where those leave a choice, one law holds: no two requests that
 * wait for their answers in one lane have equal ids.
 */
export class HttpLanes {
  readonly #sessions = new RecentMap<string, HttpLane>(MOST_LANES);
  readonly #endpoints = new RecentMap<string, HttpLane>(MOST_LANES);
  /** Lanes without a name, by number. */
  readonly #unnamed = new Map<number, HttpLane>();
  readonly #connections = new WeakMap<object, HttpLane>();
  #count = 0;
  #uses = 0;

  /** The lane a request belongs to. Its ids are outstanding from then on. */
  take(signs: RequestSigns): HttpLane {
    const lane = this.#choose(signs);
    lane.lastUsed = ++this.#uses;
    lane.begin(signs);
    this.#connections.set(signs.connection, lane);
    return lane;
  }

  /** The server gave the client of this lane a session id. */
  nameSession(lane: HttpLane, sessionId: string): void {
    if (this.#sessions.get(sessionId) !== undefined) return;
    this.#sessions.set(sessionId, lane);
    this.#name(lane, "session");
  }

  /** The server told the client of this lane where to post to. */
  nameEndpoint(lane: HttpLane, endpoint: string): void {
    this.#endpoints.set(endpoint, lane);
    this.#name(lane, "endpoint");
  }

  ofSession(sessionId: string): HttpLane | undefined {
    return this.#sessions.get(sessionId);
  }

  ofEndpoint(endpoint: string): HttpLane | undefined {
    return this.#endpoints.get(endpoint);
  }

  #name(lane: HttpLane, named: "session" | "endpoint"): void {
    lane.named = named;
    this.#unnamed.delete(lane.number);
  }

  #choose(signs: RequestSigns): HttpLane {
    const { sessionId, endpoint } = signs;
    const named =
      (sessionId === undefined ? undefined : this.ofSession(sessionId)) ??
      (endpoint === undefined ? undefined : this.ofEndpoint(endpoint));
    if (named) return collides(named, signs) ? this.#open() : named;
    return this.#fitting(signs) ?? this.#open();
  }

  #fitting(signs: RequestSigns): HttpLane | undefined {
    const own = this.#connections.get(signs.connection);
    const fits = FITS[kindOf(signs)];
    if (own && fits(own, signs)) return own;
    const others = [...this.#unnamed.values()].filter((lane) => fits(lane, signs));
    // Equal names say who it is, and the first is as good as any. No name says nothing: that the latest goes on is a
    // guess. Where the server gave no session ids, lanes of one client's name are one when they are replayed, so it
    // decides between clients of different names alone.
    if (signs.clientInfo !== undefined) return others.find((lane) => lane.clientInfo === signs.clientInfo);
    return others.reduce<HttpLane | undefined>(later, undefined);
  }

  #open(): HttpLane {
    const lane = new HttpLane(++this.#count);
    this.#unnamed.set(lane.number, lane);
    if (this.#unnamed.size > MOST_LANES) this.#forgetOne();
    return lane;
  }

  #forgetOne(): void {
    for (const lane of this.#unnamed.values()) {
      if (!lane.idle || lane.number === this.#count) continue;
      this.#unnamed.delete(lane.number);
      return;
    }
  }
}

function later(a: HttpLane | undefined, b: HttpLane): HttpLane {
  return a !== undefined && a.lastUsed > b.lastUsed ? a : b;
}

type RequestKind = "initialize" | "stream" | "other";

function kindOf({ method, initialize }: RequestSigns): RequestKind {
  if (initialize !== undefined) return "initialize";
  return method === "GET" ? "stream" : "other";
}

/**
 * Whether a lane could be that of a request that names none. An `initialize` opens a session, so it joins only a lane
 * where nothing has succeeded yet: a probe of the other era, or a first try that was refused. A GET may turn out to be
 * the HTTP+SSE pair's, whose every stream is a client.
 */
const FITS: Readonly<Record<RequestKind, (lane: HttpLane, signs: RequestSigns) => boolean>> = {
  initialize: (lane, signs) => !lane.named && !lane.settled && isFree(lane, signs),
  stream: (lane) => lane.named !== "endpoint" && lane.streams === 0,
  other: isFree,
};

function isFree(lane: HttpLane, signs: RequestSigns): boolean {
  const { clientInfo } = signs;
  const same = clientInfo === undefined || lane.clientInfo === undefined || lane.clientInfo === clientInfo;
  return same && !collides(lane, signs);
}

function collides(lane: HttpLane, { ids }: RequestSigns): boolean {
  return ids.some((id) => lane.isOutstanding(id));
}
