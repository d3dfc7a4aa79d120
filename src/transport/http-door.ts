import { type JsonValue, type Message, readMessage } from "../protocol/message.ts";
import { type Era, eraOf, eraOfRequest } from "../protocol/revisions.ts";
import { paramsOf } from "../replay/key.ts";
import type { Player } from "../replay/player.ts";
import type { Visitors } from "../replay/visitor.ts";
import { type Irregularity, irregularities, type RequestFacts } from "../wire/irregularity.ts";
import type { Asked, Door } from "./door.ts";
import { Callers } from "./http-callers.ts";
import { Guests } from "./http-guests.ts";
import { methodNotAllowed, refusal, refuse, text } from "./http-refusals.ts";
import { HttpSession, HttpSessions } from "./http-session.ts";
import type { AnswerStyle, PostAnswer } from "./http-streams.ts";
import { statusOfError } from "./modern-status.ts";
import { type Answer, BrokenConnection } from "./open-body.ts";
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

/**
 * The mock as an MCP endpoint over HTTP: Streamable HTTP of the legacy revisions, and the POST-only transport of the
 * modern era. Routing, sessions and header rules are here; answers are the player's.
 */
export class HttpDoor implements Door {
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

  answer(asked: Asked): Answer | Promise<Answer> {
    if (!this.#answersAt(asked.pathname)) return this.#notHere(asked);
    switch (asked.method) {
      case "POST":
        return this.#post(asked);
      case "GET":
        return this.#get(asked);
      case "DELETE":
        return this.#delete(asked);
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
  #notHere({ method, pathname, body }: Asked): Answer {
    if (method === "POST") {
      const where = this.#options.path;
      this.#player.options.onNotice?.(
        `A client asks at ${pathname}, but the cassette answers at ${where}: 404.`,
      );
      const message = readMessage(body);
      // Text that is no message is for another endpoint: a registration, a token.
      const how = `HTTP 404: it was sent to ${pathname}, and the server answers at ${where}`;
      if (message.kind !== "malformed") tellRefused(this.#player, message, how);
    }
    return text(404, "Not Found");
  }

  #post(asked: Asked): Answer | Promise<Answer> {
    const message = readMessage(asked.body);
    const facts = this.#facts(asked, message);
    const flaws = irregularities(facts);
    const params = facts.message?.params;
    const seen = { params, connection: asked.connection, era: facts.era, flawed: flaws.length > 0 };
    const found = this.#sessionOf(asked, message, seen);
    if ("status" in found) return found;
    const authorization = this.#authorization(asked);
    const answer = found.session.post(message, {
      flaws,
      path: this.#player.recording.pathApart(asked.pathname),
      ...(authorization === undefined ? {} : { authorization }),
      headers: facts.headers,
    });
    if (!answer) {
      const name = flaws[0] as Irregularity;
      tellFlaw(this.#player, message, { name, facts });
      return refuse(name, facts, message);
    }
    const respond = () => this.#respond(answer, message, { session: found, era: facts.era });
    return answer.held ? answer.begins(asked.whenGone).then(respond) : respond();
  }

  /** As a recording holds it: redacted. */
  #authorization({ headers }: Asked): string | undefined {
    const value = headers.authorization;
    return value && (this.#player.options.redact?.header("authorization", value) ?? value);
  }

  #respond(answer: PostAnswer, message: Message, { session, era }: Answering): Answer {
    if (answer.brokenOff) throw new BrokenConnection();
    const headers = session.id === undefined ? {} : { "mcp-session-id": session.id };
    const asks = message.kind !== "notification" && message.kind !== "response";
    if (!asks && answer.silent) return { status: 202, headers: {} };
    return answer.respond(headers, {
      style: this.#options.answers ?? "recorded",
      status: (bytes) =>
        era === "modern" ? statusOfError(bytes, message) : message.kind === "malformed" ? 400 : 200,
    });
  }

  #facts({ method: httpMethod, headers }: Asked, message: Message): RequestFacts {
    const { kind, method } = message;
    const params = method === undefined ? undefined : paramsOf(message);
    const versionHeader = headers["mcp-protocol-version"];
    return {
      httpMethod,
      headers,
      message: { kind, method, params },
      era: this.#modern || method !== undefined ? eraOfRequest({ method, params, versionHeader }) : "legacy",
      ownHosts: this.#options.ownHosts,
      inputSchema: this.#player.inputSchemaFor(method, params),
    };
  }

  /** The client a POST belongs to, or the refusal of a session id that is missing or over. */
  #sessionOf({ headers }: Asked, message: Message, seen: SeenPost): Found | Answer {
    const isModern = seen.era === "modern";
    const id = isModern ? undefined : headers["mcp-session-id"];
    if (this.#sessionless || seen.flawed || isModern) {
      const session = id === undefined ? undefined : this.#sessions.get(id);
      return { session: session ?? this.#unnamed(message, seen) };
    }
    if (message.method === "initialize") {
      const session = this.#newSession();
      const fresh = this.#options.newSessionId();
      this.#sessions.set(fresh, session);
      return { session, id: fresh };
    }
    if (id === undefined) {
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

  #get(asked: Asked): Answer {
    const isClosed = this.#player.recording.standaloneStatus === 405 || this.#isPostOnly(asked);
    if (isClosed) return methodNotAllowed();
    const facts = this.#bodylessFacts(asked);
    const [flaw] = irregularities(facts);
    if (flaw) return refuse(flaw, facts, undefined);
    const session = this.#namedSession(asked);
    if ("status" in session) return session;
    const lastEventId = asked.headers["last-event-id"];
    if (lastEventId !== undefined) {
      const resumed = session.resume(lastEventId, {});
      if (resumed) return resumed;
      // A fresh stream would leave the client waiting for the rest of one that nobody knows.
      if (!session.toldAlone(lastEventId)) return refusal(400, -32000, "Bad Request: Unknown Last-Event-ID");
    }
    return session.listen({}) ?? refusal(409, -32000, "Conflict: Only one SSE stream is allowed per session");
  }

  #delete(asked: Asked): Answer {
    if (this.#sessionless || this.#isPostOnly(asked)) return methodNotAllowed();
    const facts = this.#bodylessFacts(asked);
    const [flaw] = irregularities(facts);
    if (flaw) return refuse(flaw, facts, undefined);
    const session = this.#namedSession(asked);
    if ("status" in session) return session;
    session.close();
    this.#sessions.delete(asked.headers["mcp-session-id"] ?? "");
    return { status: 200, headers: {} };
  }

  /** A modern server answers POST alone, also to a modern client of a legacy recording; legacy clients that it stands in for have a session to name. */
  #isPostOnly({ headers }: Asked): boolean {
    const version = headers["mcp-protocol-version"]?.trim();
    const isModern = this.#modern || (version !== undefined && eraOf(version) === "modern");
    return isModern && headers["mcp-session-id"] === undefined;
  }

  #namedSession({ headers }: Asked): HttpSession | Answer {
    const id = headers["mcp-session-id"];
    if (id === undefined && this.#sessionless) return methodNotAllowed();
    if (id === undefined) return refusal(400, -32000, NO_SESSION);
    return this.#sessions.get(id) ?? refusal(404, -32001, "Session not found");
  }

  #bodylessFacts({ method: httpMethod, headers }: Asked): RequestFacts {
    return { httpMethod, headers, era: "legacy", ownHosts: this.#options.ownHosts };
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
