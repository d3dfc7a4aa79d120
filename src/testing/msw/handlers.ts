import { bypass, type HttpHandler, http } from "msw";
import { VcrError } from "../../errors.ts";
import { BrokenConnection } from "../../transport/open-body.ts";
import { mediaType } from "../../wire/media-type.ts";
import { called } from "../expect/wanted.ts";

/** What answers in the place of a server: a tape. */
export interface Standing {
  /** Paths it answers at, the MCP endpoint's first. */
  readonly paths: readonly string[];
  readonly fetch: (request: Request) => Promise<Response>;
  /** @internal What answers in its place while there is nothing to play, and goes to the real server by `send`. */
  passing?(send: (request: Request) => Promise<Response>): Passing | undefined;
}

interface Passing {
  /** The MCP endpoint of the real server. */
  readonly server: URL;
  fetch(request: Request): Promise<Response | undefined>;
}

/**
 * Handlers for msw by which a tape stands at the URL of a remote MCP server. All other requests, also of the same
 * origin (OAuth, say), go on to the handlers behind these. Where the tape has yet to be recorded from that server,
 * requests pass to it, by `bypass`.
 *
 * ```ts
 * const url = "https://weather.example/mcp";
 * const tape = await useCassette("weather", { server: url });
 * server.use(...mcpHandlers(url, tape));
 * ```
 *
 * @throws VcrError `usage` for what is no URL of a server, or no tape, or not that of the server that the tape is recorded from
 */
export function mcpHandlers(url: string | URL, tape: Standing): HttpHandler[] {
  const server = serverAt(url);
  mustStand(tape);
  const passing = tape.passing?.(sendPast);
  if (passing) requireSame(server, passing.server);
  const origin = new RegExp(`^${server.origin.replaceAll(/[.[\]]/g, "\\$&")}/`);
  return [
    http.all(origin, async ({ request }) => {
      const response = await (passing ? passing.fetch(request) : standIn(request, server, tape));
      return response && headFirst(response);
    }),
  ];
}

/**
 * @note Under msw 3.0.5 a quiet event stream of the real server broke off after five seconds, its idle time for
 * connections, unless each request has a connection of its own.
 */
function sendPast(request: Request): Promise<Response> {
  const past = bypass(request);
  past.headers.set("connection", "close");
  return fetch(past);
}

function requireSame(server: URL, recorded: URL): void {
  if (server.href === recorded.href) return;
  throw new VcrError("usage", `the tape is recorded from ${recorded}, and the handlers stand at ${server}`, {
    hint: "Give mcpHandlers the URL that useCassette has as its server.",
  });
}

/**
 * @note msw 3 sends the head of a response along with the first bytes of its body, and a client waits for that of an
 * event stream. No bytes are enough.
 */
function headFirst(response: Response): Response {
  const { body, status, statusText, headers } = response;
  if (!body || mediaType(headers.get("content-type") ?? undefined) !== "text/event-stream") return response;
  const begun = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array()),
  });
  return new Response(body.pipeThrough(begun), { status, statusText, headers });
}

/** @throws VcrError `usage` for what is no tape */
function mustStand(tape: unknown): asserts tape is Standing {
  const { paths, fetch }: Partial<Standing> = typeof tape === "object" && tape !== null ? tape : {};
  if (Array.isArray(paths) && typeof fetch === "function") return;
  throw new VcrError("usage", `mcpHandlers takes a tape, not ${called(tape)}`, {
    hint: "Give it what useCassette, useScenario or mockServer opened, awaited.",
  });
}

/** @throws VcrError `usage` */
function serverAt(url: string | URL): URL {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new VcrError("usage", `${JSON.stringify(text)} is no URL that an MCP server could have`, {
    hint: 'Give the whole URL that the client is given: "https://weather.example/mcp".',
  });
}

/** Whether a request is for the server's URL, whatever other parameters it has. */
function isFor(asked: URL, server: URL): boolean {
  if (asked.origin !== server.origin || asked.pathname !== server.pathname) return false;
  return [...server.searchParams].every(([name, value]) => asked.searchParams.getAll(name).includes(value));
}

/** Where the tape answers what is asked here. The endpoint's path is the user's to choose, the others are the tape's. */
function pathFor(asked: URL, server: URL, [endpoint, ...others]: Standing["paths"]): string | undefined {
  if (isFor(asked, server)) return endpoint;
  return others.find((path) => path === asked.pathname);
}

/** Names of the client's and the server's machines, which a tape takes for a stranger's. */
const FOREIGN = ["host", "origin"];

/** Undefined for a request that is not for the server. */
async function standIn(request: Request, server: URL, tape: Standing): Promise<Response | undefined> {
  const { method, headers, signal } = request;
  const url = new URL(request.url);
  const path = pathFor(url, server, tape.paths);
  if (path === undefined) return undefined;
  url.pathname = path;
  const kept = [...headers].filter(([name]) => !FOREIGN.includes(name));
  const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
  try {
    return await tape.fetch(new Request(url, { method, headers: kept, signal, body }));
  } catch (error) {
    if (error instanceof BrokenConnection || signal.aborted) return Response.error();
    throw error;
  }
}
