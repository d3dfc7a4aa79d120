import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { Steps, TooComplex } from "../language/steps.ts";
import { isPlainlyApart, mergeValues, valuesOfOne } from "./alternatives.ts";
import { anyOfType, type Case, CONSTANTS, isAnything, meet, TYPES } from "./case.ts";
import { inDialect } from "./dialect.ts";
import { inside, type Node, nodeOf, type Place } from "./document.ts";
import { KNOWN_TYPES, ownCases } from "./own-cases.ts";

/** Cases of one schema from which it is too much to look through. */
const MOST_CASES = 200;
const TOO_MANY = `more than ${MOST_CASES} alternatives`;
/** Alternatives that are put together for one place, and places that lie within each other without a step into the value. */
const MOST_MET = 200_000;
const DEEPEST = 200;

/** Turns schemas into cases, each place once. */
export class Expander {
  readonly #done = new Map<string, readonly Case[]>();
  /** Places that are being looked at, by how many are around them. */
  readonly #open = new Map<string, number>();
  /** The outermost of these that was met again within the one that is looked at. */
  #circle = Number.POSITIVE_INFINITY;
  #met = new Steps(MOST_MET, TOO_MANY);

  /** @throws TooComplex */
  casesOf(node: Node): readonly Case[] {
    const known = this.#done.get(node.id);
    if (known) return known;
    if (this.#open.size === 0) this.#met = new Steps(MOST_MET, TOO_MANY);
    let cases: readonly Case[] = EVERYTHING;
    for (const place of node.places) cases = this.#meetAll(cases, this.#place(place));
    if (this.#open.size === 0) this.#done.set(node.id, cases);
    return cases;
  }

  /** A reference that leads back to itself without a step into the value says nothing. */
  #place(place: Place): readonly Case[] {
    const known = this.#done.get(place.id);
    if (known) return known;
    const around = this.#open.get(place.id);
    if (around !== undefined) {
      this.#circle = Math.min(this.#circle, around);
      return opaque("$ref in a circle");
    }
    const depth = this.#open.size;
    if (depth > DEEPEST) throw new TooComplex(`more than ${DEEPEST} schemas within each other`);
    const outer = this.#circle;
    this.#circle = Number.POSITIVE_INFINITY;
    this.#open.set(place.id, depth);
    try {
      const cases = this.#schema(place);
      if (cases.length > MOST_CASES) throw new TooComplex(TOO_MANY);
      if (this.#circle >= depth) {
        this.#done.set(place.id, cases);
        this.#circle = Number.POSITIVE_INFINITY;
      }
      return cases;
    } finally {
      this.#open.delete(place.id);
      this.#circle = Math.min(this.#circle, outer);
    }
  }

  #schema(place: Place): readonly Case[] {
    if (place.schema === false) return [];
    if (!isObject(place.schema)) return EVERYTHING;
    const schema = inDialect(place.schema, place.document.dialect);
    let cases = ownCases(place, schema);
    for (const combined of this.#combined(place, schema)) cases = this.#meetAll(cases, combined);
    return cases;
  }

  *#combined(place: Place, schema: JsonObject): Iterable<readonly Case[]> {
    for (const keyword of REFERENCES) {
      if (schema[keyword] !== undefined) yield this.#reference(place, keyword, schema[keyword]);
    }
    const unknown = [schema.type ?? []].flat().filter((type) => !KNOWN_TYPES.has(type));
    if (unknown.length > 0) yield opaque(`type ${canonicalJson(unknown)}`);
    for (const part of branches(place, schema, "allOf")) yield this.#place(part);
    if (Array.isArray(schema.anyOf)) {
      yield mergeValues(branches(place, schema, "anyOf").flatMap((part) => [...this.#place(part)]));
    }
    if (Array.isArray(schema.oneOf)) yield this.#oneOf(branches(place, schema, "oneOf"));
    if (schema.not !== undefined) yield this.#negated(inside(place, "not"));
    if (schema.if !== undefined) yield this.#conditional(place, schema);
  }

  /** In a schema without others in it, what is referred to dynamically is known as well. */
  #reference(place: Place, keyword: string, ref: JsonValue): readonly Case[] {
    const target = typeof ref === "string" ? place.document.resolve(ref) : undefined;
    return target ? this.#place(target) : opaque(`${keyword} ${place.document.unresolved(ref)}`);
  }

  #oneOf(parts: readonly Place[]): readonly Case[] {
    const all = parts.map((part) => this.#place(part));
    const values = valuesOfOne(all);
    if (values) return values;
    return parts.flatMap((_, index) => {
      let cases = all[index] as readonly Case[];
      for (const [other, place] of parts.entries()) {
        if (other === index) continue;
        const others = all[other] as readonly Case[];
        this.#met.take(cases.length * others.length);
        if (cases.every((one) => others.every((each) => isPlainlyApart(one, each)))) continue;
        cases = this.#meetAll(cases, this.#negated(place));
      }
      return [...cases];
    });
  }

  #conditional(place: Place, schema: JsonObject): readonly Case[] {
    const condition = inside(place, "if");
    const part = (keyword: string) =>
      schema[keyword] === undefined ? EVERYTHING : this.#place(inside(place, keyword));
    if (schema.then === undefined && schema.else === undefined) return EVERYTHING;
    const yes = this.#meetAll(this.#place(condition), part("then"));
    return [...yes, ...this.#meetAll(this.#negated(condition), part("else"))];
  }

  #meetAll(a: readonly Case[], b: readonly Case[]): readonly Case[] {
    if (b === EVERYTHING) return a;
    if (a === EVERYTHING) return b;
    this.#met.take(a.length * b.length);
    const met = a.flatMap((one) => b.flatMap((other) => meet(one, other) ?? []));
    if (met.length > MOST_CASES) throw new TooComplex(TOO_MANY);
    return met;
  }

  /** Types of which the schema accepts nothing are free, types of which it accepts all are out. */
  #negated(place: Place): readonly Case[] {
    const cases = this.#place(place);
    return TYPES.flatMap((type): Case[] => {
      const own = cases.filter((each) => each.type === type);
      if (own.length === 0) return [anyOfType(type)];
      if (own.some(isAnything)) return [];
      const values = finiteValues(own);
      const left = CONSTANTS[type]?.filter((value) => values && !values.has(canonicalJson(value)));
      if (values && left) return left.length === 0 ? [] : [{ ...anyOfType(type), values: left }];
      return [{ ...anyOfType(type), nots: [nodeOf([place])] }];
    });
  }
}

function finiteValues(cases: readonly Case[]): ReadonlySet<string> | undefined {
  if (cases.some(({ values, nots, opaque }) => !values || nots.length > 0 || opaque.length > 0))
    return undefined;
  return new Set(cases.flatMap(({ values }) => values?.map((value) => canonicalJson(value)) ?? []));
}

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];

const EVERYTHING: readonly Case[] = TYPES.map(anyOfType);

function opaque(text: string): readonly Case[] {
  return EVERYTHING.map((each) => ({ ...each, opaque: [text] }));
}

function branches(place: Place, schema: JsonObject, keyword: string): Place[] {
  const parts = schema[keyword];
  return Array.isArray(parts) ? parts.map((_, index) => inside(place, keyword, index)) : [];
}
