import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type HttpProxy, startProxy } from "../../../src/transport/http-proxy.ts";
import type { Ending, RequestFacts, Tap } from "../../../src/transport/http-proxy-tap.ts";

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestServer {
  readonly url: URL;
  readonly server: Server;
  /** Requests seen, in order. */
  readonly requests: IncomingMessage[];
}

const MOST_HEADER_BYTES = 1 << 20;

/** A server on a free port, gone when the test is over. */
export async function serve(listener: Listener): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer({ maxHeaderSize: MOST_HEADER_BYTES }, (incoming, outgoing) => {
    requests.push(incoming);
    listener(incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), server, requests };
}

/** What a tap was told of one request. */
export interface Told {
  readonly facts: RequestFacts;
  sent: string;
  requestEnded: boolean;
  status: number | undefined;
  headers: readonly string[];
  got: string;
  ended: Ending[];
}

export interface TestProxy extends HttpProxy {
  readonly port: number;
  readonly told: Told[];
}

/** A proxy before the server, gone when the test is over. */
export async function proxyTo(upstream: URL, host = "127.0.0.1"): Promise<TestProxy> {
  const told: Told[] = [];
  const proxy = await startProxy({ upstream, listen: { host, port: 0 }, tap: tapInto(told) });
  onTestFinished(() => proxy.close());
  return { ...proxy, port: Number(new URL(proxy.url).port), told };
}

function tapInto(all: Told[]): Tap {
  return {
    request(facts) {
      const base = { sent: "", requestEnded: false, status: undefined, headers: [], got: "", ended: [] };
      const told: Told = { facts, ...base };
      all.push(told);
      return {
        requestBody: (chunk) => {
          told.sent += Buffer.from(chunk).toString("latin1");
        },
        requestEnd: () => {
          told.requestEnded = true;
        },
        response: (status, headers) => Object.assign(told, { status, headers }),
        responseBody: (chunk) => {
          told.got += Buffer.from(chunk).toString("latin1");
        },
        responseEnd: (how) => told.ended.push(how),
      };
    },
  };
}

export interface Got {
  readonly status: number;
  readonly statusMessage: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** One request on a connection of its own. Rejects when the answer is cut off. */
export function ask(url: string | URL, { method = "GET", headers = {}, body }: Ask = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false as const, maxHeaderSize: MOST_HEADER_BYTES };
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, statusMessage = "", headers, rawHeaders } = response;
        resolve({ status: statusCode, statusMessage, headers, rawHeaders, body: Buffer.concat(chunks) });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Sends bytes as they are and collects what comes back until the other side closes. */
export async function talk(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  for (const part of parts) socket.write(part, "latin1");
  await once(socket, "close");
  return heard;
}

/** An open connection that closes when the test is over. */
export function dial(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

/** Resolves when the condition holds; the test's own timeout is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
