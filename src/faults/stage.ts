import type { Message } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Carrier } from "../replay/playing.ts";

/** One fault on the way of one answer, from the player to the client: takes what comes, hands on what it leaves of it. */
export interface Stage {
  take(action: Action): void;
  /** As many messages as it was to let through have passed (`afterEvents`). */
  turn?(): void;
  /** The client gave the request up. True when the server goes on all the same. */
  cancelled?(): boolean;
  /** The client came back to the stream. True when this stage ended it. */
  resumed?(): boolean;
  /** Messages that it holds back. */
  readonly held?: number;
  /** More is to come, or nothing ever: the answer is not over. */
  readonly holding?: boolean;
}

/** What a stage works with. */
export interface Out {
  /** The request that is struck. */
  readonly request: Message;
  readonly carrier: Carrier;
  /** Messages of the answer to let through first. */
  readonly afterEvents: number;
  /** Hands on. */
  next(action: Action): void;
  /** Calls `then` in so many milliseconds, or at once when the client has said its last. */
  wait(ms: number, then: () => void): void;
  /** The connection that the answer comes on is closed after it, and used for nothing else. */
  closes(): void;
  /** The fault shows now. Counts once for each request. */
  struck(): void;
  /** From 0 to 1, exclusively; the same in every run. */
  random(): number;
  /** For an SSE event, unlike any other of this client. */
  newEventId(): string;
}

export type Answer = Extract<Action, { type: "outcome" }>;

/** Hands on what `change` makes of the response, and all else as it is. */
export function changing(out: Out, change: (answer: Answer) => void): Stage {
  return {
    take: (action) => {
      if (action.type !== "outcome") return out.next(action);
      out.struck();
      change(action);
    },
  };
}

/** Puts other actions in the place of all that would come; without any, the client waits for ever. */
export function inPlace(out: Out, actions?: () => readonly Action[]): Stage {
  let done = false;
  const strike = () => {
    if (done) return;
    done = true;
    out.struck();
    for (const action of actions?.() ?? []) out.next(action);
  };
  return {
    take: strike,
    turn: strike,
    get holding() {
      return done && actions === undefined;
    },
  };
}

/** Lets pauses pass before actions, which stay in order. */
export class Paused implements Stage {
  readonly #out: Out;
  readonly #pause: () => number;
  readonly #waiting: Action[] = [];
  #pausing = false;

  /** @param pause milliseconds before the next action */
  constructor(out: Out, pause: () => number) {
    this.#out = out;
    this.#pause = pause;
  }

  get held(): number {
    return this.#waiting.filter(isMessage).length;
  }

  take(action: Action): void {
    this.#waiting.push(action);
    if (!this.#pausing) this.#go();
  }

  #go(): void {
    for (let action = this.#waiting[0]; action; action = this.#waiting[0]) {
      const ms = this.#pause();
      if (ms > 0) return this.#wait(ms);
      this.#waiting.shift();
      this.#out.next(action);
    }
  }

  #wait(ms: number): void {
    this.#out.struck();
    this.#pausing = true;
    this.#out.wait(ms, () => {
      this.#pausing = false;
      const action = this.#waiting.shift();
      if (action) this.#out.next(action);
      this.#go();
    });
  }
}

/** What counts as an event of an answer. */
export function isMessage({ type }: Action): boolean {
  return type === "send" || type === "outcome";
}

/** Lets a stage begin after so many messages. */
export function afterEvents(out: Out, stage: Stage): Stage {
  let left = out.afterEvents;
  if (left === 0) return stage;
  return {
    take: (action) => {
      if (left === 0) return stage.take(action);
      out.next(action);
      if (isMessage(action) && --left === 0) stage.turn?.();
    },
    cancelled: () => stage.cancelled?.() === true,
    resumed: () => stage.resumed?.() === true,
    get held() {
      return stage.held ?? 0;
    },
    get holding() {
      return stage.holding === true;
    },
  };
}
