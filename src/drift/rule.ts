import type { Change, ChangeClass, Layer } from "../contract/change.ts";

/** A kind of change between two recordings: what documentation, reports and suppressions call it. */
export interface DriftRule {
  readonly layer: Layer;
  /** Every class it can come with; the first is the usual one. */
  readonly classes: readonly [ChangeClass, ...ChangeClass[]];
  /** What happened, in a few words. */
  readonly title: string;
  /** Why that is of this class, as a sentence. */
  readonly reason: string;
}

/** What a place contributes to a change; the rule gives the rest. */
export interface Found extends Pick<Change, "subject" | "pointer" | "message" | "before" | "after"> {
  /** Where it is another than the rule's usual one. */
  readonly class?: ChangeClass | undefined;
}
