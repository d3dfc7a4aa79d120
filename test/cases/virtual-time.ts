import type { Timer } from "../../src/replay/pacer.ts";

interface Pause {
  readonly at: number;
  readonly then: () => void;
}

/** A clock that moves when it is told to, and the timer that goes by it. */
export class VirtualTime {
  /** Milliseconds. */
  now = 0;
  /** Lengths of the pauses that were asked for. */
  readonly asked: number[] = [];
  readonly #pauses = new Set<Pause>();

  readonly timer: Timer = (ms, then) => {
    const pause = { at: this.now + ms, then };
    this.asked.push(ms);
    this.#pauses.add(pause);
    return () => this.#pauses.delete(pause);
  };

  /** Pauses that have not ended. */
  get running(): number {
    return this.#pauses.size;
  }

  /** Lets time pass, and pauses end as it does, until there is none or the time has come. */
  pass(ms = Number.POSITIVE_INFINITY): void {
    const end = this.now + ms;
    for (let next = this.#next(); next && next.at <= end; next = this.#next()) {
      this.#pauses.delete(next);
      this.now = next.at;
      next.then();
    }
    if (Number.isFinite(end)) this.now = end;
  }

  /** The pause that ends first; of several, the one that began first. */
  #next(): Pause | undefined {
    let first: Pause | undefined;
    for (const pause of this.#pauses) if (!first || pause.at < first.at) first = pause;
    return first;
  }
}
