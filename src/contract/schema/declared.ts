import { Steps, TooComplex, unlessTooComplex } from "../language/steps.ts";
import { type Case, itemOf, memberNames, memberOf, prefixLength, saysNothing } from "./case.ts";
import { stranger } from "./compare-members.ts";
import { type Node, nodeOf } from "./document.ts";
import type { Expander } from "./expand.ts";
import { pairsOf } from "./likeness.ts";
import { sampleOfPattern } from "./pattern.ts";
import { asides, branchWords, type Path, type Words, words } from "./words.ts";

/** What differs between two schemas though it decides nothing about what they accept. */
export type Remark =
  | {
      readonly kind: "added" | "removed";
      readonly path: Path;
      readonly name: string;
      readonly node: Node;
      readonly open: boolean;
      readonly required: boolean;
    }
  | Words;

/** Places that are walked, and how many of them may lie within each other. */
const MOST_WALKED = 50_000;
const DEEPEST = 150;

/** Walks two schemas side by side, by the members they name. */
export class Declared {
  readonly #expander: Expander;
  readonly #seen = new Set<string>();
  readonly #steps = new Steps(MOST_WALKED, "more members than are looked through");
  /** Why not all was walked. */
  gaveUp: string | undefined;

  constructor(expander: Expander) {
    this.#expander = expander;
  }

  all(before: Node, after: Node): Remark[] {
    const remarks: Remark[] = [];
    try {
      for (const remark of this.#walk(before, after)) remarks.push(remark);
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      this.gaveUp = error.message;
    }
    return remarks;
  }

  /** @param given every value that the old schema accepts has this place, so no default counts there */
  *#walk(before: Node, after: Node, path: Path = [], given = false): Iterable<Remark> {
    const id = `${before.id} < ${after.id}`;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#steps.take();
    if (path.length > DEEPEST) throw new TooComplex(`more than ${DEEPEST} places within each other`);
    yield* asides(before, after, path);
    for (const word of words(before, after, path)) if (!given || word.keyword !== "default") yield word;
    yield* branchWords(before, after, path);
    const [old, now] = [this.#casesOf(before), this.#casesOf(after)];
    const pairs = (type: string) => pairsOf(ofType(old, type), ofType(now, type));
    for (const [a, b] of pairs("object")) {
      yield* this.#members(a, b, path);
      yield* this.#others(a, b, path);
    }
    for (const [a, b] of pairs("array")) {
      const length = Math.max(prefixLength(a), prefixLength(b));
      for (let i = 0; i <= length; i++) yield* this.#walk(itemOf(a, i), itemOf(b, i), [...path, i]);
    }
  }

  *#members(a: Case, b: Case, path: Path): Iterable<Remark> {
    const required = [a, b].map((each) => new Set(each.required));
    for (const name of memberNames([a, b])) {
      const [old, now] = [memberOf(a, name), memberOf(b, name)];
      const [was, is] = [this.#isNamed(old.node, old.declared), this.#isNamed(now.node, now.declared)];
      if (was && is) {
        yield* this.#walk(old.node, now.node, [...path, name], required[0]?.has(name));
      } else if (was || is) {
        const [own, other, there] = was ? [old, now, b] : [now, old, a];
        yield {
          kind: was ? "removed" : "added",
          path,
          name,
          node: own.node,
          open: !other.declared && there.members.every(({ additional }) => saysNothing(additional)),
          required: required[was ? 0 : 1]?.has(name) === true,
        };
      }
    }
  }

  /** What is said of members by a pattern, or of all others. */
  *#others(a: Case, b: Case, path: Path): Iterable<Remark> {
    const patterns = new Set(a.members.flatMap((layer) => layer.patterns.map(([pattern]) => pattern)));
    for (const pattern of [...patterns].sort()) {
      const [old, now] = [a, b].map(({ members }) =>
        nodeOf(
          members.flatMap((layer) =>
            layer.patterns.flatMap(([text, place]) => (text === pattern ? [place] : [])),
          ),
        ),
      ) as [Node, Node];
      const [name = pattern] = sampleOfPattern(pattern);
      if (now.places.length > 0) yield* this.#walk(old, now, [...path, name]);
    }
    const [old, now] = [a, b].map(({ members }) =>
      nodeOf(members.flatMap(({ additional }) => additional ?? [])),
    ) as [Node, Node];
    if (old.places.length > 0 && now.places.length > 0)
      yield* this.#walk(old, now, [...path, stranger(a, b)]);
  }

  /** A member that is named only to be refused is none. */
  #isNamed(node: Node, declared: boolean): boolean {
    return declared && this.#casesOf(node).length > 0;
  }

  #casesOf(node: Node): readonly Case[] {
    return unlessTooComplex(() => this.#expander.casesOf(node), []);
  }
}

function ofType(cases: readonly Case[], type: string): Case[] {
  return cases.filter((each) => each.type === type);
}
