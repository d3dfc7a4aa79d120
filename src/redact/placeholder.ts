/** What stands where a secret stood. The same secret gets the same one wherever it stood, so it carries no rule's name. */
const PLACEHOLDER = /\[redacted:[0-9a-f]{8}\]/g;
const WHOLE_PLACEHOLDER = /^\[redacted:[0-9a-f]{8}\]$/;

/** Turns a secret into its placeholder; a placeholder stays what it is. */
export type Seal = (secret: string) => string;

/** @param hash keyed, hexadecimal, at least 8 characters. */
export function createSeal(hash: (text: string) => string): Seal {
  return (secret) => (WHOLE_PLACEHOLDER.test(secret) ? secret : `[redacted:${hexOf(hash(secret))}]`);
}

function hexOf(hash: string): string {
  const hex = hash.slice(0, 8).toLowerCase();
  if (!/^[0-9a-f]{8}$/.test(hex))
    throw new TypeError("a redactor's hash must be hexadecimal, 8 characters or more");
  return hex;
}

/** Half-open range of UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A range to replace; `secret` is what is hashed where it differs from the text (percent-decoded, say). */
export interface Strike extends Range {
  readonly secret?: string;
  /** Which rule struck. */
  readonly rule?: string;
}

/** Is told of each strike that became a placeholder. */
export type OnStrike = (strike: Strike) => void;

/**
 * Replaces what was struck. Strikes that meet become one; what is already a placeholder, or lies in one, stays.
 */
export function replaceStrikes(
  text: string,
  strikes: readonly Strike[],
  seal: Seal,
  onStrike?: OnStrike,
): string {
  const merged = mergeStrikes(outsidePlaceholders(text, strikes));
  if (merged.length === 0) return text;
  let out = "";
  let at = 0;
  for (const strike of merged) {
    const { start, end, secret } = strike;
    const struck = text.slice(start, end);
    const sealed = seal(secret ?? struck);
    out += text.slice(at, start) + sealed;
    at = end;
    if (sealed !== struck) onStrike?.(strike);
  }
  return out + text.slice(at);
}

function outsidePlaceholders(text: string, strikes: readonly Strike[]): Strike[] {
  const sealed = [...text.matchAll(PLACEHOLDER)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
  const left: Strike[] = [];
  for (const strike of strikes) {
    const trimmed = sealed.reduce(without, strike);
    if (trimmed.end > trimmed.start) left.push(trimmed);
  }
  return left;
}

/** The range without its overlap with a placeholder, possibly empty; whole when it holds all of the placeholder. */
function without(range: Strike, mark: Range): Strike {
  const { start, end } = range;
  if (mark.end <= start || mark.start >= end) return range;
  if (start <= mark.start && mark.end <= end) return range;
  const rule = range.rule === undefined ? {} : { rule: range.rule };
  return start < mark.start ? { start, end: mark.start, ...rule } : { start: mark.end, end, ...rule };
}

function mergeStrikes(strikes: readonly Strike[]): Strike[] {
  const merged: Strike[] = [];
  for (const strike of [...strikes].sort(byPlace)) {
    const last = merged.at(-1);
    if (!last || strike.start >= last.end) merged.push(strike);
    else if (strike.end > last.end) {
      const rule = last.rule === undefined ? {} : { rule: last.rule };
      merged[merged.length - 1] = { start: last.start, end: strike.end, ...rule };
    }
  }
  return merged;
}

/** Longer ones first, and of equal ones that which knows what to hash. */
function byPlace(a: Strike, b: Strike): number {
  return (
    a.start - b.start || b.end - a.end || Number(b.secret !== undefined) - Number(a.secret !== undefined)
  );
}
