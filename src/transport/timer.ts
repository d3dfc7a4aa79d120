import type { Timer } from "../replay/pacer.ts";

/** As long as the system's timer can wait, in milliseconds: some 24 days. */
const LONGEST = 2 ** 31 - 1;

/** The pauses of one door. What still waits when the door is closed never comes. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>();

  /** The system's timer; looked up at each call, so that a test's fake one counts. */
  readonly start: Timer = (ms, then) => {
    const began = performance.now();
    const timeout = setTimeout(
      () => {
        this.#running.delete(timeout);
        then(Math.max(0, performance.now() - began - ms));
      },
      Math.min(ms, LONGEST),
    );
    this.#running.add(timeout);
    return () => {
      this.#running.delete(timeout);
      clearTimeout(timeout);
    };
  };

  close(): void {
    for (const timeout of this.#running) clearTimeout(timeout);
    this.#running.clear();
  }
}
