import type { Change, ChangeClass } from "../contract/change.ts";
import { CLASSES, type Comparison, type Drift, isEmpty, type SettledComparison } from "../drift/drift.ts";
import { showable } from "./paint.ts";
import type { Reporter } from "./reporter.ts";

import {
  acceptedInWords,
  bySubject,
  comparedInWords,
  countsInWords,
  cut,
  inlinePair,
  isTextChange,
  NOTHING_COMPARED,
  nameOf,
  notesOf,
} from "./words.ts";

/** GitHub takes comments of up to 65,536 characters. */
const MOST = 60_000;
const MOST_ROWS = 40;
/** In characters. */
const LONGEST_CELL = 140;
const LONGEST_VALUE = 400;
const LONGEST_WITNESS = 2000;

const SIGN: Readonly<Record<ChangeClass, string>> = {
  breaking: "❌",
  risky: "⚠️",
  compatible: "✅",
  info: "ℹ️",
};

/** A comment on a pull request: the verdict, a table of what changed, and the details folded. */
export const markdown: Reporter = {
  purpose: "a comment on a pull request",
  async render(drift) {
    const told = drift.comparisons.filter(({ changes }) => changes.length > 0);
    const accepted = drift.comparisons.filter((each) => each.accepted.length > 0);
    const head = [`### ${verdictLine(drift)}`, "", sidesLine(drift), ""];
    const table = tableOf(told, drift.comparisons.length > 1);
    const notes = notesOf(drift).flatMap((note) => [`> ${prose(note)}`, ""]);
    const several = drift.comparisons.length > 1;
    const text = [...head, ...table, ...notes, ...acceptedPart(accepted, several)].join("\n");
    const details: string[] = [];
    let length = text.length;
    let left = 0;
    for (const comparison of told) {
      for (const [subject, changes] of bySubject(comparison.changes.filter(hasDetails))) {
        const part = left > 0 ? "" : await detailsOf({ subject, changes, drift, comparison });
        if (left > 0 || length + part.length > MOST) left++;
        else details.push(part);
        length += part.length;
      }
    }
    const more = left > 0 ? [`\nDetails of ${left} more are left out, since a comment holds no more.`] : [];
    return `${[text, ...details, ...more].join("\n").trimEnd()}\n`;
  },
};

/** What has nothing to show stands in the table. */
function hasDetails({ before, after, witness }: Change): boolean {
  return before !== undefined || after !== undefined || witness !== undefined;
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

function tableOf(told: readonly Comparison[], several: boolean): string[] {
  const rows = told.flatMap((comparison) =>
    CLASSES.flatMap((each) =>
      [...bySubject(comparison.changes.filter((change) => change.class === each))].map(
        ([subject, changes]) => {
          const file = several ? ` ${code(nameOf(comparison))} |` : "";
          return `| ${SIGN[each]} ${each} |${file} ${code(cut(subject, LONGEST_CELL))} | ${whatChanged(changes)} |`;
        },
      ),
    ),
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
      return `|${file} ${code(cut(change.subject, LONGEST_CELL))} | ${said} | ${prose(acceptedInWords(change))} |`;
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

function whatChanged(changes: readonly Change[]): string {
  const [first] = changes as [Change];
  const message = prose(cut(first.message, LONGEST_CELL));
  return changes.length === 1 ? message : `${message} And ${changes.length - 1} more.`;
}

interface Part {
  readonly subject: string;
  readonly changes: readonly Change[];
  readonly drift: Drift;
  readonly comparison: Comparison;
}

async function detailsOf({ subject, changes, drift, comparison }: Part): Promise<string> {
  const file = drift.comparisons.length > 1 ? `${html(nameOf(comparison))}: ` : "";
  const worst = CLASSES.find((each) => changes.some((change) => change.class === each)) as ChangeClass;
  const lines = [
    `<details><summary>${SIGN[worst]} ${file}<code>${html(cut(subject, LONGEST_CELL))}</code></summary>`,
    "",
  ];
  for (const change of changes) {
    lines.push(`**${change.class}** · ${code(change.rule)} · ${prose(change.message)}`, "");
    lines.push(...(await valueBlock(change)), ...witnessBlock(change));
  }
  lines.push("</details>", "");
  return lines.join("\n");
}

async function valueBlock(change: Change): Promise<string[]> {
  const { before, after } = change;
  if (before === undefined && after === undefined) return [];
  if (isTextChange(change)) {
    const { diffTexts } = await import("./text-diff.ts");
    const lines = diffTexts(before as string, after as string);
    return fenced(
      "diff",
      lines.map(({ mark, text }) => (mark === "…" ? `@@ ${text} @@` : `${mark} ${text}`)).join("\n"),
    );
  }
  const [old, fresh] = inlinePair(before ?? null, after ?? null, LONGEST_VALUE);
  const lines = [before === undefined ? [] : [`- ${old}`], after === undefined ? [] : [`+ ${fresh}`]];
  return fenced("diff", lines.flat().join("\n"));
}

function witnessBlock({ witness }: Change): string[] {
  if (!witness) return [];
  const { value, acceptedBy, reason, from } = witness;
  const other = acceptedBy === "old" ? "new" : "old";
  const made = from === "recorded" ? "was recorded" : "was made to show it";
  return [
    `This value ${made}. The ${acceptedBy} schema accepts it; the ${other} one says: ${prose(reason)}`,
    "",
    ...fenced("json", cut(JSON.stringify(value, null, 2), LONGEST_WITNESS)),
  ];
}

/** A fence longer than any in the text. */
function fenced(language: string, text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, showable(text), fence, ""];
}

/** Inline code, in a table too (https://github.github.com/gfm/#code-spans). */
function code(text: string): string {
  const line = showable(text.replace(/\s*\n\s*/g, " ")).replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}

/** A sentence in which nothing is markup, mentions nobody and ends no table cell. */
function prose(text: string): string {
  return html(text)
    .replace(/[\\`*_[\]~|]/g, "\\$&")
    .replace(/@(?=\w)/g, "@\u2060")
    .replace(/\s*\n\s*/g, " ");
}

function html(text: string): string {
  return showable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
