import { type IdToken, type Message, readMessage } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Player } from "../replay/player.ts";
import type { ClientSession } from "../replay/playing.ts";
import { isOwnHost, isOwnOrigin } from "../wire/hosts.ts";
import type { Asked, Door } from "./door.ts";
import type { HttpDoorOptions } from "./http-door.ts";
import { eventOf } from "./http-streams.ts";
import { type Answer, EventStream } from "./open-body.ts";
import { Timers } from "./timer.ts";

/** Where clients of the pair POST. */
export const ENDPOINT = "/messages";

/**
 * The mock as the HTTP+SSE pair of 2024-11-05: a GET opens the stream and names, in its first event, where to POST;
 * everything the server says comes on that stream.
 */
export class SseDoor implements Door {
  readonly #player: Player;
  readonly #options: HttpDoorOptions;
  readonly #sessions = new Map<string, SseSession>();
  readonly #timers = new Timers();

  constructor(player: Player, options: HttpDoorOptions) {
    this.#player = player;
    this.#options = options;
  }

  answer(asked: Asked): Answer | Promise<Answer> {
    const { method, pathname, headers } = asked;
    const own = this.#options.ownHosts;
    if (!isOwnHost(headers.host, own) || !isOwnOrigin(headers.origin, own)) return plain(403, "Forbidden");
    if (method === "GET" && pathname === this.#options.path) return this.#open();
    if (method === "POST" && pathname === ENDPOINT) return this.#post(asked);
    if (pathname === this.#options.path || pathname === ENDPOINT) return plain(405, "Method Not Allowed");
    return plain(404, "Not Found");
  }

  close(): void {
    this.#timers.close();
    for (const session of this.#sessions.values()) session.stream.close();
  }

  #open(): Answer {
    const id = this.#options.newSessionId();
    const onGone = () => {
      this.#sessions.delete(id);
      session.player.close();
    };
    const { onServerDied } = this.#options;
    const session = new SseSession(this.#player, this.#timers, { onGone, onServerDied });
    this.#sessions.set(id, session);
    session.stream.send({ name: "endpoint", data: encoder.encode(`${ENDPOINT}?sessionId=${id}`) });
    return session.stream.answer;
  }

  #post({ search, body }: Asked): Answer | Promise<Answer> {
    const id = new URLSearchParams(search).get("sessionId") ?? "";
    const session = this.#sessions.get(id);
    if (!session) return unknownSession();
    const answer = session.post(readMessage(body));
    const settle = (settled: Answer): Answer => {
      if (session.lost) this.#sessions.delete(id);
      return settled;
    };
    return answer instanceof Promise ? answer.then(settle) : settle(answer);
  }
}

class SseSession {
  readonly stream: EventStream;
  readonly player: ClientSession;
  /** The server does not know it any more. */
  lost = false;
  readonly #onServerDied: ((exit: number) => void) | undefined;
  /** POSTs whose response is still to come, by the id of their request. */
  readonly #posts = new Map<IdToken, (answer: Answer) => void>();
  /** What the POST that is being received is refused with. */
  #refusal: Answer | undefined;

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
  post(message: Message): Answer | Promise<Answer> {
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
        return this.#refuse(action.on, { status: http.status ?? 500, headers: http.headers ?? {}, body });
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

  #refuse(on: IdToken | undefined, answer: Answer): void {
    if (on !== undefined && this.#posts.has(on)) this.#respond(on, answer);
    else this.#refusal = answer;
  }

  #respond(on: IdToken, answer: Answer): void {
    this.#posts.get(on)?.(answer);
    this.#posts.delete(on);
  }
}

const encoder = new TextEncoder();

function plain(status: number, body: string): Answer {
  return { status, headers: { "Content-Type": "text/plain; charset=UTF-8" }, body: encoder.encode(body) };
}

function accepted(): Answer {
  return plain(202, "Accepted");
}

function unknownSession(): Answer {
  return plain(404, "Session not found");
}
