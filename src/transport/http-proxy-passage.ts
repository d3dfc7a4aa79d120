import type { ClientRequest, IncomingMessage, RequestOptions, ServerResponse } from "node:http";
import { EndpointRewriter } from "./http-proxy-endpoint.ts";
import { forwardHeaders, headerValue } from "./http-proxy-headers.ts";
import type { Ending, Tap, TapRequest } from "./http-proxy-tap.ts";
import type { Origins } from "./origin.ts";

/** What all requests of one proxy share. */
export interface Road {
  readonly origins: Origins;
  readonly tap: Tap;
  /** Begins a request to the server; only what differs from request to request is given. */
  readonly send: (options: RequestOptions) => ClientRequest;
  /** Whether this request's connection to the server ever stood. */
  readonly reached: (request: ClientRequest) => boolean;
  readonly live: Set<Passage>;
}

const NOTHING = Buffer.alloc(0);

/** Methods that Node sends without a body unless told its length. */
const BODILESS = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

/**
 * One request on its way to the server and its answer on the way back. It is sent once, never again: what the
 * server's connection does is what the client's connection does. Bytes go on before the tap sees them, and a slow
 * side slows the other.
 */
export class Passage {
  readonly #road: Road;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #request: ClientRequest;
  readonly #tap: TapRequest | undefined;
  /** The authority the client knows the proxy by. */
  readonly #authority: string;
  #reply: IncomingMessage | undefined;
  #wrote = false;
  #announced = false;
  #rewriter: EndpointRewriter | undefined;
  #over = false;

  constructor(road: Road, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#road = road;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    const host = incoming.headers.host;
    this.#authority = host !== undefined && road.origins.owns(host) ? host : road.origins.authority;
    const path = road.origins.pathForServer(incoming.url as string);
    const method = incoming.method as string;
    const headers = this.#requestHeaders();
    this.#request = road.send({ method, path, headers });
    this.#tap = road.tap.request({ method, path, headers, connection: incoming.socket });
    road.live.add(this);
    this.#joinRequest();
    this.#request.on("response", (reply) => this.#joinReply(reply));
    this.#request.on("error", (error) => this.#onServerError(error));
    outgoing.on("close", () => this.#onClientGone());
    outgoing.on("error", () => this.#onClientGone());
  }

  /** The proxy closes: nobody is to blame. */
  stop(): void {
    this.#finish("stopped");
    this.#request.destroy();
  }

  #requestHeaders(): string[] {
    const { origins } = this.#road;
    const { rawHeaders, headers, method } = this.#incoming;
    const forwarded = forwardHeaders(rawHeaders, (name, value) => {
      if (name === "host") return origins.hostForServer(value);
      return name === "origin" ? origins.originForServer(value) : value;
    });
    const framed = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (!framed && !BODILESS.has(method as string)) forwarded.push("Content-Length", "0");
    return forwarded;
  }

  #joinRequest(): void {
    const incoming = this.#incoming;
    const request = this.#request;
    incoming.on("data", (chunk: Buffer) => {
      if (request.destroyed) return;
      if (!request.write(chunk)) holdBack(incoming, request);
      this.#tap?.requestBody(chunk);
    });
    incoming.on("end", () => {
      if (request.destroyed) return;
      request.end();
      this.#tap?.requestEnd();
    });
    if (incoming.headers.expect !== undefined) request.on("continue", () => this.#outgoing.writeContinue());
  }

  #joinReply(reply: IncomingMessage): void {
    if (this.#over) return;
    this.#reply = reply;
    const outgoing = this.#outgoing;
    outgoing.sendDate = false;
    outgoing.writeHead(reply.statusCode as number, reply.statusMessage, this.#replyHeaders(reply));
    if (carriesEndpoint(this.#incoming, reply)) {
      this.#rewriter = new EndpointRewriter((url) => this.#road.origins.forClient(url, this.#authority));
    }
    reply.on("data", (chunk: Buffer) => this.#onReplyData(reply, chunk));
    reply.on("end", () => this.#onReplyEnd(reply));
    reply.on("error", () => this.#onBroken());
    reply.on("close", () => this.#onBroken());
    // @note A tick later, so that a body which came along with its head leaves along with it.
    process.nextTick(() => this.#announce(reply));
  }

  #replyHeaders(reply: IncomingMessage): string[] {
    const old = this.#incoming.httpVersionMinor === 0;
    const headers = forwardHeaders(reply.rawHeaders, (name, value) =>
      name === "location" ? this.#road.origins.forClient(value, this.#authority) : value,
    );
    if (!old) return headers;
    // HTTP/1.0 knows no chunks: its bodies end with the connection.
    return headers.filter((_, i) => headers[i - (i % 2)]?.toLowerCase() !== "transfer-encoding");
  }

  /** Sends the head on if no body has taken it along, then shows it to the tap; once. */
  #announce(reply: IncomingMessage): void {
    if (this.#announced || this.#over) return;
    this.#announced = true;
    // @note Node's flushHeaders would send header bytes past ASCII as UTF-8; an empty write sends them as they are.
    if (!this.#wrote) this.#outgoing.write(NOTHING);
    this.#tap?.response(reply.statusCode as number, reply.rawHeaders);
  }

  #onReplyData(reply: IncomingMessage, chunk: Buffer): void {
    if (this.#over) return;
    const bytes = this.#rewriter ? this.#rewriter.push(chunk) : chunk;
    // Nothing comes after this chunk: what frames the body's end can leave in the same write.
    if (reply.complete && reply.readableLength === 0 && !this.#rewriter) this.#end(bytes);
    else if (bytes.length > 0) this.#write(reply, bytes);
    this.#announce(reply);
    this.#tap?.responseBody(chunk);
  }

  #write(reply: IncomingMessage, bytes: Buffer): void {
    this.#wrote = true;
    if (!this.#outgoing.write(bytes)) holdBack(reply, this.#outgoing);
  }

  #onReplyEnd(reply: IncomingMessage): void {
    if (this.#over || !reply.complete) return;
    if (!this.#outgoing.writableEnded) this.#end(this.#rewriter?.end() ?? NOTHING);
    this.#announce(reply);
    this.#finish("end");
  }

  #end(last: Buffer): void {
    this.#wrote = true;
    this.#outgoing.end(last);
  }

  /** The answer will never be whole: the client must see it break off, not end. */
  #onBroken(): void {
    if (this.#over || !this.#reply) return;
    const held = this.#rewriter?.end();
    if (held && held.length > 0) this.#outgoing.write(held);
    this.#announce(this.#reply);
    this.#breakClient();
  }

  #breakClient(): void {
    this.#finish("reset-by-server");
    this.#incoming.socket.destroySoon();
  }

  #onServerError(error: NodeJS.ErrnoException): void {
    if (this.#over) return;
    const hungUp = error.code === "ECONNRESET" || error.code === "EPIPE";
    if (this.#reply) this.#onBroken();
    // A connection that stood and broke is what the client would have seen itself.
    else if (hungUp && this.#road.reached(this.#request)) this.#breakClient();
    else this.#answerBadGateway(error);
  }

  #answerBadGateway(error: NodeJS.ErrnoException): void {
    this.#finish("failed");
    const cause = describe(error);
    const message = `mcp-vcr got no answer from ${this.#road.origins.server.origin}: ${cause}`;
    const body = JSON.stringify({ error: "bad gateway", message, code: error.code });
    this.#outgoing.writeHead(502, { "Content-Type": "application/json" });
    this.#outgoing.end(body);
    this.#incoming.resume();
  }

  #onClientGone(): void {
    if (this.#over) return;
    this.#finish("aborted-by-client");
    this.#request.destroy();
  }

  #finish(how: Ending): void {
    if (this.#over) return;
    this.#over = true;
    this.#road.live.delete(this);
    this.#tap?.responseEnd(how);
  }
}

interface Source {
  pause(): unknown;
  resume(): unknown;
}

interface Sink {
  once(event: "drain" | "close", listener: () => void): unknown;
  off(event: "drain" | "close", listener: () => void): unknown;
}

/** Stops reading until what was read has gone out, or never can. */
function holdBack(source: Source, sink: Sink): void {
  source.pause();
  const resume = (): void => {
    sink.off("drain", resume);
    sink.off("close", resume);
    source.resume();
  };
  sink.once("drain", resume);
  sink.once("close", resume);
}

/** An event stream that could be the HTTP+SSE pair's: its first event then names the URL to post to. */
function carriesEndpoint(incoming: IncomingMessage, reply: IncomingMessage): boolean {
  return (
    incoming.method === "GET" &&
    headerValue(reply.rawHeaders, "content-type")?.toLowerCase().startsWith("text/event-stream") === true &&
    reply.headers["content-encoding"] === undefined &&
    reply.headers["content-length"] === undefined
  );
}

function describe(error: NodeJS.ErrnoException): string {
  if (error instanceof AggregateError) return error.errors.map((each) => String(each.message)).join(", ");
  return error.message;
}
