import type { JsonValue } from "../protocol/message.ts";

type Container = Record<string, JsonValue>;

/**
 * A part of an abstract message with the names and values that were sent, however deep it is.
 * @param sent what stands at its place in the message; undefined where the part holds no marks
 */
export function asSent(part: JsonValue, sent: JsonValue | undefined): JsonValue;
export function asSent(part: JsonValue | undefined, sent: JsonValue | undefined): JsonValue | undefined;
export function asSent(part: JsonValue | undefined, sent: JsonValue | undefined): JsonValue | undefined {
  if (part === undefined) return undefined;
  const root: Container = { part };
  const waiting = [{ into: root, key: "part", now: sent }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { into, key, now } = next;
    const value = into[key];
    if (now === undefined || value === now || value === undefined || value === null) continue;
    // A mark is text, or stands in one.
    if (typeof value === "string") into[key] = now;
    if (typeof value !== "object") continue;
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Container;
    into[key] = copy as JsonValue;
    for (const step of Object.keys(copy)) waiting.push({ into: copy, key: step, now: childOf(now, step) });
  }
  return root.part;
}

/** What stands at a step into a value. */
export function childOf(
  value: JsonValue | undefined,
  step: string | number | undefined,
): JsonValue | undefined {
  if (typeof value !== "object" || value === null || step === undefined) return undefined;
  return Object.hasOwn(value, step) ? (value as Container)[step] : undefined;
}
