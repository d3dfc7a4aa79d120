import { setTimeout as later } from "node:timers";
import type { Asked, Door } from "./door.ts";
import { type Answer, type BodySink, DIED, OpenBody } from "./open-body.ts";

const NOTHING = new Uint8Array();

/**
 * What a door answers to a fetch request.
 * @param connection of the request, where that is known
 * @throws BrokenConnection where the connection breaks without an answer
 */
export async function fetchDoor(door: Door, request: Request, connection?: object): Promise<Response> {
  const { method, headers, signal } = request;
  const { pathname, search } = new URL(request.url);
  const asked: Asked = {
    method,
    pathname,
    search,
    headers: Object.fromEntries(headers),
    body: method === "POST" ? new Uint8Array(await request.arrayBuffer()) : NOTHING,
    connection,
    whenGone: (leave) => {
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
      return () => signal.removeEventListener("abort", leave);
    },
  };
  return responseOf(await door.answer(asked));
}

/** An answer as a fetch response. */
export function responseOf({ status, headers, body }: Answer): Response {
  const sent = body instanceof OpenBody ? streamOf(body) : ((body ?? null) as Uint8Array<ArrayBuffer> | null);
  return new Response(sent, { status, headers });
}

/** Milliseconds until a body breaks off once it is read as far as it goes, so that whoever hands it on has sent that. No fake timer of a test counts. */
const SENT_MS = 5;

function streamOf(body: OpenBody): ReadableStream<Uint8Array> {
  const sink = new StreamSink();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        sink.controller = controller;
        body.pour(sink);
      },
      pull: () => sink.pull(),
      cancel: () => body.leave(),
    },
    // So that `pull` means that somebody reads.
    { highWaterMark: 0 },
  );
}

class StreamSink implements BodySink {
  controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** All is read, and more is asked for. */
  #hungry = false;
  #breaking = false;

  write(bytes: Uint8Array): void {
    this.#hungry = false;
    this.controller?.enqueue(bytes);
  }

  close(): void {
    this.controller?.close();
  }

  break(): void {
    this.#breaking = true;
    if (this.#hungry) this.#fail();
  }

  pull(): void {
    this.#hungry = true;
    if (this.#breaking) this.#fail();
  }

  #fail(): void {
    const { controller } = this;
    this.controller = undefined;
    later(() => controller?.error(new Error(DIED)), SENT_MS);
  }
}
