import { diffLines, diffWordsWithSpace } from "diff";
import { type CutPair, sameStart } from "./words.ts";

/** A line of a text that changed. `…` stands for lines that did not. */
export interface DiffLine {
  readonly mark: " " | "-" | "+" | "…";
  readonly text: string;
  /** Of a line that became another: its pieces, and whether each is in that line only. */
  readonly pieces?: readonly { readonly text: string; readonly own: boolean }[];
  /** The same: it and the other. */
  readonly pair?: CutPair;
}

/** Lines of context, lines at most, and edits after which two texts count as two. */
const CONTEXT = 2;
const MOST_LINES = 60;
const MOST_EDITS = 1000;
/** In UTF-16 units. */
const LONGEST_LINE = 2000;

/** How one text became another. This file is imported when there is a text that differs, which mostly there is not. */
export function diffTexts(before: string, after: string): readonly DiffLine[] {
  // A break at the end of one text alone would make its last line another; it only counts where nothing else differs.
  const ignoreNewlineAtEof = withoutLastBreak(before) !== withoutLastBreak(after);
  const parts = diffLines(before, after, { maxEditLength: MOST_EDITS, ignoreNewlineAtEof });
  if (!parts) return twoTexts(before, after);
  const lines: DiffLine[] = [];
  for (let index = 0; index < parts.length; index++) {
    const { value, added, removed } = parts[index] as (typeof parts)[number];
    const next = parts[index + 1];
    if (!added && !removed) {
      lines.push(...context(linesOf(value), { first: index === 0, last: next === undefined }));
    } else if (removed && next?.added) {
      lines.push(...becoming(linesOf(value), linesOf(next.value)));
      index++;
    } else lines.push(...linesOf(value).map((text): DiffLine => ({ mark: added ? "+" : "-", text })));
  }
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), { mark: "…", text: `${lines.length - MOST_LINES} more lines` }];
}

/** Lines in the place of others; word by word where there are as many. */
function becoming(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const marked = (mark: "-" | "+") => (text: string) => ({ mark, text });
  if (old.length !== fresh.length) return [...old.map(marked("-")), ...fresh.map(marked("+"))];
  const pairs = old.map((text, row) => {
    const other = fresh[row] as string;
    const pair = { same: sameStart(text, other), length: Math.max(text.length, other.length) };
    return { pair, words: diffWordsWithSpace(cutLine(text), cutLine(other)) };
  });
  const lines = (mark: "-" | "+", texts: readonly string[], own: "added" | "removed") =>
    pairs.map(
      ({ pair, words }, row): DiffLine => ({
        mark,
        text: texts[row] ?? "",
        pair,
        pieces: piecesOf(words, own),
      }),
    );
  return [...lines("-", old, "removed"), ...lines("+", fresh, "added")];
}

interface WordPart {
  readonly value: string;
  readonly added?: boolean;
  readonly removed?: boolean;
}

function piecesOf(words: readonly WordPart[], own: "added" | "removed") {
  const other = own === "added" ? "removed" : "added";
  return words.filter((word) => !word[other]).map((word) => ({ text: word.value, own: word[own] === true }));
}

function cutLine(text: string): string {
  return text.slice(0, LONGEST_LINE);
}

function linesOf(text: string): string[] {
  return withoutLastBreak(text).split("\n");
}

function withoutLastBreak(text: string): string {
  return text.replace(/\n$/, "");
}

function context(texts: readonly string[], { first, last }: { first: boolean; last: boolean }): DiffLine[] {
  const [head, tail] = [first ? 0 : CONTEXT, last ? 0 : CONTEXT];
  const same = (text: string): DiffLine => ({ mark: " ", text });
  if (texts.length <= head + tail + 1) return texts.map(same);
  const left = texts.length - head - tail;
  return [
    ...texts.slice(0, head).map(same),
    { mark: "…", text: `${left} equal lines` },
    ...texts.slice(texts.length - tail).map(same),
  ];
}

function twoTexts(before: string, after: string): DiffLine[] {
  const said = (text: string) =>
    `${linesOf(text).length} lines that have little in common with the other text`;
  return [
    { mark: "-", text: said(before) },
    { mark: "+", text: said(after) },
  ];
}
