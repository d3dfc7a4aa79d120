import { type JsonValue, type Message, readMessage } from "../protocol/message.ts";
import { type Era, eraOf, eraOfRequest } from "../protocol/revisions.ts";
import { paramsOf } from "../replay/key.ts";
import type { Player } from "../replay/player.ts";
import type { Visitors } from "../replay/visitor.ts";
import { type Irregularity, irregularities, type RequestFacts } from "../wire/irregularity.ts";
import { Callers } from "./http-callers.ts";
import { Guests } from "./http-guests.ts";
import { methodNotAllowed, refusal, refuse, text } from "./http-refusals.ts";
import { HttpSession, HttpSessions } from "./http-session.ts";
import type { AnswerStyle, PostAnswer } from "./http-streams.ts";
import { statusOfError } from "./modern-status.ts";
import { BrokenConnection } from "./open-body.ts";
import { tellFlaw, tellRefused } from "./tell-refused.ts";
import { Timers } from "./timer.ts";

export interface HttpDoorOptions {
  /** Path of the MCP endpoint. */
  readonly path: string;
  /** `host:port` values that name this door, besides loopback names. */
  readonly ownHosts: readonly string[];
  /** Fresh, unguessable. */
  readonly newSessionId: () => string;
  /** `recorded` where not given. */
  readonly answers?: AnswerStyle | undefined;
  /** The whole server died, with this exit code. */
  readonly onServerDied?: ((exit: number) => void) | undefined;
}

/** What a fetch `Request` does not tell. */
export interface Connection {
  /** Equal for requests that came over one TCP connection. */
  readonly connection?: object | undefined;
}

/**
 * The mock as an MCP endpoint over HTTP, `(Request) => Promise<Response>`: Streamable HTTP of the legacy revisions, and
 * the POST-only transport of the modern era. Routing, sessions and header rules are here; answers are the player's.
 */
export class HttpDoor {
  readonly #player: Player;
  readonly #options: HttpDoorOptions;
  readonly #sessions = new HttpSessions();
  readonly #callers: Callers;
  readonly #guests: Guests;
  readonly #timers = new Timers();
  /** The recorded server gave legacy clients no session ids, so neither does its stand-in. */
  readonly #sessionless: boolean;
  readonly #modern: boolean;

  constructor(player: Player, options: HttpDoorOptions) {
    this.#player = player;
    this.#options = options;
    this.#modern = player.recording.era === "modern";
    this.#sessionless = !this.#modern && player.recording.sessionless;
    this.#callers = new Callers(() => this.#newSession());
    this.#guests = new Guests(() => player.welcome());
  }

  async fetch(request: Request, { connection }: Connection = {}): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!this.#answersAt(pathname)) return this.#notHere(request, pathname);
    switch (request.method) {
      case "POST":
        return this.#post(request, connection);
      case "GET":
        return this.#get(request);
      case "DELETE":
        return this.#delete(request);
      default:
        return methodNotAllowed();
    }
  }

  /** Paths of the HTTP+SSE pair are another door's. */
  #answersAt(pathname: string): boolean {
    const { paths, isPair } = this.#player.recording;
    return pathname === this.#options.path || (!isPair && paths.has(pathname));
  }

  disconnected(connection: object): void {
    this.#callers.disconnected(connection);
    this.#guests.disconnected(connection);
  }

  close(): void {
    this.#player.end();
    this.#timers.close();
    for (const session of this.#sessions.values()) session.close();
  }

  /** Clients look for a server's metadata in many places, which is no mistake; a POST elsewhere most likely is one. */
  async #notHere(request: Request, pathname: string): Promise<Response> {
    if (request.method === "POST") {
      const where = this.#options.path;
      this.#player.options.onNotice?.(
        `A client asks at ${pathname}, but the cassette answers at ${where}: 404.`,
      );
      const message = readMessage(new Uint8Array(await request.arrayBuffer()));
      // Text that is no message is for another endpoint: a registration, a token.
      const how = `HTTP 404: it was sent to ${pathname}, and the server answers at ${where}`;
      if (message.kind !== "malformed") tellRefused(this.#player, message, how);
    }
    return text(404, "Not Found");
  }

  async #post(request: Request, connection: object | undefined): Promise<Response> {
    const message = readMessage(new Uint8Array(await request.arrayBuffer()));
    const facts = this.#facts(request, message);
    const flaws = irregularities(facts);
    const params = facts.message?.params;
    const seen = { params, connection, era: facts.era, flawed: flaws.length > 0 };
    const found = this.#sessionOf(request, message, seen);
    if (found instanceof Response) return found;
    const authorization = this.#authorization(request);
    const answer = found.session.post(message, {
      flaws,
      path: this.#player.recording.pathApart(new URL(request.url).pathname),
      ...(authorization === undefined ? {} : { authorization }),
      headers: facts.headers,
    });
    if (!answer) {
      const name = flaws[0] as Irregularity;
      tellFlaw(this.#player, message, { name, facts });
      return refuse(name, facts, message);
    }
    if (answer.held) await answer.begins(request.signal);
    if (answer.brokenOff) throw new BrokenConnection();
    return this.#respond(answer, message, { session: found, era: facts.era });
  }

  /** As a recording holds it: redacted. */
  #authorization(request: Request): string | undefined {
    const value = request.headers.get("authorization") ?? undefined;
    return value && (this.#player.options.redact?.header("authorization", value) ?? value);
  }

  #respond(answer: PostAnswer, message: Message, { session, era }: Answering): Response {
    const headers = session.id === undefined ? {} : { "mcp-session-id": session.id };
    const asks = message.kind !== "notification" && message.kind !== "response";
    if (!asks && answer.silent) return new Response(null, { status: 202 });
    return answer.respond(headers, {
      style: this.#options.answers ?? "recorded",
      status: (bytes) =>
        era === "modern" ? statusOfError(bytes, message) : message.kind === "malformed" ? 400 : 200,
    });
  }

  #facts(request: Request, message: Message): RequestFacts {
    const headers = Object.fromEntries(request.headers);
    const { kind, method } = message;
    const params = method === undefined ? undefined : paramsOf(message);
    const versionHeader = headers["mcp-protocol-version"];
    return {
      httpMethod: request.method,
      headers,
      message: { kind, method, params },
      era: this.#modern || method !== undefined ? eraOfRequest({ method, params, versionHeader }) : "legacy",
      ownHosts: this.#options.ownHosts,
      inputSchema: this.#player.inputSchemaFor(method, params),
    };
  }

  /** The client a POST belongs to, or the refusal of a session id that is missing or over. */
  #sessionOf(request: Request, message: Message, seen: SeenPost): Found | Response {
    const isModern = seen.era === "modern";
    const id = isModern ? null : request.headers.get("mcp-session-id");
    if (this.#sessionless || seen.flawed || isModern) {
      const session = id === null ? undefined : this.#sessions.get(id);
      return { session: session ?? this.#unnamed(message, seen) };
    }
    if (message.method === "initialize") {
      const session = this.#newSession();
      const fresh = this.#options.newSessionId();
      this.#sessions.set(fresh, session);
      return { session, id: fresh };
    }
    if (id === null) {
      // Text that is no message has no session to name, and a probe comes before there is one.
      const isBefore = message.kind === "malformed" || message.method === "server/discover";
      if (isBefore) return { session: this.#unnamed(message, seen) };
      tellRefused(this.#player, message, `HTTP 400: ${NO_SESSION}`);
      return refusal(400, -32000, NO_SESSION);
    }
    const session = this.#sessions.get(id);
    return session ? { session } : refusal(404, -32001, "Session not found");
  }

  /** Whom a request is from that names no session. In the modern era each is by itself, and the client may be in doubt. */
  #unnamed(message: Message, { params, connection, era }: SeenPost): HttpSession {
    if (era === "legacy") return this.#callers.of(message, connection);
    return this.#newSession(this.#guests.of(message, params, connection));
  }

  #get(request: Request): Response {
    const isClosed = this.#player.recording.standaloneStatus === 405 || this.#isPostOnly(request);
    if (isClosed) return methodNotAllowed();
    const flaws = irregularities(this.#bodylessFacts(request));
    if (flaws[0]) return refuse(flaws[0], this.#bodylessFacts(request), undefined);
    const session = this.#namedSession(request);
    if (session instanceof Response) return session;
    const lastEventId = request.headers.get("last-event-id");
    if (lastEventId !== null) {
      const resumed = session.resume(lastEventId, {});
      if (resumed) return resumed;
      // A fresh stream would leave the client waiting for the rest of one that nobody knows.
      if (!session.toldAlone(lastEventId)) return refusal(400, -32000, "Bad Request: Unknown Last-Event-ID");
    }
    return session.listen({}) ?? refusal(409, -32000, "Conflict: Only one SSE stream is allowed per session");
  }

  #delete(request: Request): Response {
    if (this.#sessionless || this.#isPostOnly(request)) return methodNotAllowed();
    const flaws = irregularities(this.#bodylessFacts(request));
    if (flaws[0]) return refuse(flaws[0], this.#bodylessFacts(request), undefined);
    const session = this.#namedSession(request);
    if (session instanceof Response) return session;
    session.close();
    this.#sessions.delete(request.headers.get("mcp-session-id") ?? "");
    return new Response(null, { status: 200 });
  }

  /** A modern server answers POST alone, also to a modern client of a legacy recording; legacy clients that it stands in for have a session to name. */
  #isPostOnly({ headers }: Request): boolean {
    const version = headers.get("mcp-protocol-version")?.trim();
    const isModern = this.#modern || (version !== undefined && eraOf(version) === "modern");
    return isModern && !headers.has("mcp-session-id");
  }

  #namedSession({ headers }: Request): HttpSession | Response {
    const id = headers.get("mcp-session-id");
    if (id === null && this.#sessionless) return methodNotAllowed();
    if (id === null) return refusal(400, -32000, NO_SESSION);
    return this.#sessions.get(id) ?? refusal(404, -32001, "Session not found");
  }

  #bodylessFacts(request: Request): RequestFacts {
    const headers = Object.fromEntries(request.headers);
    return { httpMethod: request.method, headers, era: "legacy", ownHosts: this.#options.ownHosts };
  }

  #newSession(visitors?: Visitors): HttpSession {
    const { onServerDied } = this.#options;
    const timers = this.#timers;
    const options = { dropCancels: visitors !== undefined, timers, visitors, onServerDied };
    return new HttpSession(this.#player, options);
  }
}

const NO_SESSION = "Bad Request: Mcp-Session-Id header is required";

interface Found {
  readonly session: HttpSession;
  /** A session id that was minted for this request. */
  readonly id?: string;
}

interface Answering {
  readonly session: Found;
  readonly era: Era;
}

interface SeenPost {
  readonly params: JsonValue | undefined;
  readonly connection: object | undefined;
  readonly era: Era;
  readonly flawed: boolean;
}
