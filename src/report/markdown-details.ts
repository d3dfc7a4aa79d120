import type { Change } from "../contract/change.ts";
import type { Comparison } from "../drift/drift.ts";
import { code, fenced, html, prose, SIGN } from "./markdown-text.ts";
import { shortened } from "./shortened.ts";
import type { Topic } from "./topics.ts";
import { cut, inlinePair, isTextChange, nameOf } from "./words.ts";

/** In characters. */
const LONGEST_SUBJECT = 140;
const LONGEST_VALUE = 400;
const LONGEST_WITNESS = 2000;
/** So many subjects of one change are named in the table. */
export const NAMED = 3;
/** Of one change so many subjects are named. */
const MOST_SUBJECTS = 100;

/**
 * What there is to see of a topic, folded; nothing where all stands in the table.
 * @param comparison where it belongs to one of several
 */
export async function detailsOf(
  { worst, subjects, changes }: Topic,
  comparison: Comparison | undefined,
): Promise<string | undefined> {
  if (subjects.length <= NAMED && !changes.some(hasDetails)) return undefined;
  const [first = ""] = subjects;
  const said = html(cut(changes[0]?.message ?? "", LONGEST_SUBJECT));
  const more = subjects.length > 1 ? ` and ${subjects.length - 1} more: ${said}` : "";
  const file = comparison ? `${html(nameOf(comparison))}: ` : "";
  const lines = [
    `<details><summary>${SIGN[worst]} ${file}<code>${html(cut(first, LONGEST_SUBJECT))}</code>${more}</summary>`,
    "",
  ];
  for (const change of changes) {
    if (subjects.length === 1 && !hasDetails(change)) continue;
    lines.push(`**${change.class}** · ${code(change.rule)} · ${prose(change.message)}`, "");
    lines.push(...(await valueBlock(change)), ...witnessBlock(change));
  }
  if (subjects.length > 1) lines.push(...subjectsBlock(subjects));
  lines.push("</details>", "");
  return lines.join("\n");
}

/** What has nothing to show stands in the table. */
function hasDetails({ before, after, witness }: Change): boolean {
  return before !== undefined || after !== undefined || witness !== undefined;
}

function subjectsBlock(subjects: readonly string[]): string[] {
  const left = subjects.length - MOST_SUBJECTS;
  return [
    ...subjects.slice(0, MOST_SUBJECTS).map((subject) => `- ${code(cut(subject, LONGEST_SUBJECT))}`),
    ...(left > 0 ? [`- and ${left} more`] : []),
    "",
  ];
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
  const [old, fresh] = inlinePair(before, after, LONGEST_VALUE);
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
    ...fenced("json", cut(JSON.stringify(shortened(value, LONGEST_VALUE), null, 2), LONGEST_WITNESS)),
  ];
}
