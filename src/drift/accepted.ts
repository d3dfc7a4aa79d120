import type { Change } from "../contract/change.ts";

/** A change that somebody has decided on. */
export interface Accepted {
  /** Id of the rule. */
  readonly rule: string;
  /** What changed; `*` stands for anything. Without it, whatever the rule finds. */
  readonly subject?: string | undefined;
  readonly reason: string;
  /** The last day on which it holds, as `2027-01-31`. Without it, for ever. */
  readonly expires?: string | undefined;
}

export interface AcceptedOutcome {
  /** What nobody has decided on. */
  readonly changes: readonly Change[];
  readonly accepted: readonly Change[];
  /** Sentences on decisions that hold no longer, or that nothing needs. */
  readonly notes: readonly string[];
}

/**
 * Takes out the changes that are decided on.
 * @param today as `2027-01-31`
 */
export function applyAccepted(
  changes: readonly Change[],
  decisions: readonly Accepted[],
  today: string,
): AcceptedOutcome {
  const used = new Set<Accepted>();
  const accepted = changes.filter((change) => {
    const fitting = decisions.filter((decision) => fits(decision, change));
    for (const decision of fitting) used.add(decision);
    return fitting.some((decision) => !isExpired(decision, today));
  });
  const taken = new Set(accepted);
  return {
    changes: changes.filter((change) => !taken.has(change)),
    accepted,
    notes: decisions.flatMap((decision) => noteOn(decision, used.has(decision), today)),
  };
}

function fits({ rule, subject }: Accepted, change: Change): boolean {
  if (rule !== change.rule) return false;
  return subject === undefined || patternOf(subject).test(change.subject);
}

function patternOf(subject: string): RegExp {
  const parts = subject.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

function isExpired({ expires }: Accepted, today: string): boolean {
  return expires !== undefined && expires < today;
}

function noteOn(decision: Accepted, used: boolean, today: string): string[] {
  const { rule, subject, reason, expires } = decision;
  const named = `${rule}${subject === undefined ? "" : ` on ${subject}`} (${reason})`;
  if (!used) return [`Nothing needs the accepted change ${named} any more; take it out.`];
  return isExpired(decision, today)
    ? [`The accepted change ${named} expired on ${expires}, so it counts again.`]
    : [];
}
