import { canonicalJson } from "../../protocol/canonical.ts";
import { isObject } from "../contract.ts";
import { type Case, itemOf, prefixLength } from "./case.ts";

/** How many there are at least or at most by what a case says in other words. */
export const IMPLIED: Readonly<Record<string, (each: Case) => number | undefined>> = {
  minProperties: (each) => requiredOf(each).size,
  maxProperties: mostMembers,
  minItems: ({ contains }) => Math.max(0, ...contains.map(({ min }) => min)),
  maxItems: (each) => (each.unique ? differentItems(each) : undefined),
};

const required = new WeakMap<Case, ReadonlySet<string>>();

/** Members that are always there: those that are asked for, and those that these ask for. */
export function requiredOf(each: Case): ReadonlySet<string> {
  const known = required.get(each);
  if (known) return known;
  const all = withNeeded(each, each.required);
  required.set(each, all);
  return all;
}

/** Members, and those that are asked for where they are there. */
export function withNeeded({ dependencies }: Case, names: Iterable<string>): ReadonlySet<string> {
  const all = new Set(names);
  if (dependencies.length === 0) return all;
  const needs = new Map<string, string[]>();
  for (const { member, required } of dependencies) {
    needs.set(member, [...(needs.get(member) ?? []), ...required]);
  }
  // A set that grows is walked to its new end.
  for (const name of all) for (const more of needs.get(name) ?? []) all.add(more);
  return all;
}

/** Of a closed object, as many as it names. */
function mostMembers({ members }: Case): number | undefined {
  const closed = members.filter(
    ({ additional, patterns }) => additional?.schema === false && patterns.length === 0,
  );
  return closed.length === 0 ? undefined : Math.min(...closed.map(({ properties }) => properties.size));
}

/** Items that differ are no more than the values there are. */
function differentItems(each: Case): number | undefined {
  if (prefixLength(each) > 0) return undefined;
  const counts = itemOf(each, 0).places.flatMap(({ schema }) => {
    if (!isObject(schema)) return [];
    if (schema.const !== undefined) return [1];
    if (Array.isArray(schema.enum)) return [new Set(schema.enum.map((value) => canonicalJson(value))).size];
    const counted = schema.type === "boolean" ? 2 : schema.type === "null" ? 1 : undefined;
    return counted === undefined || schema.nullable === true ? [] : [counted];
  });
  return counts.length === 0 ? undefined : Math.min(...counts);
}
