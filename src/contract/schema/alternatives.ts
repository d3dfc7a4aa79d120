import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { anyOfType, type Case, type JsonType, textsOf } from "./case.ts";
import type { Place } from "./document.ts";

/** Values that are listed and held to nothing else. */
function isPlainList(each: Case): boolean {
  if (!each.values) return false;
  const { type: _type, values: _values, origins: _origins, ...rest } = each;
  return Object.entries(rest).every(([, said]) => {
    if (Array.isArray(said)) return said.length === 0;
    return typeof said === "object" ? Object.keys(said).length === 0 : said === false;
  });
}

/** Alternatives that only list values are one list, as unions of literals and enums are the same. */
export function mergeValues(cases: readonly Case[]): readonly Case[] {
  const lists = new Map<JsonType, Case[]>();
  for (const each of cases) {
    if (!isPlainList(each)) continue;
    const list = lists.get(each.type);
    if (list) list.push(each);
    else lists.set(each.type, [each]);
  }
  if ([...lists.values()].every(({ length }) => length < 2)) return cases;
  const told = new Set<JsonType>();
  return cases.flatMap((each): Case[] => {
    if (!isPlainList(each)) return [each];
    if (told.has(each.type)) return [];
    told.add(each.type);
    return [joined(each.type, lists.get(each.type) ?? [])];
  });
}

function joined(type: JsonType, lists: readonly Case[]): Case {
  const values = new Map<string, JsonValue>();
  for (const value of lists.flatMap((each) => each.values ?? [])) values.set(canonicalJson(value), value);
  const origins = [...new Set(lists.flatMap((each) => each.origins))];
  return { ...anyOfType(type), values: [...values.values()], origins };
}

/** What exactly one of several alternatives accepts, where all of them only list values. */
export function valuesOfOne(alternatives: readonly (readonly Case[])[]): readonly Case[] | undefined {
  if (!alternatives.every((cases) => cases.every(isPlainList))) return undefined;
  const counts = new Map<string, number>();
  for (const cases of alternatives) {
    const texts = new Set(cases.flatMap(({ values = [] }) => [...textsOf(values)]));
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return mergeValues(alternatives.flat()).flatMap((each) => {
    const values = each.values?.filter((value) => counts.get(canonicalJson(value)) === 1) ?? [];
    return values.length === 0 ? [] : [{ ...each, values }];
  });
}

/** Whether it can be seen at once that no value fits both: by type, by listed values, or by a member that tells kinds apart. */
export function isPlainlyApart(a: Case, b: Case): boolean {
  if (a.type !== b.type) return true;
  if (a.values && b.values) return areApart(a.values, b.values);
  if (a.type !== "object" || a.values || b.values) return false;
  return a.required.some((name) => {
    if (!b.required.includes(name)) return false;
    const [own, other] = [literalsOf(a, name), literalsOf(b, name)];
    return own !== undefined && other !== undefined && areApart(own, other);
  });
}

function areApart(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  const texts = textsOf(many);
  return !few.some((value) => texts.has(canonicalJson(value)));
}

/** Values that a member is held to in so many words. */
function literalsOf({ members }: Case, name: string): readonly JsonValue[] | undefined {
  for (const { properties } of members) {
    const listed = listedBy(properties.get(name));
    if (listed) return listed;
  }
  return undefined;
}

const literals = new WeakMap<Place, readonly JsonValue[]>();

function listedBy(place: Place | undefined): readonly JsonValue[] | undefined {
  if (!place || !isObject(place.schema)) return undefined;
  const known = literals.get(place);
  if (known) return known;
  const { const: only, enum: list } = place.schema;
  const values = only === undefined ? list : [only];
  if (!Array.isArray(values)) return undefined;
  literals.set(place, values);
  return values;
}
