import type { Outlined } from "./outline.ts";

/** Old exchanges by question, in wire order. */
export class Asked {
  readonly #byKey = new Map<string, Outlined[]>();
  readonly #fits: (fresh: Outlined, old: Outlined) => boolean;

  constructor(old: readonly Outlined[], fits: (fresh: Outlined, old: Outlined) => boolean) {
    this.#fits = fits;
    for (const each of old.toReversed()) {
      const list = this.#byKey.get(each.key);
      if (list) list.push(each);
      else this.#byKey.set(each.key, [each]);
    }
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** The first that is not taken and fits. */
  take(fresh: Outlined, fits = this.#fits): Outlined | undefined {
    const list = this.#byKey.get(fresh.key);
    if (!list) return undefined;
    const first = list.at(-1);
    // Nearly all questions are asked once, or all that asked them fit.
    if (first && fits(fresh, first)) return list.pop();
    const index = list.findLastIndex((old) => fits(fresh, old));
    return index < 0 ? undefined : list.splice(index, 1)[0];
  }
}
