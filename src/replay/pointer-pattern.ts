import { escapePointer } from "../protocol/json-diff.ts";
import type { JsonValue } from "../protocol/message.ts";

/** A JSON pointer (RFC 6901) in which `*` stands for any one member or element. */
export type PointerPattern = string;

/** Finds itself in the pointers of these places, and of all that is in them; undefined for no places. */
export function insideOf(patterns: readonly PointerPattern[]): RegExp | undefined {
  return patterns.length === 0 ? undefined : new RegExp(`^(?:${patterns.map(source).join("|")})(?:/|$)`);
}

/** Finds itself in the pointers of these places alone. */
export function exactly(pattern: PointerPattern): RegExp {
  return new RegExp(`^${source(pattern)}$`);
}

function source(pattern: PointerPattern): string {
  const parts = pattern.split("/").map((part) => (part === "*" ? "[^/]*" : escapeRegExp(part)));
  return parts.join("/");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** One place, and what two values hold there. */
export interface Pair {
  readonly pointer: string;
  readonly asked: JsonValue;
  readonly recorded: JsonValue;
}

/** The places that fit a pattern and are there in both values. */
export function pairsAt(pattern: PointerPattern, asked: JsonValue, recorded: JsonValue): Pair[] {
  let pairs: Pair[] = [{ pointer: "", asked, recorded }];
  for (const part of pattern.split("/").slice(1)) pairs = pairs.flatMap((pair) => inside(pair, part));
  return pairs;
}

function inside({ pointer, asked, recorded }: Pair, part: string): Pair[] {
  const steps = part === "*" ? stepsOf(asked) : [part];
  return steps.flatMap((step) => {
    const [a, b] = [childAt(asked, step), childAt(recorded, step)];
    return a === undefined || b === undefined
      ? []
      : [{ pointer: `${pointer}/${step}`, asked: a, recorded: b }];
  });
}

function stepsOf(value: JsonValue): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value).map(escapePointer) : [];
}

function childAt(value: JsonValue, step: string): JsonValue | undefined {
  const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  // Of a list its length is no element.
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return value[key];
}
