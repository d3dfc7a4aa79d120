import { clearTimeout as realClearTimeout, setTimeout as realSetTimeout } from "node:timers";
import type { Timer } from "../replay/pacer.ts";
import type { DoorSide } from "../replay/playing.ts";

/** As long as the system's timer can wait, in milliseconds: some 24 days. */
const LONGEST = 2 ** 31 - 1;

/** Sets a timer, and returns what clears it. */
type SetTimer = (then: () => void, ms: number) => () => void;

/** Looked up at each call, so that a test's fake timers count. */
const asked: SetTimer = (then, ms) => {
  const timeout = setTimeout(then, ms);
  return () => clearTimeout(timeout);
};

/** Out of reach of a test's fake timers, which are put in the place of the globals. */
const own: SetTimer = (then, ms) => {
  const timeout = realSetTimeout(then, ms);
  return () => realClearTimeout(timeout);
};

/** The pauses of one door. What still waits when the door is closed never comes. */
export class Timers {
  readonly #running = new Set<() => void>();

  /** Lets time pass that was asked for: a pace, a delay. Fake timers of a test decide when it has. */
  readonly start: Timer = (ms, then) => this.#start(asked, ms, then);

  /** Keeps two messages apart, which nobody asked for: nobody should have to advance fake timers for an answer. */
  readonly apart: Timer = (ms, then) => this.#start(own, ms, then);

  /** As doors have them. */
  readonly ofDoor: Required<Pick<DoorSide, "timer" | "wait">> = { timer: this.apart, wait: this.start };

  close(): void {
    for (const clear of this.#running) clear();
    this.#running.clear();
  }

  #start(set: SetTimer, ms: number, then: (late?: number) => void): () => void {
    const began = performance.now();
    const clear = set(
      () => {
        this.#running.delete(clear);
        then(Math.max(0, performance.now() - began - ms));
      },
      Math.min(ms, LONGEST),
    );
    this.#running.add(clear);
    return () => {
      this.#running.delete(clear);
      clear();
    };
  }
}
