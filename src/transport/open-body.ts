import { setTimeout as later } from "node:timers";
import type { Action } from "../replay/action.ts";
import { encodeSse } from "../wire/sse-encode.ts";
import type { SseEvent } from "../wire/sse-framer.ts";

/** Milliseconds until a body breaks off once it is read as far as it goes, so that the HTTP server has sent that. No fake timer of a test counts. */
const SENT_MS = 5;

const DIED = "the server died here";
const bodies = new WeakMap<Response, OpenBody>();

/** A response whose body is written bit by bit. */
export class OpenBody {
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** All is read, and more is asked for. */
  #hungry = false;
  #breaking = false;
  #destroy: (() => void) | undefined;

  /** `onGone` is called when the client goes away before the end. */
  constructor(init: ResponseInit, onGone: () => void) {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#hungry = true;
          if (this.#breaking) this.#fail();
        },
        cancel: () => {
          this.#controller = undefined;
          if (!this.#breaking) onGone();
        },
      },
      // So that `pull` means that somebody reads.
      { highWaterMark: 0 },
    );
    this.response = new Response(body, init);
    bodies.set(this.response, this);
  }

  /** Lets a response break its connection rather than its body, where it has one. */
  static carry(response: Response, destroy: () => void): void {
    const body = bodies.get(response);
    if (body) body.#destroy = destroy;
  }

  get open(): boolean {
    return this.#controller !== undefined && !this.#breaking;
  }

  write(bytes: Uint8Array): void {
    if (!this.open) return;
    this.#hungry = false;
    this.#controller?.enqueue(bytes);
  }

  close(): void {
    if (!this.open) return;
    this.#controller?.close();
    this.#controller = undefined;
  }

  /** Ends in a way that the client sees as a broken connection, once it has what was written. */
  break(): void {
    if (!this.open) return;
    this.#breaking = true;
    if (this.#hungry) this.#fail();
  }

  #fail(): void {
    const controller = this.#controller;
    this.#controller = undefined;
    later(() => {
      if (this.#destroy) this.#destroy();
      else controller?.error(new Error(DIED));
    }, SENT_MS);
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

/** What `fetch` rejects with where there was no response: the connection broke. */
export class BrokenConnection extends TypeError {
  constructor() {
    super("fetch failed", { cause: new Error(DIED) });
  }
}
