import type { Outlined } from "../rerecord/outline.ts";

/** The same request in both recordings. */
export interface Pair {
  readonly old: Outlined;
  readonly fresh: Outlined;
}

export interface Aligned {
  /** In the order of the old recording. */
  readonly pairs: readonly Pair[];
  readonly missing: readonly Outlined[];
  readonly added: readonly Outlined[];
}
