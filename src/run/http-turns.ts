type Job = () => void | Promise<void>;

export interface TurnsOptions {
  /** Starts the jobs that have come together. Called again only when it has. */
  readonly defer: (start: () => void) => void;
  /** Told of the first job that fails, after which none runs any more. */
  readonly onFailure: (error: unknown) => void;
}

/** Runs jobs later, one after the other, in the order given; one that returns a promise makes the next ones wait. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #onIdle: (() => void)[] = [];
  #waiting: Job[] = [];
  /** Jobs wait for their start, or for one that has not finished. */
  #busy = false;
  #failed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** A job has failed. */
  get failed(): boolean {
    return this.#failed;
  }

  run(job: Job): void {
    if (this.#failed) return;
    this.#waiting.push(job);
    if (this.#busy) return;
    this.#busy = true;
    this.#options.defer(() => this.#proceed());
  }

  /** Resolves when every job has run. */
  async idle(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #proceed(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    for (const [index, job] of jobs.entries()) {
      const pending = this.#start(job);
      if (this.#failed) return;
      if (!pending) continue;
      this.#waiting = [...jobs.slice(index + 1), ...this.#waiting];
      pending.then(
        () => this.#proceed(),
        (error: unknown) => this.#fail(error),
      );
      return;
    }
    if (this.#waiting.length > 0) this.#proceed();
    else this.#rest();
  }

  #start(job: Job): void | Promise<void> {
    try {
      return job();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failed = true;
    this.#waiting = [];
    this.#rest();
    this.#options.onFailure(error);
  }

  #rest(): void {
    this.#busy = false;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
