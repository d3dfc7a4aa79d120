import { type PatternNode, parsePattern } from "../../scenario/pattern/parse-pattern.ts";
import { compiled, finds } from "../language/finds.ts";
import { unlessTooComplex } from "../language/steps.ts";

/** How often what may repeat without end is repeated at most. */
const MOST = 12;
/** Of one part. */
const MOST_REPEATED = 4000;

/**
 * Short texts that a regular expression finds itself in, as far as texts can be made for it. Each is the simplest there
 * is, with more or fewer repetitions than it must have.
 */
export function sampleOfPattern(pattern: string): string[] {
  const texts = [0, 1, 2, 5, MOST].flatMap((times) => {
    try {
      return [simplest(parsePattern(pattern), times, new Map())];
    } catch {
      return [];
    }
  });
  if (!compiled(pattern)) return [];
  return [...new Set(texts)].filter((text) => unlessTooComplex(() => finds(pattern, text), false));
}

function simplest(node: PatternNode, times: number, groups: Map<string, string>): string {
  switch (node.kind) {
    case "text":
      return node.text;
    case "set":
      return firstThat(new RegExp(`^${node.source}$`, "u"));
    case "all":
      return node.of.map((each) => simplest(each, times, groups)).join("");
    case "one":
      return simplest(node.of[0] as PatternNode, times, groups);
    case "repeat": {
      const count = Math.min(node.least + times, node.most, MOST_REPEATED);
      return count === 0 ? "" : simplest(node.node, times, groups).repeat(count);
    }
    case "group": {
      const text = simplest(node.node, times, groups);
      for (const name of node.names) groups.set(name, text);
      return text;
    }
    case "again":
      return groups.get(node.name) ?? "";
    case "edge":
    case "look":
      return "";
  }
}

/** Tried in turn for a set of characters. */
const OTHERS = "a0A-_. /@:é";

function firstThat(expression: RegExp): string {
  for (const c of OTHERS) if (expression.test(c)) return c;
  for (let code = 0x20; code < 0x3000; code++) {
    const c = String.fromCharCode(code);
    if (expression.test(c)) return c;
  }
  throw new SyntaxError("no character fits");
}
