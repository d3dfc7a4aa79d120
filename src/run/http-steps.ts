import { scanJson } from "../protocol/scan-json.ts";
import type { EntrySink, Seen } from "./entry-sink.ts";
import type { Turns } from "./http-turns.ts";

/** Bytes of a body from which on it takes a while to look at it. */
const LARGE = 128 * 1024;
/** Jobs that may wait meanwhile: a chunk of 64 KB each at most, so that memory stays bounded. */
const MOST_WAITING = 256;

export interface StepsOptions {
  readonly sink: EntrySink;
  readonly turns: Turns;
  /** Lets what passes go first. */
  readonly rest: (() => Promise<void>) | undefined;
}

/** Gives to a sink what was seen: a large body in steps, between which what passes goes first. */
export class Steps {
  readonly #options: StepsOptions;

  constructor(options: StepsOptions) {
    this.#options = options;
  }

  /** A promise where it takes more than one. */
  add(seen: Seen): Promise<void> | undefined {
    const { sink, turns, rest } = this.#options;
    const { raw } = seen;
    if (raw && raw.length >= LARGE && rest && turns.waiting < MOST_WAITING) {
      return this.#inSteps({ ...seen, raw }, rest);
    }
    sink.add(seen);
    return undefined;
  }

  async #inSteps(seen: Seen & { raw: Uint8Array }, rest: () => Promise<void>): Promise<void> {
    const scan = seen.scan ?? scanJson(seen.raw, true);
    await rest();
    this.#options.sink.add({ ...seen, scan });
  }
}
