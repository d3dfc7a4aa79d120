import type { Entry } from "../exchange/entry.ts";
import { eachMessage, type Message, readMessage } from "../protocol/message.ts";
import { type Placed, Recent } from "./recent.ts";

/** Where a message stands in a recording: in which entry, and where in its batch, -1 outside batches. */
export interface MessagePlace {
  readonly entry: number;
  readonly item: number;
}

const NOTHING = new Uint8Array();

/** The messages of a recording by their places. Of what is asked for again much is at hand. */
export class MessagesAt {
  readonly #entryAt: (ordinal: number) => Entry;
  readonly #recent = new Recent();
  #batch:
    | { readonly ordinal: number; readonly entry: Entry; readonly messages: readonly Message[] }
    | undefined;

  constructor(entryAt: (ordinal: number) => Entry) {
    this.#entryAt = entryAt;
  }

  at({ entry: ordinal, item }: MessagePlace): Placed {
    if (item >= 0 && this.#batch?.ordinal === ordinal) {
      return { entry: this.#batch.entry, message: this.#batch.messages[item] as Message };
    }
    const known = item < 0 ? this.#recent.of(ordinal) : undefined;
    if (known) return known;
    const entry = this.#entryAt(ordinal);
    const frame = readMessage(entry.body?.bytes ?? NOTHING);
    if (item < 0) return this.#recent.keep(ordinal, { entry, message: frame });
    const messages = [...eachMessage(frame)];
    this.#batch = { ordinal, entry, messages };
    return { entry, message: messages[item] as Message };
  }
}
