import { millisecondsIn } from "../../cassette/written/duration.ts";
import { render, type Scope } from "../template.ts";

/**
 * How long a reply waits, in milliseconds; where it is a template that gives no time, what it gives.
 * @throws AbsentValue
 */
export function delayOf(time: number | string, scope: Scope): number | string {
  if (typeof time === "number") return time;
  const told = String(render(time, scope));
  return millisecondsIn(told) ?? told;
}
