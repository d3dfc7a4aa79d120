import type { Change } from "../contract/change.ts";
import { CLASSES, type Comparison, type Drift, isEmpty, type SettledComparison } from "../drift/drift.ts";
import { type Alike, sorted } from "./alike.ts";
import {
  CLASS_STYLE,
  coloured,
  type Paint,
  plain,
  showable,
  showableLine,
  withoutCommands,
  wrapped,
} from "./paint.ts";
import type { Look, Reporter } from "./reporter.ts";
import { shortened } from "./shortened.ts";
import type { DiffLine } from "./text-diff.ts";
import {
  acceptedInWords,
  bySubject,
  comparedInWords,
  countsInWords,
  cut,
  cutNear,
  inlinePair,
  isTextChange,
  NOTHING_COMPARED,
  nameOf,
  notesOf,
} from "./words.ts";

/** Of a text in a witness, in characters: its length is to be seen, too. */
const LONGEST_TEXT = 30;
/** No line is longer than is good to read, however wide the terminal is. */
const WIDEST = 120;
const NARROWEST = 40;

interface Page {
  readonly width: number;
  readonly paint: Paint;
}

/** For people: classes from the worst, in each what changed, with old and new below each other. */
export const terminal: Reporter = {
  purpose: "for people, in colour on a terminal",
  async render(drift, look) {
    const page = pageOf(look);
    const lines: string[] = [];
    const told = drift.comparisons.filter(({ changes, accepted }) => changes.length + accepted.length > 0);
    for (const comparison of told) {
      if (drift.comparisons.length > 1) lines.push(page.paint("bold", showableLine(nameOf(comparison))), "");
      lines.push(...(await comparisonLines(comparison, page)), ...acceptedLines(comparison, page));
    }
    return withoutCommands(`${[...lines, ...summaryLines(drift, page)].join("\n")}\n`);
  },
};

function pageOf({ width, colour }: Look): Page {
  return { width: Math.max(NARROWEST, Math.min(width, WIDEST)), paint: colour ? coloured : plain };
}

async function comparisonLines({ changes }: Comparison, page: Page): Promise<string[]> {
  const lines: string[] = [];
  for (const each of CLASSES) {
    const own = changes.filter((change) => change.class === each);
    if (own.length === 0) continue;
    lines.push(
      page.paint(CLASS_STYLE[each], page.paint("bold", `${each.toUpperCase()} (${own.length})`)),
      "",
    );
    const { alike, others } = sorted(own);
    for (const [subject, all] of bySubject(others)) {
      lines.push(`  ${subjectLine(subject, page)}`);
      for (const change of all) lines.push(...(await changeLines(change, page)));
      lines.push("");
    }
    for (const each of alike) lines.push(...(await alikeLines(each, page)), "");
  }
  return lines;
}

function acceptedLines({ accepted }: SettledComparison, page: Page): string[] {
  if (accepted.length === 0) return [];
  const dim = (lines: readonly string[]) => lines.map((line) => page.paint("dim", line));
  const told = accepted.flatMap((change) => [
    ...dim(indented(2, wrapped(`${showableLine(change.subject)}: ${headOf(change)}`, page.width - 2))),
    ...dim(indented(4, wrapped(`accepted: ${showableLine(acceptedInWords(change))}`, page.width - 4))),
  ]);
  return [page.paint("bold", `ACCEPTED (${accepted.length})`), "", ...told, ""];
}

/** Of one change so many subjects are named. */
const MOST_SUBJECTS = 20;

async function alikeLines({ change, subjects }: Alike, page: Page): Promise<string[]> {
  const left = subjects.length - MOST_SUBJECTS;
  return [
    ...indented(2, wrapped(headOf(change), page.width - 2)),
    ...(await detailLines(change, page)),
    ...subjects.slice(0, MOST_SUBJECTS).map((subject) => `    ${subjectLine(subject, page)}`),
    ...(left > 0 ? [page.paint("dim", `    … and ${left} more`)] : []),
  ];
}

function subjectLine(subject: string, { paint, width }: Page): string {
  return paint("bold", cut(showableLine(subject), width - 4));
}

function headOf({ message, rule }: Change): string {
  return `${showableLine(message)} [${rule}]`;
}

async function changeLines(change: Change, page: Page): Promise<string[]> {
  return [...indented(4, wrapped(headOf(change), page.width - 4)), ...(await detailLines(change, page))];
}

async function detailLines(change: Change, page: Page): Promise<string[]> {
  return [...(await valueLines(change, page)), ...witnessLines(change, page)];
}

async function valueLines(change: Change, page: Page): Promise<string[]> {
  const { before, after } = change;
  if (isTextChange(change)) {
    const { diffTexts } = await import("./text-diff.ts");
    const lines = diffTexts(before as string, after as string);
    return lines.map((line) => `      ${diffLine(line, page)}`);
  }
  const room = page.width - 11;
  const [old, fresh] = inlinePair(before, after, room);
  const lines: string[] = [];
  if (before !== undefined) lines.push(`      ${page.paint("red", "old")}  ${cut(showable(old), room)}`);
  if (after !== undefined) lines.push(`      ${page.paint("green", "new")}  ${cut(showable(fresh), room)}`);
  return lines;
}

function diffLine({ mark, text, pieces, pair }: DiffLine, { width, paint }: Page): string {
  const room = width - 8;
  if (mark === "…") return paint("dim", cut(`… ${text}`, room));
  if (mark === " ") return `  ${cut(showable(text), room)}`;
  const style = mark === "-" ? "red" : "green";
  const long = text.length > room;
  if (long && pair) return paint(style, `${mark} ${cut(showable(cutNear(text, pair, room)), room)}`);
  if (!pieces || long) return paint(style, `${mark} ${cut(showable(text), room)}`);
  const painted = pieces.map((piece) =>
    piece.own ? paint("inverse", showable(piece.text)) : showable(piece.text),
  );
  return paint(style, `${mark} ${painted.join("")}`);
}

function witnessLines({ witness }: Change, page: Page): string[] {
  if (!witness) return [];
  const { value, acceptedBy, reason, from } = witness;
  const other = acceptedBy === "old" ? "new" : "old";
  const room = page.width - 11;
  return [
    `      ${page.paint("cyan", "e.g.")} ${cut(showable(JSON.stringify(shortened(value, LONGEST_TEXT))), room)}`,
    ...indented(
      11,
      wrapped(
        `${from}; the ${acceptedBy} schema accepts it, the ${other} one says: ${showable(reason)}`,
        room,
      ),
    ),
  ];
}

function summaryLines(drift: Drift, { paint, width }: Page): string[] {
  const lines = notesOf(drift).flatMap((note) => wrapped(`note: ${showableLine(note)}`, width));
  if (isEmpty(drift)) return [...lines, paint("red", NOTHING_COMPARED)];
  const worst = CLASSES.find((each) => drift.counts[each] > 0);
  const counts = worst ? paint(CLASS_STYLE[worst], countsInWords(drift)) : paint("green", "no change");
  const accepted = drift.accepted > 0 ? `, ${drift.accepted} accepted` : "";
  const compared = comparedInWords(drift);
  const fits = `${countsInWords(drift)}${accepted}; ${compared}`.length <= width;
  return [...lines, ...(fits ? [`${counts}${accepted}; ${compared}`] : [`${counts}${accepted}`, compared])];
}

function indented(by: number, lines: readonly string[]): string[] {
  return lines.map((line) => " ".repeat(by) + line);
}
