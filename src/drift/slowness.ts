/** From when on an answer counts as slower: both must hold. */
export interface Slowness {
  /** How many times as long as before it took. */
  readonly factor: number;
  /** Milliseconds that it took longer. */
  readonly least: number;
}

/**
 * Machines and networks differ, and the first call of a process is slow. What takes ten times as long and five seconds
 * longer is none of that.
 */
export const FAR_SLOWER: Slowness = { factor: 10, least: 5_000 };
