import type { JsonValue } from "../../protocol/message.ts";
import { Steps, TooComplex } from "../language/steps.ts";
import { type Found, shortestText, type TextRules } from "../language/texts.ts";
import { isPlainlyApart } from "./alternatives.ts";
import { isApart } from "./apart.ts";
import { type Case, isAnything, TYPES } from "./case.ts";
import { caseGaps, listText, textRules } from "./compare-cases.ts";
import { type Node, nodeOf, type Place } from "./document.ts";
import type { Expander } from "./expand.ts";
import type { Gap, Local, Within } from "./gap.ts";
import { complex, fewOfEach, likeliestFirst, mergeTypes, typeGap, weightOf } from "./gaps.ts";
import { accepts, holds, type Verdict } from "./holds.ts";
import { Pairs } from "./pairs.ts";

/** Cases and members that are compared before a comparison is given up. */
const MOST_COMPARED = 80_000;
/** Of which so many may lie within each other. */
const DEEPEST = 150;
/** What is asked of patterns in one comparison, and in one question. */
const MOST_ASKED = 400_000;
const MOST_ASKED_ONCE = 60_000;

/** Gaps to other alternatives that are kept with one, and unions around it whose alternatives are. */
const MOST_BESIDES = 24;
const MOST_AROUND = 2;

/** Finds where a accepts more than b. Places that recur are taken to hold while they are looked at. */
export class Comparer implements Within {
  readonly expander: Expander;
  readonly #pairs = new Pairs();
  readonly #texts = new Map<string, Found>();
  /** Whether members that are not named may be there all the same. */
  strict = false;
  #steps = new Steps(MOST_COMPARED, "more places than are looked through");
  #asked = new Steps(MOST_ASKED, "patterns ask for more than is looked through");

  constructor(expander: Expander) {
    this.expander = expander;
  }

  /** All gaps between two schemas. What was compared before is known, and does not count again. */
  all(a: Node, b: Node): readonly Gap[] {
    this.#steps = new Steps(MOST_COMPARED, "more places than are looked through");
    return this.gaps(a, b);
  }

  /** Taken since all gaps were asked for. */
  get steps(): number {
    return this.#steps.taken;
  }

  gaps(a: Node, b: Node): readonly Gap[] {
    if (a.id === b.id) return [];
    const id = `${a.id} ${this.strict ? "<<" : "<"} ${b.id}`;
    const known = this.#pairs.known(id);
    if (known) return known;
    if (this.#steps.spent) return [complex(a, b, "more places than are looked through")];
    if (this.#pairs.depth > DEEPEST) return [complex(a, b, `more than ${DEEPEST} places within each other`)];
    return this.#pairs.found(id, () => this.#gaps(a, b));
  }

  /** What goes on is no more than a walk over what is there: new pairs are not begun when the steps are spent. */
  take(count: number): void {
    this.#steps.taken += count;
  }

  textOutside(held: TextRules, except: TextRules | undefined): Found {
    const id = JSON.stringify([held, except]);
    const known = this.#texts.get(id);
    if (known) return known;
    const found = this.#asked.spent ? "unsaid" : this.#ask(held, except);
    this.#texts.set(id, found);
    return found;
  }

  textsOutside(held: readonly Place[], except: Place): string[] {
    const texts = this.expander.casesOf(nodeOf(held)).filter(({ type }) => type === "string");
    const refused = this.expander.casesOf(nodeOf([except])).filter(({ type }) => type === "string");
    return texts.flatMap((each) => {
      const listed = (each.values ?? []).filter((value) => typeof value === "string");
      const found = refused.map((one) => this.textOutside(textRules(each), textRules(one)));
      return [...listed, ...found.flatMap((one) => (typeof one === "string" ? [] : [one.text]))];
    });
  }

  /** What is too much to tell is not told. */
  #ask(held: TextRules, except: TextRules | undefined): Found {
    const steps = new Steps(MOST_ASKED_ONCE, "");
    try {
      return shortestText(held, except, steps);
    } catch (error) {
      if (error instanceof TooComplex) return "unsaid";
      throw error;
    } finally {
      this.#asked.taken += steps.taken;
    }
  }

  /** Gaps of what is inside, seen from outside. */
  below(step: string | number, a: Node, b: Node): Gap[] {
    const gaps = this.gaps(a, b);
    this.take(gaps.length);
    return gaps.map((gap) => ({ ...gap, path: [step, ...gap.path] }));
  }

  covers(a: Place, b: Place): boolean {
    return this.gaps(nodeOf([a]), nodeOf([b])).length === 0;
  }

  strictly(a: Node, b: Node): readonly Gap[] {
    const before = this.strict;
    this.strict = true;
    try {
      return this.gaps(a, b);
    } finally {
      this.strict = before;
    }
  }

  accepts(node: Node, value: JsonValue): Verdict {
    return accepts(this.expander, node, value, (count) => this.take(count));
  }

  isNothing(node: Node): boolean {
    return this.expander.casesOf(node).length === 0;
  }

  isAnything(place: Place): boolean {
    const cases = this.expander.casesOf(nodeOf([place])).filter(isAnything);
    return TYPES.every((type) => cases.some((each) => each.type === type));
  }

  isAnyText(place: Place): boolean {
    return this.expander.casesOf(nodeOf([place])).some((each) => each.type === "string" && isAnything(each));
  }

  /** Values that a schema lists. */
  valuesOf(node: Node): JsonValue[] {
    return this.expander.casesOf(node).flatMap(({ values }) => values ?? []);
  }

  #gaps(a: Node, b: Node): Gap[] {
    try {
      const [own, other] = [this.expander.casesOf(a), this.expander.casesOf(b)];
      const lists = own.map((each) => this.#uncovered(each, { a, b }, other));
      // What other alternatives keep is left of the old values.
      const isLeft = lists.some(({ length }) => length === 0);
      const found = isLeft ? lists.flat().map((gap) => ({ ...gap, apart: false })) : lists.flat();
      return fewOfEach(mergeTypes(found).map((gap): Gap => ({ path: [], nodes: { a, b }, ...gap })));
    } catch (error) {
      if (error instanceof TooComplex) return [complex(a, b, error.message)];
      throw error;
    }
  }

  #uncovered(a: Case, nodes: Gap["nodes"], others: readonly Case[]): (Local | Gap)[] {
    const same = others.filter(({ type }) => type === a.type);
    if (a.values) return this.#valueGaps(a, nodes.b, same);
    if (same.length === 0) return [typeGap(a, others)];
    const finite = same.filter(({ values }) => values);
    if (finite.length === same.length) return [this.#enumGap(a, finite)];
    const alternatives = same.filter(({ values }) => !values);
    return this.#least(a, nodes, likeliestFirst(a, alternatives));
  }

  /** The gaps to the alternative that comes nearest; the others' stand by, since a value must slip through them too. */
  #least(a: Case, nodes: Gap["nodes"], alternatives: readonly Case[]): (Local | Gap)[] {
    const others = alternatives.filter((b) => !isPlainlyApart(a, b));
    const all: (Local | Gap)[][] = [];
    for (const b of others.length > 0 ? others : alternatives) {
      this.take(1);
      const gaps = caseGaps(this, a, b);
      if (gaps.length === 0) return [];
      all.push(gaps);
    }
    const [best = [], ...rest] = [...all].sort((x, y) => weightOf(x) - weightOf(y));
    if (rest.length === 0) return best;
    const gaps = rest.flatMap((each) => each.slice(0, MOST_BESIDES)).slice(0, MOST_BESIDES);
    const beside = gaps.map((gap): Gap => ({ path: [], nodes, ...gap, besides: undefined }));
    return best.map((gap) => {
      const before = gap.besides ?? [];
      if (before.length >= MOST_AROUND) return gap;
      return { ...gap, besides: [...before, { gaps: beside, steps: gap.path?.length ?? 0 }] };
    });
  }

  #valueGaps(a: Case, node: Node, same: readonly Case[]): Local[] {
    this.take(a.values?.length ?? 0);
    const verdicts = (a.values ?? []).map((value) => [value, this.accepts(node, value)] as const);
    // Values that a itself may refuse are none that b must accept.
    const open = verdicts.filter(
      ([value, ok]) =>
        ok !== true &&
        holds(this.expander, a, value, (count) => this.take(count)) !== false &&
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
        apart: values.length === a.values?.length && same.every((each) => each.values),
      },
    ];
  }

  /** Whether all that b asks of a value beyond what can be told here, a asks too. */
  #keeps(a: Case, b: Case, value: JsonValue): boolean {
    if (b.opaque.length === 0 || !b.opaque.every((text) => a.opaque.includes(text))) return false;
    return holds(this.expander, { ...b, opaque: [] }, value, (count) => this.take(count)) === true;
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

  isApart(a: Case, node: Node): boolean {
    return isApart(this.expander, a, node);
  }
}
