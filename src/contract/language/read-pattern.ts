import { PatternFault, type PatternNode, parsePattern } from "../../scenario/pattern/parse-pattern.ts";
import type { Expression, Expressions } from "./expression.ts";
import { readSet } from "./read-set.ts";

/** What stands before a part: certainly nothing, certainly something, or one or the other. */
type Before = "nothing" | "something" | "unknown";

/** Characters of a pattern beyond which it is not read. */
const MOST_PATTERN = 2000;

/**
 * All texts in which a regular expression (flag `u`) finds itself, or undefined where it asks for what such a set cannot
 * say: what a group was, what stands before, whether a word ends, conditions within what repeats.
 */
export function readPattern(make: Expressions, pattern: string): Expression | undefined {
  if (pattern.length > MOST_PATTERN) return undefined;
  try {
    const node = parsePattern(pattern);
    const build = new Builder(make);
    const later = build.expression(node, make.all, "something");
    return make.or(
      build.expression(node, make.all, "nothing"),
      make.followed(make.anyCharacter, make.followed(make.all, later)),
    );
  } catch (error) {
    if (error instanceof PatternFault || error instanceof Unsaid) return undefined;
    throw error;
  }
}

class Unsaid extends Error {}

class Builder {
  readonly #make: Expressions;

  constructor(make: Expressions) {
    this.#make = make;
  }

  /** Texts that begin with what fits the node, and go on with `rest`. */
  expression(node: PatternNode, rest: Expression, before: Before): Expression {
    const make = this.#make;
    switch (node.kind) {
      case "text":
        return make.followed(make.text(node.text), rest);
      case "set":
        return make.followed(make.set(readSet(node.source)), rest);
      case "all":
        return this.#sequence(node.of, rest, before);
      case "one":
        return this.#alternatives(node.of, rest, before);
      case "group":
        return this.expression(node.node, rest, before);
      case "repeat":
        if (!isPlain(node.node)) throw new Unsaid();
        return make.followed(make.repeat(this.#alone(node.node), node.least, node.most), rest);
      case "look": {
        if (node.behind) throw new Unsaid();
        const ahead = this.expression(node.node, make.all, before);
        return make.and(node.not ? make.not(ahead) : ahead, rest);
      }
      case "edge":
        if (node.what === "end") return make.and(make.nothing, rest);
        if (node.what !== "start" || before === "unknown") throw new Unsaid();
        return before === "nothing" ? rest : make.none;
      case "again":
        throw new Unsaid();
    }
  }

  #alone(node: PatternNode): Expression {
    return this.expression(node, this.#make.nothing, "unknown");
  }

  #sequence(nodes: readonly PatternNode[], rest: Expression, before: Before): Expression {
    let at: Before = before;
    const places = nodes.map((node) => {
      const here = at;
      const [least, most] = lengthsOf(node);
      if (least > 0) at = "something";
      else if (most > 0 && at === "nothing") at = "unknown";
      return [node, here] as const;
    });
    return places.reduceRight((left, [node, here]) => this.expression(node, left, here), rest);
  }

  #alternatives(nodes: readonly PatternNode[], rest: Expression, before: Before): Expression {
    const make = this.#make;
    if (nodes.every(isPlain)) return make.followed(make.or(...nodes.map((node) => this.#alone(node))), rest);
    return make.or(...nodes.map((node) => this.expression(node, rest, before)));
  }
}

/** Asks for nothing beyond the text it takes up. */
function isPlain(node: PatternNode): boolean {
  switch (node.kind) {
    case "text":
    case "set":
      return true;
    case "all":
    case "one":
      return node.of.every(isPlain);
    case "group":
    case "repeat":
      return isPlain(node.node);
    default:
      return false;
  }
}

/** Fewest and most characters of what fits. */
function lengthsOf(node: PatternNode): readonly [least: number, most: number] {
  switch (node.kind) {
    case "text":
      return [node.text.length, node.text.length];
    case "set":
      return [1, 1];
    case "all":
      return node.of.map(lengthsOf).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    case "one": {
      const all = node.of.map(lengthsOf);
      return [Math.min(...all.map(([least]) => least)), Math.max(...all.map(([, most]) => most))];
    }
    case "group":
      return lengthsOf(node.node);
    case "repeat": {
      const [least, most] = lengthsOf(node.node);
      return [least * node.least, most === 0 || node.most === 0 ? 0 : most * node.most];
    }
    case "again":
      return [0, Number.POSITIVE_INFINITY];
    default:
      return [0, 0];
  }
}
