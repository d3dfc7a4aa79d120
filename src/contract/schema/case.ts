import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { finds } from "../language/finds.ts";
import { type Node, nodeOf, type Place } from "./document.ts";

export const TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
export type JsonType = (typeof TYPES)[number];

/** Numbers that bound a value from below or above, by keyword. */
export interface Bound {
  readonly keyword: string;
  readonly side: "low" | "high";
  readonly type: JsonType;
  readonly aspect: "range" | "length" | "items" | "members";
}

export const BOUNDS: readonly Bound[] = [
  { keyword: "minimum", side: "low", type: "number", aspect: "range" },
  { keyword: "exclusiveMinimum", side: "low", type: "number", aspect: "range" },
  { keyword: "maximum", side: "high", type: "number", aspect: "range" },
  { keyword: "exclusiveMaximum", side: "high", type: "number", aspect: "range" },
  { keyword: "minLength", side: "low", type: "string", aspect: "length" },
  { keyword: "maxLength", side: "high", type: "string", aspect: "length" },
  { keyword: "minItems", side: "low", type: "array", aspect: "items" },
  { keyword: "maxItems", side: "high", type: "array", aspect: "items" },
  { keyword: "minProperties", side: "low", type: "object", aspect: "members" },
  { keyword: "maxProperties", side: "high", type: "object", aspect: "members" },
];

/** What one schema object says of members. */
export interface MemberLayer {
  readonly properties: ReadonlyMap<string, Place>;
  readonly patterns: readonly (readonly [string, Place])[];
  /** Of every other member; undefined where nothing is said, which leaves the object open without meaning it. */
  readonly additional: Place | undefined;
}

export interface ItemLayer {
  readonly prefix: readonly Place[];
  readonly rest: Place | undefined;
}

export interface Contains {
  readonly place: Place;
  readonly min: number;
  readonly max: number | undefined;
}

export interface Dependency {
  /** The member whose presence asks for it. */
  readonly member: string;
  readonly required: readonly string[];
  readonly place: Place | undefined;
}

/**
 * One kind of values that a schema accepts: of one JSON type, held to everything here. A schema is a list of cases; a
 * value is accepted when it fits one of them.
 */
export interface Case {
  readonly type: JsonType;
  /** The only values there are; always given for null and booleans. */
  readonly values?: readonly JsonValue[] | undefined;
  readonly integer: boolean;
  readonly bounds: Readonly<Record<string, number>>;
  readonly multiples: readonly number[];
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly unique: boolean;
  readonly items: readonly ItemLayer[];
  readonly contains: readonly Contains[];
  readonly required: readonly string[];
  readonly members: readonly MemberLayer[];
  readonly names: readonly Place[];
  readonly dependencies: readonly Dependency[];
  /** What it must not be. */
  readonly nots: readonly Node[];
  /** What is not understood here, as texts: references to elsewhere, dynamic ones, what other keywords left over. */
  readonly opaque: readonly string[];
  /** The schemas it comes from. */
  readonly origins: readonly Place[];
}

/** Types that have no other values than these. */
export const CONSTANTS: Partial<Record<JsonType, readonly JsonValue[]>> = {
  null: [null],
  boolean: [false, true],
};

export function anyOfType(type: JsonType): Case {
  const values = CONSTANTS[type];
  return {
    type,
    ...(values ? { values } : {}),
    integer: false,
    bounds: {},
    multiples: [],
    patterns: [],
    formats: [],
    unique: false,
    items: [],
    contains: [],
    required: [],
    members: [],
    names: [],
    dependencies: [],
    nots: [],
    opaque: [],
    origins: [],
  };
}

/** Whether it holds a value of its type to nothing at all. */
export function isAnything(each: Case): boolean {
  const lists = [each.multiples, each.patterns, each.formats, each.contains, each.required, each.names];
  return (
    [...lists, each.dependencies, each.nots, each.opaque].every(({ length }) => length === 0) &&
    Object.keys(each.bounds).length === 0 &&
    each.values?.length === CONSTANTS[each.type]?.length &&
    !each.integer &&
    !each.unique &&
    each.items.every(({ prefix, rest }) => prefix.length === 0 && saysNothing(rest)) &&
    each.members.every(isOpen)
  );
}

function isOpen({ properties, patterns, additional }: MemberLayer): boolean {
  return properties.size === 0 && patterns.length === 0 && saysNothing(additional);
}

/** Plainly accepts everything: `true`, `{}`, or nothing there. */
export function saysNothing(place: Place | undefined): boolean {
  const schema = place?.schema;
  if (schema === undefined || schema === true) return true;
  return typeof schema === "object" && schema !== null && Object.keys(schema).every((key) => WORDS.has(key));
}

/** Keywords that hold a value to nothing. */
export const WORDS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "$comment",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/** What fits both, or undefined when plainly nothing does. */
export function meet(a: Case, b: Case): Case | undefined {
  if (a.type !== b.type) return undefined;
  const values = shared(a.values, b.values);
  const bounds = tighter(a.bounds, b.bounds);
  if (values?.length === 0 || BOUND_PAIRS.some(([low, high]) => crossed(bounds[low], bounds[high]))) {
    return undefined;
  }
  const union = <T>(x: readonly T[], y: readonly T[]) => (y.length === 0 ? x : [...new Set([...x, ...y])]);
  return {
    type: a.type,
    ...(values ? { values } : {}),
    integer: a.integer || b.integer,
    bounds,
    multiples: union(a.multiples, b.multiples),
    patterns: union(a.patterns, b.patterns),
    formats: union(a.formats, b.formats),
    unique: a.unique || b.unique,
    items: [...a.items, ...b.items],
    contains: [...a.contains, ...b.contains],
    required: union(a.required, b.required),
    members: [...a.members, ...b.members],
    names: [...a.names, ...b.names],
    dependencies: [...a.dependencies, ...b.dependencies],
    nots: [...a.nots, ...b.nots],
    opaque: union(a.opaque, b.opaque),
    origins: union(a.origins, b.origins),
  };
}

const BOUND_PAIRS = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

function crossed(low: number | undefined, high: number | undefined): boolean {
  return low !== undefined && high !== undefined && low > high;
}

function tighter(a: Case["bounds"], b: Case["bounds"]): Case["bounds"] {
  const bounds: Record<string, number> = { ...a };
  for (const { keyword, side } of BOUNDS) {
    const [one, other] = [a[keyword], b[keyword]];
    if (other === undefined) continue;
    if (one === undefined || (side === "low" ? other > one : other < one)) bounds[keyword] = other;
  }
  return bounds;
}

function shared(a: Case["values"], b: Case["values"]): Case["values"] {
  if (!a || !b) return a ?? b;
  const texts = textsOf(b);
  return a.filter((value) => texts.has(canonicalJson(value)));
}

const texts = new WeakMap<readonly JsonValue[], ReadonlySet<string>>();

/** The canonical texts of listed values, made once for a list. */
export function textsOf(values: readonly JsonValue[]): ReadonlySet<string> {
  const known = texts.get(values);
  if (known) return known;
  const made = new Set(values.map((value) => canonicalJson(value)));
  texts.set(values, made);
  return made;
}

export function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/** What a member of an object is held to, and whether its name is spoken of. */
export interface MemberPlace {
  readonly node: Node;
  /** Some schema names it, or has a pattern for it. */
  readonly declared: boolean;
  /** Where it is not: something is said of all others. */
  readonly others: boolean;
}

export function memberOf({ members }: Case, name: string): MemberPlace {
  const places: Place[] = [];
  let declared = false;
  let others = false;
  for (const { properties, patterns, additional } of members) {
    const own = properties.get(name);
    const matched = patterns.filter(([pattern]) => finds(pattern, name)).map(([, place]) => place);
    if (own) places.push(own);
    places.push(...matched);
    if (own || matched.length > 0) declared = true;
    else if (additional) {
      places.push(additional);
      others = true;
    }
  }
  return { node: nodeOf(places), declared, others };
}

export function itemOf({ items }: Case, index: number): Node {
  return nodeOf(items.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? []));
}

/** Items that have places of their own. */
export function prefixLength({ items }: Case): number {
  return Math.max(0, ...items.map(({ prefix }) => prefix.length));
}

export function memberNames(cases: readonly Case[]): string[] {
  const names = cases.flatMap(({ members }) => members.flatMap(({ properties }) => [...properties.keys()]));
  return [...new Set(names)].sort();
}
