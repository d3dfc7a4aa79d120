import type { Change } from "../contract/change.ts";
import { insideOf, type PointerPattern } from "../replay/pointer-pattern.ts";

/** A change that somebody has decided on. What is left out narrows nothing. */
export interface Accepted {
  /** Id of the rule. */
  readonly rule: string;
  /** The cassette, by its old or its new name; `*` stands for anything. */
  readonly cassette?: string | undefined;
  /** What changed, as reports name it; `*` stands for anything. */
  readonly subject?: string | undefined;
  /** The place, with all that is in it. */
  readonly pointer?: PointerPattern | undefined;
  readonly reason: string;
  /** The last day on which it holds (UTC), as `2027-01-31`. Without it, for ever. */
  readonly expires?: string | undefined;
}

/** What is decided, on the day on which that is asked. */
export interface Decisions {
  readonly accept: readonly Accepted[];
  /** UTC, as `2027-01-31`. */
  readonly today: string;
}

export const NO_DECISIONS: Decisions = { accept: [], today: "" };

/** Whether a text is a day of the calendar, as `2027-01-31`. */
export function isDay(text: string): boolean {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && dayOf(day.getTime()) === text;
}

/** @param time in milliseconds since the Unix epoch */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A change, and why it is accepted. */
export interface AcceptedChange extends Change, Pick<Accepted, "reason" | "expires"> {}

/** Two states of one server, as far as decisions look at them. */
interface Decidable {
  readonly old: string | null;
  readonly new: string | null;
  readonly changes: readonly Change[];
}

export type Settled<Compared> = Compared & {
  /** They are in `changes` no more. */
  readonly accepted: readonly AcceptedChange[];
};

export interface AcceptedOutcome<Compared> {
  readonly comparisons: readonly Settled<Compared>[];
  /** Sentences on decisions that hold no longer, or that nothing needs. */
  readonly notes: readonly string[];
}

/** Sorts out the changes that are decided on. */
export function applyAccepted<Compared extends Decidable>(
  comparisons: readonly Compared[],
  { accept, today }: Decisions,
): AcceptedOutcome<Compared> {
  const decisions = accept.map((decision) => new Decision(decision, today));
  const settled = comparisons.map((comparison): Settled<Compared> => {
    const accepted: AcceptedChange[] = [];
    if (decisions.length === 0) return { ...comparison, accepted };
    const changes = comparison.changes.filter((change) => {
      // Each is asked, so that each knows whether it is needed.
      const [holding] = decisions
        .filter((each) => each.fits(change, comparison))
        .filter(({ holds }) => holds);
      if (holding) accepted.push(holding.on(change));
      return !holding;
    });
    return { ...comparison, changes, accepted };
  });
  return { comparisons: settled, notes: decisions.flatMap((decision) => decision.notes()) };
}

class Decision {
  readonly holds: boolean;
  readonly #is: Accepted;
  readonly #cassette: RegExp;
  readonly #subject: RegExp;
  readonly #place: RegExp | undefined;
  #used = false;

  constructor(is: Accepted, today: string) {
    this.#is = is;
    this.holds = is.expires === undefined || is.expires >= today;
    this.#cassette = patternOf(is.cassette ?? "*");
    this.#subject = patternOf(is.subject ?? "*");
    this.#place = is.pointer === undefined ? undefined : insideOf([is.pointer]);
  }

  fits({ rule, subject, pointer }: Change, { old, new: fresh }: Decidable): boolean {
    const fits =
      rule === this.#is.rule &&
      [old, fresh].some((name) => name !== null && this.#cassette.test(name)) &&
      this.#subject.test(subject) &&
      (this.#place?.test(pointer) ?? true);
    this.#used ||= fits;
    return fits;
  }

  on(change: Change): AcceptedChange {
    const { reason, expires } = this.#is;
    return { ...change, reason, ...(expires !== undefined && { expires }) };
  }

  notes(): string[] {
    const { rule, cassette, subject, pointer, reason, expires } = this.#is;
    const parts = [
      rule,
      subject && `on ${subject}`,
      pointer && `at ${pointer}`,
      cassette && `in ${cassette}`,
    ];
    const named = `${parts.filter(Boolean).join(" ")} (${reason})`;
    if (!this.#used) return [`Nothing that was compared needs the accepted change ${named}.`];
    return this.holds ? [] : [`The accepted change ${named} expired on ${expires}, so it counts again.`];
  }
}

function patternOf(text: string): RegExp {
  const parts = text.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
