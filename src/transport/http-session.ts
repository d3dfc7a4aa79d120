import type { IdToken, Message } from "../protocol/message.ts";
import { eachMessage } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Arrival } from "../replay/finder.ts";
import type { Timer } from "../replay/pacer.ts";
import type { Player } from "../replay/player.ts";
import type { DoorSide } from "../replay/playing.ts";
import type { PlayerSession } from "../replay/session.ts";
import type { Visitors } from "../replay/visitor.ts";
import { EventStream, eventOf, PostAnswer } from "./http-streams.ts";

/** Messages kept for a standalone stream that the client has not opened yet. */
const MOST_QUEUED = 1_000;

export interface SessionOptions {
  /** Closing a response stream cancels its request (2026-07-28); before, it does not. */
  readonly dropCancels: boolean;
  readonly timer: Timer;
  /** Who it may be; a new client when undefined. */
  readonly visitors?: Visitors | undefined;
}

/**
 * One live client of the HTTP door, or one request of a client of the modern era: the player's session, and the streams
 * its actions go out on.
 */
export class HttpSession {
  readonly #player: PlayerSession;
  readonly #options: SessionOptions;
  readonly #answers = new Map<IdToken, PostAnswer>();
  /** Actions of a POST that holds no request: a recorded refusal of it, if any. */
  #bare: PostAnswer | undefined;
  #standalone: EventStream | undefined;
  #queued: Extract<Action, { type: "send" | "outcome" }>[] = [];
  #opened = false;

  constructor(player: Player, options: SessionOptions) {
    const side: DoorSide = {
      carriesStatus: true,
      timer: options.timer,
      act: (action) => this.#act(action),
      rests: (id) => this.#begin(id),
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
  listen(headers: Readonly<Record<string, string>>): Response | undefined {
    if (this.#standalone?.open) return undefined;
    this.#standalone = new EventStream(headers, () => undefined);
    this.#opened = true;
    for (const action of this.#queued.splice(0)) this.#standalone.send(eventOf(action));
    return this.#standalone.response;
  }

  /** Goes on with the stream that an event came from; undefined when none of this session had such an event. */
  resume(eventId: string, headers: Readonly<Record<string, string>>): Response | undefined {
    // Of a recording played more than once, the event that the client saw last.
    for (const [id, answer] of [...this.#answers].reverse()) {
      if (!answer.sent(eventId)) continue;
      const response = answer.resumeAfter(eventId, headers);
      this.#player.resume(id);
      answer.closeIfComplete();
      return response;
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
    if (action.type === "crash") return this.#crash(action.on);
    const answer = action.on === undefined ? this.#bare : this.#answers.get(action.on);
    if (action.type === "send" && (action.stream === "standalone" || !answer || answer.complete)) {
      return this.#sendAlone(action);
    }
    answer?.act(action);
    if (action.type === "outcome" && action.on !== undefined && !resumable(action))
      this.#answers.delete(action.on);
  }

  /** The recorded server died with requests open: their connections break. */
  #crash(on: IdToken | undefined): void {
    if (on !== undefined) {
      this.#answers.get(on)?.break();
      this.#answers.delete(on);
      return;
    }
    for (const answer of this.#answers.values()) answer.break();
    this.#answers.clear();
    this.#standalone?.break();
  }

  #sendAlone(action: Extract<Action, { type: "send" }>): void {
    if (this.#standalone?.open) this.#standalone.send(eventOf(action));
    // A client opens its stream while its next request is on the way already; one that closed it does not listen.
    else if (!this.#opened && this.#queued.length < MOST_QUEUED) this.#queued.push(action);
  }

  #gone(ids: readonly IdToken[]): void {
    if (this.#options.dropCancels) for (const id of ids) this.#player.drop(id);
  }
}

function resumable(action: Extract<Action, { type: "outcome" }>): boolean {
  return action.event?.id !== undefined;
}

function* requestIds(message: Message): Iterable<IdToken> {
  for (const one of eachMessage(message)) if (one.kind === "request" && one.id !== undefined) yield one.id;
}
