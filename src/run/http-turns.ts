type Job = () => void | Promise<void>;

/** Jobs that have begun, and stand in the row still. */
const MOST_TAKEN = 1024;
const nothing: Job = () => undefined;

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
  /** So many of them have begun. */
  #taken = 0;
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

  /** Jobs that have not begun, and wait for one that has. */
  get waiting(): number {
    return this.#waiting.length - this.#taken;
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
    for (let job = this.#take(); job; job = this.#take()) {
      const pending = this.#start(job);
      if (this.#failed) return;
      if (!pending) continue;
      pending.then(
        () => this.#proceed(),
        (error: unknown) => this.#fail(error),
      );
      return;
    }
    this.#rest();
  }

  #take(): Job | undefined {
    if (this.#taken === this.#waiting.length || this.#taken === MOST_TAKEN) {
      this.#waiting = this.#waiting.slice(this.#taken);
      this.#taken = 0;
    }
    const job = this.#waiting[this.#taken];
    // What it holds is not needed once it has run.
    if (job) this.#waiting[this.#taken++] = nothing;
    return job;
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
    this.#taken = 0;
    this.#rest();
    this.#options.onFailure(error);
  }

  #rest(): void {
    this.#busy = false;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
