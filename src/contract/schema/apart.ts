import { type Case, itemOf, memberOf, prefixLength } from "./case.ts";
import type { Node } from "./document.ts";
import type { Expander } from "./expand.ts";
import { holds } from "./holds.ts";

/** How deep two schemas are looked into to tell them apart. */
const DEEPEST_APART = 6;

interface Two<Side> {
  readonly a: Side;
  readonly b: Side;
}

/** Whether plainly no value of the case is accepted by the schema. */
export function isApart(expander: Expander, a: Case, node: Node, depth = DEEPEST_APART): boolean {
  return expander.casesOf(node).every((b) => b.type !== a.type || areApart(expander, { a, b }, depth));
}

function nodesApart(expander: Expander, { a, b }: Two<Node>, depth: number): boolean {
  if (depth === 0) return false;
  return expander.casesOf(a).every((each) => isApart(expander, each, b, depth - 1));
}

function areApart(expander: Expander, { a, b }: Two<Case>, depth: number): boolean {
  if (a.values) return a.values.every((value) => holds(expander, b, value) === false);
  if (b.values) return b.values.every((value) => holds(expander, a, value) === false);
  if (a.type === "number") return rangesApart(a, b) || rangesApart(b, a);
  if (a.type === "array") {
    const length = Math.min(prefixLength(a) || 1, a.bounds.minItems ?? 0, 8);
    return Array.from({ length }, (_, i) => i).some((i) =>
      nodesApart(expander, { a: itemOf(a, i), b: itemOf(b, i) }, depth),
    );
  }
  if (a.type !== "object") return false;
  const required = [...new Set([...a.required, ...b.required])];
  return required.some((name) =>
    nodesApart(expander, { a: memberOf(a, name).node, b: memberOf(b, name).node }, depth),
  );
}

function rangesApart(a: Case, b: Case): boolean {
  const high = a.bounds.maximum ?? a.bounds.exclusiveMaximum;
  const low = b.bounds.minimum ?? b.bounds.exclusiveMinimum;
  return high !== undefined && low !== undefined && high < low;
}
