import { type FilePlace, VcrError } from "../errors.ts";

/** A file that does not hold to the format: what is wrong, where, and how to mend it. */
export function invalid(message: string, place: FilePlace, hint?: string): VcrError {
  return new VcrError("cassette-invalid", message, { place, hint });
}

/** The allowed word that a mistyped one most likely meant: at most two letters off, or nothing. */
export function nearestWord(word: string, allowed: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.min(2, Math.ceil(word.length / 2)) + 1;
  for (const candidate of allowed) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance; words that differ in length by more than two are simply far. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The place of a character in a text that begins at `start`. Columns count UTF-16 units. */
export function placeIn(text: string, offset: number, start: FilePlace): FilePlace {
  let line = start.line ?? 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", lineStart)) {
    line++;
    lineStart = at + 1;
  }
  return { file: start.file, line, column: offset - lineStart + 1 };
}
