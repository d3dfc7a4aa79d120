import type { Entry } from "../exchange/entry.ts";
import type { Exchange, Step, StepRole } from "../exchange/exchange.ts";
import { answerOf } from "../exchange/exchange.ts";
import { type Pace, paused } from "./pace.ts";

/** Calls `then` after `ms` milliseconds, with how much later it got, if that is known; returns what calls that off. */
export type Timer = (ms: number, then: (late?: number) => void) => () => void;

/** What the exchanges of one live client wait by. */
export interface Tempo {
  readonly timer: Timer;
  readonly pace: Pace | undefined;
  readonly entryAt: (ordinal: number) => Pick<Entry, "at">;
  /** Those that are pausing now. */
  readonly pausing: Set<Pacer>;
}

/**
 * Between a notification and the outcome that follows it, in milliseconds, at whatever pace. Clients hand notifications
 * to their handlers a moment later than they take an outcome, so one that arrives together with the outcome is lost on
 * them (official SDKs 1.x and 2.x, progress): a pause as in the recording keeps the two apart.
 */
export const SHORTEST = 2;
/** That long at most where no pace is asked for. */
const LONGEST = 10;

/** What the client does, in its own time. */
const CLIENTS: ReadonlySet<StepRole> = new Set(["reply", "cancel", "resume"]);

/**
 * Holds the steps of one live exchange back until they are due: as long after the step before, or after the request,
 * as they were recorded, at the pace that is asked for.
 */
export class Pacer {
  readonly #exchange: Exchange;
  readonly #tempo: Tempo;
  readonly #go: () => void;
  /** A POST without a request is answered at once, and so all that comes before that answer. */
  readonly #pace: Pace | undefined;
  #due = -1;
  /** Milliseconds that the last steps came too late, which the next ones make up for. */
  #late = 0;
  #callOff: (() => void) | undefined;
  #hurried = false;

  /** `go` is called when a step that had to wait is due. */
  constructor(exchange: Exchange, tempo: Tempo, go: () => void) {
    this.#exchange = exchange;
    this.#tempo = tempo;
    this.#go = go;
    this.#pace = exchange.kind === "request" || !answerOf(exchange) ? tempo.pace : undefined;
  }

  /** A step waits for its time. */
  get pausing(): boolean {
    return this.#callOff !== undefined;
  }

  /**
   * Whether the step at this position may be played now.
   * @param notified the last thing that its receiver was sent is a notification
   */
  isDue(position: number, notified: boolean): boolean {
    if (this.#callOff) return false;
    if (this.#due === position || this.#hurried) return true;
    const ms = this.#pauseBefore(position, notified);
    if (ms === 0) return true;
    this.#tempo.pausing.add(this);
    const callOff = this.#tempo.timer(ms, (late = 0) => {
      this.callOff();
      this.#due = position;
      this.#late += late;
      this.#go();
    });
    // A timer may fire at once.
    if (this.#due !== position) this.#callOff = callOff;
    return this.#due === position;
  }

  /** No step waits any more. */
  callOff(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    this.#tempo.pausing.delete(this);
  }

  /** All that waits and will wait is due now. */
  hurry(): void {
    this.callOff();
    this.#hurried = true;
    this.#go();
  }

  #pauseBefore(position: number, notified: boolean): number {
    const step = this.#exchange.steps[position] as Step;
    if (CLIENTS.has(step.role)) {
      this.#late = 0;
      return 0;
    }
    const apart = notified && step.role === "outcome";
    if (!apart && !this.#pace) return 0;
    const before = this.#exchange.steps[position - 1];
    const since = this.#tempo.entryAt((before ?? this.#exchange).entry).at;
    const recorded = this.#tempo.entryAt(step.entry).at - since;
    if (!this.#pace) return Math.min(LONGEST, Math.max(SHORTEST, before?.role === "send" ? recorded : 0));
    const left = paused(this.#pace, recorded) - this.#late;
    const pause = Math.max(apart ? SHORTEST : 0, left);
    this.#late = pause - left;
    return pause;
  }
}
