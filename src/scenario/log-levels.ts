/** Of RFC 5424, from the least grave. */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

/** Whether a line of this level is told to who asked for lines of another and above. */
export function isLogged(level: string, threshold: string): boolean {
  const levels: readonly string[] = LOG_LEVELS;
  return levels.indexOf(level) >= levels.indexOf(threshold);
}

export function isLogLevel(value: unknown): value is (typeof LOG_LEVELS)[number] {
  return (LOG_LEVELS as readonly unknown[]).includes(value);
}
