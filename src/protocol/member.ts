import type { JsonValue } from "./message.ts";

/** A table's row by a name that came from elsewhere, which may be `constructor` or `__proto__`. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The value at a path of object members, or undefined. Inherited members (`__proto__`, `constructor`) are none. */
export function memberAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let place = value;
  for (const key of path) {
    if (typeof place !== "object" || place === null || Array.isArray(place)) return undefined;
    if (!Object.hasOwn(place, key)) return undefined;
    place = place[key];
  }
  return place;
}
