import type { CanonicalOptions } from "../protocol/canonical.ts";
import type { JsonValue } from "../protocol/message.ts";
import { nameOf } from "../protocol/methods.ts";
import {
  ANY,
  guarded,
  type MatchFunction,
  type MatchOperator,
  type Operator,
  type Owner,
  operatorOf,
  UNORDERED,
} from "./match-operators.ts";
import { exactly, insideOf, type PointerPattern, pairsAt } from "./pointer-pattern.ts";

/** What besides equal params makes a recorded request the same question. Places are JSON pointers into `params`. */
export interface MatchRule {
  /** What does not matter, be it there or not. `*` stands for any member or element. */
  readonly ignore?: readonly PointerPattern[] | undefined;
  /** What may differ as an operator allows; where several places fit, the first written counts. */
  readonly match?: Readonly<Record<PointerPattern, MatchOperator>> | undefined;
}

/** By method (`tools/call`), or method and name (`tools/call forecast`). */
export type MatchRules = Readonly<Record<string, MatchRule | MatchFunction>>;

/** One rule, and whose it is. */
interface Owned extends Owner {
  readonly is: MatchRule | MatchFunction;
}

interface Placed {
  readonly place: PointerPattern;
  readonly pattern: RegExp;
  readonly operator: Operator;
}

/** The rules that are for one message, taken together. */
export class Loosening {
  /** How a key is made of params; undefined where any params may be the same question. */
  readonly canonical: CanonicalOptions | undefined;
  /** Params with equal keys are not yet the same question. */
  readonly compares: boolean;
  readonly #ignored: RegExp | undefined;
  readonly #placed: readonly Placed[];
  readonly #decide: MatchFunction | undefined;

  /** @param rules the more precise one last; a function goes with no other */
  constructor(rules: readonly Owned[]) {
    const precise = rules.at(-1) as Owned;
    const together = rules.some(({ is }) => typeof is === "function") ? [precise] : rules;
    this.#decide = typeof precise.is === "function" ? guarded(precise.is, precise) : undefined;
    this.#ignored = insideOf(
      together.flatMap(({ is }) => (typeof is === "function" ? [] : (is.ignore ?? []))),
    );
    this.#placed = together.toReversed().flatMap(placed);
    this.canonical = this.#decide ? undefined : this.#canonical();
    this.compares = this.#decide !== undefined || this.#placed.some(({ operator }) => operator.compares);
  }

  /**
   * Whether recorded params with an equal key are the same question.
   * @throws VcrError `usage` where a function fails
   */
  accepts(asked: JsonValue, recorded: JsonValue): boolean {
    if (this.#decide) return this.#decide(asked, recorded);
    return this.#placed.every(({ place, operator }) => {
      if (!operator.compares) return true;
      const own = pairsAt(place, asked, recorded).filter(({ pointer }) => this.#at(pointer) === operator);
      return own.every((pair) => operator.equal(pair.asked, pair.recorded));
    });
  }

  /**
   * Whether a difference at this place does not matter.
   * @throws VcrError `usage` where a function fails
   */
  allows(pointer: string, asked: JsonValue | undefined, recorded: JsonValue | undefined): boolean {
    if (this.#ignored?.test(pointer) || this.#isInsideOfAny(pointer)) return true;
    if (asked === undefined || recorded === undefined) return false;
    return this.#at(pointer)?.equal(asked, recorded) ?? false;
  }

  /** Whether the order of the list at this place does not matter. */
  isUnordered(pointer: string): boolean {
    return this.#at(pointer) === UNORDERED;
  }

  #canonical(): CanonicalOptions {
    return {
      omit: (pointer) => this.#ignored?.test(pointer) ?? false,
      rewrite: (pointer, plain) => this.#at(pointer)?.rewrite(plain),
    };
  }

  #isInsideOfAny(pointer: string): boolean {
    for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
      if (this.#at(pointer.slice(0, end)) === ANY) return true;
    }
    return false;
  }

  #at(pointer: string): Operator | undefined {
    return this.#placed.find(({ pattern }) => pattern.test(pointer))?.operator;
  }
}

function placed({ is, ...owner }: Owned): Placed[] {
  if (typeof is === "function") return [];
  return Object.entries(is.match ?? {}).map(([place, operator]) => ({
    place,
    pattern: exactly(place),
    operator: operatorOf(operator, owner),
  }));
}

/** Matching rules, ready for use. */
export class Rules {
  /** Whose they are, for people: the configuration's file. */
  readonly origin: string;
  readonly source: MatchRules;
  readonly #methods: ReadonlySet<string>;
  readonly #loosenings = new Map<string, Loosening>();

  /** @param source checked: see `faultOf` */
  constructor(source: MatchRules, origin: string) {
    this.source = source;
    this.origin = origin;
    this.#methods = new Set(Object.keys(source).map(methodOf));
  }

  /** Whether some rule is for some messages of this method. */
  concern(method: string): boolean {
    return this.#methods.has(method);
  }

  /** What they make of a message; undefined where none is for it. */
  for(method: string, params: JsonValue | undefined): Loosening | undefined {
    if (!this.concern(method)) return undefined;
    const names = namesOf(method, params).filter((name) => Object.hasOwn(this.source, name));
    if (names.length === 0) return undefined;
    const key = names.join("\n");
    let loosening = this.#loosenings.get(key);
    if (!loosening) {
      const { source, origin } = this;
      loosening = new Loosening(
        names.map((rule) => ({ rule, origin, is: source[rule] as MatchRule | MatchFunction })),
      );
      this.#loosenings.set(key, loosening);
    }
    return loosening;
  }
}

/** What a rule for a message may be called, the more precise name last. */
export function namesOf(method: string, params: JsonValue | undefined): string[] {
  const name = nameOf(method, params);
  return name === undefined ? [method] : [method, `${method} ${name}`];
}

function methodOf(name: string): string {
  return name.split(" ", 1)[0] as string;
}
