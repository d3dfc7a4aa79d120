import type { HttpFacts } from "../exchange/entry.ts";
import type { IdToken } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { SseEvent } from "../wire/sse-framer.ts";
import type { Asked } from "./door.ts";
import { type Answer, EventStream, OpenBody } from "./open-body.ts";

type Message = Extract<Action, { type: "send" | "outcome" }>;
type Part = Extract<Action, { type: "part" }>;
type Event = Extract<Action, { type: "event" }>;
type Gathered = Message | Part | Event;
/** What belongs to one POST. */
type OfPost = Gathered | Extract<Action, { type: "end" | "status" }>;

/**
 * How an answer is given that stands alone, without notifications or requests before it: both ways are the server's to
 * choose (2025-03-26 and later, basic/transports).
 * `recorded` as it was recorded, and as JSON where it was not recorded over Streamable HTTP
 * `json`     as JSON
 * `sse`      as an event stream; an error with an HTTP status of its own stays JSON
 */
export type AnswerStyle = "recorded" | "json" | "sse";

/** How an answer is given where its recording does not tell. */
export interface AnswerDefaults {
  readonly style: AnswerStyle;
  /** HTTP status for a JSON-RPC error, by its code. */
  status(bytes: Uint8Array): number;
}

/**
 * The answer to one POST while it takes shape: JSON when all that came is the outcome, an event stream as soon as
 * there is more, or when it was recorded as one.
 */
export class PostAnswer {
  readonly #waiting: Set<IdToken>;
  readonly #isBatch: boolean;
  readonly #gathered: Gathered[] = [];
  readonly #onGone: () => void;
  /** Sent events that bear an id, for a client that comes back with Last-Event-ID. */
  readonly #resumable: SseEvent[] = [];
  #stream: EventStream | undefined;
  /** A JSON answer that comes in pieces. */
  #body: OpenBody | undefined;
  #status: Extract<Action, { type: "status" }> | undefined;
  #ended = false;
  /** How much had been gathered when the stream ended before it was opened. */
  #endsAfter: number | undefined;
  #broken = false;
  /** Headers of an answer whose connection is closed with it. */
  #closing: Readonly<Record<string, string>> = {};
  /** Lets the response begin, while it is held. */
  #release: (() => void) | undefined;
  #held: Promise<void> | undefined;

  constructor(ids: readonly IdToken[], isBatch: boolean, onGone: () => void) {
    this.#waiting = new Set(ids);
    this.#isBatch = isBatch;
    this.#onGone = onGone;
  }

  /** The requests of the POST that have no outcome. */
  get waiting(): Iterable<IdToken> {
    return this.#waiting;
  }

  /** Every request of the POST has its outcome. */
  get complete(): boolean {
    return this.#waiting.size === 0;
  }

  act(action: OfPost): void {
    this.#take(action);
    if (this.#isKnown) this.#release?.();
  }

  #take(action: OfPost): void {
    if (action.type === "status") {
      this.#status = action;
      this.#waiting.clear();
      this.#stream?.close();
      return;
    }
    if (action.type === "end") {
      this.#ended = true;
      this.#endsAfter ??= this.#gathered.length;
      this.#stream?.close();
      return;
    }
    if (isWhole(action) && action.on !== undefined) this.#waiting.delete(action.on);
    if (this.#stream) this.#send(action);
    else if (this.#body && action.type === "part") this.#body.write(action.bytes);
    else this.#gathered.push(action);
    if (this.complete) (this.#stream ?? this.#body)?.close();
  }

  /** Nothing was said, and nothing is waited for. */
  get silent(): boolean {
    return this.complete && !this.#status && !this.#broken && this.#gathered.length === 0;
  }

  /** Something is still to come by itself, so the response does not begin before it is known what that is. */
  hold(): void {
    if (this.#isKnown) return;
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  get held(): boolean {
    return this.#held !== undefined;
  }

  /** The response begins as what it is by now. */
  begin(): void {
    this.#release?.();
  }

  /** Resolves when the response may begin, or when the client does not wait for it any more. */
  async begins(whenGone: Asked["whenGone"]): Promise<void> {
    const stop = whenGone(() => {
      this.#onGone();
      this.#release?.();
    });
    await this.#held;
    stop();
  }

  /** Whether it is a stream, JSON or a status. */
  get #isKnown(): boolean {
    if (this.complete || this.#ended || this.#broken) return true;
    return this.#gathered.some((action) => action.type !== "outcome");
  }

  /** The connection broke before anything was said on it. */
  get brokenOff(): boolean {
    return this.#broken && this.#gathered.length === 0;
  }

  /** The HTTP response, once the player has said all it has to say for now. */
  respond(ofSession: Readonly<Record<string, string>>, defaults: AnswerDefaults): Answer {
    const headers = { ...ofSession, ...this.#closing };
    if (this.#status) return statusResponse(this.#status.http, this.#status.body, headers);
    const parts = this.#gathered.filter((action) => action.type === "part");
    const isJson = (this.complete || parts.length > 0) && !this.#needsStream(defaults);
    if (isJson && parts.length === 0) return this.#json(headers, defaults);
    if (isJson) this.#body = new OpenBody(this.#jsonHead(headers, defaults), this.#onGone);
    else this.#stream = new EventStream(headers, this.#onGone);
    if (isJson) for (const { bytes } of parts) this.#body?.write(bytes);
    else
      for (const action of this.#gathered.splice(0, this.#endsAfter ?? Number.POSITIVE_INFINITY))
        this.#send(action);
    const body = (this.#body ?? this.#stream) as OpenBody;
    if (this.#broken) body.break();
    else if (this.complete || this.#ended) body.close();
    // What was said after the end is there for a client that comes back.
    for (const action of this.#gathered.splice(0)) if (!isJson) this.#send(action);
    return body.answer;
  }

  /** The connection is closed with the answer. */
  closeAfter(): void {
    this.#closing = { connection: "close" };
  }

  /** Whether an event of this answer had this id. */
  sent(eventId: string): boolean {
    return this.#resumable.some((event) => event.id === eventId);
  }

  /** Goes on in a new stream, after the event with this id. */
  resumeAfter(eventId: string, headers: Readonly<Record<string, string>>): Answer {
    const from = this.#resumable.findIndex((event) => event.id === eventId) + 1;
    this.#stream = new EventStream({ ...headers, ...this.#closing }, this.#onGone);
    this.#ended = false;
    for (const event of this.#resumable.slice(from)) this.#stream.send(event);
    return this.#stream.answer;
  }

  break(): void {
    this.#broken = true;
    (this.#stream ?? this.#body)?.break();
    this.#release?.();
  }

  closeIfComplete(): void {
    if (this.complete) this.#stream?.close();
  }

  #needsStream({ style, status }: AnswerDefaults): boolean {
    const outcomes = this.#outcomes;
    if (outcomes.length < this.#gathered.length || (this.#isBatch && outcomes.some(isPart))) return true;
    if (style === "recorded") return outcomes.some(({ http }) => isStream(http));
    return style === "sse" && outcomes.every((each) => (each.http?.status ?? status(wholeOf(each))) === 200);
  }

  get #outcomes() {
    return this.#gathered.filter((action) => action.type === "outcome" || action.type === "part");
  }

  #send(action: Gathered): void {
    if (action.type === "part") return this.#stream?.part(action);
    const event = eventOf(action);
    if (event.id !== undefined) this.#resumable.push(event);
    this.#stream?.send(event);
  }

  #json(headers: Readonly<Record<string, string>>, defaults: AnswerDefaults): Answer {
    const bodies = this.#outcomes.map(wholeOf);
    const body = this.#isBatch ? joinBatch(bodies) : (bodies[0] ?? new Uint8Array());
    return { ...this.#jsonHead(headers, defaults), body };
  }

  #jsonHead(headers: Readonly<Record<string, string>>, defaults: AnswerDefaults): Omit<Answer, "body"> {
    const [first] = this.#outcomes;
    const byItsCode = this.#isBatch || !first ? 200 : defaults.status(wholeOf(first));
    const all = { "content-type": "application/json", ...keptForReplay(first?.http), ...headers };
    return { status: first?.http?.status ?? byItsCode, headers: all };
  }
}

function isPart({ type }: Action): boolean {
  return type === "part";
}

/** The response of a request is complete with this. */
export function isWhole(action: Action): action is Message | Part {
  return action.type === "outcome" || (action.type === "part" && action.last);
}

function wholeOf(action: Extract<Action, { type: "outcome" | "part" }>): Uint8Array {
  return action.type === "part" ? action.whole : action.bytes;
}

function isStream(http: HttpFacts | undefined): boolean {
  return http?.headers?.["content-type"] === "text/event-stream";
}

/** What an action says as a Server-Sent Event, with the id and type it was recorded with. */
export function eventOf(action: Message | Event): SseEvent {
  const { id, name, retry } = action.event ?? {};
  return {
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
    ...(retry === undefined ? {} : { retry }),
    // A priming event has an id and empty data.
    data: action.type === "event" ? new Uint8Array() : action.bytes,
  };
}

/** Recorded headers that a client acts on; those that describe a connection are the door's own. */
function keptForReplay(http: HttpFacts | undefined): Record<string, string> {
  const { "mcp-session-id": _session, "content-type": _type, ...rest } = http?.headers ?? {};
  return rest;
}

function statusResponse(
  http: HttpFacts,
  body: Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): Answer {
  const type = http.headers?.["content-type"];
  const all = {
    ...keptForReplay(http),
    ...(body && type !== undefined ? { "content-type": type } : {}),
    ...headers,
  };
  return { status: http.status ?? 500, headers: all, body };
}

function joinBatch(bodies: readonly Uint8Array[]): Uint8Array {
  const text = new TextDecoder();
  return new TextEncoder().encode(`[${bodies.map((body) => text.decode(body)).join(",")}]`);
}
