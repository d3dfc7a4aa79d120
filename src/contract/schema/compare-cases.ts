import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import type { TextRules } from "../language/texts.ts";
import { BOUNDS, type Case, itemOf, prefixLength } from "./case.ts";
import { memberGaps } from "./compare-members.ts";
import { nodeOf, type Place } from "./document.ts";
import type { Gap, Local, Within } from "./gap.ts";
import { IMPLIED } from "./implied.ts";
import { sampleOfPattern } from "./pattern.ts";

/** Where a accepts more than b, both being of one type. */
export function caseGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  const cases = { a, b };
  return [
    ...boundGaps(comparer, a, b),
    ...(a.type === "number" ? numberGaps(a, b) : []),
    ...(a.type === "string" ? stringGaps(comparer, a, b) : []),
    ...(a.type === "array" ? arrayGaps(comparer, a, b) : []),
    ...(a.type === "object" ? memberGaps(comparer, a, b) : []),
    ...leftGaps(comparer, a, b),
  ].map((gap) => (gap.cases.a ? gap : { ...gap, cases }));
}

function boundGaps(comparer: Within, a: Case, b: Case): Local[] {
  return BOUNDS.flatMap(({ keyword, side, aspect }): Local[] => {
    const bound = b.bounds[keyword];
    if (bound === undefined || implied(a, keyword, bound)) return [];
    const own = a.bounds[keyword];
    const shown = aspect === "length" ? lengthShown(comparer, a, keyword, bound) : undefined;
    if (shown === "none") return [];
    const values = aspect === "range" ? boundary(keyword, bound, side) : shown;
    return [
      {
        aspect,
        keywords: keyword === "maxItems" ? [keyword, "items", "additionalItems"] : [keyword],
        a: own === undefined ? `no ${keyword}` : `${keyword} ${own}`,
        b: `${keyword} ${bound}`,
        cases: {},
        values,
      },
    ];
  });
}

/** A text that patterns allow and a length does not. */
function lengthShown(
  comparer: Within,
  a: Case,
  keyword: string,
  bound: number,
): string[] | "none" | undefined {
  if (a.patterns.length === 0) return undefined;
  const side = keyword === "minLength" ? { least: bound } : { most: bound };
  const found = comparer.textOutside(textRules(a), { patterns: [], ...side });
  if (found === "none") return "none";
  return found === "unsaid" ? undefined : [found.text];
}

export function textRules({ patterns, bounds }: Case): TextRules {
  return { patterns: [...patterns].sort(), least: bounds.minLength, most: bounds.maxLength };
}

/** Whether what a says keeps its values within a bound. */
function implied(a: Case, keyword: string, bound: number): boolean {
  const { bounds, integer } = a;
  const counted = IMPLIED[keyword]?.(a);
  if (counted !== undefined && (keyword.startsWith("min") ? counted >= bound : counted <= bound)) return true;
  const { minimum: low, maximum: high, exclusiveMinimum: above, exclusiveMaximum: below } = bounds;
  if (keyword === "minimum") return atLeast(low, bound) || atLeast(above, integer ? bound - 1 : bound);
  if (keyword === "maximum") return atMost(high, bound) || atMost(below, integer ? bound + 1 : bound);
  if (keyword === "exclusiveMinimum") {
    return (
      atLeast(above, bound) ||
      (low !== undefined && (integer ? low >= bound + 1 || low > bound : low > bound))
    );
  }
  if (keyword === "exclusiveMaximum") return atMost(below, bound) || (high !== undefined && high < bound);
  const own = bounds[keyword];
  return keyword.startsWith("min") ? atLeast(own, bound) : atMost(own, bound);
}

function atLeast(own: number | undefined, bound: number): boolean {
  return own !== undefined && own >= bound;
}

function atMost(own: number | undefined, bound: number): boolean {
  return own !== undefined && own <= bound;
}

function boundary(keyword: string, bound: number, side: "low" | "high"): number[] {
  const step = side === "low" ? -1 : 1;
  const just = keyword.startsWith("exclusive") ? [bound] : [];
  return [
    ...just,
    bound + step,
    Math.floor(bound) + step,
    bound + step / 2,
    bound + 10 * step,
    2 * bound + step,
  ];
}

function numberGaps(a: Case, b: Case): Local[] {
  const gaps: Local[] = [];
  if (b.integer && !a.integer && !a.multiples.some(Number.isInteger)) {
    const low = a.bounds.minimum ?? a.bounds.exclusiveMinimum ?? a.bounds.maximum ?? 0;
    const values = [low + 0.5, low - 0.5, 0.5, ...a.multiples.flatMap((each) => [each, 3 * each])];
    gaps.push({
      aspect: "type",
      keywords: ["type"],
      a: "numbers with fractions",
      b: "integers",
      cases: {},
      values,
    });
  }
  const own = a.integer ? [...a.multiples, 1] : a.multiples;
  for (const multiple of b.multiples) {
    if (own.some((each) => Number.isInteger(each / multiple))) continue;
    const values = [1, 2, 3, 5, 7].flatMap((n) => [n, n * (own[0] ?? 1), n * multiple + 1]);
    gaps.push({
      aspect: "range",
      keywords: ["multipleOf"],
      a: a.multiples.length === 0 ? "no multipleOf" : `multipleOf ${a.multiples.join(" and ")}`,
      b: `multipleOf ${multiple}`,
      cases: {},
      values,
    });
  }
  return gaps;
}

function stringGaps(comparer: Within, a: Case, b: Case): Local[] {
  const patterns = b.patterns.flatMap((pattern): Local[] => {
    if (a.patterns.includes(pattern)) return [];
    const found = comparer.textOutside(textRules(a), { patterns: [pattern] });
    if (found === "none") return [];
    const values = [...(found === "unsaid" ? [] : [found.text]), ...a.patterns.flatMap(aroundPattern)];
    return [
      {
        aspect: "pattern",
        keywords: ["pattern"],
        ...told("pattern", a.patterns, pattern),
        cases: {},
        values,
      },
    ];
  });
  const formats = b.formats
    .filter((format) => !a.formats.includes(format))
    .map((format): Local => {
      return { aspect: "format", keywords: ["format"], ...told("format", a.formats, format), cases: {} };
    });
  return [...patterns, ...formats];
}

/** Texts that a pattern finds itself in, with something beside. */
function aroundPattern(pattern: string): string[] {
  return sampleOfPattern(pattern).flatMap((text) => [text, ` ${text}`, `${text} `, `a${text}`, `${text}a`]);
}

function told(keyword: string, own: readonly string[], wanted: string) {
  return {
    a: own.length === 0 ? `no ${keyword}` : `${keyword} ${own.join(" and ")}`,
    b: `${keyword} ${wanted}`,
  };
}

function arrayGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  const gaps: (Local | Gap)[] = [];
  const say = (keyword: string, before: string, after: string) =>
    gaps.push({ aspect: "items", keywords: [keyword], a: before, b: after, cases: {} });
  const most = Math.min(a.bounds.maxItems ?? MOST_ITEMS, b.bounds.maxItems ?? MOST_ITEMS);
  comparer.take(prefixLength(a) + prefixLength(b));
  if (b.unique && !a.unique && (a.bounds.maxItems ?? MOST_ITEMS) > 1)
    say("uniqueItems", "items that repeat", "items that differ");
  for (const { place, min, max } of b.contains) {
    const found = a.contains.some(
      (each) =>
        each.min >= min &&
        (max === undefined ||
          (each.max !== undefined &&
            each.max <= max &&
            comparer.strictly(nodeOf([place]), nodeOf([each.place])).length === 0)) &&
        comparer.covers(each.place, place),
    );
    if (!found && !(max === undefined && allFit(comparer, { a, place, min })))
      say("contains", "any items", "certain items among them");
  }
  const length = Math.max(prefixLength(a), prefixLength(b));
  for (let index = 0; index <= length && index < most; index++) {
    gaps.push(...comparer.below(index, itemOf(a, index), itemOf(b, index)));
  }
  return gaps;
}

/** Whether so many first items, which are all there, fit anyway. */
function allFit(
  comparer: Within,
  { a, place, min }: { readonly a: Case; readonly place: Place; readonly min: number },
): boolean {
  if ((a.bounds.minItems ?? 0) < min || min > MOST_FITTING) return false;
  const node = nodeOf([place]);
  return Array.from({ length: min }, (_, i) => i).every(
    (i) => comparer.gaps(itemOf(a, i), node).length === 0,
  );
}

const MOST_FITTING = 8;

/** What b says besides that is not plain: what its values must not be, and what is not understood. */
function leftGaps(comparer: Within, a: Case, b: Case): Local[] {
  const gaps: Local[] = [];
  for (const not of b.nots) {
    if (comparer.isApart(a, not)) continue;
    const owns = a.nots.map((own) => comparer.strictly(not, own));
    if (owns.some((gaps) => gaps.length === 0)) continue;
    const texts = { a: "values that fit another alternative too", b: "values that do not" };
    gaps.push({
      aspect: "composition",
      keywords: COMPOSING,
      ...texts,
      cases: {},
      values: comparer.valuesOf(not),
      near: [not],
      besides: owns.slice(0, MOST_OWN).map((gaps) => ({ gaps, steps: 0 })),
    });
  }
  for (const text of b.opaque) {
    if (a.opaque.includes(text)) continue;
    const keyword = text.split(" ")[0] as string;
    gaps.push({
      aspect: "composition",
      keywords: [keyword],
      a: "values without",
      b: shortened(text),
      cases: {},
    });
  }
  return gaps;
}

/** What a must not be either, and a value that shows the gap slips through. */
const MOST_OWN = 2;

const MOST_ITEMS = Number.POSITIVE_INFINITY;

const LONGEST = 160;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const COMPOSING = ["oneOf", "not", "if", "anyOf", "allOf"];

export function listText(values: readonly JsonValue[]): string {
  const texts = values.map((value) => canonicalJson(value)).sort();
  return texts.length > 6 ? `${texts.slice(0, 5).join(", ")} and ${texts.length - 5} more` : texts.join(", ");
}
