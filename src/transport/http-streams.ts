import type { HttpFacts } from "../exchange/entry.ts";
import type { IdToken } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import { encodeSse } from "../wire/sse-encode.ts";
import type { SseEvent } from "../wire/sse-framer.ts";

const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Proxies on the way must not gather events (2026-07-28 basic/transports/streamable-http).
  "x-accel-buffering": "no",
};

/** A running `text/event-stream` body. */
export class EventStream {
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `onGone` is called when the client goes away while the stream runs. */
  constructor(headers: Readonly<Record<string, string>>, onGone: () => void) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#controller = undefined;
        onGone();
      },
    });
    this.response = new Response(body, { status: 200, headers: { ...SSE_HEADERS, ...headers } });
  }

  get open(): boolean {
    return this.#controller !== undefined;
  }

  send(event: SseEvent): void {
    this.#controller?.enqueue(encodeSse(event));
  }

  close(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  /** Ends in a way that the client sees as a broken connection. */
  break(): void {
    this.#controller?.error(new Error("the recorded server died here"));
    this.#controller = undefined;
  }
}

/** A response whose body breaks off, as when a server dies. */
function brokenResponse(headers: Readonly<Record<string, string>>): Response {
  const stream = new EventStream(headers, () => undefined);
  stream.break();
  return stream.response;
}

type Message = Extract<Action, { type: "send" | "outcome" }>;

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
  readonly #gathered: (Message | Extract<Action, { type: "event" }>)[] = [];
  readonly #onGone: () => void;
  /** Sent events that bear an id, for a client that comes back with Last-Event-ID. */
  readonly #resumable: SseEvent[] = [];
  #stream: EventStream | undefined;
  #status: Extract<Action, { type: "status" }> | undefined;
  #ended = false;
  #broken = false;
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

  act(action: Message | Extract<Action, { type: "event" | "end" | "status" }>): void {
    this.#take(action);
    if (this.#isKnown) this.#release?.();
  }

  #take(action: Message | Extract<Action, { type: "event" | "end" | "status" }>): void {
    if (action.type === "status") {
      this.#status = action;
      this.#waiting.clear();
      return;
    }
    if (action.type === "end") {
      this.#ended = true;
      this.#stream?.close();
      return;
    }
    if (action.type === "outcome" && action.on !== undefined) this.#waiting.delete(action.on);
    if (this.#stream) this.#send(action);
    else this.#gathered.push(action);
    if (this.complete) this.#stream?.close();
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
  async begins(gone: AbortSignal): Promise<void> {
    const leave = () => {
      this.#onGone();
      this.#release?.();
    };
    gone.addEventListener("abort", leave, { once: true });
    if (gone.aborted) leave();
    await this.#held;
    gone.removeEventListener("abort", leave);
  }

  /** Whether it is a stream, JSON or a status. */
  get #isKnown(): boolean {
    if (this.complete || this.#ended || this.#broken) return true;
    return this.#gathered.some((action) => action.type !== "outcome");
  }

  /** The HTTP response, once the player has said all it has to say for now. */
  respond(headers: Readonly<Record<string, string>>, defaults: AnswerDefaults): Response {
    if (this.#broken) return brokenResponse(headers);
    if (this.#status) return statusResponse(this.#status.http, this.#status.body, headers);
    if (this.complete && !this.#needsStream(defaults)) return this.#json(headers, defaults);
    this.#stream = new EventStream(headers, this.#onGone);
    for (const action of this.#gathered.splice(0)) this.#send(action);
    if (this.complete || this.#ended) this.#stream.close();
    return this.#stream.response;
  }

  /** Whether an event of this answer had this id. */
  sent(eventId: string): boolean {
    return this.#resumable.some((event) => event.id === eventId);
  }

  /** Goes on in a new stream, after the event with this id. */
  resumeAfter(eventId: string, headers: Readonly<Record<string, string>>): Response {
    const from = this.#resumable.findIndex((event) => event.id === eventId) + 1;
    this.#stream = new EventStream(headers, this.#onGone);
    this.#ended = false;
    for (const event of this.#resumable.slice(from)) this.#stream.send(event);
    return this.#stream.response;
  }

  break(): void {
    this.#broken = true;
    this.#stream?.break();
    this.#release?.();
  }

  closeIfComplete(): void {
    if (this.complete) this.#stream?.close();
  }

  #needsStream({ style, status }: AnswerDefaults): boolean {
    const outcomes = this.#gathered.filter((action) => action.type === "outcome");
    if (outcomes.length < this.#gathered.length) return true;
    if (style === "recorded") return outcomes.some(({ http }) => isStream(http));
    return style === "sse" && outcomes.every(({ http, bytes }) => (http?.status ?? status(bytes)) === 200);
  }

  #send(action: Message | Extract<Action, { type: "event" }>): void {
    const event = eventOf(action);
    if (event.id !== undefined) this.#resumable.push(event);
    this.#stream?.send(event);
  }

  #json(headers: Readonly<Record<string, string>>, defaults: AnswerDefaults): Response {
    const outcomes = this.#gathered.filter((action) => action.type === "outcome");
    const bodies = outcomes.map((outcome) => outcome.bytes);
    const [first] = outcomes;
    const body = this.#isBatch ? joinBatch(bodies) : (bodies[0] ?? new Uint8Array());
    const status = first?.http?.status ?? (this.#isBatch ? 200 : defaults.status(body));
    const all = { "content-type": "application/json", ...keptForReplay(first?.http), ...headers };
    return new Response(body as Uint8Array<ArrayBuffer>, { status, headers: all });
  }
}

function isStream(http: HttpFacts | undefined): boolean {
  return http?.headers?.["content-type"] === "text/event-stream";
}

/** What an action says as a Server-Sent Event, with the id and type it was recorded with. */
export function eventOf(action: Message | Extract<Action, { type: "event" }>): SseEvent {
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
) {
  const type = http.headers?.["content-type"];
  const all = {
    ...keptForReplay(http),
    ...(body && type !== undefined ? { "content-type": type } : {}),
    ...headers,
  };
  return new Response((body ?? null) as Uint8Array<ArrayBuffer> | null, {
    status: http.status ?? 500,
    headers: all,
  });
}

function joinBatch(bodies: readonly Uint8Array[]): Uint8Array {
  const text = new TextDecoder();
  return new TextEncoder().encode(`[${bodies.map((body) => text.decode(body)).join(",")}]`);
}
