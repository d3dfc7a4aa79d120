import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { WORDS } from "./case.ts";
import { inside, type Node, nodeOf, type Place } from "./document.ts";

export type Path = readonly (string | number)[];

/** Words at one place of two schemas. */
export interface Words {
  readonly kind: "words";
  readonly keyword: string;
  readonly path: Path;
  readonly node: Node;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Keywords that are for readers, or say what a server does with what is left out. */
const SPOKEN = ["description", "default", "deprecated"] as const;

export function* words(before: Node, after: Node, path: Path): Iterable<Words> {
  for (const keyword of SPOKEN) {
    const [old, now] = [before, after].map((node) => spoken(node, keyword));
    if (textOf(old) !== textOf(now))
      yield { kind: "words", keyword, path, node: after, before: old, after: now };
  }
}

/** `default: null` is how pydantic spells an argument that may be left out. */
function textOf(value: JsonValue | undefined): string {
  return value === undefined || value === null || value === false ? "" : canonicalJson(value);
}

/** What is said at a place, or by what it refers to. */
export function spoken(node: Node, keyword: string, depth = 0): JsonValue | undefined {
  for (const place of node.places) {
    const { schema } = place;
    if (!isObject(schema)) continue;
    if (Object.hasOwn(schema, keyword)) return schema[keyword];
    const target = referred(place);
    const found = target && depth < 8 ? spoken(nodeOf([target]), keyword, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Through a reference, or the one schema of an `allOf` (pydantic 1 wraps references that way). */
function referred(place: Place): Place | undefined {
  const { schema, document } = place;
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === "string") return document.resolve(schema.$ref);
  const [only] = Array.isArray(schema.allOf) && schema.allOf.length === 1 ? schema.allOf : [];
  return only === undefined ? undefined : document.at(only, ["allOf", 0], place.pointer);
}

/** What generators make of names, or leave out: where it comes or goes that is no news. */
const ASIDE = ["title", "examples"] as const;

export function* asides(before: Node, after: Node, path: Path): Iterable<Words> {
  const [old, now] = [before.places[0]?.schema, after.places[0]?.schema];
  if (path.length === 0 || !isObject(old) || !isObject(now)) return;
  for (const keyword of ASIDE) {
    const [was, is] = [old[keyword], now[keyword]];
    if (was !== undefined && is !== undefined && canonicalJson(was) !== canonicalJson(is))
      yield { kind: "words", keyword, path, node: after, before: was, after: is };
  }
}

/** Words of alternatives that are written alike otherwise, wherever they stand among the others. */
export function* branchWords(before: Node, after: Node, path: Path): Iterable<Words> {
  const left = new Map<string, Place[]>();
  for (const branch of branchesOf(before)) {
    const text = wordless(branch.schema);
    left.set(text, [...(left.get(text) ?? []), branch]);
  }
  if (left.size === 0) return;
  for (const branch of branchesOf(after)) {
    const old = left.get(wordless(branch.schema))?.shift();
    if (!old) continue;
    const [own, other] = [nodeOf([old]), nodeOf([branch])];
    yield* words(own, other, path);
    yield* asides(own, other, path);
  }
}

/** A schema as a text that words make no difference to. */
export function wordless(schema: JsonValue): string {
  return JSON.stringify(schema, (key, value: JsonValue) => {
    if (WORDS.has(key) && !isObject(value)) return undefined;
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  });
}

/** Alternatives whose words are compared. */
const MOST_BRANCHES = 60;

function branchesOf({ places }: Node): Place[] {
  return places
    .flatMap((place) => [place, referred(place)])
    .flatMap((place) => {
      const schema = place?.schema;
      if (!place || !isObject(schema)) return [];
      return ["anyOf", "oneOf"].flatMap((keyword) => {
        const parts = schema[keyword];
        return Array.isArray(parts) ? parts.map((_, index) => inside(place, keyword, index)) : [];
      });
    })
    .slice(0, MOST_BRANCHES);
}
