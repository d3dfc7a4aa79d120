import type { Change, ChangeClass } from "../contract/change.ts";
import { isEmptiedOrFilled } from "../contract/list-news.ts";
import { applyAccepted, type Decisions, NO_DECISIONS, type Settled } from "./accepted.ts";

/** From what matters most. */
export const CLASSES: readonly ChangeClass[] = ["breaking", "risky", "compatible", "info"];

/** How many of each kind of thing were looked at on both sides: `exchanges`, `tools`, … */
export type Compared = Readonly<Record<string, number>>;

/** Two states of one server, and what is different. */
export interface Comparison {
  /** What people call them; null where there is none. */
  readonly old: string | null;
  readonly new: string | null;
  /** The file at which changes are shown, where one side is none; the new side otherwise. */
  readonly file?: string | undefined;
  readonly changes: readonly Change[];
  readonly compared: Compared;
}

/** A comparison, and what a reader should know of how it was made. */
export interface Noted extends Comparison {
  readonly notes?: readonly string[] | undefined;
}

/** The same after what is accepted was sorted out. */
export type SettledComparison = Settled<Comparison>;

/** What a diff came to. */
export interface Drift {
  /** What people call the two sides: files, or a revision and the working tree. */
  readonly old: string;
  readonly new: string;
  readonly comparisons: readonly SettledComparison[];
  readonly counts: Readonly<Record<ChangeClass, number>>;
  /** All comparisons together. */
  readonly compared: Compared;
  /** How many changes somebody has decided on; they are in no other count. */
  readonly accepted: number;
  /** Requests that were not made again, so that there was nothing to compare. */
  readonly withheld: readonly Withheld[];
  /** What the reader should know besides. */
  readonly notes: readonly string[];
}

/** A request of the old side that was not made again. */
export interface Withheld {
  /** `tools/call forecast`. */
  readonly subject: string;
  readonly reason: string;
}

export interface DriftParts {
  readonly old: string;
  readonly new: string;
  readonly comparisons: readonly Noted[];
  readonly decisions?: Decisions | undefined;
  readonly withheld?: readonly Withheld[];
  readonly notes?: readonly string[];
}

export function driftFrom({ comparisons: noted, decisions = NO_DECISIONS, ...rest }: DriftParts): Drift {
  const own = noted.flatMap(({ old, new: fresh, notes = [] }) =>
    notes.map((note) => (noted.length > 1 ? `${fresh ?? old ?? ""}: ${note}` : note)),
  );
  const all = noted.map(({ notes: _, ...comparison }): Comparison => comparison);
  const { comparisons, notes } = applyAccepted(all, decisions);
  const compared: Record<string, number> = {};
  const counts: Record<ChangeClass, number> = { breaking: 0, risky: 0, compatible: 0, info: 0 };
  for (const each of comparisons) {
    for (const [what, count] of Object.entries(each.compared)) compared[what] = (compared[what] ?? 0) + count;
    for (const change of each.changes) counts[change.class]++;
  }
  const accepted = comparisons.reduce((sum, each) => sum + each.accepted.length, 0);
  const { old, new: fresh } = rest;
  return {
    old,
    new: fresh,
    comparisons,
    counts,
    compared,
    accepted,
    withheld: rest.withheld ?? [],
    notes: [...(rest.notes ?? []), ...own, ...notes],
  };
}

/**
 * Nothing of anything was there on both sides, so nothing can be said; but that a list lost all that it had, or was empty
 * before, can.
 */
export function isEmpty({ compared, comparisons }: Pick<Drift, "compared" | "comparisons">): boolean {
  if (Object.values(compared).some((count) => count > 0)) return false;
  return !comparisons.some(({ changes, accepted }) =>
    isEmptiedOrFilled(new Set([...changes, ...accepted].map(({ rule }) => rule))),
  );
}

/** What makes a diff fail. */
export const FAIL_ON = ["breaking", "risky", "any", "never"] as const;
export type FailOn = (typeof FAIL_ON)[number];

const FAILING: Readonly<Record<FailOn, readonly ChangeClass[]>> = {
  breaking: ["breaking"],
  risky: ["breaking", "risky"],
  any: CLASSES,
  never: [],
};

/** The classes that make a diff fail. */
export function failingClasses(failOn: FailOn): readonly ChangeClass[] {
  return FAILING[failOn];
}

/** Whether it fails. Nothing compared always does. */
export function isFailing(drift: Drift, failOn: FailOn): boolean {
  return isEmpty(drift) || FAILING[failOn].some((each) => drift.counts[each] > 0);
}
