import type { JsonObject, JsonValue } from "./message.ts";

/** One place where two values differ. */
export interface Difference {
  /** RFC 6901. */
  readonly pointer: string;
  readonly kind: "added" | "removed" | "changed";
  /** Not of what was added. */
  readonly before?: JsonValue;
  /** Not of what was removed. */
  readonly after?: JsonValue;
}

export interface DiffOptions {
  /** No more than so many differences. */
  readonly limit?: number | undefined;
}

interface Pair {
  readonly pointer: string;
  readonly a: JsonValue | undefined;
  readonly b: JsonValue | undefined;
}

/**
 * Where b differs from a: objects by key, arrays by index, everything else by value. Outer places come before inner
 * ones, keys in the order of their code units, whatever their order in a and b. Empty exactly when a equals b.
 */
export function diffJson(a: JsonValue, b: JsonValue, options: DiffOptions = {}): Difference[] {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const differences: Difference[] = [];
  const waiting: Pair[] = [{ pointer: "", a, b }];
  while (differences.length < limit) {
    const pair = waiting.pop();
    if (pair === undefined) break;
    const inner = innerPairs(pair);
    if (inner) {
      for (const next of inner.reverse()) waiting.push(next);
    } else if (pair.a !== pair.b) differences.push(differenceAt(pair));
  }
  return differences;
}

function differenceAt({ pointer, a, b }: Pair): Difference {
  if (a === undefined) return { pointer, kind: "added", after: b as JsonValue };
  if (b === undefined) return { pointer, kind: "removed", before: a };
  return { pointer, kind: "changed", before: a, after: b };
}

/** What is to be compared inside, when both are objects or both are arrays. */
function innerPairs({ pointer, a, b }: Pair): Pair[] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, i) => ({ pointer: `${pointer}/${i}`, a: a[i], b: b[i] }));
  }
  if (!isObject(a) || !isObject(b)) return undefined;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].sort().map((key) => ({
    pointer: `${pointer}/${escapePointer(key)}`,
    a: ownMember(a, key),
    b: ownMember(b, key),
  }));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ownMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** One key or index as a part of a JSON pointer (RFC 6901 section 3). */
export function escapePointer(part: string | number): string {
  if (typeof part === "number") return String(part);
  return part.includes("~") || part.includes("/") ? part.replaceAll("~", "~0").replaceAll("/", "~1") : part;
}

/** The JSON pointer of a path of keys and indexes; of none the root's, which is empty. */
export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${escapePointer(part)}`).join("");
}
