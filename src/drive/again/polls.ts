import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";

/** How a task may be in the end (2025-11-25 basic/utilities/tasks). */
const FINAL: ReadonlySet<JsonValue | undefined> = new Set(["completed", "failed", "cancelled"]);

/** Whether a task is not as far yet as it was in the recording. */
export function wantsAnotherPoll(recorded: JsonValue | undefined, live: JsonObject): boolean {
  const wanted = memberAt(recorded, "status");
  return typeof wanted === "string" && live.status !== wanted && !FINAL.has(live.status);
}

/** In milliseconds: the bounds, and what holds where the server names no time. */
const SHORTEST = 20;
const LONGEST = 5_000;
const USUAL = 500;

export function pollInterval({ pollInterval, pollIntervalMs }: JsonObject): number {
  const told = pollIntervalMs ?? pollInterval;
  return typeof told === "number" ? Math.min(LONGEST, Math.max(SHORTEST, told)) : USUAL;
}
