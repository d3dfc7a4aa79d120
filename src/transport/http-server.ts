import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { VcrError } from "../errors.ts";
import type { Player } from "../replay/player.ts";
import { HttpDoor } from "./http-door.ts";
import { SseDoor } from "./sse-door.ts";

export interface RunningDoor {
  /** The MCP endpoint. */
  readonly url: string;
  close(): Promise<void>;
}

/** A mock that answers fetch requests; see `HttpDoor`. */
interface Door {
  fetch(request: Request, from: { readonly connection: object }): Promise<Response>;
  disconnected(connection: object): void;
  close(): void;
}

/** Where a cassette answers that was not recorded over HTTP. */
const DEFAULT_PATH = "/mcp";

/**
 * Serves a player over HTTP, at the path it was recorded at.
 * @throws VcrError `usage` when the address cannot be listened at
 */
export async function startHttpDoor(
  player: Player,
  listen: { readonly host: string; readonly port: number },
): Promise<RunningDoor> {
  const path = player.recording.path?.split("?")[0] ?? DEFAULT_PATH;
  let door: Door | undefined;
  const server = createServer(
    getRequestListener((request, env) => {
      const { socket } = (env as HttpBindings).incoming;
      return (door as Door).fetch(request, { connection: socket });
    }),
  );
  // A mock waits as long as its client does: streams live on, and idle connections are the client's to close.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  await listening(server, listen);
  const { port } = server.address() as AddressInfo;
  const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  const newSessionId = randomUUID;
  const options = { path, ownHosts: [`${host}:${port}`], newSessionId };
  const running = player.recording.isPair ? new SseDoor(player, options) : new HttpDoor(player, options);
  door = running;
  server.on("connection", (socket) => socket.once("close", () => running.disconnected(socket)));
  return {
    url: `http://${host}:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        running.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new VcrError("usage", `cannot listen at ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}
