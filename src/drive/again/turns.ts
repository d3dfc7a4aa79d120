/** How far a connection is, by ordinals of the recording's entries. */
export interface Progress {
  /** Whether all is done and answered that was before an entry. */
  hasReached(ordinal: number): boolean;
  /** Whether all has come besides that had before an entry. */
  hasHeard(ordinal: number): boolean;
  /** What had come before an entry, and has not by now, is not waited for again. */
  giveUp(ordinal: number): void;
}

/** Keeps connections that were open at once in the order in which they were recorded. */
export class Turns {
  readonly #all = new Map<number, Progress>();

  /** Before any asks for its turn. */
  join(session: number, progress: Progress): void {
    this.#all.set(session, progress);
  }

  /** It has ended, or nothing more is to be done on it. */
  leave(session: number): void {
    this.#all.delete(session);
  }

  get allLeft(): boolean {
    return this.#all.size === 0;
  }

  /** Whether all others have done what they had before an entry. */
  isTurn(session: number, ordinal: number): boolean {
    return [...this.#all].every(([other, progress]) => other === session || progress.hasReached(ordinal));
  }

  haveHeard(ordinal: number): boolean {
    return [...this.#all.values()].every((each) => each.hasHeard(ordinal));
  }

  giveUp(ordinal: number): void {
    for (const each of this.#all.values()) each.giveUp(ordinal);
  }
}
