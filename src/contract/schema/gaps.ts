import type { JsonValue } from "../../protocol/message.ts";
import type { Case } from "./case.ts";
import type { Node } from "./document.ts";
import type { Gap, Local } from "./gap.ts";

/** Ways to one place by which its gaps are told. */
const MOST_WAYS = 4;

export function typeGap(a: Case, others: readonly Case[]): Local {
  return {
    aspect: "type",
    keywords: ["type", "anyOf", "oneOf", "$ref"],
    a: nameOf(a),
    b: [...new Set(others.map(nameOf))].join(", ") || "nothing",
    cases: { a },
  };
}

/** Each once, and what is met by many ways (in a recursion there is no end of them) by the shortest few. */
export function fewOfEach(gaps: readonly Gap[]): Gap[] {
  if (gaps.length < 2) return [...gaps];
  const ways = new Map<string, Map<string, Gap>>();
  for (const gap of gaps) {
    const id = `${gap.aspect} ${gap.b} ${gap.nodes.a.id} ${gap.nodes.b.id}`;
    const known = ways.get(id) ?? new Map<string, Gap>();
    ways.set(id, known.set(JSON.stringify(gap.path), gap));
  }
  const kept = new Set<Gap>();
  for (const each of ways.values()) {
    const shortest = [...each.values()].sort((a, b) => a.path.length - b.path.length);
    for (const gap of shortest.slice(0, MOST_WAYS)) kept.add(gap);
  }
  return gaps.filter((gap) => kept.has(gap));
}

/** The alternative that is written at the same place, or stands for the same, holds most often. */
export function likeliestFirst(a: Case, alternatives: readonly Case[]): readonly Case[] {
  const [own] = a.origins;
  const isLike = (b: Case) => b.origins[0]?.pointer === own?.pointer;
  return [...alternatives.filter(isLike), ...alternatives.filter((b) => !isLike(b))];
}

/** What was given up says less than anything else. */
export function weightOf(gaps: readonly (Local | Gap)[]): number {
  return gaps.some(({ gaveUp }) => gaveUp) ? 1_000_000 + gaps.length : gaps.length;
}

function nameOf({ type, integer }: Case): string {
  return integer ? "integer" : type;
}

/** Several types at one place are one gap. */
export function mergeTypes(gaps: readonly (Local | Gap)[]): (Local | Gap)[] {
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

export function complex(a: Node, b: Node, why: string): Gap {
  const said = { aspect: "composition", path: [], keywords: [], a: "", b: "" } as const;
  return { ...said, nodes: { a, b }, cases: {}, gaveUp: why };
}
