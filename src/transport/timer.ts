import type { Timer } from "../replay/pacer.ts";

/** The system's timer; looked up at each call, so that a test's fake one counts. */
export const timer: Timer = (ms, then) => {
  const timeout = setTimeout(then, ms);
  return () => clearTimeout(timeout);
};
