import type { Entry } from "../exchange/entry.ts";
import { eachMessage, type Message, readMessage } from "../protocol/message.ts";
import { type Placed, Recent } from "./recent.ts";

/** Where a message stands in a recording: in which entry, and where in its batch, -1 outside batches. */
export interface MessagePlace {
  readonly entry: number;
  readonly item: number;
}

interface Source {
  entryAt(ordinal: number): Entry;
  messageAt?(ordinal: number): Placed | undefined;
}

const NOTHING = new Uint8Array();

/** The messages of a recording by their places. Of what is asked for again much is at hand. */
export class MessagesAt {
  readonly #source: Source;
  readonly #recent = new Recent();
  #batch:
    | { readonly ordinal: number; readonly entry: Entry; readonly messages: readonly Message[] }
    | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  at({ entry: ordinal, item }: MessagePlace): Placed {
    if (item >= 0 && this.#batch?.ordinal === ordinal) {
      return { entry: this.#batch.entry, message: this.#batch.messages[item] as Message };
    }
    const known = item < 0 ? this.#recent.of(ordinal) : undefined;
    if (known) return known;
    const read = this.#source.messageAt?.(ordinal) ?? this.#read(ordinal);
    if (item < 0) return this.#recent.keep(ordinal, read);
    const { entry, message } = read;
    const messages = [...eachMessage(message)];
    this.#batch = { ordinal, entry, messages };
    return { entry, message: messages[item] as Message };
  }

  #read(ordinal: number): Placed {
    const entry = this.#source.entryAt(ordinal);
    return { entry, message: readMessage(entry.body?.bytes ?? NOTHING) };
  }
}
