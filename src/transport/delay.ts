import { setTimeout } from "node:timers";

/** Resolves after so many milliseconds. Keeps nothing alive by itself. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
