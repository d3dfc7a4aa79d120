import type { Change } from "../contract/change.ts";
import { CLASSES, type Comparison, type Drift, isEmpty, type SettledComparison } from "../drift/drift.ts";
import { detailsOf, NAMED } from "./markdown-details.ts";
import { code, prose, SIGN } from "./markdown-text.ts";
import type { Reporter } from "./reporter.ts";
import { type Topics, topicsOf } from "./topics.ts";
import {
  acceptedInWords,
  comparedInWords,
  countsInWords,
  cut,
  NOTHING_COMPARED,
  nameOf,
  notesOf,
} from "./words.ts";

/** GitHub takes comments of up to 65,536 characters. */
const MOST = 60_000;
const MOST_ROWS = 40;
/** In characters. A wider table has to be scrolled. */
const LONGEST_CELL = 140;
const LONGEST_SUBJECT = 80;
/** A comment on a pull request: the verdict, a table of what changed, and the details folded. */
export const markdown: Reporter = {
  purpose: "a comment on a pull request",
  async render(drift) {
    const several = drift.comparisons.length > 1;
    const told = drift.comparisons
      .filter(({ changes }) => changes.length > 0)
      .map((comparison): Told => ({ comparison, topics: topicsOf(comparison.changes) }));
    const accepted = drift.comparisons.filter((each) => each.accepted.length > 0);
    const head = [`### ${verdictLine(drift)}`, "", sidesLine(drift), ""];
    const notes = notesOf(drift).flatMap((note) => [`> ${prose(note)}`, ""]);
    const text = [...head, ...tableOf(told, several), ...notes, ...acceptedPart(accepted, several)].join(
      "\n",
    );
    return `${[text, ...(await detailsPart(told, several, MOST - text.length))].join("\n").trimEnd()}\n`;
  },
};

interface Told {
  readonly comparison: Comparison;
  readonly topics: Topics;
}

/** @param room in UTF-16 units */
async function detailsPart(told: readonly Told[], several: boolean, room: number): Promise<string[]> {
  const details: string[] = [];
  let length = 0;
  let left = 0;
  for (const { comparison, topics } of told) {
    for (const topic of topics.whole) {
      const part = left > 0 ? "" : await detailsOf(topic, several ? comparison : undefined);
      if (part === undefined) continue;
      length += part.length + 1;
      if (left > 0 || length > room) left++;
      else details.push(part);
    }
  }
  if (left > 0) details.push(`\nDetails of ${left} more are left out, since a comment holds no more.`);
  return details;
}

function verdictLine(drift: Drift): string {
  if (isEmpty(drift)) return "❌ mcp-vcr: nothing was compared";
  const worst = CLASSES.find((each) => drift.counts[each] > 0);
  if (worst === undefined) return "✅ mcp-vcr: no change";
  const count = drift.counts[worst];
  const said =
    worst === "info"
      ? "no change that callers notice"
      : `${count} ${worst} ${count === 1 ? "change" : "changes"}`;
  return `${SIGN[worst]} mcp-vcr: ${said}`;
}

function sidesLine(drift: Drift): string {
  if (isEmpty(drift)) return NOTHING_COMPARED;
  const accepted = drift.accepted > 0 ? ` ${drift.accepted} accepted.` : "";
  const several = CLASSES.filter((each) => drift.counts[each] > 0).length > 1;
  const counts = several ? ` ${countsInWords(drift)}.` : "";
  return `${code(drift.old)} → ${code(drift.new)}: ${comparedInWords(drift)}.${counts}${accepted}`;
}

function tableOf(told: readonly Told[], several: boolean): string[] {
  const rows = told.flatMap(({ comparison, topics }) =>
    topics.rows.map(({ worst, subjects, changes }) => {
      const file = several ? ` ${code(nameOf(comparison))} |` : "";
      return `| ${SIGN[worst]}\u00a0${worst} |${file} ${whatOf(subjects)} | ${whatChanged(changes)} |`;
    }),
  );
  if (rows.length === 0) return [];
  const more = rows.length > MOST_ROWS ? [`\n${rows.length - MOST_ROWS} more rows are left out.`] : [];
  return [
    several ? "| | cassette | what | change |" : "| | what | change |",
    several ? "|---|---|---|---|" : "|---|---|---|",
    ...rows.slice(0, MOST_ROWS),
    ...more,
    "",
  ];
}

function acceptedPart(accepted: readonly SettledComparison[], several: boolean): string[] {
  const rows = accepted.flatMap((comparison) =>
    comparison.accepted.map((change) => {
      const file = several ? ` ${code(nameOf(comparison))} |` : "";
      const said = prose(cut(change.message, LONGEST_CELL));
      return `|${file} ${code(cut(change.subject, LONGEST_SUBJECT))} | ${said} | ${prose(acceptedInWords(change))} |`;
    }),
  );
  if (rows.length === 0) return [];
  return [
    `<details><summary>${rows.length} accepted</summary>`,
    "",
    several ? "| cassette | what | change | why it is accepted |" : "| what | change | why it is accepted |",
    several ? "|---|---|---|---|" : "|---|---|---|",
    ...rows.slice(0, MOST_ROWS),
    ...(rows.length > MOST_ROWS ? [`\n${rows.length - MOST_ROWS} more rows are left out.`] : []),
    "",
    "</details>",
    "",
  ];
}

function whatOf(subjects: readonly string[]): string {
  const more = subjects.length - NAMED;
  const named = subjects.slice(0, more > 0 ? 1 : NAMED).map((each) => code(cut(each, LONGEST_SUBJECT)));
  return more > 0 ? `${named[0]} and ${subjects.length - 1} more` : named.join(", ");
}

function whatChanged(changes: readonly Change[]): string {
  const [first] = changes as [Change];
  const message = prose(cut(first.message, LONGEST_CELL));
  return changes.length === 1 ? message : `${message} And ${changes.length - 1} more.`;
}
