import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { Steps, unlessTooComplex } from "../language/steps.ts";
import { shortestText, type TextRules } from "../language/texts.ts";
import { type Case, itemOf, memberNames, memberOf, prefixLength } from "./case.ts";
import { type Node, nodeOf } from "./document.ts";
import type { Expander } from "./expand.ts";
import { holds } from "./holds.ts";
import { sampleOfPattern } from "./pattern.ts";
import { numbersOf, textsOf } from "./scalars.ts";

/** Values of a schema that are looked at, and how deep they go. */
const MOST_VALUES = 8;
const DEEPEST = 10;
/** Items and members beyond which no value is made. */
const LONGEST_ARRAY = 64;
/** The same where it must be so many, or is asked for. */
const LONGEST_WANTED = 20_000;
/** Members and items that are made, and steps to find a text that fits patterns, before no more are. */
const MOST_MADE = 30_000;
const MOST_MADE_IN_ALL = 200_000;
const MOST_ASKED = 60_000;

/** One of each type. */
const ANYTHING: readonly JsonValue[] = [null, false, 0, "", [], {}];

export interface Wanted {
  /** Leaves this member out. */
  readonly without?: string | undefined;
  /** Lengths of arrays and texts to try besides. */
  readonly lengths?: readonly number[] | undefined;
}

/** An object that is wanted: how deep inside it stands, what it lacks, and how many members it has at least. */
interface Shape {
  readonly depth: number;
  readonly without: string | undefined;
  readonly length?: number;
}

/** Makes small values of schemas, simplest first. What it makes is likely, not sure, to be accepted. */
export class Sampler {
  readonly #expander: Expander;
  readonly #known = new Map<string, readonly JsonValue[]>();
  readonly #texts = new Map<string, readonly string[]>();
  readonly #all = new Steps(MOST_MADE_IN_ALL, "more values than are made");
  #steps = new Steps(MOST_MADE, "more values than are made");

  constructor(expander: Expander) {
    this.#expander = expander;
  }

  /** Begins to count anew. */
  renew(): void {
    this.#steps = new Steps(MOST_MADE, "more values than are made");
  }

  #take(count: number): void {
    this.#all.take(count);
    this.#steps.take(count);
  }

  /** @throws TooComplex */
  valuesOf(node: Node, depth = 0): readonly JsonValue[] {
    if (depth > DEEPEST) return [];
    if (node.places.length === 0) return ANYTHING;
    const id = `${depth} ${node.id}`;
    const known = this.#known.get(id);
    if (known) return known;
    const lists = this.#casesOf(node).map((each) => this.valuesOfCase(each, { depth }));
    // One of each kind before the second of any.
    const longest = Math.max(0, ...lists.map(({ length }) => length));
    const values = Array.from({ length: longest }, (_, i) =>
      lists.flatMap((list) => list.slice(i, i + 1)),
    ).flat();
    const few = values.slice(0, MOST_VALUES);
    this.#known.set(id, few);
    return few;
  }

  valuesOfCase(each: Case, { depth = 0, ...wanted }: Wanted & { readonly depth?: number } = {}): JsonValue[] {
    this.#take(1 + each.required.length);
    const made = this.#made(each, depth, wanted);
    const unique = new Map(made.map((value) => [canonicalJson(value), value]));
    if (wanted.without !== undefined) return [...unique.values()];
    return [...unique.values()].filter(
      (value) => holds(this.#expander, each, value, (count) => this.#take(count)) !== false,
    );
  }

  /** Values that have this value at this path and are the simplest around it. */
  around(node: Node, path: readonly (string | number)[], leaf: JsonValue): JsonValue[] {
    const [step, ...rest] = path;
    if (step === undefined) return [leaf];
    const type = typeof step === "string" ? "object" : "array";
    const cases = this.#casesOf(node).filter((each) => each.type === type && !each.values);
    return cases.slice(0, 6).flatMap((each): JsonValue[] => {
      const child = typeof step === "string" ? memberOf(each, step).node : itemOf(each, step);
      const inner = this.around(child, rest, leaf);
      return inner.flatMap((value): JsonValue[] =>
        typeof step === "string"
          ? [{ ...this.#object(each, { depth: 0, without: step }), ...ownMember(step, value) }]
          : this.#arrayWith(each, step, value),
      );
    });
  }

  /** Values that objects of a schema may have at a name. */
  membersOf(node: Node, name: string): JsonValue[] {
    const objects = this.#casesOf(node).filter(({ type }) => type === "object");
    return objects.flatMap((each) => this.valuesOf(memberOf(each, name).node, 1));
  }

  /** Any value, with or without what may be there. */
  random(node: Node, random: () => number, depth = 0): JsonValue | undefined {
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const each = pick(this.#casesOf(node));
    if (!each || depth > DEEPEST) return undefined;
    if (each.values || (each.type !== "object" && each.type !== "array"))
      return pick(this.valuesOfCase(each));
    if (each.type === "array") {
      const length = (each.bounds.minItems ?? 0) + Math.floor(random() * 3);
      const items = Array.from({ length }, (_, i) => this.random(itemOf(each, i), random, depth + 1));
      return items.filter((item) => item !== undefined);
    }
    const names = memberNames([each]).filter((name) => each.required.includes(name) || random() < 0.5);
    const members = [...new Set([...each.required, ...names])].map(
      (name) => [name, this.random(memberOf(each, name).node, random, depth + 1)] as const,
    );
    return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JsonObject;
  }

  #casesOf(node: Node): readonly Case[] {
    return unlessTooComplex(() => this.#expander.casesOf(node), []);
  }

  #made(each: Case, depth: number, wanted: Wanted): JsonValue[] {
    if (each.values) return [...each.values];
    if (each.type === "number") return numbersOf(each);
    if (each.type === "string") return textsOf(each, wanted.lengths ?? [], this.#matching(each));
    if (each.type === "array") return this.#arrays(each, depth, wanted.lengths ?? []);
    const { without } = wanted;
    const least = this.#object(each, { depth, without });
    const more = (wanted.lengths ?? [])
      .filter((length) => length > Object.keys(least).length && length <= LONGEST_WANTED)
      .map((length) => this.#object(each, { depth, without, length }));
    return [least, ...more, ...this.#larger(each, least, { depth, without })];
  }

  /** A text that fits all patterns and lengths at once. */
  #matching({ patterns, bounds }: Case): readonly string[] {
    if (patterns.length === 0) return [];
    const rules: TextRules = {
      patterns: [...patterns].sort(),
      least: bounds.minLength,
      most: bounds.maxLength,
    };
    const id = JSON.stringify(rules);
    const known = this.#texts.get(id);
    if (known) return known;
    const steps = new Steps(MOST_ASKED, "");
    const found = unlessTooComplex(() => shortestText(rules, undefined, steps), "unsaid");
    const texts = typeof found === "string" ? [] : [found.text];
    this.#texts.set(id, texts);
    return texts;
  }

  #object(each: Case, { depth, without, length = 0 }: Shape): JsonObject {
    const object: JsonObject = {};
    const needed = new Set(each.required);
    for (const name of needed) {
      for (const { member, required } of each.dependencies) {
        if (member === name) for (const more of required) needed.add(more);
      }
    }
    this.#take(needed.size);
    for (const name of needed) {
      if (name === without) continue;
      const [value] = this.valuesOf(memberOf(each, name).node, depth + 1);
      if (value !== undefined) setMember(object, name, value);
    }
    this.#fill(each, object, { depth, without, length });
    return object;
  }

  /** Members up to the fewest there must be. */
  #fill(each: Case, object: JsonObject, { depth, without, length = 0 }: Shape): void {
    const least = Math.min(Math.max(each.bounds.minProperties ?? 0, length), LONGEST_WANTED);
    let there = Object.keys(object).length;
    if (there >= least) return;
    this.#take(least);
    const named = memberNames([each]).filter((name) => name !== without);
    const made = Array.from({ length: least }, (_, i) => `extra${i + 1}`);
    const matching = each.members.flatMap(({ patterns }) =>
      patterns.flatMap(([text]) => sampleOfPattern(text)),
    );
    for (const name of [...named, ...matching, ...made]) {
      if (there >= least) return;
      if (Object.hasOwn(object, name)) continue;
      const [value] = this.valuesOf(memberOf(each, name).node, depth + 1);
      if (value === undefined) continue;
      setMember(object, name, value);
      there++;
    }
  }

  /** The same with one more member each. */
  #larger(each: Case, least: JsonObject, { depth, without }: Shape): JsonObject[] {
    const names = memberNames([each]).filter((name) => name !== without && !Object.hasOwn(least, name));
    return names.slice(0, MOST_VALUES).flatMap((name) => {
      const [value] = this.valuesOf(memberOf(each, name).node, depth + 1);
      return value === undefined ? [] : [{ ...least, ...ownMember(name, value) }];
    });
  }

  #arrays(each: Case, depth: number, lengths: readonly number[]): JsonValue[] {
    const { minItems = 0, maxItems } = each.bounds;
    const own = [minItems + 1, maxItems ?? minItems + 2, prefixLength(each)];
    const asked = [minItems, ...lengths].filter((length) => length <= LONGEST_WANTED);
    const wanted = [...new Set([...asked, ...own.filter((length) => length <= LONGEST_ARRAY)])]
      .filter((length) => length >= 0)
      .sort((a, b) => a - b);
    const plain = wanted.flatMap((length) => this.#array(each, depth, length));
    const [first] = this.valuesOf(itemOf(each, 0), depth + 1);
    const twins = first === undefined ? [] : [[first, first]];
    return [...plain, ...twins];
  }

  #array(each: Case, depth: number, length: number): JsonValue[][] {
    const contained = each.contains.flatMap(({ place, min }) =>
      this.valuesOf(nodeOf([place]), depth + 1)
        .slice(0, 1)
        .flatMap((value) => Array.from({ length: Math.min(min, length) }, () => value)),
    );
    const items: JsonValue[] = [...contained];
    this.#take(length);
    for (let index = items.length; index < length; index++) {
      const values = this.valuesOf(itemOf(each, index), depth + 1);
      const value = values[each.unique ? index % Math.max(values.length, 1) : 0];
      if (value === undefined) return [];
      items.push(value);
    }
    return [items];
  }

  #arrayWith(each: Case, index: number, value: JsonValue): JsonValue[][] {
    const length = Math.max(each.bounds.minItems ?? 0, index + 1);
    return this.#array(each, 0, length).map((items) => items.with(index, value));
  }
}

function setMember(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A name such as `__proto__` is a name like any other. */
function ownMember(name: string, value: JsonValue): JsonObject {
  return Object.fromEntries([[name, value]]);
}
