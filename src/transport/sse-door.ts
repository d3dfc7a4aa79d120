import { type IdToken, type Message, readMessage } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Player } from "../replay/player.ts";
import type { ClientSession } from "../replay/playing.ts";
import { isOwnHost, isOwnOrigin } from "../wire/hosts.ts";
import type { HttpDoorOptions } from "./http-door.ts";
import { eventOf } from "./http-streams.ts";
import { EventStream } from "./open-body.ts";
import { Timers } from "./timer.ts";

/** Where clients of the pair POST. */
export const ENDPOINT = "/messages";

/**
 * The mock as the HTTP+SSE pair of 2024-11-05: a GET opens the stream and names, in its first event, where to POST;
 * everything the server says comes on that stream.
 */
export class SseDoor {
  readonly #player: Player;
  readonly #options: HttpDoorOptions;
  readonly #sessions = new Map<string, SseSession>();
  readonly #timers = new Timers();

  constructor(player: Player, options: HttpDoorOptions) {
    this.#player = player;
    this.#options = options;
  }

  async fetch(request: Request): Promise<Response> {
    const { headers } = request;
    const own = this.#options.ownHosts;
    if (
      !isOwnHost(headers.get("host") ?? undefined, own) ||
      !isOwnOrigin(headers.get("origin") ?? undefined, own)
    ) {
      return new Response("Forbidden", { status: 403 });
    }
    const url = new URL(request.url);
    if (request.method === "GET" && url.pathname === this.#options.path) return this.#open();
    if (request.method === "POST" && url.pathname === ENDPOINT) return this.#post(request, url);
    if (url.pathname === this.#options.path || url.pathname === ENDPOINT) {
      return new Response("Method Not Allowed", { status: 405 });
    }
    return new Response("Not Found", { status: 404 });
  }

  close(): void {
    this.#timers.close();
    for (const session of this.#sessions.values()) session.stream.close();
  }

  #open(): Response {
    const id = this.#options.newSessionId();
    const onGone = () => {
      this.#sessions.delete(id);
      session.player.close();
    };
    const { onServerDied } = this.#options;
    const session = new SseSession(this.#player, this.#timers, { onGone, onServerDied });
    this.#sessions.set(id, session);
    session.stream.send({ name: "endpoint", data: new TextEncoder().encode(`${ENDPOINT}?sessionId=${id}`) });
    return session.stream.response;
  }

  async #post(request: Request, url: URL): Promise<Response> {
    const id = url.searchParams.get("sessionId") ?? "";
    const session = this.#sessions.get(id);
    if (!session) return unknownSession();
    const message = readMessage(new Uint8Array(await request.arrayBuffer()));
    const response = await session.post(message);
    if (session.lost) this.#sessions.delete(id);
    return response;
  }
}

class SseSession {
  readonly stream: EventStream;
  readonly player: ClientSession;
  /** The server does not know it any more. */
  lost = false;
  readonly #onServerDied: ((exit: number) => void) | undefined;
  /** POSTs whose response is still to come, by the id of their request. */
  readonly #posts = new Map<IdToken, (response: Response) => void>();
  /** What the POST that is being received is refused with. */
  #refusal: Response | undefined;

  constructor(
    player: Player,
    timers: Timers,
    { onGone, onServerDied }: { onGone: () => void; onServerDied: HttpDoorOptions["onServerDied"] },
  ) {
    this.#onServerDied = onServerDied;
    this.stream = new EventStream({}, () => {
      onGone();
      this.player.disconnect();
    });
    this.player = player.connect({
      carrier: "sse",
      carriesStatus: false,
      ...timers.ofDoor,
      act: (action) => this.#act(action),
      rests: (on) => this.#respond(on, accepted()),
    });
  }

  /** Everything is accepted but what a fault refuses, now or later. */
  post(message: Message): Response | Promise<Response> {
    this.#refusal = undefined;
    this.player.receive(message);
    const { id } = message;
    if (id !== undefined && this.player.owesStatus?.(id)) {
      return new Promise((resolve) => this.#posts.set(id, resolve));
    }
    return this.#refusal ?? accepted();
  }

  #act(action: Action): void {
    switch (action.type) {
      case "crash":
        this.stream.break();
        if (action.server) this.#onServerDied?.(action.closed.exit ?? 1);
        return;
      case "end":
        if (action.on !== undefined) this.player.resume(action.on);
        return;
      case "status": {
        const { http, body } = action;
        const init = { status: http.status ?? 500, headers: { ...http.headers } };
        return this.#refuse(action.on, new Response(body as Uint8Array<ArrayBuffer> | undefined, init));
      }
      case "forget":
        this.lost = true;
        return this.#refuse(action.on, unknownSession());
      case "part":
        return this.stream.part({ ...action, event: undefined });
      case "send":
      case "outcome":
        // Ids of a recorded stream name places in that one; this pair cannot be resumed.
        this.stream.send({ data: eventOf(action).data });
    }
  }

  #refuse(on: IdToken | undefined, response: Response): void {
    if (on !== undefined && this.#posts.has(on)) this.#respond(on, response);
    else this.#refusal = response;
  }

  #respond(on: IdToken, response: Response): void {
    this.#posts.get(on)?.(response);
    this.#posts.delete(on);
  }
}

function accepted(): Response {
  return new Response("Accepted", { status: 202 });
}

function unknownSession(): Response {
  return new Response("Session not found", { status: 404 });
}
