import type { MissReason } from "./miss.ts";
import type { Recording } from "./recording.ts";
import type { ReportBuilder } from "./report.ts";

interface Count {
  readonly what: string;
  readonly of: (tally: ReportBuilder, recording: Recording) => number;
}

function isOfScenario(reason: MissReason): boolean {
  return reason === "unwritten" || reason === "unfit";
}

/** Worth a summary. */
const GRAVE: readonly Count[] = [
  { what: "not recorded", of: ({ misses }) => misses.filter(({ reason }) => !isOfScenario(reason)).length },
  { what: "not written", of: ({ misses }) => misses.filter(({ reason }) => reason === "unwritten").length },
  {
    what: "not fit to be given",
    of: ({ misses }) => misses.filter(({ reason }) => reason === "unfit").length,
  },
  { what: "recorded without an answer", of: ({ unanswered }) => unanswered.length },
  { what: "answered otherwise by the client", of: ({ differentAnswers }) => differentAnswers.length },
];

/** Told along with them. */
const BESIDES: readonly Count[] = [
  { what: "asked more often than recorded", of: ({ repeated }) => repeated },
  { what: "cancelled", of: ({ cancelled }) => cancelled.length },
  { what: "recorded and never asked", of: (tally, recording) => tally.unusedOf(recording).length },
  { what: "written and never asked", of: ({ written }) => written?.unused().length ?? 0 },
];

/**
 * A replay in a line, for people; undefined when nothing in it asks for their attention.
 * @param paint marks what is grave
 */
export function summaryOf(
  tally: ReportBuilder,
  recording: Recording,
  paint: (text: string) => string,
): string | undefined {
  const told = (counts: readonly Count[]) =>
    counts
      .map(({ what, of }) => ({ what, count: of(tally, recording) }))
      .filter(({ count }) => count > 0)
      .map(({ what, count }) => `${count} ${what}`);
  const grave = told(GRAVE);
  if (grave.length === 0) return undefined;
  const { answered: hits } = tally;
  const parts = [...grave.map(paint), ...told(BESIDES)];
  return `${hits} ${hits === 1 ? "request" : "requests"} answered; ${parts.join(", ")}`;
}

/** For who was turned away, and asked nothing after that. */
export function turnedAwayNotice({ turnedAway, probed }: ReportBuilder): string | undefined {
  if (!turnedAway || !probed) return undefined;
  return (
    "server/discover was answered as recorded: the server did not know it, which turns clients of 2026-07-28 alone " +
    "away. For those, delete that request and its answer from the cassette, or record with a client of 2025-11-25."
  );
}
