import { ALL_CHARACTERS, type Characters, hasCharacter, otherCharacters, unionOf } from "./characters.ts";
import type { Steps } from "./steps.ts";

/** A set of texts, as an expression that is the same object where it is written the same. */
export type Expression = Shape & {
  readonly id: number;
  /** Whether the empty text is one of them. */
  readonly empty: boolean;
};

type Shape =
  | { readonly kind: "none" }
  | { readonly kind: "nothing" }
  | { readonly kind: "set"; readonly set: Characters }
  | { readonly kind: "then"; readonly first: Expression; readonly rest: Expression }
  | { readonly kind: "or" | "and"; readonly of: readonly Expression[] }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "repeat"; readonly of: Expression; readonly least: number; readonly most: number };

/**
 * Builds expressions, and takes them apart by the first character of a text (J. Brzozowski, Derivatives of Regular
 * Expressions, 1964): no text is tried twice, however an expression is nested.
 */
export class Expressions {
  readonly #known = new Map<string, Expression>();
  readonly #after = new Map<number, { readonly left: Expression; readonly cost: number }>();
  /** No text at all. */
  readonly none = this.#make("none", { kind: "none" }, false);
  /** The empty text. */
  readonly nothing = this.#make("nothing", { kind: "nothing" }, true);
  /** Every text. */
  readonly all = this.not(this.none);
  readonly anyCharacter = this.set(ALL_CHARACTERS);

  get size(): number {
    return this.#known.size + this.#after.size;
  }

  set(set: Characters): Expression {
    return set.length === 0 ? this.none : this.#make(`set ${set.join()}`, { kind: "set", set }, false);
  }

  text(text: string): Expression {
    let made = this.nothing;
    for (const character of [...text].reverse()) {
      const code = character.codePointAt(0) as number;
      made = this.followed(this.set([code, code]), made);
    }
    return made;
  }

  followed(first: Expression, rest: Expression): Expression {
    if (first.kind === "none" || rest.kind === "none") return this.none;
    if (first.kind === "nothing") return rest;
    if (rest.kind === "nothing") return first;
    if (first === this.all && rest === this.all) return this.all;
    if (first.kind === "then") return this.followed(first.first, this.followed(first.rest, rest));
    return this.#make(`${first.id}.${rest.id}`, { kind: "then", first, rest }, first.empty && rest.empty);
  }

  or(...parts: readonly Expression[]): Expression {
    const of = this.#members("or", parts).filter((each) => each !== this.none);
    if (of.includes(this.all)) return this.all;
    const sets = of.filter((each) => each.kind === "set");
    if (sets.length > 1) {
      const joined = this.set(sets.reduce<Characters>((set, each) => unionOf(set, each.set), []));
      return this.or(joined, ...of.filter((each) => each.kind !== "set"));
    }
    return this.#several("or", of, this.none);
  }

  and(...parts: readonly Expression[]): Expression {
    const of = this.#members("and", parts).filter((each) => each !== this.all);
    if (of.includes(this.none)) return this.none;
    if (of.includes(this.nothing)) return of.every(({ empty }) => empty) ? this.nothing : this.none;
    if (of.some((each) => each.kind === "not" && of.includes(each.of))) return this.none;
    return this.#several("and", of, this.all);
  }

  not(of: Expression): Expression {
    return of.kind === "not" ? of.of : this.#make(`!${of.id}`, { kind: "not", of }, !of.empty);
  }

  repeat(of: Expression, least: number, most: number): Expression {
    if (most === 0 || of.kind === "nothing") return this.nothing;
    if (of.kind === "none") return least === 0 ? this.nothing : this.none;
    if (least === 1 && most === 1) return of;
    if (of === this.all) return this.all;
    if (of === this.anyCharacter && least === 0 && most === Number.POSITIVE_INFINITY) return this.all;
    if (of.kind === "repeat" && of.least === 0 && of.most === Number.POSITIVE_INFINITY) return of;
    const id = `${of.id}{${least},${most}}`;
    return this.#make(id, { kind: "repeat", of, least, most }, least === 0 || of.empty);
  }

  /**
   * What may follow a character. Costs as many steps when asked again as the first time, so that what is too much does
   * not depend on what was asked before.
   */
  after(each: Expression, code: number, steps: Steps): Expression {
    const id = each.id * 0x200000 + code;
    const known = this.#after.get(id);
    if (known) {
      steps.take(known.cost);
      return known.left;
    }
    const before = steps.taken;
    steps.take();
    const left = this.#left(each, code, steps);
    this.#after.set(id, { left, cost: steps.taken - before });
    return left;
  }

  #left(each: Expression, code: number, steps: Steps): Expression {
    switch (each.kind) {
      case "none":
      case "nothing":
        return this.none;
      case "set":
        return hasCharacter(each.set, code) ? this.nothing : this.none;
      case "then": {
        const first = this.followed(this.after(each.first, code, steps), each.rest);
        return each.first.empty ? this.or(first, this.after(each.rest, code, steps)) : first;
      }
      case "or":
        return this.or(...each.of.map((one) => this.after(one, code, steps)));
      case "and":
        return this.and(...each.of.map((one) => this.after(one, code, steps)));
      case "not":
        return this.not(this.after(each.of, code, steps));
      case "repeat": {
        const { of, least, most } = each;
        return this.followed(this.after(of, code, steps), this.repeat(of, Math.max(least - 1, 0), most - 1));
      }
    }
  }

  /** Flat, each once, in the order they were made. */
  #members(kind: "or" | "and", parts: readonly Expression[]): Expression[] {
    const flat = parts.flatMap((part) => (part.kind === kind ? part.of : [part]));
    return [...new Set(flat)].sort((a, b) => a.id - b.id);
  }

  #several(kind: "or" | "and", of: readonly Expression[], neutral: Expression): Expression {
    const [only] = of;
    if (only === undefined) return neutral;
    if (of.length === 1) return only;
    const empty = kind === "or" ? of.some((each) => each.empty) : of.every((each) => each.empty);
    return this.#make(`${kind} ${of.map(({ id }) => id).join()}`, { kind, of }, empty);
  }

  #make(key: string, shape: Shape, empty: boolean): Expression {
    const known = this.#known.get(key);
    if (known) return known;
    const made = { ...shape, id: this.#known.size, empty };
    this.#known.set(key, made);
    return made;
  }
}

/** One character of each kind that an expression tells apart, those that read well first. */
export function kindsOf(root: Expression): number[] {
  const sets = [...setsOf(root)];
  const edges = new Set<number>([
    0,
    ...sets.flatMap((set) => [...set, ...otherCharacters(set)].filter((_, i) => i % 2 === 0)),
  ]);
  const kinds = new Map<string, number>();
  for (const code of [...PREFERRED, ...[...edges].sort(byReading)]) {
    const kind = sets.map((set) => (hasCharacter(set, code) ? "1" : "0")).join("");
    if (!kinds.has(kind)) kinds.set(kind, code);
  }
  return [...kinds.values()];
}

const PREFERRED: readonly number[] = [..."a0A-_. /@:é"].map((each) => each.charCodeAt(0));

/** Controls, and halves of surrogate pairs, last. */
function byReading(a: number, b: number): number {
  const weight = (code: number) => (code < 0x20 || (code >= 0xd800 && code < 0xe000) ? 1 : 0);
  return weight(a) - weight(b) || a - b;
}

function setsOf(root: Expression): ReadonlySet<Characters> {
  const sets = new Set<Characters>();
  const seen = new Set<Expression>();
  const open = [root];
  for (let each = open.pop(); each; each = open.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (each.kind === "set") sets.add(each.set);
    else if (each.kind === "then") open.push(each.first, each.rest);
    else if (each.kind === "or" || each.kind === "and") open.push(...each.of);
    else if (each.kind === "not" || each.kind === "repeat") open.push(each.of);
  }
  return sets;
}
