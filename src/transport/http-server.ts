import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { VcrError } from "../errors.ts";
import { BrokenConnection, OpenBody } from "./open-body.ts";

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

/** A mock that answers fetch requests; see `HttpDoors`. */
export interface Door {
  /** Path of the MCP endpoint. */
  readonly path: string;
  fetch(request: Request, from: { readonly connection: object }): Promise<Response>;
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
  open: (authority: string) => Door,
): Promise<RunningServer> {
  let door: Door | undefined;
  const server = createServer(
    getRequestListener((request, env) => {
      const { socket } = (env as HttpBindings).incoming;
      return answered((door as Door).fetch(request, { connection: socket }), socket);
    }),
  );
  // A mock waits as long as its client does: streams live on, and idle connections are the client's to close.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  await listening(server, listen);
  const { port } = server.address() as AddressInfo;
  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  const running = open(`${host}:${port}`);
  door = running;
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

/** Where the mock has the connection break, before the response or in the middle of it, it does. */
async function answered(answer: Promise<Response>, socket: Socket): Promise<Response> {
  try {
    const response = await answer;
    OpenBody.carry(response, () => socket.destroy());
    return response;
  } catch (error) {
    if (!(error instanceof BrokenConnection)) throw error;
    socket.destroy();
    return new Response(null, { headers: NOTHING_SENT });
  }
}

/** Has @hono/node-server send nothing. */
const NOTHING_SENT = { "x-hono-already-sent": "true" };

function listening(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new VcrError("usage", `cannot listen at ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}
