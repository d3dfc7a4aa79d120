import type { Action } from "../replay/action.ts";
import { encodeSse } from "../wire/sse-encode.ts";
import type { SseEvent } from "../wire/sse-framer.ts";

/** What is answered to a request over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | OpenBody | undefined;
}

/** Where a body goes that is written bit by bit. */
export interface BodySink {
  write(bytes: Uint8Array): void;
  close(): void;
  /** Ends in a way that the client sees as a broken connection, once it has what was written. */
  break(): void;
}

/** A body that is written bit by bit, and what it answers with. */
export class OpenBody {
  readonly answer: Answer;
  readonly #onGone: () => void;
  #state: "open" | "closed" | "broken" = "open";
  #sink: BodySink | undefined;
  /** What was written before there was a sink. */
  #held: Uint8Array[] = [];

  /** `onGone` is called when the client goes away before the end. */
  constructor({ status, headers }: Omit<Answer, "body">, onGone: () => void) {
    this.answer = { status, headers, body: this };
    this.#onGone = onGone;
  }

  get open(): boolean {
    return this.#state === "open";
  }

  write(bytes: Uint8Array): void {
    if (!this.open) return;
    if (this.#sink) this.#sink.write(bytes);
    else this.#held.push(bytes);
  }

  close(): void {
    if (!this.open) return;
    this.#state = "closed";
    this.#sink?.close();
  }

  /** Breaks the connection, once the client has what was written. */
  break(): void {
    if (!this.open) return;
    this.#state = "broken";
    this.#sink?.break();
  }

  /** Says where it goes: what was written, and what will be. */
  pour(sink: BodySink): void {
    for (const bytes of this.#held.splice(0)) sink.write(bytes);
    this.#sink = sink;
    if (this.#state === "closed") sink.close();
    else if (this.#state === "broken") sink.break();
  }

  /** The client has gone. */
  leave(): void {
    if (!this.open) return;
    this.#state = "closed";
    this.#onGone();
  }
}

const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Proxies on the way must not gather events (2026-07-28 basic/transports/streamable-http).
  "x-accel-buffering": "no",
};

const NOTHING = new Uint8Array();
const END = new TextEncoder().encode("\n\n");

/** A running `text/event-stream` body. */
export class EventStream extends OpenBody {
  #isWithinEvent = false;

  constructor(headers: Readonly<Record<string, string>>, onGone: () => void) {
    super({ status: 200, headers: { ...SSE_HEADERS, ...headers } }, onGone);
  }

  send(event: SseEvent): void {
    this.write(encodeSse(event));
  }

  /** A piece of an event's data. */
  part({ bytes, last, event }: Pick<Extract<Action, { type: "part" }>, "bytes" | "last" | "event">): void {
    if (!this.#isWithinEvent) {
      // The event with empty data, up to that.
      this.write(encodeSse({ ...event, data: NOTHING }).slice(0, -END.length));
    }
    this.write(bytes);
    if (last) this.write(END);
    this.#isWithinEvent = !last;
  }
}

export const DIED = "the server died here";

/** What `fetch` rejects with where there was no response: the connection broke. */
export class BrokenConnection extends TypeError {
  constructor() {
    super("fetch failed", { cause: new Error(DIED) });
  }
}
