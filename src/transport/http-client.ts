import type { DriveAction, Via } from "../drive/driver-options.ts";
import type { Refusal } from "../drive/move.ts";
import { eachMessage, type IdToken, type Message, readMessage, textOf } from "../protocol/message.ts";
import { mediaType } from "../wire/media-type.ts";
import { delay } from "./delay.ts";
import { type EventStream, readEvents } from "./event-stream.ts";

/** What a client's link tells of the server. */
export interface LinkEvents {
  receive(message: Message, via?: Via): void;
  refused(id: IdToken | undefined, refusal: Refusal): void;
  paired(refusal: Refusal | undefined): void;
  /** Sent with what carries no message. */
  headers?(): Readonly<Record<string, string>>;
  /** The global one where not given. */
  readonly fetch?: typeof fetch;
}

/** Milliseconds to wait for the headers of the standalone stream: some servers send none before its first event. */
const STANDALONE_PATIENCE = 300;
/** Milliseconds to wait until the server took a notification or an answer, before what comes after it is sent. */
const POST_PATIENCE = 5_000;
/** Milliseconds before a stream is taken up again, where the server names no time (`retry`). */
const DEFAULT_RETRY = 1_000;
/** Milliseconds for streams that are closed to be seen closed, before their session is. */
const CLOSING = 20;

const JSON_AND_SSE = "application/json, text/event-stream";
const SSE = "text/event-stream";

/**
 * The client's end of MCP over HTTP: Streamable HTTP of every revision, and the older pair of endpoints. It carries
 * out what a driver wants, in order: what is to be taken note of (a notification, an answer) is taken before the next
 * message goes out, and only requests wait side by side.
 */
export class HttpClient {
  readonly #url: string;
  readonly #events: LinkEvents;
  readonly #given: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch = (...request) => (this.#events.fetch ?? fetch)(...request);
  readonly #over = new AbortController();
  /** Requests without an answer, by id; their streams can be closed one by one. */
  readonly #open = new Map<IdToken, AbortController>();
  #tail: Promise<void> = Promise.resolve();
  #sessionId: string | undefined;
  #version: string | undefined;
  /** Where the HTTP+SSE pair takes messages. */
  #endpoint: string | undefined;

  /** @param given headers that every request has, such as credentials */
  constructor(url: string, events: LinkEvents, given: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#events = events;
    this.#given = given;
  }

  act(action: DriveAction): void {
    // Closing a stream must not wait for what is queued behind a server that hangs.
    if (action.type === "abandon") this.#open.get(action.id)?.abort();
    else this.#tail = this.#tail.then(() => this.#perform(action));
  }

  /** Ends every stream, and the session, where there is one, when nothing lingers any more. */
  async close(lingering?: () => Promise<void>): Promise<void> {
    await Promise.race([this.#tail, delay(POST_PATIENCE)]);
    this.#over.abort();
    await lingering?.();
    if (this.#sessionId === undefined) return;
    await delay(CLOSING);
    const signal = AbortSignal.timeout(POST_PATIENCE);
    const ended = this.#fetch(this.#url, { method: "DELETE", headers: this.#ownHeaders(), signal });
    await ended.then((response) => response.arrayBuffer()).catch(() => {});
  }

  async #perform(action: Exclude<DriveAction, { type: "abandon" }>): Promise<void> {
    if (this.#over.signal.aborted) return;
    if (action.type === "pair") return this.#pair();
    if (action.type === "standalone") {
      if (this.#endpoint === undefined) await Promise.race([this.#standalone(), delay(STANDALONE_PATIENCE)]);
      return;
    }
    const { message, headers } = action;
    if (message.method === "initialize") this.#sessionId = undefined;
    this.#version = headers["mcp-protocol-version"];
    const posted = this.#post(message, headers);
    if (message.kind !== "request") await Promise.race([posted, delay(POST_PATIENCE)]);
  }

  async #post(message: Message, headers: Readonly<Record<string, string>>): Promise<void> {
    const id = message.kind === "request" ? message.id : undefined;
    const own = new AbortController();
    if (id !== undefined) this.#open.set(id, own);
    const signal = AbortSignal.any([this.#over.signal, own.signal]);
    const session = this.#sessionId;
    try {
      const response = await this.#fetch(this.#endpoint ?? this.#url, {
        method: "POST",
        headers: {
          ...this.#given,
          accept: JSON_AND_SSE,
          "content-type": "application/json",
          ...this.#session(),
          ...headers,
        },
        // A copy, for `fetch` takes the buffer away, and a redirect (307, 308) needs the body once more.
        body: new Blob([message.bytes as Uint8Array<ArrayBuffer>]),
        signal,
      });
      if (message.method === "initialize") {
        this.#sessionId = response.headers.get("mcp-session-id") ?? undefined;
      }
      await this.#answer(response, { id, signal, session });
    } catch (error) {
      if (!signal.aborted) this.#refuse(id, { reason: `the connection broke: ${reasonOf(error)}` });
    } finally {
      if (signal.aborted && id !== undefined) this.#open.delete(id);
    }
  }

  async #answer(response: Response, { id, signal, session }: Posted): Promise<void> {
    const { status } = response;
    const type = mediaType(response.headers.get("content-type") ?? undefined);
    if (type === SSE) return this.#follow(response, { id, signal, session });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (status === 404 && session !== undefined) {
      // The session is over, whatever else the body says (2025-03-26 basic/transports).
      if (this.#sessionId === session) this.#sessionId = undefined;
      return this.#refuse(id, { ...refusalOf(response, bytes), sessionLost: true });
    }
    const message = bytes.length > 0 ? readMessage(bytes) : undefined;
    if (message && isAnswer(message, response) && (response.ok || id !== undefined))
      this.#deliver(message, { on: id, status });
    if (id === undefined) {
      if (!response.ok) this.#events.refused(undefined, refusalOf(response, bytes));
    } else if (this.#open.has(id) && !this.#answersElsewhere(response)) {
      this.#refuse(id, refusalOf(response, bytes));
    }
  }

  /** The pair answers a request on its stream. */
  #answersElsewhere(response: Response): boolean {
    return this.#endpoint !== undefined && response.ok;
  }

  /** Reads a request's stream until it is answered, and takes it up again where the server lets go of it before. */
  async #follow(response: Response, { id, signal }: Posted): Promise<void> {
    let stream = await this.#read(response, id);
    while (id !== undefined && this.#open.has(id) && !signal.aborted) {
      if (stream.lastEventId === undefined || !response.ok) {
        return this.#refuse(id, {
          reason: "the response stream ended without an answer",
          status: response.status,
        });
      }
      const resumed = await this.#resume(stream, signal);
      if (!resumed) {
        return this.#refuse(id, { reason: "the response stream ended, and could not be taken up again" });
      }
      stream = { ...stream, ...(await this.#read(resumed, id)) };
    }
  }

  async #resume({ lastEventId, retry }: EventStream, signal: AbortSignal): Promise<Response | undefined> {
    await delay(retry ?? DEFAULT_RETRY);
    if (signal.aborted) return undefined;
    const headers = { accept: SSE, "last-event-id": lastEventId ?? "", ...this.#ownHeaders() };
    const response = await this.#fetch(this.#url, { headers, signal });
    return isStream(response) ? response : discarded(response);
  }

  #read(response: Response, on: IdToken | undefined): Promise<EventStream> {
    return readEvents(response, ({ data, name }) => {
      if (name === undefined || name === "message")
        this.#deliver(readMessage(data), { on, status: response.status });
    });
  }

  #deliver(message: Message, via: Via): void {
    for (const one of eachMessage(message)) {
      if (one.kind !== "response") continue;
      const id = one.id === undefined || one.id === "null" ? via.on : one.id;
      if (id !== undefined) this.#open.delete(id);
    }
    this.#events.receive(message, via);
  }

  #refuse(id: IdToken | undefined, refusal: Refusal): void {
    if (id !== undefined && !this.#open.delete(id)) return;
    this.#events.refused(id, refusal);
  }

  /** Resolves when the server has answered; the stream is then read on the side. */
  async #standalone(): Promise<void> {
    const { signal } = this.#over;
    try {
      const response = await this.#fetch(this.#url, {
        headers: { accept: SSE, ...this.#ownHeaders() },
        signal,
      });
      // 405: the server has no such stream, and need not.
      if (isStream(response)) this.#keepReading(response).catch(() => {});
      else discarded(response);
    } catch {
      // What it would have brought is not missed by any request.
    }
  }

  async #keepReading(first: Response): Promise<void> {
    let stream = await this.#read(first, undefined);
    while (!this.#over.signal.aborted && (stream.lastEventId !== undefined || stream.retry !== undefined)) {
      const resumed = await this.#resume(stream, this.#over.signal);
      if (!resumed) return;
      stream = { ...stream, ...(await this.#read(resumed, undefined)) };
    }
  }

  /** https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse */
  async #pair(): Promise<void> {
    const { signal } = this.#over;
    let told = false;
    const tell = (refusal: Refusal | undefined) => {
      if (!told) this.#events.paired(refusal);
      told = true;
    };
    try {
      const response = await this.#fetch(this.#url, {
        headers: { accept: SSE, ...this.#ownHeaders() },
        signal,
      });
      if (!isStream(response)) return tell({ reason: `HTTP ${response.status}` });
      const reading = readEvents(response, ({ name, data }) => {
        if (name !== "endpoint") return this.#deliver(readMessage(data), {});
        this.#endpoint = new URL(textOf(data), this.#url).href;
        tell(undefined);
      });
      reading.then(
        () => this.#pairOver(tell),
        () => this.#pairOver(tell),
      );
    } catch (error) {
      tell({ reason: reasonOf(error) });
    }
  }

  #pairOver(tell: (refusal: Refusal) => void): void {
    tell({ reason: "the stream ended without an endpoint" });
    for (const id of [...this.#open.keys()]) this.#refuse(id, { reason: "the server's stream ended" });
  }

  #session(): Record<string, string> {
    return this.#sessionId === undefined ? {} : { "mcp-session-id": this.#sessionId };
  }

  /** Of what carries no message. */
  #ownHeaders(): Record<string, string> {
    return {
      ...this.#given,
      ...this.#events.headers?.(),
      ...this.#session(),
      ...(this.#version === undefined ? {} : { "mcp-protocol-version": this.#version }),
    };
  }
}

interface Posted {
  /** Of a request. */
  readonly id: IdToken | undefined;
  readonly signal: AbortSignal;
  /** The session it was sent in. */
  readonly session: string | undefined;
}

/** Gateways have JSON errors of their own. */
function isAnswer({ kind, scan }: Message, { ok }: Response): boolean {
  return kind !== "malformed" && (ok || scan.members.jsonrpc !== undefined);
}

function isStream(response: Response): boolean {
  return response.ok && mediaType(response.headers.get("content-type") ?? undefined) === SSE;
}

function discarded(response: Response): undefined {
  response.body?.cancel().catch(() => {});
}

function refusalOf({ status, statusText }: Response, bytes: Uint8Array): Refusal {
  const [text] = textOf(bytes.subarray(0, 200))
    .trim()
    .split(/[\r\n]/, 1);
  return { status, reason: `HTTP ${status}${statusText && ` ${statusText}`}${text && `: ${text}`}` };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
