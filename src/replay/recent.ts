import type { Entry } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";

export interface Placed {
  readonly entry: Entry;
  readonly message: Message;
}

/** Entries kept read at most, and how many bytes of text they may have. */
const SLOTS = 4096;
const LONGEST = 4096;

/** What was looked at lately and more than once, by ordinal: most is asked for again, or never. */
export class Recent {
  /** Made when something is kept: a session waits until the command has started. */
  #known: (Placed | undefined)[] | undefined;
  /** Of each slot: the ordinal that was looked at there last, plus one. */
  readonly #last = new Uint32Array(SLOTS);

  of(ordinal: number): Placed | undefined {
    const slot = ordinal % SLOTS;
    return this.#last[slot] === ordinal + 1 ? this.#known?.[slot] : undefined;
  }

  keep(ordinal: number, placed: Placed): Placed {
    const slot = ordinal % SLOTS;
    const isAgain = this.#last[slot] === ordinal + 1;
    const keeps = isAgain && placed.message.bytes.length <= LONGEST;
    if (keeps) this.#known ??= new Array(SLOTS).fill(undefined);
    if (this.#known) this.#known[slot] = keeps ? placed : undefined;
    this.#last[slot] = ordinal + 1;
    return placed;
  }
}
