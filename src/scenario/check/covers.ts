import type { Matcher } from "../matcher.ts";
import { isWithin, mismatches, sameJson, usesSchema, written } from "../matcher.ts";

/**
 * Whether all that `b` matches, `a` surely matches too. False where that is not plain to see. Of what is an object in any
 * case: arguments, the state, capabilities.
 */
export function coversObject(a: Matcher | undefined, b: Matcher | undefined): boolean {
  return (a?.kind === "members" && a.members.size === 0) || covers(a, b);
}

/** The same of any value, or none. */
export function covers(a: Matcher | undefined, b: Matcher | undefined): boolean {
  if (!a) return true;
  if (!b) return false;
  if (sameJson(written(a), written(b))) return true;
  if (b.kind === "oneOf") return b.of.every((each) => covers(a, each));
  if (b.kind === "equals") return !usesSchema(a) && mismatches(a, b.value, undefined).length === 0;
  switch (a.kind) {
    case "any":
      return a.there && isThere(b);
    case "members":
      return (
        b.kind === "members" && [...a.members].every(([key, inner]) => covers(inner, b.members.get(key)))
      );
    case "oneOf":
      return a.of.some((each) => covers(each, b));
    case "range":
      return b.kind === "range" && isNarrower(a.range, b.range);
    default:
      return false;
  }
}

function isThere(b: Matcher): boolean {
  return b.kind === "any" ? b.there : b.kind !== "not";
}

type Bounds = Extract<Matcher, { kind: "range" }>["range"];

/** Both bounds of `inner` lie within `outer`. */
function isNarrower(outer: Bounds, inner: Bounds): boolean {
  const least = inner.min ?? inner.above;
  const most = inner.max ?? inner.below;
  const lower = outer.min ?? outer.above;
  const upper = outer.max ?? outer.below;
  const low =
    lower === undefined ||
    (least !== undefined && (isWithin(outer, least) || sameOpen(lower, least, inner.above)));
  const high =
    upper === undefined ||
    (most !== undefined && (isWithin(outer, most) || sameOpen(upper, most, inner.below)));
  return low && high;
}

function sameOpen(bound: number, inner: number, open: number | undefined): boolean {
  return bound === inner && open === inner;
}
