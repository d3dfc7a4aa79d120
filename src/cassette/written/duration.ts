const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
/** Milliseconds. */
const LONGEST = 3_600_000;

/** `500ms`, `2s`, `1m`: milliseconds, an hour at most. Undefined for what is no such time. */
export function millisecondsIn(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const ms = Number(digits) * (UNITS[unit ?? ""] ?? Number.NaN);
  return ms <= LONGEST ? Math.round(ms) : undefined;
}
