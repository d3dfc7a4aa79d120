import type { IdToken } from "../../protocol/message.ts";
import { SHORTEST, type Timer } from "../pacer.ts";

interface Waiting {
  readonly callOff: () => void;
  readonly tell: () => void;
}

/** Input rounds that come apart from the notification before them, on which a client would lose that otherwise. */
export class RoundsApart {
  readonly #timer: Timer;
  readonly #notified = new Set<IdToken>();
  readonly #waiting = new Map<IdToken, Waiting>();

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  /** A notification is the last thing that was sent for this request. */
  notified(id: IdToken): void {
    this.#notified.add(id);
  }

  /** The request has its answer. */
  answered(id: IdToken): void {
    this.#notified.delete(id);
  }

  tell(id: IdToken, tell: () => void): void {
    if (!this.#notified.delete(id)) return tell();
    let told = false;
    const callOff = this.#timer(SHORTEST, () => {
      told = true;
      this.#waiting.delete(id);
      tell();
    });
    // A timer may fire at once.
    if (!told) this.#waiting.set(id, { callOff, tell });
  }

  has(id: IdToken): boolean {
    return this.#waiting.has(id);
  }

  /** False when none waits for this request. */
  drop(id: IdToken): boolean {
    this.#notified.delete(id);
    this.#waiting.get(id)?.callOff();
    return this.#waiting.delete(id);
  }

  /** None that waits comes any more. */
  clear(): void {
    for (const id of [...this.#waiting.keys()]) this.drop(id);
  }

  /** All that wait come now. */
  flush(): void {
    for (const [id, { callOff, tell }] of [...this.#waiting]) {
      callOff();
      this.#waiting.delete(id);
      tell();
    }
  }
}
