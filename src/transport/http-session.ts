import type { IdToken, Message } from "../protocol/message.ts";
import { eachMessage } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Arrival } from "../replay/arrival.ts";
import type { Player } from "../replay/player.ts";
import type { ClientSession, DoorSide } from "../replay/playing.ts";
import type { Visitors } from "../replay/visitor.ts";
import { eventOf, isWhole, PostAnswer } from "./http-streams.ts";
import { type Answer, EventStream } from "./open-body.ts";
import { sessionLost } from "./session-lost.ts";
import type { Timers } from "./timer.ts";

/** Messages kept for a standalone stream that the client has not opened yet. */
const MOST_QUEUED = 1_000;

export interface SessionOptions {
  /** Closing a response stream cancels its request (2026-07-28); before, it does not. */
  readonly dropCancels: boolean;
  readonly timers: Timers;
  /** Who it may be; a new client when undefined. */
  readonly visitors?: Visitors | undefined;
  /** The whole server died, with this exit code. */
  readonly onServerDied?: ((exit: number) => void) | undefined;
}

/**
 * One live client of the HTTP door, or one request of a client of the modern era: the player's session, and the streams
 * its actions go out on.
 */
export class HttpSession {
  readonly #player: ClientSession;
  readonly #options: SessionOptions;
  readonly #answers = new Map<IdToken, PostAnswer>();
  /** Actions of a POST that holds no request: a recorded refusal of it, if any. */
  #bare: PostAnswer | undefined;
  #standalone: EventStream | undefined;
  #queued: Extract<Action, { type: "send" | "outcome" }>[] = [];
  #opened = false;
  /** Ids of events that went out on the standalone stream. */
  readonly #toldAlone = new Set<string>();
  /** The server does not know it any more. */
  lost = false;

  constructor(player: Player, options: SessionOptions) {
    const side: DoorSide = {
      carriesStatus: true,
      carrier: options.dropCancels ? "post" : "http",
      ...options.timers.ofDoor,
      act: (action) => this.#act(action),
      rests: (id) => this.#begin(id),
      closes: (id) => this.#answers.get(id)?.closeAfter(),
    };
    this.#player = player.connect(side, options.visitors);
    this.#options = options;
  }

  /** Hands a POST's message to the player. Undefined when its flaws are the door's to refuse. */
  post(message: Message, arrival: Arrival): PostAnswer | undefined {
    const ids = [...requestIds(message)];
    const answer = new PostAnswer(ids, message.kind === "batch", () => this.#gone(ids));
    if (ids.length === 0) this.#bare = answer;
    for (const id of ids) this.#answers.set(id, answer);
    const taken = this.#player.receive(message, arrival);
    this.#bare = undefined;
    if (!taken) for (const id of ids) this.#answers.delete(id);
    else if (ids.some((id) => this.#player.isPausing(id))) answer.hold();
    return taken ? answer : undefined;
  }

  /** Opens the standalone stream; undefined when one is open already. */
  listen(headers: Readonly<Record<string, string>>): Answer | undefined {
    if (this.#standalone?.open) return undefined;
    this.#standalone = new EventStream(headers, () => undefined);
    this.#opened = true;
    for (const action of this.#queued.splice(0)) this.#tellAlone(action);
    return this.#standalone.answer;
  }

  /** Whether a client that saw this event last comes back to the standalone stream. */
  toldAlone(eventId: string): boolean {
    return this.#toldAlone.has(eventId);
  }

  /** Goes on with the stream that an event came from; undefined when none of this session had such an event. */
  resume(eventId: string, headers: Readonly<Record<string, string>>): Answer | undefined {
    // Of a recording played more than once, the event that the client saw last.
    for (const [id, answer] of [...this.#answers].reverse()) {
      if (!answer.sent(eventId)) continue;
      const resumed = answer.resumeAfter(eventId, headers);
      this.#player.resume(id);
      answer.closeIfComplete();
      return resumed;
    }
    return undefined;
  }

  close(): void {
    this.#player.close();
    this.#standalone?.close();
    for (const answer of this.#answers.values()) answer.act({ type: "end", on: undefined });
    this.#player.disconnect();
  }

  /** Nothing comes for a request by itself, so its response need not wait for it. */
  #begin(id: IdToken): void {
    const answer = this.#answers.get(id);
    if (answer?.held && ![...answer.waiting].some((each) => this.#player.isPausing(each))) answer.begin();
  }

  #act(action: Action): void {
    if (action.type === "crash") return this.#crash(action);
    if (action.type === "forget") return this.#forget(action.on);
    const answer = action.on === undefined ? this.#bare : this.#answers.get(action.on);
    if (action.type === "send" && (action.stream === "standalone" || !answer || answer.complete)) {
      return this.#sendAlone(action);
    }
    answer?.act(action);
    if (isWhole(action) && action.on !== undefined && action.event?.id === undefined) {
      this.#answers.delete(action.on);
    }
  }

  /** The recorded server died with requests open: their connections break. */
  #crash({ on, closed, server }: Extract<Action, { type: "crash" }>): void {
    if (on !== undefined) {
      this.#answers.get(on)?.break();
      this.#answers.delete(on);
      return;
    }
    for (const answer of this.#answers.values()) answer.break();
    this.#answers.clear();
    this.#standalone?.break();
    if (server) this.#options.onServerDied?.(closed.exit ?? 1);
  }

  #forget(on: IdToken | undefined): void {
    this.lost = true;
    this.#standalone?.close();
    if (on !== undefined) this.#answers.get(on)?.act({ type: "status", on, ...sessionLost });
  }

  #sendAlone(action: Extract<Action, { type: "send" }>): void {
    if (this.#standalone?.open) this.#tellAlone(action);
    // A client opens its stream while its next request is on the way already; one that closed it does not listen.
    else if (!this.#opened && this.#queued.length < MOST_QUEUED) this.#queued.push(action);
  }

  #tellAlone(action: Extract<Action, { type: "send" | "outcome" }>): void {
    const event = eventOf(action);
    if (event.id !== undefined) this.#toldAlone.add(event.id);
    this.#standalone?.send(event);
  }

  #gone(ids: readonly IdToken[]): void {
    if (this.#options.dropCancels) for (const id of ids) this.#player.drop(id);
  }
}

/** Sessions by their ids; one that the server lost is not there. */
export class HttpSessions extends Map<string, HttpSession> {
  override get(id: string): HttpSession | undefined {
    const session = super.get(id);
    return session?.lost ? undefined : session;
  }
}

function* requestIds(message: Message): Iterable<IdToken> {
  for (const one of eachMessage(message)) if (one.kind === "request" && one.id !== undefined) yield one.id;
}
