import type { JsonValue } from "../protocol/message.ts";
import { exactly } from "./pointer-pattern.ts";
import type { MatchRule } from "./rules.ts";

/** A place of a rule at which no params have anything, and the one that most likely was meant. */
export interface UnfitPlace {
  readonly place: string;
  readonly meant: string;
}

/**
 * The places of a rule that are in none of these params, but would be further in. Others may well be right: of what
 * clients send now and did not when it was recorded.
 */
export function unfit({ ignore = [], match = {} }: MatchRule, params: readonly JsonValue[]): UnfitPlace[] {
  const there = [...new Set(params.flatMap((each) => pointersOf(each)))];
  return [...ignore, ...Object.keys(match)].flatMap((place) => {
    const pattern = exactly(place);
    if (there.some((pointer) => pattern.test(pointer))) return [];
    const meant = there.find((pointer) => pattern.test(pointer.slice(pointer.indexOf("/", 1))));
    return meant === undefined ? [] : [{ place, meant }];
  });
}

function pointersOf(value: JsonValue, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Object.entries(value).flatMap(([key, member]) =>
    pointersOf(member as JsonValue, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [at, ...inside];
}
