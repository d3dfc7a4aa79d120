import type { PatternNode } from "../../scenario/pattern/parse-pattern.ts";
import { mostSteps, parsed } from "./backtracking.ts";
import { type Expression, Expressions } from "./expression.ts";
import { readPattern } from "./read-pattern.ts";
import { Steps, TooComplex } from "./steps.ts";

/** Steps of the engine's own that are few enough in any case. */
const MOST_TRIED = 200_000;
/** Steps that a text takes otherwise. */
const MOST_STEPS = 2_000_000;
/** Of the engine's steps, so many count as one. */
const ENGINE = 50;

/** Patterns that are kept, and how large what is known of one may grow. */
const MOST_KNOWN = 300;
const MOST_SIZE = 20_000;

interface Known {
  readonly expression: RegExp | undefined;
  readonly node: PatternNode | undefined;
  texts?: { readonly make: Expressions; readonly root: Expression | undefined };
}

const known = new Map<string, Known>();

/** As ajv reads it: with the flag `u`. Undefined where it is no regular expression. */
export function compiled(pattern: string): RegExp | undefined {
  return knownOf(pattern).expression;
}

function knownOf(pattern: string): Known {
  const before = known.get(pattern);
  if (before) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const expression = read(pattern);
  const made: Known = { expression, node: expression && parsed(pattern) };
  known.set(pattern, made);
  return made;
}

function read(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

/**
 * Whether a pattern finds itself in a text; one that is no regular expression finds nothing. The engine of JavaScript is
 * asked only where it cannot take long.
 * @throws TooComplex
 */
export function finds(pattern: string, text: string, steps?: Steps): boolean {
  const { expression, node } = knownOf(pattern);
  if (!expression) return false;
  const cost = node ? mostSteps(node, text.length) : Number.POSITIVE_INFINITY;
  if (cost <= MOST_TRIED) {
    steps?.take(Math.ceil(cost / ENGINE));
    return expression.test(text);
  }
  const own = new Steps(MOST_STEPS, `the pattern ${pattern} takes too long to try on some texts`);
  const found = walked(pattern, text, own);
  steps?.take(own.taken);
  return found;
}

function walked(pattern: string, text: string, steps: Steps): boolean {
  const each = knownOf(pattern);
  if (!each.texts || each.texts.make.size > MOST_SIZE) {
    const make = new Expressions();
    each.texts = { make, root: readPattern(make, pattern) };
  }
  const { make, root } = each.texts;
  if (!root) throw new TooComplex(`the pattern ${pattern} may take too long to try on some texts`);
  let left = root;
  for (const character of text) {
    if (left === make.all) return true;
    if (left === make.none) return false;
    left = make.after(left, character.codePointAt(0) as number, steps);
  }
  return left.empty;
}
