import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { VcrError } from "../errors.ts";
import { Passage, type Road } from "./http-proxy-passage.ts";
import type { Tap } from "./http-proxy-tap.ts";
import { type Address, authorityOf, Origins } from "./origin.ts";

export interface ProxyOptions {
  /** The server's MCP endpoint; the proxy stands for its whole origin, path for path. */
  readonly upstream: URL;
  /** Port 0 takes any free one. */
  readonly listen: Address;
  readonly tap: Tap;
}

export interface HttpProxy {
  /** The upstream URL with the proxy's origin in place of the server's. */
  readonly url: string;
  /** Breaks off what is under way, stops listening, and resolves when every socket is closed. */
  close(): Promise<void>;
}

/** Header blocks pass up to this many bytes; Node's own 16 KiB would refuse what a server may accept. */
const MOST_HEADER_BYTES = 1 << 20;

/**
 * Starts a reverse proxy that neither side can tell from a direct connection: header lines, bodies and streams pass
 * as they come, each request is sent once, and connections break where and when their other half breaks.
 * @throws VcrError `usage` when the address cannot be listened on, or is the server's own.
 */
export async function startProxy({ upstream, listen, tap }: ProxyOptions): Promise<HttpProxy> {
  refuseOwn(upstream, listen);
  const server = http.createServer({
    noDelay: true,
    requireHostHeader: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
  });
  server.maxHeadersCount = 0;
  const port = await listening(server, listen);
  const origins = new Origins(upstream, { host: listen.host, port });
  const { agent, send, reached } = connectTo(upstream);
  const live = new Set<Passage>();
  const road: Road = { origins, tap, send, reached, live };
  const pass = (incoming: http.IncomingMessage, outgoing: http.ServerResponse): void => {
    new Passage(road, incoming, outgoing);
  };
  server.on("request", pass);
  server.on("checkContinue", pass);
  server.on("checkExpectation", pass);
  return {
    url: `http://${origins.authority}${upstream.pathname}${upstream.search}`,
    close: () => close(server, agent, live),
  };
}

/** What asks itself would go round in circles. */
function refuseOwn(upstream: URL, listen: Address): void {
  if (upstream.protocol !== "http:" || !new Origins(upstream, listen).owns(upstream.host)) return;
  const where = authorityOf(listen);
  throw new VcrError(
    "usage",
    `--listen ${where} is where --url ${upstream.href} leads: it would record itself`,
    {
      hint: "Let --url name the real server, and --listen another address; port 0 takes any free one.",
    },
  );
}

async function listening(server: http.Server, address: Address): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const where = authorityOf(address);
      const hint = "Name another address with --listen HOST:PORT; port 0 takes any free one.";
      reject(new VcrError("usage", `Cannot listen on ${where}: ${error.message}`, { hint, cause: error }));
    });
    server.listen(address.port, address.host, resolve);
  });
  server.removeAllListeners("error");
  return (server.address() as AddressInfo).port;
}

async function close(server: http.Server, agent: http.Agent, live: ReadonlySet<Passage>): Promise<void> {
  for (const passage of live) passage.stop();
  agent.destroy();
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

interface Connection extends Pick<Road, "send" | "reached"> {
  readonly agent: http.Agent;
}

function connectTo(upstream: URL): Connection {
  const secure = upstream.protocol === "https:";
  const stood = new WeakSet<object>();
  const agent = secure ? new https.Agent(KEEP_ALIVE) : new http.Agent(KEEP_ALIVE);
  hook(agent, (socket) => socket.once(secure ? "secureConnect" : "connect", () => stood.add(socket)));
  const request = secure ? https.request : http.request;
  const host = upstream.hostname.replace(/^\[|\]$/g, "");
  const port = upstream.port || (secure ? 443 : 80);
  return {
    agent,
    send: (options) => {
      // Member by member, since Node copies it several times: what is spread takes much longer to copy.
      const { method, path, headers } = options;
      const sent = request({
        agent,
        host,
        port,
        maxHeaderSize: MOST_HEADER_BYTES,
        setHost: false,
        method,
        path,
        headers,
      });
      sent.maxHeadersCount = 0;
      return sent;
    },
    reached: ({ socket }) => socket !== null && stood.has(socket),
  };
}

const KEEP_ALIVE: http.AgentOptions = {
  keepAlive: true,
  noDelay: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: 1024,
  scheduling: "lifo",
  // @note Cuts nothing off: only idle connections are closed, after so many milliseconds or the server's own
  // `Keep-Alive: timeout`, whichever is less. Most servers wait five seconds or more, so no request is sent on one that
  // the server is just closing.
  timeout: 4_000,
};

/** Shows each new connection to `onSocket`. */
function hook(agent: http.Agent, onSocket: (socket: Duplex) => void): void {
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = createConnection(...given);
    if (socket) onSocket(socket);
    return socket;
  };
}
