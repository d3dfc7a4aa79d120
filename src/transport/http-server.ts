import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { VcrError } from "../errors.ts";
import type { Headers } from "../wire/kept-headers.ts";
import type { Asked, Door } from "./door.ts";
import { send } from "./http-server-answer.ts";
import { type Target, Targets } from "./http-target.ts";
import { type Answer, BrokenConnection } from "./open-body.ts";

export interface RunningServer {
  /** The MCP endpoint. */
  readonly url: string;
  /** Resolves when no connection is left. */
  close(): Promise<void>;
  /** Breaks the connections there are. */
  disconnect(): void;
  /** The process may end although this listens. */
  unref(): void;
}

/** A door that can be listened at. */
export interface ListeningDoor extends Door {
  /** Path of the MCP endpoint. */
  readonly path: string;
  disconnected(connection: object): void;
  close(): void;
}

/** How long streams may take to end when the mock does. */
const GRACE_MS = 100;

/**
 * Opens a door to HTTP clients.
 * @param open is told `host:port` as clients name it
 * @throws VcrError `usage` when the address cannot be listened at
 */
export async function startHttpServer(
  listen: { readonly host: string; readonly port: number },
  open: (authority: string) => ListeningDoor,
): Promise<RunningServer> {
  const server = createServer();
  // A mock waits as long as its client does: streams live on, and idle connections are the client's to close.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  await listening(server, listen);
  const { port } = server.address() as AddressInfo;
  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  const running = open(`${host}:${port}`);
  const targets = new Targets();
  server.on("request", (incoming, outgoing) => {
    const target = targets.of(incoming);
    if (target) take(running, { incoming, outgoing, target });
    else outgoing.writeHead(400).end();
  });
  server.on("connection", (socket) => socket.once("close", () => running.disconnected(socket)));
  return {
    url: `http://${host}:${port}${running.path}`,
    close: () =>
      new Promise((resolve) => {
        running.close();
        // What ends gracefully says so to its client.
        const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
      }),
    disconnect: () => server.closeAllConnections(),
    unref: () => server.unref(),
  };
}

/** Takes a request, and what it carries if it is a POST, to the door. */
function take(door: Door, taken: Taken): void {
  const { incoming } = taken;
  if (incoming.method !== "POST") return answer(door, taken, NOTHING);
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const [first = NOTHING] = chunks;
    answer(door, taken, chunks.length > 1 ? Buffer.concat(chunks) : first);
  });
}

const NOTHING = new Uint8Array();

interface Taken {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly target: Target;
}

function answer(door: Door, { incoming, outgoing, target }: Taken, body: Uint8Array): void {
  const asked: Asked = {
    method: incoming.method as string,
    ...target,
    headers: headersOf(incoming.rawHeaders),
    body,
    connection: incoming.socket,
    whenGone: (leave) => {
      outgoing.once("close", leave);
      return () => outgoing.off("close", leave);
    },
  };
  try {
    const answered: Answer | Promise<Answer> = door.answer(asked);
    if (!(answered instanceof Promise)) send(outgoing, answered);
    else answered.then((each) => send(outgoing, each)).catch((error) => fail(outgoing, error));
  } catch (error) {
    fail(outgoing, error);
  }
}

/** Where the mock has the connection break before the response, it does. */
function fail(outgoing: ServerResponse, error: unknown): void {
  if (error instanceof BrokenConnection || outgoing.headersSent) outgoing.req.socket.destroy();
  else outgoing.writeHead(500).end();
}

/** Lower-case names; a header that comes more than once is one, as `fetch` has it. */
function headersOf(raw: readonly string[]): Headers {
  const headers: Record<string, string> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    const before = headers[name];
    const value = raw[i + 1] as string;
    headers[name] = before === undefined ? value : `${before}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return headers;
}

function listening(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new VcrError("usage", `cannot listen at ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}
