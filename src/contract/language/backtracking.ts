import { type PatternNode, parsePattern } from "../../scenario/pattern/parse-pattern.ts";

/** How many ways there are to go on behind a part, and how many steps it takes to find them all. */
interface Cost {
  readonly ways: number;
  readonly steps: number;
}

/**
 * Steps that an engine which tries one way after the other (as that of JavaScript) takes at most to look for a pattern
 * in a text of some length. An upper bound: for most patterns it takes far fewer.
 */
export function mostSteps(node: PatternNode, length: number): number {
  const { steps } = costOf(node, length);
  return startsAtStart(node) ? steps + length : steps * (length + 1);
}

export function parsed(pattern: string): PatternNode | undefined {
  try {
    return parsePattern(pattern);
  } catch {
    return undefined;
  }
}

function startsAtStart(node: PatternNode): boolean {
  if (node.kind === "edge") return node.what === "start";
  if (node.kind === "group") return startsAtStart(node.node);
  if (node.kind === "one") return node.of.every(startsAtStart);
  return node.kind === "all" && node.of[0] !== undefined && startsAtStart(node.of[0]);
}

function costOf(node: PatternNode, length: number): Cost {
  switch (node.kind) {
    case "text":
      return { ways: 1, steps: node.text.length + 1 };
    case "set":
    case "edge":
      return { ways: 1, steps: 1 };
    case "again":
      return { ways: 1, steps: length + 1 };
    case "group":
      return costOf(node.node, length);
    case "look":
      return { ways: 1, steps: costOf(node.node, length).steps };
    case "one":
      return node.of
        .map((each) => costOf(each, length))
        .reduce((sum, { ways, steps }) => ({ ways: sum.ways + ways, steps: sum.steps + steps + 1 }), NO_COST);
    case "all":
      return node.of
        .map((each) => costOf(each, length))
        .reduce((sum, { ways, steps }) => ({ ways: sum.ways * ways, steps: sum.steps + sum.ways * steps }), {
          ways: 1,
          steps: 1,
        });
    case "repeat":
      return repeated(node, length);
  }
}

const NO_COST: Cost = { ways: 0, steps: 1 };

/** What takes up no text is not repeated beyond what it must be. */
function repeated({ node, least, most }: Extract<PatternNode, { kind: "repeat" }>, length: number): Cost {
  const inner = costOf(node, length);
  const times = Math.min(most, Math.max(least, length));
  if (inner.ways === 1) return { ways: Math.max(times - least, 0) + 1, steps: (inner.steps + 1) * times + 1 };
  const ways = inner.ways ** times * (times - least + 1);
  return { ways, steps: (ways + 1) * (inner.steps + 1) * (times + 1) };
}
