import type { Gap } from "./gap.ts";

interface Known {
  readonly gaps: readonly Gap[];
  /** Of the pairs that are open, the outermost that was taken to hold for this. */
  leans: number;
}

const ON_NOTHING = Number.POSITIVE_INFINITY;

/**
 * What is known of pairs of schemas. A pair that is met within itself is taken to hold; what was found to hold because of
 * that is forgotten when it turns out that it does not. Gaps once found stay found: to take more to hold finds no more.
 */
export class Pairs {
  readonly #known = new Map<string, Known>();
  /** Pairs that are looked at, by how many are around them. */
  readonly #open = new Map<string, number>();
  /** Pairs that hold as long as an open one does. */
  readonly #leaning: string[] = [];
  #leans = ON_NOTHING;

  get depth(): number {
    return this.#open.size;
  }

  /** Undefined where it is yet to be found. */
  known(id: string): readonly Gap[] | undefined {
    const known = this.#known.get(id);
    const leans = known ? known.leans : this.#open.get(id);
    if (leans !== undefined) this.#leans = Math.min(this.#leans, leans);
    return known?.gaps ?? (leans === undefined ? undefined : []);
  }

  found(id: string, find: () => readonly Gap[]): readonly Gap[] {
    const [outer, depth, first] = [this.#leans, this.#open.size, this.#leaning.length];
    this.#leans = ON_NOTHING;
    this.#open.set(id, depth);
    const gaps = find();
    this.#open.delete(id);
    const leans = this.#leans >= depth ? ON_NOTHING : this.#leans;
    const within = gaps.length > 0 || leans === ON_NOTHING ? this.#leaning.splice(first) : [];
    if (gaps.length > 0) for (const each of within) this.#known.delete(each);
    else if (leans === ON_NOTHING) this.#settle(within, ON_NOTHING);
    else {
      this.#settle(this.#leaning.slice(first), leans);
      this.#leaning.push(id);
    }
    this.#known.set(id, { gaps, leans: gaps.length > 0 ? ON_NOTHING : leans });
    this.#leans = Math.min(outer, gaps.length > 0 ? ON_NOTHING : leans);
    return gaps;
  }

  #settle(ids: readonly string[], leans: number): void {
    for (const id of ids) {
      const known = this.#known.get(id);
      if (known) known.leans = leans;
    }
  }
}
