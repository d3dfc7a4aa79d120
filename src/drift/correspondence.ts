import type { IdToken } from "../protocol/message.ts";
import { ByName, isCounted, type Named } from "../rerecord/names.ts";
import type { Naming } from "../rerecord/pairing.ts";

/** What the server minted in one recording stands for what it minted in the other, one for one. */
export class Correspondence implements Naming {
  readonly #names: readonly Named[];
  readonly #olds = new Map<number, IdToken>();
  readonly #taken = new ByName<true>();

  /** @param names of the new recording */
  constructor(names: readonly Named[]) {
    this.#names = names;
  }

  learn(number: number, old: IdToken): void {
    // Those that are counted tell nothing.
    if (isCounted(this.#named(number).kind)) return;
    if (this.#olds.has(number) || !this.couldBe(number, old)) return;
    this.#olds.set(number, old);
    this.#taken.set(this.#named(number), old, true);
  }

  couldBe(number: number, old: IdToken): boolean {
    const known = this.#olds.get(number);
    return known === undefined ? !this.#taken.get(this.#named(number), old) : known === old;
  }

  #named(number: number): Named {
    return this.#names[number] as Named;
  }
}
