type Job = () => void | Promise<void>;

/**
 * Runs jobs one after the other, in the order given: at once, unless an earlier one still has to wait for something.
 * A job that fails ends it: the error is reported, and no job runs any more.
 */
export class Turns {
  readonly #onFailure: (error: unknown) => void;
  readonly #idle: (() => void)[] = [];
  #waiting: Job[] = [];
  #busy = false;
  #failed = false;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  run(job: Job): void {
    if (this.#failed) return;
    if (this.#busy) this.#waiting.push(job);
    else this.#start(job);
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #start(job: Job): void {
    try {
      const pending = job();
      if (!pending) return;
      this.#busy = true;
      pending.then(
        () => this.#next(),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #next(): void {
    this.#busy = false;
    while (!this.#busy) {
      const job = this.#waiting.shift();
      if (!job) break;
      this.#start(job);
    }
    if (!this.#busy) this.#wake();
  }

  #fail(error: unknown): void {
    this.#failed = true;
    this.#busy = false;
    this.#waiting = [];
    this.#wake();
    this.#onFailure(error);
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
