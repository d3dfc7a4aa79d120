import type { Timer } from "../replay/pacer.ts";

/** What waits for its time on one connection. */
export class Waits {
  readonly #timer: Timer;
  readonly #pending = new Set<() => void>();
  #hurried = false;

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  /** Calls `then` in so many milliseconds. Returns what calls that off. */
  start(ms: number, then: () => void): () => void {
    if (this.#hurried) {
      then();
      return () => undefined;
    }
    let callOff: (() => void) | undefined;
    const fire = () => {
      this.#pending.delete(fire);
      callOff?.();
      then();
    };
    this.#pending.add(fire);
    callOff = this.#timer(ms, fire);
    return () => {
      this.#pending.delete(fire);
      callOff?.();
    };
  }

  /** All that waits and will wait comes now, in the order in which it was to come. */
  hurry(): void {
    this.#hurried = true;
    for (const fire of [...this.#pending]) fire();
  }
}
