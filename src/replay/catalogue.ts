import type { Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Recorded } from "./candidates.ts";
import { groupsOf } from "./groups.ts";
import { paramsOf } from "./key.ts";

/** The recorded exchanges of one method that a proper request could have met. */
export interface Shelf {
  readonly all: readonly Recorded[];
  readonly byLabel: ReadonlyMap<string, readonly Recorded[]>;
}

/** A recording by method and label, for explaining misses. Each method is looked through once, when it is asked for. */
export class Catalogue {
  readonly #exchanges: () => readonly Recorded[];
  readonly #messageOf: (recorded: Recorded) => Message;
  readonly #shelves = new Map<string, Shelf>();
  #methods: ReadonlyMap<string, readonly Recorded[]> | undefined;

  constructor(exchanges: () => readonly Recorded[], messageOf: (recorded: Recorded) => Message) {
    this.#exchanges = exchanges;
    this.#messageOf = messageOf;
  }

  /** `method` is `malformed` for what is no message. */
  shelf(method: string): Shelf {
    let shelf = this.#shelves.get(method);
    if (shelf) return shelf;
    this.#methods ??= groupsOf(
      this.#exchanges().filter(({ improper }) => !improper),
      ({ exchange }) => exchange.method ?? "malformed",
    );
    const all = this.#methods.get(method);
    // Methods nobody recorded are not remembered: there is no end of them.
    if (!all) return { all: [], byLabel: new Map() };
    shelf = {
      all,
      byLabel: groupsOf(all, (recorded) => labelOf(method, paramsOf(this.#messageOf(recorded)))),
    };
    this.#shelves.set(method, shelf);
    return shelf;
  }
}
