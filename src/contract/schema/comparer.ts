import type { JsonValue } from "../../protocol/message.ts";
import { type Case, isAnything, itemOf, memberOf, prefixLength, TYPES } from "./case.ts";
import { caseGaps, listText } from "./compare-cases.ts";
import { type Node, nodeOf, type Place } from "./document.ts";
import { type Expander, TooComplex } from "./expand.ts";
import type { Gap, Local, Within } from "./gap.ts";
import { accepts, holds, type Verdict } from "./holds.ts";

/** Pairs of places that are looked at before a comparison is given up. */
const MOST_PAIRS = 20_000;
/** How deep two schemas are looked into to tell them apart. */
const DEEPEST_APART = 6;

/** Finds where a accepts more than b. Places that recur are taken to hold while they are looked at. */
export class Comparer implements Within {
  readonly expander: Expander;
  readonly #known = new Map<string, readonly Gap[]>();
  readonly #open = new Set<string>();
  #pairs = 0;

  constructor(expander: Expander) {
    this.expander = expander;
  }

  gaps(a: Node, b: Node): readonly Gap[] {
    if (a.id === b.id) return [];
    const id = `${a.id} < ${b.id}`;
    const known = this.#known.get(id);
    if (known) return known;
    if (this.#open.has(id)) return [];
    if (++this.#pairs > MOST_PAIRS) return [complex(a, b, "more places than are looked through")];
    const before = this.#known.size;
    this.#open.add(id);
    const gaps = this.#gaps(a, b);
    this.#open.delete(id);
    // What was found to hold because this was taken to hold may not.
    if (gaps.length > 0) for (const each of [...this.#known.keys()].slice(before)) this.#known.delete(each);
    this.#known.set(id, gaps);
    return gaps;
  }

  /** Gaps of what is inside, seen from outside. */
  below(step: string | number, a: Node, b: Node): Gap[] {
    return this.gaps(a, b).map((gap) => ({ ...gap, path: [step, ...gap.path] }));
  }

  covers(a: Place, b: Place): boolean {
    return this.gaps(nodeOf([a]), nodeOf([b])).length === 0;
  }

  accepts(node: Node, value: JsonValue): Verdict {
    return accepts(this.expander, node, value);
  }

  isNothing(node: Node): boolean {
    return this.expander.casesOf(node).length === 0;
  }

  isAnything(place: Place): boolean {
    const cases = this.expander.casesOf(nodeOf([place])).filter(isAnything);
    return TYPES.every((type) => cases.some((each) => each.type === type));
  }

  /** Values that a schema lists. */
  valuesOf(node: Node): JsonValue[] {
    return this.expander.casesOf(node).flatMap(({ values }) => values ?? []);
  }

  #gaps(a: Node, b: Node): Gap[] {
    try {
      const [own, other] = [this.expander.casesOf(a), this.expander.casesOf(b)];
      const found = own.flatMap((each) => this.#uncovered(each, b, other));
      const gaps = mergeTypes(found).map((gap): Gap => ({ path: [], nodes: { a, b }, ...gap }));
      const unique = new Map(gaps.map((gap) => [`${gap.aspect} ${JSON.stringify(gap.path)} ${gap.b}`, gap]));
      return [...unique.values()];
    } catch (error) {
      if (error instanceof TooComplex) return [complex(a, b, error.message)];
      throw error;
    }
  }

  #uncovered(a: Case, node: Node, others: readonly Case[]): (Local | Gap)[] {
    const same = others.filter(({ type }) => type === a.type);
    if (a.values) return this.#valueGaps(a, node, same);
    if (same.length === 0) return [typeGap(a, others)];
    const finite = same.filter(({ values }) => values);
    if (finite.length === same.length) return [this.#enumGap(a, finite)];
    let best: (Local | Gap)[] | undefined;
    for (const b of same) {
      if (b.values) continue;
      const gaps = caseGaps(this, a, b);
      if (gaps.length === 0) return [];
      if (!best || gaps.length < best.length) best = gaps;
    }
    return best ?? [];
  }

  #valueGaps(a: Case, node: Node, same: readonly Case[]): Local[] {
    const verdicts = (a.values ?? []).map((value) => [value, this.accepts(node, value)] as const);
    // Values that a itself may refuse are none that b must accept.
    const open = verdicts.filter(
      ([value, ok]) =>
        ok !== true &&
        holds(this.expander, a, value) !== false &&
        !same.some((b) => this.#keeps(a, b, value)),
    );
    if (open.length === 0) return [];
    const values = open.map(([value]) => value);
    if (same.length === 0) return [{ ...typeGap(a, this.expander.casesOf(node)), values }];
    const taken = same.flatMap((each) => each.values ?? []);
    const unsure = open.every(([, ok]) => ok === undefined);
    return [
      {
        aspect: unsure ? "composition" : "enum",
        keywords: ["enum", "const"],
        a: listText(values),
        b: taken.length > 0 ? listText(taken) : "values of another kind",
        cases: { a, b: same[0] },
        values,
      },
    ];
  }

  /** Whether all that b asks of a value beyond what can be told here, a asks too. */
  #keeps(a: Case, b: Case, value: JsonValue): boolean {
    if (b.opaque.length === 0 || !b.opaque.every((text) => a.opaque.includes(text))) return false;
    return holds(this.expander, { ...b, opaque: [] }, value) === true;
  }

  #enumGap(a: Case, same: readonly Case[]): Local {
    const values = same.flatMap((each) => each.values ?? []);
    return {
      aspect: "enum",
      keywords: ["enum", "const"],
      a: `any ${a.integer ? "integer" : a.type}`,
      b: listText(values),
      cases: { a, b: same[0] },
    };
  }

  /** Whether plainly no value of the case is accepted by the schema. */
  isApart(a: Case, node: Node, depth = DEEPEST_APART): boolean {
    return this.expander.casesOf(node).every((b) => b.type !== a.type || this.#apart(a, b, depth));
  }

  #nodesApart(a: Node, b: Node, depth: number): boolean {
    if (depth === 0) return false;
    return this.expander.casesOf(a).every((each) => this.isApart(each, b, depth - 1));
  }

  #apart(a: Case, b: Case, depth: number): boolean {
    if (a.values) return a.values.every((value) => holds(this.expander, b, value) === false);
    if (b.values) return b.values.every((value) => holds(this.expander, a, value) === false);
    if (a.type === "number") return rangesApart(a, b) || rangesApart(b, a);
    if (a.type === "array") {
      const length = Math.min(prefixLength(a) || 1, a.bounds.minItems ?? 0, 8);
      return Array.from({ length }, (_, i) => i).some((i) =>
        this.#nodesApart(itemOf(a, i), itemOf(b, i), depth),
      );
    }
    if (a.type !== "object") return false;
    const required = [...new Set([...a.required, ...b.required])];
    return required.some((name) => this.#nodesApart(memberOf(a, name).node, memberOf(b, name).node, depth));
  }
}

function rangesApart(a: Case, b: Case): boolean {
  const high = a.bounds.maximum ?? a.bounds.exclusiveMaximum;
  const low = b.bounds.minimum ?? b.bounds.exclusiveMinimum;
  return high !== undefined && low !== undefined && high < low;
}

function typeGap(a: Case, others: readonly Case[]): Local {
  return {
    aspect: "type",
    keywords: ["type", "anyOf", "oneOf", "$ref"],
    a: nameOf(a),
    b: [...new Set(others.map(nameOf))].join(", ") || "nothing",
    cases: { a },
  };
}

function nameOf({ type, integer }: Case): string {
  return integer ? "integer" : type;
}

/** Several types at one place are one gap. */
function mergeTypes(gaps: readonly (Local | Gap)[]): (Local | Gap)[] {
  const here = gaps.filter((gap) => gap.aspect === "type" && gap.path === undefined && !gap.cases.b);
  if (here.length < 2) return [...gaps];
  const [first] = here as [Local];
  const values = here.flatMap((gap) => gap.values ?? (gap.cases.a ? (SAMPLES[gap.cases.a.type] ?? []) : []));
  const merged = { ...first, a: [...new Set(here.map(({ a }) => a))].join(", "), values };
  return [merged, ...gaps.filter((gap) => !here.includes(gap as Local))];
}

/** One value of each type, for a first try. */
const SAMPLES: Readonly<Record<string, readonly JsonValue[]>> = {
  null: [null],
  boolean: [true],
  number: [0, 0.5],
  string: [""],
  array: [[]],
  object: [{}],
};

function complex(a: Node, b: Node, why: string): Gap {
  return {
    aspect: "composition",
    path: [],
    keywords: [],
    a: "a schema that is not looked through",
    b: `one that is not either (${why})`,
    nodes: { a, b },
    cases: {},
  };
}
