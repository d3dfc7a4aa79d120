/** Something that a test expects to happen by and by. */
export interface Expectation {
  readonly isMet: () => boolean;
  /** Resolves when it may have come to be met. */
  readonly changed: () => Promise<void>;
  /** Calls when it has been waited for long enough; returns what calls that off. */
  readonly late: (then: () => void) => () => void;
  /** What there is to say where it was not met. @param end where something else than time ended it, as a clause */
  readonly unmet: (end?: string) => Error;
}

/** A promise that knows whether anybody waits for what becomes of it. */
class Watched extends Promise<undefined> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
  isAwaited = false;

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it, which is how it shows that somebody waits
  override then<Met, Unmet>(
    met?: ((value: undefined) => Met | PromiseLike<Met>) | null,
    unmet?: ((reason: unknown) => Unmet | PromiseLike<Unmet>) | null,
  ): Promise<Met | Unmet> {
    this.isAwaited = true;
    return super.then(met, unmet);
  }
}

const WHILE_CHECKED = "before the test was over";
const NOT_AWAITED = "Nobody waits for it: await mock.expectCancelled(…).";

/** One that is waited for, or was not met. */
class Waiting {
  readonly promise: Watched;
  failure: Error | undefined;
  /** Something else than time ended it, which nobody who waits for it may have lived to see. */
  isCutShort = false;
  readonly #expected: Expectation;
  readonly #callOff: () => void;
  #settle: (failure: Error | undefined) => void = () => undefined;
  #isOver = false;

  constructor(expected: Expectation) {
    this.#expected = expected;
    this.promise = new Watched((resolve, reject) => {
      this.#settle = (failure) => (failure ? reject(failure) : resolve(undefined));
    });
    // The verdict tells what nobody waits for.
    Promise.prototype.then.call(this.promise, undefined, () => undefined);
    this.#callOff = expected.late(() => this.#end(expected.unmet()));
    void this.#look();
  }

  /** It is not waited for any longer. @param why as a clause: "before the test was over" */
  cutShort(why: string): void {
    if (this.#isOver) return;
    const { isMet, unmet } = this.#expected;
    if (isMet()) return this.#end(undefined);
    this.isCutShort = true;
    this.#end(unmet(why));
  }

  /** What a test has to be told that does not tell it itself. */
  get problem(): string | undefined {
    const { isMet, unmet } = this.#expected;
    const { isAwaited } = this.promise;
    const isTold = isAwaited && this.#isOver && !this.isCutShort;
    const failure = this.#isOver || isMet() ? this.failure : unmet(WHILE_CHECKED);
    if (!failure || isTold) return undefined;
    return isAwaited ? failure.message : `${failure.message}\n${NOT_AWAITED}`;
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      if (this.#expected.isMet()) return this.#end(undefined);
      await this.#expected.changed();
    }
  }

  #end(failure: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.failure = failure;
    this.#callOff();
    this.#settle(failure);
  }
}

/** What a test expects of a mock. What it does not wait for, the mock's verdict tells. */
export class Expectations {
  readonly #all: Waiting[] = [];

  /** Resolves when it is met, and rejects when it is not in time. */
  add(expected: Expectation): Promise<void> {
    const waiting = new Waiting(expected);
    this.#all.push(waiting);
    return waiting.promise;
  }

  cutShort(why: string): void {
    for (const waiting of this.#all) waiting.cutShort(why);
  }

  get problems(): readonly string[] {
    return this.#all.flatMap(({ problem }) => problem ?? []);
  }
}
