import type { ChangeClass } from "../../../src/contract/change.ts";
import type { JsonObject, JsonValue } from "../../../src/protocol/message.ts";

/**
 * `same`: not a word. Otherwise the worst class that is found, and the rules that must be among what is found.
 */
export interface SchemaCase {
  readonly name: string;
  readonly direction: "input" | "output";
  readonly old: JsonValue;
  readonly new: JsonValue;
  readonly verdict: ChangeClass | "same";
  readonly rules?: readonly string[];
  readonly recorded?: readonly JsonValue[];
}

type Row = readonly [
  name: string,
  old: JsonValue,
  now: JsonValue,
  verdict: SchemaCase["verdict"],
  ...rules: string[],
];

export const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...rest,
});
export const S = { type: "string" } as const;
export const I = { type: "integer" } as const;
export const N = { type: "number" } as const;
/** A schema under a member `x`, as most are. */
export const x = (schema: JsonValue, rest: JsonObject = {}): JsonObject => object({ x: schema }, rest);

export function rows(direction: SchemaCase["direction"], list: readonly Row[]): SchemaCase[] {
  return list.map(([name, old, now, verdict, ...rules]) => ({
    name,
    direction,
    old,
    new: now,
    verdict,
    rules,
  }));
}

/** A schema that holds some values to more. */
export function when(condition: JsonObject, consequence: JsonObject): JsonObject {
  return Object.fromEntries([
    ["if", condition],
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema
    ["then", consequence],
  ]);
}
