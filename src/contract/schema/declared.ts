import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { Steps, TooComplex, unlessTooComplex } from "../language/steps.ts";
import { type Case, itemOf, memberNames, memberOf, prefixLength, saysNothing } from "./case.ts";
import { type Node, nodeOf, type Place } from "./document.ts";
import type { Expander } from "./expand.ts";

type Path = readonly (string | number)[];

/** What differs between two schemas though it decides nothing about what they accept. */
export type Remark =
  | {
      readonly kind: "added" | "removed";
      readonly path: Path;
      readonly name: string;
      readonly node: Node;
      readonly open: boolean;
      readonly required: boolean;
    }
  | {
      readonly kind: "words";
      readonly keyword: string;
      readonly path: Path;
      readonly node: Node;
      readonly before: JsonValue | undefined;
      readonly after: JsonValue | undefined;
    };

/** Keywords that are for readers, or say what a server does with what is left out. */
const SPOKEN = ["description", "default", "deprecated"] as const;

/** Places that are walked, and how many of them may lie within each other. */
const MOST_WALKED = 50_000;
const DEEPEST = 150;

/** Walks two schemas side by side, by the members they name. */
export class Declared {
  readonly #expander: Expander;
  readonly #seen = new Set<string>();
  readonly #steps = new Steps(MOST_WALKED, "more members than are looked through");
  /** Why not all was walked. */
  gaveUp: string | undefined;

  constructor(expander: Expander) {
    this.#expander = expander;
  }

  all(before: Node, after: Node): Remark[] {
    const remarks: Remark[] = [];
    try {
      for (const remark of this.#walk(before, after)) remarks.push(remark);
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      this.gaveUp = error.message;
    }
    return remarks;
  }

  /** @param given every value that the old schema accepts has this place, so no default counts there */
  *#walk(before: Node, after: Node, path: Path = [], given = false): Iterable<Remark> {
    const id = `${before.id} < ${after.id}`;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#steps.take();
    if (path.length > DEEPEST) throw new TooComplex(`more than ${DEEPEST} places within each other`);
    for (const word of words(before, after, path)) if (!given || word.keyword !== "default") yield word;
    const [old, now] = [this.#casesOf(before), this.#casesOf(after)];
    for (const [a, b] of pairs(ofType(old, "object"), ofType(now, "object")))
      yield* this.#members(a, b, path);
    for (const [a, b] of pairs(ofType(old, "array"), ofType(now, "array"))) {
      const length = Math.max(prefixLength(a), prefixLength(b));
      for (let i = 0; i <= length; i++) yield* this.#walk(itemOf(a, i), itemOf(b, i), [...path, i]);
    }
  }

  *#members(a: Case, b: Case, path: Path): Iterable<Remark> {
    const required = [a, b].map((each) => new Set(each.required));
    for (const name of memberNames([a, b])) {
      const [old, now] = [memberOf(a, name), memberOf(b, name)];
      const [was, is] = [this.#isNamed(old.node, old.declared), this.#isNamed(now.node, now.declared)];
      if (was && is) {
        yield* this.#walk(old.node, now.node, [...path, name], required[0]?.has(name));
      } else if (was || is) {
        const [own, other, there] = was ? [old, now, b] : [now, old, a];
        yield {
          kind: was ? "removed" : "added",
          path,
          name,
          node: own.node,
          open: !other.declared && there.members.every(({ additional }) => saysNothing(additional)),
          required: required[was ? 0 : 1]?.has(name) === true,
        };
      }
    }
  }

  /** A member that is named only to be refused is none. */
  #isNamed(node: Node, declared: boolean): boolean {
    return declared && this.#casesOf(node).length > 0;
  }

  #casesOf(node: Node): readonly Case[] {
    return unlessTooComplex(() => this.#expander.casesOf(node), []);
  }
}

function ofType(cases: readonly Case[], type: string): Case[] {
  return cases.filter((each) => each.type === type);
}

/** Alternatives in their order, where there are as many. */
function pairs(a: readonly Case[], b: readonly Case[]): [Case, Case][] {
  if (a.length !== b.length) return [];
  return a.map((each, index) => [each, b[index] as Case]);
}

function* words(before: Node, after: Node, path: Path): Iterable<Extract<Remark, { kind: "words" }>> {
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
