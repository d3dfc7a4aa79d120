import type { Entry } from "../exchange/entry.ts";
import { eachMessage, type Message, readMessage } from "../protocol/message.ts";
import { Recent } from "./recent.ts";

export interface Placed {
  readonly entry: Entry;
  readonly message: Message;
}

/** Where a message stands in a recording: in which entry, and where in its batch, -1 outside batches. */
export interface MessagePlace {
  readonly entry: number;
  readonly item: number;
}

interface Source {
  entryAt(ordinal: number): Entry;
  messageAt?(ordinal: number): Placed | undefined;
}

/** Messages of so many bytes are kept at hand. */
const LONGEST = 4096;
const NOTHING = new Uint8Array();

/** The messages of a recording by their places. Of what is asked for again much is at hand. */
export class MessagesAt {
  readonly #source: Source;
  readonly #recent = new Recent<Placed>();
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
    if (item < 0) return this.#recent.keep(ordinal, read, read.message.bytes.length <= LONGEST);
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
