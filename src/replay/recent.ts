import type { Entry } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";

export interface Placed {
  readonly entry: Entry;
  readonly message: Message;
}

/** Entries kept read, and how many bytes of text they may have. */
const MOST = 2048;
const LONGEST = 4096;

/** What was looked at lately, by ordinal, since most is asked for again. */
export class Recent {
  readonly #known = new Map<number, Placed>();

  of(ordinal: number): Placed | undefined {
    return this.#known.get(ordinal);
  }

  keep(ordinal: number, placed: Placed): Placed {
    if (placed.message.bytes.length > LONGEST) return placed;
    if (this.#known.size === MOST) this.#known.clear();
    this.#known.set(ordinal, placed);
    return placed;
  }
}
