import { VcrError } from "../errors.ts";
import type { Asked, Report } from "../replay/report.ts";

/** What fails a test, and what does not. */
export interface Verdicts {
  /** Requests that nothing recorded or written answers fail the test. Default `fail`. */
  readonly misses?: "fail" | "allow" | undefined;
  /** What is recorded or written and was not asked fails the test. Default `allow`. */
  readonly unused?: "fail" | "allow" | undefined;
}

/** What there is to say against a test. */
export interface Charges {
  /** As the user would name it. */
  readonly name: string;
  /** Explanations of the misses. */
  readonly misses: readonly string[];
  /** Requests that no server takes, as sentences. */
  readonly refused: readonly string[];
  /** Why a client asked no further than which era the server speaks. */
  readonly turnedAway: readonly string[];
  readonly problems: readonly string[];
  readonly report: () => Report;
  /** Of the runs that a reset ended. */
  readonly reportsBefore: () => readonly Report[];
  readonly strict: boolean;
  readonly remedy: string | undefined;
}

/** Told of each kind. */
const MOST_TOLD = 5;

/**
 * The error that fails a test, `test-failed` with `sentences` as its data; undefined where the test may pass.
 * @param opened where the tape was opened, which is where people look first
 */
export function failureOf(
  charges: Charges,
  { misses = "fail", unused = "allow" }: Verdicts,
  opened: string | undefined,
): VcrError | undefined {
  const missed = misses === "fail" ? charges.misses : [];
  const sentences = [
    ...charges.problems,
    ...missed,
    ...(misses === "fail" ? [...charges.refused, ...charges.turnedAway] : []),
    ...(charges.strict ? [...charges.reportsBefore(), charges.report()].flatMap(strictSentences) : []),
    ...(unused === "fail" ? unusedSentences(charges.name, charges.report().unused) : []),
  ];
  if (sentences.length === 0) return undefined;
  const remedy = missed.length > 0 && charges.remedy !== undefined ? `\n${charges.remedy}` : "";
  const message = `${shortened(sentences).join("\n\n")}${remedy}`;
  const error = new VcrError("test-failed", message, { data: { sentences } });
  if (opened !== undefined) error.stack = `${error.name}: ${error.message}\n${opened}`;
  return error;
}

function strictSentences({ differentAnswers, unanswered }: Report): string[] {
  return [
    ...differentAnswers.map(
      ({ label, recorded, live }) =>
        `During ${label} the client answered otherwise than recorded (strict).\n  recorded ${JSON.stringify(recorded)}\n  answered ${JSON.stringify(live)}`,
    ),
    ...unanswered.map(
      ({ label }) => `${label} was recorded without an answer, so the client was left waiting (strict).`,
    ),
  ];
}

function unusedSentences(name: string, unused: readonly Asked[]): string[] {
  if (unused.length === 0) return [];
  const lines = unused.map(
    ({ label, asked, place }) =>
      `  ${label}  ${JSON.stringify(asked)}${place === undefined ? "" : `  ${place}`}`,
  );
  return [`Never asked of ${name}:\n${shortened(lines).join("\n")}`];
}

function shortened(all: readonly string[]): string[] {
  const more = all.length - MOST_TOLD;
  return more > 0 ? [...all.slice(0, MOST_TOLD), `  and ${more} more`] : [...all];
}
