import type { Change } from "../contract/change.ts";
import { driftOf } from "./rules.ts";

/** Statuses upon which clients begin a new session, or try an older transport (2025-11-25 basic/transports). */
const TURNING: ReadonlySet<number> = new Set([400, 404, 405]);

interface Place {
  readonly subject: string;
  readonly pointer: string;
}

/** An answer with another HTTP status than before. */
export function statusDrift(before: number, after: number, place: Place): Change {
  const message = `The HTTP status was ${before} and is ${after}.`;
  const own = TURNING.has(after) ? ({ class: "breaking" } as const) : {};
  return driftOf("http-status-changed", { ...place, message, before, after, ...own });
}
