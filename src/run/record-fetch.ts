import { readMessage } from "../protocol/message.ts";
import type { Ending, TapRequest } from "../transport/http-proxy-tap.ts";
import type { EntrySink } from "./entry-sink.ts";
import { HttpTap } from "./http-tap.ts";

export interface FetchRecorderOptions {
  /** The server's MCP endpoint. */
  readonly upstream: URL;
  readonly sink: EntrySink;
  /** Sends a request to the server; the body once more, as bytes. */
  readonly send: (request: Request, body: Uint8Array) => Promise<Response>;
  /** Told where the server failed a POST, with its body. */
  readonly onFailed: (body: Uint8Array, failure: ServerFailure) => void;
}

export interface ServerFailure {
  /** A clause that goes on after the server's name. */
  readonly reason: string;
  /** By this HTTP status it was heard, and refused. */
  readonly status?: number;
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
    const { upstream } = this.#options;
    if (origin !== upstream.origin) return undefined;
    // What this client acts on may not have been looked at yet: where the HTTP+SSE pair takes messages, a redirect.
    if (pathname !== upstream.pathname) await this.#tap.settled();
    const passing = this.#begin(request);
    return passing?.through();
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
    const passing = new Passing(request, {
      ...this.#options,
      tap,
      onOver: () => this.#passing.delete(passing),
    });
    this.#passing.add(passing);
    return passing;
  }

  /** Breaks off what is under way, and resolves when everything seen is with the sink. */
  async close(): Promise<void> {
    for (const passing of this.#passing) passing.stop();
    await this.#tap.settled();
  }
}

interface PassingOptions extends Pick<FetchRecorderOptions, "send" | "onFailed"> {
  readonly tap: TapRequest;
  readonly onOver: () => void;
}

/** HTTP statuses from here on are failures of the server (RFC 9110, section 15.6). */
const SERVER_ERRORS = 500;

/** Endings that are failures of the server. */
const FAILURES: Partial<Readonly<Record<Ending, ServerFailure>>> = {
  failed: { reason: "could not be reached" },
  "reset-by-server": { reason: "broke its answer off" },
};

/** An answer by a status that is a failure: one that is an error of JSON-RPC for its request is an answer all the same. */
class FailedAnswer {
  readonly #status: number;
  readonly #chunks: Uint8Array[] = [];

  constructor(status: number) {
    this.#status = status;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  get failure(): ServerFailure | undefined {
    const { kind, id } = readMessage(Buffer.concat(this.#chunks));
    const isAnswer = kind === "response" && id !== undefined && id !== "null";
    return isAnswer ? undefined : { reason: `answered HTTP ${this.#status}`, status: this.#status };
  }
}

/** One request on its way to the server, and its answer on the way back. */
class Passing {
  readonly #asked: Request;
  readonly #options: PassingOptions;
  readonly #tap: TapRequest;
  readonly #stopped = new AbortController();
  #sent = new Uint8Array();
  /** The answer of a server that failed, as far as it may name the request. */
  #answer: FailedAnswer | undefined;
  #over = false;

  constructor(asked: Request, options: PassingOptions) {
    this.#asked = asked;
    this.#options = options;
    this.#tap = options.tap;
  }

  async through(): Promise<Response> {
    const { url, method, headers, redirect, signal } = this.#asked;
    const sent = new Uint8Array(await this.#asked.arrayBuffer());
    this.#sent = sent;
    if (sent.length > 0) this.#tap.requestBody(sent);
    this.#tap.requestEnd();
    const signals = AbortSignal.any([signal, this.#stopped.signal]);
    const body = sent.length > 0 ? sent : null;
    try {
      return this.#watched(
        await this.#options.send(
          new Request(url, { method, headers, redirect, body, signal: signals }),
          sent,
        ),
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
    const ending = how !== "stopped" && this.#asked.signal.aborted ? "aborted-by-client" : how;
    this.#tap.responseEnd(ending);
    const failure = ending === "end" ? this.#answer?.failure : FAILURES[ending];
    if (failure && this.#asked.method === "POST") this.#options.onFailed(this.#sent, failure);
    this.#options.onOver();
  }

  #watched({ status, statusText, headers: given, body }: Response): Response {
    const headers = new Headers(given);
    for (const name of UNDONE) headers.delete(name);
    this.#tap.response(status, [...headers].flat());
    if (status >= SERVER_ERRORS) this.#answer = new FailedAnswer(status);
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
            this.#answer?.add(value);
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
