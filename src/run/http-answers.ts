import type { Closed, EventFacts, HttpFacts, On } from "../exchange/entry.ts";
import { eachMessage, type IdToken, type Message, readMessage, textOf } from "../protocol/message.ts";
import type { Ending } from "../transport/http-proxy-tap.ts";
import { Pieces } from "../wire/pieces.ts";
import type { Room } from "../wire/room.ts";
import { type SseEvent, SseFramer } from "../wire/sse-framer.ts";
import { type EntrySink, NOT_REACHED, type Seen } from "./entry-sink.ts";
import { decodeBody, StreamDecoder } from "./http-content.ts";
import type { HttpLane } from "./http-lanes.ts";

/** What an answer needs to know of the request it answers. */
export interface Asked {
  readonly sink: EntrySink;
  readonly room: Room | undefined;
  readonly lane: HttpLane;
  readonly on: On | undefined;
  /** Of the JSON-RPC requests whose responses may come with this answer. */
  readonly ids: readonly IdToken[];
  /** It may be the stream of the HTTP+SSE pair. */
  readonly onEndpoint?: ((reference: string) => string) | undefined;
}

/** One HTTP answer while it comes. */
export interface Answer {
  push(chunk: Uint8Array): void | Promise<void>;
  end(how: Ending): void;
}

const encoder = new TextEncoder();

/** How the recording puts it when an answer did not come to its end. */
export function closedBy(asked: Asked, how: Ending): Seen | undefined {
  const ending = CLOSED[how];
  if (!ending) return undefined;
  return { from: ending.from, session: asked.lane.number, ...onOf(asked), closed: ending.closed };
}

const CLOSED: Readonly<Record<Ending, { from: Seen["from"]; closed: Closed } | undefined>> = {
  end: { from: "server", closed: { reason: "end" } },
  "aborted-by-client": { from: "client", closed: { reason: "aborted" } },
  "reset-by-server": { from: "server", closed: { reason: "reset" } },
  failed: { from: "server", closed: { reason: NOT_REACHED } },
  stopped: undefined,
};

function onOf({ on }: Asked): { on?: On } {
  return on === undefined ? {} : { on };
}

/** An answer with one body, or none. */
export class BodyAnswer implements Answer {
  readonly #asked: Asked;
  readonly #http: HttpFacts;
  readonly #codings: readonly string[];
  readonly #body = new Pieces();

  constructor(asked: Asked, http: HttpFacts, codings: readonly string[]) {
    this.#asked = asked;
    this.#http = http;
    this.#codings = codings;
  }

  push(chunk: Uint8Array): void {
    this.#body.add(chunk);
  }

  end(how: Ending): void {
    const { lane, ids, sink } = this.#asked;
    if (how === "end" || how === "reset-by-server") sink.add(this.#seen(how));
    else {
      const closed = closedBy(this.#asked, how);
      if (closed) sink.add(closed);
    }
    // The HTTP+SSE pair accepts a request here and answers it on the GET stream.
    if (lane.named !== "endpoint" || this.#http.status !== 202 || how !== "end") lane.release(ids);
  }

  #seen(how: "end" | "reset-by-server"): Seen {
    const { lane, room } = this.#asked;
    const sent = this.#body.take(room?.for(this.#body.length));
    const raw = decodeBody(sent, this.#codings) ?? sent;
    if (lane.undecided && how === "end") noteResponses(lane, readMessage(raw));
    return {
      from: "server",
      session: lane.number,
      ...onOf(this.#asked),
      http: this.#http,
      ...(raw.length > 0 && { raw }),
      ...(how === "reset-by-server" && { closed: { reason: "reset" } }),
    };
  }
}

/** An answer that is an event stream: an entry for each event, the HTTP facts with the first. */
export class EventAnswer implements Answer {
  readonly #asked: Asked;
  readonly #framer: SseFramer;
  readonly #coded: boolean;
  readonly #decoder: StreamDecoder | undefined;
  #http: HttpFacts | undefined;
  #resumable = false;
  /** The content coding could not be undone; what follows stays unread. */
  #unreadable: string | undefined;

  constructor(asked: Asked, http: HttpFacts, codings: readonly string[]) {
    this.#asked = asked;
    this.#http = http;
    this.#framer = new SseFramer({ room: asked.room });
    this.#coded = codings.length > 0;
    this.#decoder = StreamDecoder.for(codings, (bytes) => this.#read(bytes));
    if (this.#coded && !this.#decoder) this.#unreadable = codings.join(", ");
  }

  push(chunk: Uint8Array): void | Promise<void> {
    if (this.#unreadable !== undefined) return;
    if (!this.#decoder) return this.#read(chunk);
    return this.#decoder.push(chunk).catch((error: Error) => {
      this.#unreadable = error.message;
    });
  }

  end(how: Ending): void {
    this.#decoder?.end();
    const { lane, ids, sink } = this.#asked;
    const http = this.#takeHttp();
    if (http) sink.add({ from: "server", session: lane.number, ...onOf(this.#asked), http });
    const closed = this.#closed(how);
    if (closed) sink.add(closed);
    // A client may come back for the rest of a stream whose events bore ids.
    if (lane.named !== "session" || !this.#resumable) lane.release(ids);
  }

  #closed(how: Ending): Seen | undefined {
    const { lane, ids, on } = this.#asked;
    if (this.#unreadable !== undefined) {
      const reason = `the event stream could not be decoded: ${this.#unreadable}`;
      return { from: "server", session: lane.number, ...onOf(this.#asked), closed: { reason } };
    }
    const awaited = on === "get" || ids.some((id) => lane.isOutstanding(id));
    return awaited || how === "reset-by-server" ? closedBy(this.#asked, how) : undefined;
  }

  #read(bytes: Uint8Array): void {
    this.#framer.push(bytes, (event) => this.#onEvent(event));
  }

  #onEvent(event: SseEvent): void {
    const { lane, on, sink } = this.#asked;
    const http = this.#takeHttp();
    const facts = factsOf(event);
    if (event.id !== undefined && on !== undefined) {
      this.#resumable = true;
      lane.sawEvent(event.id, on);
    }
    const raw = this.#rawOf(event);
    const message = raw && readMessage(raw, true);
    sink.add({
      from: "server",
      session: lane.number,
      ...onOf(this.#asked),
      ...(http && { http }),
      ...(facts && { event: facts }),
      ...(message && { raw, scan: message.scan }),
    });
    if (message && facts?.name === undefined) noteResponses(lane, message);
  }

  #rawOf({ name, data }: SseEvent): Uint8Array | undefined {
    if (!data || name !== "endpoint") return data;
    const stable = this.#asked.onEndpoint?.(textOf(data));
    return stable === undefined ? data : encoder.encode(stable);
  }

  #takeHttp(): HttpFacts | undefined {
    const http = this.#http;
    this.#http = undefined;
    return http;
  }
}

/** `message` is what the absence of a name means. */
function factsOf({ name, id, retry }: SseEvent): EventFacts | undefined {
  const named = name !== undefined && name !== "message";
  if (!named && id === undefined && retry === undefined) return undefined;
  return {
    ...(named && { name }),
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry }),
  };
}

function noteResponses(lane: HttpLane, message: Message): void {
  for (const { kind, id, isError } of eachMessage(message)) {
    if (kind === "response" && id !== undefined) lane.answered(id, isError);
  }
}
