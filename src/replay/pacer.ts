import type { Action } from "./action.ts";

/** Calls `then` after `ms` milliseconds; returns what calls that off. */
export type Timer = (ms: number, then: () => void) => () => void;

/**
 * Between a notification and the outcome that follows it, in milliseconds. Clients hand notifications to their
 * handlers a moment later than they take an outcome, so one that arrives together with the outcome is lost on them
 * (official SDKs 1.x and 2.x, progress): a pause as in the recording keeps the two apart.
 */
const SHORTEST = 2;
const LONGEST = 10;

/** Hands a player's actions to a door in order, with a pause where a client would lose something without. */
export class Pacer {
  readonly #act: (action: Action) => void;
  readonly #timer: Timer;
  /** By the live request they belong to: whether a notification was the last thing sent. */
  readonly #notified = new Set<string | undefined>();
  readonly #waiting = new Map<string | undefined, Waiting>();

  constructor(act: (action: Action) => void, timer: Timer) {
    this.#act = act;
    this.#timer = timer;
  }

  act(action: Action): void {
    if (action.type === "crash") {
      this.flush();
      this.#act(action);
      return;
    }
    const { on } = action;
    const waiting = this.#waiting.get(on);
    if (waiting) waiting.actions.push(action);
    else this.#deliver(on, action);
  }

  /** What waits for this request is not sent any more. */
  drop(on: string): void {
    this.#waiting.get(on)?.callOff();
    this.#waiting.delete(on);
    this.#notified.delete(on);
  }

  /** Delivers all that waits, now. */
  flush(): void {
    for (const [on, { actions, callOff }] of [...this.#waiting]) {
      callOff();
      this.#waiting.delete(on);
      for (const action of actions) this.#act(action);
    }
    this.#notified.clear();
  }

  #deliver(on: string | undefined, action: Action): void {
    if (action.type === "outcome" && this.#notified.delete(on)) return this.#wait(on, action);
    if (action.type === "send" && action.stream === "own") this.#notified.add(on);
    this.#act(action);
  }

  #wait(on: string | undefined, action: Extract<Action, { type: "outcome" }>): void {
    const waiting: Waiting = { actions: [action], callOff: () => undefined };
    this.#waiting.set(on, waiting);
    const pause = Math.min(LONGEST, Math.max(SHORTEST, action.after));
    waiting.callOff = this.#timer(pause, () => {
      this.#waiting.delete(on);
      for (const each of waiting.actions) this.#act(each);
    });
  }
}

interface Waiting {
  readonly actions: Action[];
  callOff: () => void;
}
