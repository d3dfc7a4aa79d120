/** A question costs more than it may. The message says what was looked at. */
export class TooComplex extends Error {}

/** Counts what is done, so that a comparison ends at the same point wherever and whenever it runs. */
export class Steps {
  readonly most: number;
  readonly #why: string;
  taken = 0;

  /** @param why said where there are more than `most` */
  constructor(most: number, why: string) {
    this.most = most;
    this.#why = why;
  }

  /** @throws TooComplex */
  take(count = 1): void {
    this.taken += count;
    if (this.taken > this.most) throw new TooComplex(this.#why);
  }

  get spent(): boolean {
    return this.taken >= this.most;
  }
}

/** What is found, or what stands for it where that is too complex. */
export function unlessTooComplex<Found, Else>(find: () => Found, otherwise: Else): Found | Else {
  try {
    return find();
  } catch (error) {
    if (error instanceof TooComplex) return otherwise;
    throw error;
  }
}
