import type { ErrorObject } from "ajv";
import { canonicalJson } from "../../protocol/canonical.ts";
import { pointerOf } from "../../protocol/json-diff.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { TooComplex, unlessTooComplex } from "../language/steps.ts";
import { both, type Node, nodeOf } from "./document.ts";
import type { Gap } from "./gap.ts";
import type { Judge } from "./judge.ts";
import { randomFrom } from "./random.ts";
import { reasonOf } from "./refusal.ts";
import type { Sampler } from "./sample.ts";

/** A value that side a of a gap accepts and side b refuses. */
export interface Proof {
  readonly value: JsonValue;
  readonly reason: string;
  readonly from: "recorded" | "generated";
  /** It shows that no alternative is left, and not the gap alone. */
  readonly loose?: boolean;
}

interface Sides {
  readonly a: { readonly node: Node; readonly judge: Judge };
  readonly b: { readonly node: Node; readonly judge: Judge };
}

/** Values made by chance where the place shows none. */
const MOST_RANDOM = 60;
const MOST_TRIED = 400;
/** Values made of two places, and members of values from which some are taken away. */
const MOST_JOINED = 300;
const MOST_SHRUNK = 30_000;
/** Items that a list contains too many of. */
const MOST_REPEATED = 1000;
/** Members that are taken away one by one from the beginning. */
const FEW = 8;

/** Looks for values that prove gaps, by ajv on the whole schemas. */
export class Prover {
  readonly #sides: Sides;
  readonly #sampler: Sampler;
  readonly #seed: number;
  /** Recorded values that a accepts and b refuses, smallest first. */
  readonly refused: readonly { readonly value: JsonValue; readonly errors: readonly ErrorObject[] }[];

  constructor(sides: Sides, { sampler, recorded, seed }: ProverParts) {
    this.#sides = sides;
    this.#sampler = sampler;
    this.#seed = seed;
    this.refused = [...recorded]
      .sort((x, y) => sizeOf(x) - sizeOf(y))
      .flatMap((value) => {
        const errors = this.#refusal(value);
        return errors ? [{ value, errors }] : [];
      });
  }

  prove(gap: Gap): Proof | undefined {
    return (
      this.#recorded(gap) ??
      this.#first(gap, () => this.#directed(gap), MOST_TRIED) ??
      this.#first(gap, () => this.#joined(gap), MOST_JOINED) ??
      this.#first(gap, () => this.#chance(), MOST_RANDOM) ??
      this.#loose(gap)
    );
  }

  /** The first value that shows it. */
  #first(gap: Gap, values: () => Iterable<JsonValue>, most: number): Proof | undefined {
    this.#sampler.renew();
    return unlessTooComplex(() => {
      let tried = 0;
      for (const value of values()) {
        if (++tried > most) return undefined;
        const proof = this.#check(gap, value);
        if (proof) return proof;
      }
      return undefined;
    }, undefined);
  }

  #recorded(gap: Gap): Proof | undefined {
    for (const { value, errors } of this.refused) {
      const error = errors.find((each) => isOf(each, gap, value));
      if (error) return { value, reason: reasonOf(error), from: "recorded" };
    }
    return undefined;
  }

  /** Of several alternatives, what keeps from one may not be what a value is refused for. */
  #loose(gap: Gap): Proof | undefined {
    const [around] = gap.besides ?? [];
    if (!around) return undefined;
    const path = gap.path.slice(0, gap.path.length - around.steps);
    const whole: Gap = { ...gap, path, aspect: "composition" };
    const values = () => this.#widely(gap);
    const proof = this.#first(whole, values, MOST_TRIED);
    return proof && { ...proof, loose: true };
  }

  *#widely(gap: Gap): Iterable<JsonValue> {
    yield* this.#directed(gap);
    yield* this.#joined(gap);
    yield* this.#chance();
  }

  *#directed(gap: Gap): Iterable<JsonValue> {
    for (const leaf of this.#leaves(gap)) yield* this.#around(gap.path, leaf);
  }

  *#around(path: Gap["path"], leaf: JsonValue): Iterable<JsonValue> {
    const joint = both(this.#sides.a.node, this.#sides.b.node);
    for (const node of [joint, this.#sides.a.node]) yield* this.#sampler.around(node, path, leaf);
  }

  /** Values that fit what b refuses, and show on the way what keeps them from b's other alternatives. */
  *#joined(gap: Gap): Iterable<JsonValue> {
    const besides = besidesOf(gap);
    const all = [gap, ...besides];
    for (const { near = [], nodes, path } of all) {
      for (const refused of near) {
        const node = both(nodes.a, refused);
        for (const leaf of this.#sampler.valuesOf(node)) yield* this.#around(path, leaf);
        for (const other of all) {
          if (other.near || !startsWith(other.path, path)) continue;
          for (const leaf of this.#leaves(other, node)) {
            const inner = other.path.slice(path.length);
            for (const value of this.#sampler.around(node, inner, leaf)) yield* this.#around(path, value);
          }
        }
      }
    }
    for (const other of besides) {
      for (const leaf of this.#leaves(other)) yield* this.#around(other.path, leaf);
    }
  }

  /** What may stand at the place itself. */
  *#leaves(gap: Gap, ground?: Node): Iterable<JsonValue> {
    const { nodes, cases, values, without, having } = gap;
    const joint = both(nodes.a, nodes.b);
    yield* values ?? [];
    if (having !== undefined) yield* this.#having(gap, having);
    if (without !== undefined) {
      for (const node of ground ? [ground] : [joint, nodes.a]) yield* this.#without(node, without);
    }
    for (const { place, min, max } of cases.b?.contains ?? []) {
      const [item] = this.#sampler.valuesOf(nodeOf([place]));
      if (item === undefined) continue;
      for (const count of [min - 1, (max ?? min) + 1]) {
        if (count >= 0 && count <= MOST_REPEATED) yield Array.from({ length: count }, () => item);
      }
    }
    const lengths = Object.values(cases.b?.bounds ?? {}).flatMap((bound) => [bound - 1, bound + 1]);
    if (cases.a) yield* this.#sampler.valuesOfCase(cases.a, { lengths });
    yield* this.#sampler.valuesOf(nodes.a);
  }

  *#without(node: Node, name: string): Iterable<JsonValue> {
    for (const value of this.#sampler.valuesOf(node)) {
      if (!isObject(value)) continue;
      const { [name]: _left, ...rest } = value;
      yield rest;
    }
  }

  *#having({ nodes, without }: Gap, name: string): Iterable<JsonValue> {
    for (const node of [both(nodes.a, nodes.b), nodes.a]) {
      for (const leaf of [...this.#sampler.membersOf(nodes.a, name), null, ""]) {
        for (const value of this.#sampler.around(node, [name], leaf)) {
          if (!isObject(value) || without === undefined) yield value;
          else {
            const { [without]: _left, ...rest } = value;
            yield rest;
          }
        }
      }
    }
  }

  *#chance(): Iterable<JsonValue> {
    const random = randomFrom(this.#seed);
    for (let i = 0; i < MOST_RANDOM; i++) {
      const value = this.#sampler.random(this.#sides.a.node, random);
      if (value !== undefined) yield value;
    }
  }

  #check(gap: Gap, value: JsonValue): Proof | undefined {
    const error = this.#refusal(value)?.find((each) => isOf(each, gap, value));
    if (!error) return undefined;
    return { value: this.#smaller(gap, value), reason: reasonOf(error), from: "generated" };
  }

  /** Without the members it does not need. */
  #smaller(gap: Gap, value: JsonValue): JsonValue {
    if (!isObject(value)) return value;
    let small = value;
    let left = MOST_SHRUNK;
    const names = Object.keys(value);
    for (let size = names.length > FEW ? names.length : 1; size > 0; size = Math.floor(size / 2)) {
      for (let at = 0; at < names.length && left > 0; at += size) {
        const chunk = new Set(names.slice(at, at + size));
        if (![...chunk].some((name) => Object.hasOwn(small, name))) continue;
        const rest = Object.fromEntries(Object.entries(small).filter(([name]) => !chunk.has(name)));
        left -= names.length;
        if (this.#refusal(rest)?.some((each) => isOf(each, gap, rest))) small = rest;
      }
    }
    return small;
  }

  /** Why b refuses what a accepts; undefined where it does not come to that. */
  #refusal(value: JsonValue): readonly ErrorObject[] | undefined {
    const { a, b } = this.#sides;
    try {
      if (!a.judge.accepts(value) || b.judge.accepts(value)) return undefined;
      return [...b.judge.errors];
    } catch (error) {
      // A schema that refers to itself without end keeps ajv busy until the stack is full; and what ajv makes of an empty
      // `if` beside `unevaluatedProperties` stumbles over itself.
      if ([RangeError, TypeError, TooComplex].some((kind) => error instanceof kind)) return undefined;
      throw error;
    }
  }
}

export interface ProverParts {
  readonly sampler: Sampler;
  readonly recorded: readonly JsonValue[];
  readonly seed: number;
}

function sizeOf(value: JsonValue): number {
  return canonicalJson(value).length;
}

/** Aspects that one keyword decides, at the place itself. */
const PLAIN: ReadonlySet<string> = new Set(["range", "length", "pattern", "format", "items"]);

/** Keywords that may refuse a member without naming it. */
const UNNAMING: ReadonlySet<string> = new Set(["not", "anyOf", "oneOf", "if", "contains", "propertyNames"]);

/** Whether an error speaks of the place of a gap: any index is as good as another, and so is any unnamed member. */
function isOf(error: ErrorObject, gap: Gap, value: JsonValue): boolean {
  const { path, aspect, keywords, without, having } = gap;
  const parts = error.instancePath.split("/").slice(1);
  if (parts.length < path.length) return false;
  const same = path.every(
    (step, index) => typeof step === "number" || pointerOf([step]) === `/${parts[index]}`,
  );
  if (!same) return false;
  if (PLAIN.has(aspect)) return parts.length === path.length && keywords.includes(error.keyword);
  if (aspect === "required") return error.params.missingProperty === without && parts.length === path.length;
  if (aspect !== "property" || having === undefined) return true;
  if (!isThere(value, [...parts.slice(0, path.length).map(unescaped), having])) return false;
  const named = error.params.additionalProperty ?? error.params.unevaluatedProperty;
  if (named === having || parts[path.length] === pointerOf([having]).slice(1)) return true;
  return named === undefined && UNNAMING.has(error.keyword);
}

/** What keeps from other alternatives, each by its whole path. */
function besidesOf({ path, besides = [] }: Gap): Gap[] {
  return besides.flatMap(({ gaps, steps }) => {
    const start = path.slice(0, path.length - steps);
    return gaps.map((gap) => ({ ...gap, path: [...start, ...gap.path] }));
  });
}

function startsWith(path: Gap["path"], start: Gap["path"]): boolean {
  return start.every((step, index) => path[index] === step);
}

function isThere(value: JsonValue, path: readonly string[]): boolean {
  let place: unknown = value;
  for (const step of path) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, step)) return false;
    place = (place as Readonly<Record<string, unknown>>)[step];
  }
  return true;
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
