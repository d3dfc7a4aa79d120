import type { Ending, TapRequest } from "../transport/http-proxy-tap.ts";
import type { EntrySink } from "./entry-sink.ts";
import { HttpTap } from "./http-tap.ts";

export interface FetchRecorderOptions {
  /** The server's MCP endpoint. */
  readonly upstream: URL;
  readonly sink: EntrySink;
  /** Sends a request to the server; the body once more, as bytes. */
  readonly send: (request: Request, body: Uint8Array) => Promise<Response>;
}

// Taken when this is loaded, out of reach of a test's fake timers.
const { setImmediate: soon } = globalThis;

/** Bytes of a body that pass although nobody reads them yet, as they would on a network. */
const READ_AHEAD = 64 * 1024;

/** What `fetch` has undone by the time it hands over a body. */
const UNDONE = ["content-encoding", "content-length", "transfer-encoding"];

/**
 * Records what passes between clients and a server behind a URL, where requests are handed in as objects rather than
 * over a network. Bodies pass as they come.
 */
export class FetchRecorder {
  readonly #options: FetchRecorderOptions;
  readonly #tap: HttpTap;
  readonly #passing = new Set<Passing>();

  constructor(options: FetchRecorderOptions) {
    this.#options = options;
    const { upstream, sink } = options;
    this.#tap = new HttpTap({ upstream, sink, defer: soon });
  }

  /** The server's answer; undefined for a request that is not for its MCP endpoint. */
  async fetch(request: Request): Promise<Response | undefined> {
    const { origin, pathname } = new URL(request.url);
    const { upstream, send } = this.#options;
    if (origin !== upstream.origin) return undefined;
    // What this client acts on may not have been looked at yet: where the HTTP+SSE pair takes messages, a redirect.
    if (pathname !== upstream.pathname) await this.#tap.settled();
    const passing = this.#begin(request);
    return passing?.through(send);
  }

  #begin(request: Request): Passing | undefined {
    const { pathname, search } = new URL(request.url);
    const tap = this.#tap.request({
      method: request.method,
      path: pathname + search,
      headers: [...request.headers].flat(),
      // Which connection a request takes is not told.
      connection: {},
    });
    if (!tap) return undefined;
    const passing = new Passing(request, tap, () => this.#passing.delete(passing));
    this.#passing.add(passing);
    return passing;
  }

  /** Breaks off what is under way, and resolves when everything seen is with the sink. */
  async close(): Promise<void> {
    for (const passing of this.#passing) passing.stop();
    await this.#tap.settled();
  }
}

/** One request on its way to the server, and its answer on the way back. */
class Passing {
  readonly #asked: Request;
  readonly #tap: TapRequest;
  readonly #onOver: () => void;
  readonly #stopped = new AbortController();
  #over = false;

  constructor(asked: Request, tap: TapRequest, onOver: () => void) {
    this.#asked = asked;
    this.#tap = tap;
    this.#onOver = onOver;
  }

  async through(send: FetchRecorderOptions["send"]): Promise<Response> {
    const { url, method, headers, redirect, signal } = this.#asked;
    const sent = new Uint8Array(await this.#asked.arrayBuffer());
    if (sent.length > 0) this.#tap.requestBody(sent);
    this.#tap.requestEnd();
    const signals = AbortSignal.any([signal, this.#stopped.signal]);
    const body = sent.length > 0 ? sent : null;
    try {
      return this.#watched(
        await send(new Request(url, { method, headers, redirect, body, signal: signals }), sent),
      );
    } catch {
      // To the client, a server that cannot be reached looks as it would without a recorder.
      this.#end("failed");
      return Response.error();
    }
  }

  stop(): void {
    this.#end("stopped");
    this.#stopped.abort();
  }

  #end(how: Ending): void {
    if (this.#over) return;
    this.#over = true;
    this.#tap.responseEnd(how !== "stopped" && this.#asked.signal.aborted ? "aborted-by-client" : how);
    this.#onOver();
  }

  #watched({ status, statusText, headers: given, body }: Response): Response {
    const headers = new Headers(given);
    for (const name of UNDONE) headers.delete(name);
    this.#tap.response(status, [...headers].flat());
    if (!body) this.#end("end");
    return new Response(body && this.#stream(body), { status, statusText, headers });
  }

  /** The same stream, read not much faster than its reader reads. */
  #stream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read();
            if (done) {
              this.#end("end");
              return controller.close();
            }
            controller.enqueue(value);
            if (!this.#over) this.#tap.responseBody(value);
          } catch (error) {
            this.#end("reset-by-server");
            controller.error(error);
          }
        },
        cancel: (reason) => {
          this.#end("aborted-by-client");
          return reader.cancel(reason);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD }),
    );
  }
}
