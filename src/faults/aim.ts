import type { JsonValue } from "../protocol/message.ts";
import { nameOf } from "../protocol/methods.ts";
import { chance } from "./chance.ts";
import type { Fault } from "./plan.ts";

/** A request as far as a fault looks at it. */
export interface Target {
  readonly method: string | undefined;
  /** Looked at only where a fault names what it strikes. */
  readonly params: () => JsonValue | undefined;
}

/** Decides which requests one fault strikes, by counting those that it means. */
export class Aim {
  readonly #fault: Fault;
  /** Sets this fault's chances apart from those of others. */
  readonly #salt: readonly [seed: number, index: number];
  readonly #counts = new WeakMap<object, number>();
  #all = 0;

  constructor(fault: Fault, salt: readonly [seed: number, index: number]) {
    this.#fault = fault;
    this.#salt = salt;
  }

  /**
   * Whether it strikes this request, which counts; and if so, the how-manieth it is.
   * @param clients whom it may be from: it counts for all of them
   */
  strikes(target: Target, clients: readonly object[]): number | undefined {
    if (!this.#means(target)) return undefined;
    const count = this.#count(clients);
    return this.#isStruck(count) ? count : undefined;
  }

  /** Another number for each draw, the same in every run. */
  draw(count: number, nth: number): number {
    return chance(...this.#salt, count, nth);
  }

  #means({ method, params }: Target): boolean {
    const { on } = this.#fault;
    if (on.method !== undefined && on.method !== method) return false;
    return on.name === undefined || nameOf(method ?? "", params()) === on.name;
  }

  #count(clients: readonly object[]): number {
    if (this.#fault.on.across === "all") return ++this.#all;
    const count = 1 + Math.max(...clients.map((client) => this.#counts.get(client) ?? 0));
    for (const client of clients) this.#counts.set(client, count);
    return count;
  }

  #isStruck(count: number): boolean {
    const { when } = this.#fault.on;
    switch (when.kind) {
      case "always":
        return true;
      case "connect":
        return count === 1;
      case "nth":
        return count === when.value;
      case "every":
        return count % when.value === 0;
      case "probability":
        return this.draw(count, 0) < when.value;
    }
  }
}
