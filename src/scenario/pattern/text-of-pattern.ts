import { PatternFault, type PatternNode, parsePattern } from "./parse-pattern.ts";

export interface Wished {
  /** Numbers from 0 to below 1. */
  readonly random: () => number;
  /** Characters, as JSON Schema counts them: code points. */
  readonly least: number;
  readonly most: number;
}

/** How often more than it must a part is repeated at most, try after try. */
const MORE = [2, 2, 2, 0, 4, 1, 8, 16, 3, 32];
/** Tries of each. */
const TRIES = 8;
/** Repetitions of a part beyond those it must have. */
const MOST_MORE = 100_000;

/**
 * A text in which a regular expression finds itself, of a length between two, the same for the same random numbers.
 * @throws PatternFault where none is found
 */
export function textOfPattern(pattern: string, { random, least, most }: Wished): string {
  const node = parsePattern(pattern);
  const expression = new RegExp(pattern, "u");
  const fits = (text: string) => {
    const length = lengthOf(text);
    return length >= least && length <= most && expression.test(text);
  };
  for (const more of MORE) {
    for (let tries = 0; tries < TRIES; tries++) {
      const text = new Writer(random, { more, exact: false }).text(node);
      if (fits(text)) return text;
    }
  }
  for (const more of near(node, least, random)) {
    const text = new Writer(random, { more, exact: true }).text(node);
    if (fits(text)) return text;
  }
  const lengths = most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
  throw new PatternFault(`none was found of ${lengths} characters`);
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** How often everything is to be repeated more than it must, for a text that is about so long. */
function near(node: PatternNode, length: number, random: () => number): readonly number[] {
  const lengthWith = (more: number) => lengthOf(new Writer(random, { more, exact: true }).text(node));
  const [none, once] = [lengthWith(0), lengthWith(1)];
  if (once <= none) return [];
  const guess = Math.min(Math.ceil((length - none) / (once - none)), MOST_MORE);
  return [guess, guess - 1, guess + 1, guess - 2, guess + 2].filter((more) => more >= 0);
}

class Writer {
  readonly #random: () => number;
  readonly #repeats: { readonly more: number; readonly exact: boolean };
  readonly #groups = new Map<string, string>();

  /** `repeats`: so often more than it must, or up to that. */
  constructor(random: () => number, repeats: { readonly more: number; readonly exact: boolean }) {
    this.#random = random;
    this.#repeats = repeats;
  }

  text(node: PatternNode): string {
    switch (node.kind) {
      case "text":
        return node.text;
      case "set":
        return this.#oneOf(charactersOf(node.source));
      case "all":
        return node.of.map((each) => this.text(each)).join("");
      case "one":
        return this.text(this.#oneOf(node.of));
      case "repeat":
        return this.#repeated(node);
      case "group":
        return this.#group(node);
      case "again":
        return this.#groups.get(node.name) ?? "";
      // Whether a text fits these only a try shows.
      case "edge":
      case "look":
        return "";
    }
  }

  #repeated({ node, least, most }: Extract<PatternNode, { kind: "repeat" }>): string {
    const { more, exact } = this.#repeats;
    const limit = Math.min(most, least + more);
    const count = exact ? limit : least + Math.floor(this.#random() * (limit - least + 1));
    return Array.from({ length: count }, () => this.text(node)).join("");
  }

  #group({ node, names }: Extract<PatternNode, { kind: "group" }>): string {
    const text = this.text(node);
    for (const name of names) this.#groups.set(name, text);
    return text;
  }

  #oneOf<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }
}

/** Looked at in turn, until one of them has characters of a set: those that read well come first. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x30, 0x39],
  [0x61, 0x7a],
  [0x41, 0x5a],
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x00, 0x1f],
  [0x250, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
];
/** Of a set. */
const MOST_CHARACTERS = 64;

const known = new Map<string, readonly string[]>();

function charactersOf(source: string): readonly string[] {
  let characters = known.get(source);
  if (!characters) {
    characters = found(source);
    known.set(source, characters);
  }
  return characters;
}

function found(source: string): readonly string[] {
  const expression = new RegExp(`^${source}$`, "u");
  const characters: string[] = [];
  for (const [index, [first, last]] of RANGES.entries()) {
    // Letters and digits together, all else where there are none.
    if (index > 2 && characters.length > 0) break;
    for (let code = first; code <= last && characters.length < MOST_CHARACTERS; code++) {
      const character = String.fromCodePoint(code);
      if (expression.test(character)) characters.push(character);
    }
  }
  if (characters.length === 0) throw new PatternFault(`no character is one of ${source}`);
  return characters;
}
