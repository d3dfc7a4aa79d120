import { setTimeout } from "node:timers/promises";
import { VcrError } from "../../errors.ts";
import type { Forwarded, ForwardLog } from "../../replay/forward/log.ts";
import { mismatches } from "../expect/partial.ts";
import type { Wanted } from "../expect/received.ts";

/** As people call what became of a request. */
const OUTCOMES: Readonly<Record<Forwarded["outcome"], string>> = {
  answered: "was answered",
  cancelled: "was cancelled",
  failed: "failed",
  unanswered: "is still waiting for its answer",
};

/**
 * Resolves when a client has given such a request up.
 * @param within milliseconds; fake timers do not count
 * @throws VcrError `test-failed`
 */
export async function untilCancelled(
  log: ForwardLog | undefined,
  wanted: Wanted,
  within: number,
): Promise<void> {
  const over = new AbortController();
  const late = setTimeout(within, true, { signal: over.signal, ref: false }).catch(() => false);
  try {
    for (let isLate = false; !isLate; ) {
      const asked = (log?.all ?? []).filter((each) => isWanted(each, wanted));
      if (asked.some(({ outcome }) => outcome === "cancelled")) return;
      isLate = await Promise.race([late, log ? log.nextEnd().then(() => false) : late]);
    }
  } finally {
    over.abort();
  }
  throw notCancelled(log?.all ?? [], wanted, within);
}

function isWanted({ label, asked }: Forwarded, { method, params }: Wanted): boolean {
  if (label !== method && !label.startsWith(`${method} `)) return false;
  return params === undefined || mismatches(params, asked).length === 0;
}

function notCancelled(all: readonly Forwarded[], { method, params }: Wanted, within: number): VcrError {
  const what = `${method}${params === undefined ? "" : ` with ${JSON.stringify(params)}`}`;
  const became = all
    .filter(({ label }) => label === method || label.startsWith(`${method} `))
    .map(({ label, asked, outcome }) => `  ${label} ${JSON.stringify(asked)} ${OUTCOMES[outcome]}`);
  const lines = became.length > 0 ? became : ["  nobody asked it"];
  return new VcrError("test-failed", `${what} was not cancelled within ${within} ms\n${lines.join("\n")}`);
}
