import { clearTimeout, setTimeout } from "node:timers";
import { millisecondsIn } from "../../cassette/written/duration.ts";
import { VcrError } from "../../errors.ts";
import type { Forwarded, ForwardLog } from "../../replay/forward/log.ts";
import type { Duration } from "../../scenario/duration.ts";
import { mismatches } from "../expect/partial.ts";
import { plainOf, shown } from "../expect/shown.ts";
import type { Wanted } from "../expect/wanted.ts";
import type { Expectation } from "./expectations.ts";

/** As people call what became of a request. */
const OUTCOMES: Readonly<Record<Forwarded["outcome"], string>> = {
  answered: "was answered",
  cancelled: "was cancelled",
  failed: "failed",
  unanswered: "is still waiting for its answer",
};

/** Milliseconds in which a client gives a request up. */
const SOON = 1_000;
/** What a timer can wait for. */
const LONGEST = 2 ** 31 - 1;

/** Where requests are told of. */
export interface Logging {
  /** Undefined while no client has come. */
  readonly log: ForwardLog | undefined;
  /** Resolves when there is one. */
  begun(): Promise<void>;
}

/**
 * That a client gives such a request up. It waits for that by a timer of its own, which no fake timers reach and which
 * keeps the process alive.
 * @param within a duration, or milliseconds
 * @throws VcrError `usage` for what is neither
 */
export function cancelling(
  logging: Logging,
  wanted: Wanted,
  within: Duration | number | undefined,
): Expectation {
  const most = lasting(within);
  return {
    isMet: () =>
      (logging.log?.all ?? []).some((each) => each.outcome === "cancelled" && isWanted(each, wanted)),
    changed: () => logging.log?.nextEnd() ?? logging.begun(),
    late: (then) => {
      const timer = setTimeout(then, most);
      return () => clearTimeout(timer);
    },
    unmet: (end) => notCancelled(logging.log?.all ?? [], wanted, end ?? `within ${most} ms`),
  };
}

function lasting(within: unknown = SOON): number {
  const most = typeof within === "string" ? millisecondsIn(within) : within;
  if (typeof most === "number" && most >= 0 && most <= LONGEST) return most;
  const told = typeof within === "string" ? JSON.stringify(within) : String(within);
  throw new VcrError("usage", `expectCancelled: within must be a duration or milliseconds, not ${told}`, {
    hint: 'As in mock.expectCancelled("tools/call", { name: "slow" }, { within: "2s" }): ms, s or m.',
  });
}

function isWanted({ label, asked }: Forwarded, { method, params }: Wanted): boolean {
  if (label !== method && !label.startsWith(`${method} `)) return false;
  return params === undefined || mismatches(params, asked).length === 0;
}

function notCancelled(all: readonly Forwarded[], { method, params }: Wanted, end: string): VcrError {
  const what = `${method}${params === undefined ? "" : ` with ${shown(plainOf(params))}`}`;
  const became = all
    .filter(({ label }) => label === method || label.startsWith(`${method} `))
    .map(({ label, asked, outcome }) => `  ${label} ${JSON.stringify(asked)} ${OUTCOMES[outcome]}`);
  const lines = became.length > 0 ? became : ["  nobody asked it"];
  return new VcrError("test-failed", `${what} was not cancelled ${end}\n${lines.join("\n")}`);
}
