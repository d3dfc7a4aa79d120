import { readMessage } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Timer } from "../replay/pacer.ts";
import type { Player } from "../replay/player.ts";
import type { PlayerSession } from "../replay/session.ts";
import { isOwnHost, isOwnOrigin } from "../wire/hosts.ts";
import type { HttpDoorOptions } from "./http-door.ts";
import { EventStream, eventOf } from "./http-streams.ts";
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
    const session = new SseSession(this.#player, this.#timers.start, () => {
      this.#sessions.delete(id);
      session.player.close();
    });
    this.#sessions.set(id, session);
    session.stream.send({ name: "endpoint", data: new TextEncoder().encode(`${ENDPOINT}?sessionId=${id}`) });
    return session.stream.response;
  }

  async #post(request: Request, url: URL): Promise<Response> {
    const session = this.#sessions.get(url.searchParams.get("sessionId") ?? "");
    if (!session) return new Response("Session not found", { status: 404 });
    const message = readMessage(new Uint8Array(await request.arrayBuffer()));
    session.player.receive(message);
    return new Response("Accepted", { status: 202 });
  }
}

class SseSession {
  readonly stream: EventStream;
  readonly player: PlayerSession;

  constructor(player: Player, timer: Timer, onGone: () => void) {
    this.stream = new EventStream({}, () => {
      onGone();
      this.player.disconnect();
    });
    this.player = player.connect({ carriesStatus: false, timer, act: (action) => this.#act(action) });
  }

  #act(action: Action): void {
    if (action.type === "crash") return this.stream.break();
    if (action.type === "end" && action.on !== undefined) return this.player.resume(action.on);
    if (action.type === "send" || action.type === "outcome") {
      // Ids of a recorded stream name places in that one; this pair cannot be resumed.
      this.stream.send({ data: eventOf(action).data });
    }
  }
}
