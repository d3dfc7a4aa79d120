import type { Step, StepRole } from "../exchange/exchange.ts";

/** What a client ended by giving up. */
export interface Cancelled {
  /** It was given up in the recording too. */
  readonly recorded: boolean;
  /** How many steps the live cancellation overtook. */
  readonly overtaken: number;
  /** How many of them are messages that the client would have been sent. */
  readonly unsent: number;
}

const MESSAGES: ReadonlySet<StepRole> = new Set(["send", "ask", "outcome", "status"]);

/**
 * What a live cancellation does to the steps that are still to come: it overtakes those that the recording has before
 * its own cancellation, or all where it has none.
 */
export function cancelledBefore(left: readonly Step[], withToken: boolean): Cancelled {
  const cancel = left.findIndex(({ role }) => role === "cancel");
  const overtaken = cancel < 0 ? left : left.slice(0, cancel);
  const unsent = overtaken.filter(
    ({ role, progress, listener }) => MESSAGES.has(role) && !listener && (withToken || !progress),
  );
  return { recorded: cancel >= 0, overtaken: overtaken.length, unsent: unsent.length };
}
