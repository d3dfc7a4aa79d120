import type { Entry } from "../../exchange/entry.ts";
import { eachMessage, type Message, readMessage } from "../../protocol/message.ts";
import type { Entries, Outline } from "../../rerecord/outline.ts";
import { factsOf, type Reference } from "../../rerecord/references.ts";

/** Where a message stands in a recording: the ordinal of its entry, and its index in a batch (-1 outside batches). */
export interface Place {
  readonly entry: number;
  readonly item: number;
}

const NOTHING = new Uint8Array();

export function messageAt(entries: Entries, { entry, item }: Place): Message {
  const frame = readMessage(entries.entryAt(entry).body?.bytes ?? NOTHING);
  return item < 0 ? frame : ([...eachMessage(frame)][item] as Message);
}

/** A reference in a message's body, and the number of what it names in its recording. */
export interface Meant {
  readonly reference: Reference;
  readonly number: number;
}

/** The references of one message of a recording, in an order that is the same for equal messages. */
export function meantAt(outline: Outline, { entry: ordinal, item }: Place): Meant[] {
  const entry = outline.entries.entryAt(ordinal);
  const meanings = outline.meaningsOf(ordinal);
  const span = item < 0 ? undefined : readMessage(entry.body?.bytes ?? NOTHING).scan.items[item];
  return outline.factsOf(entry, ordinal).references.flatMap((reference, index) => {
    const { place } = reference;
    if (typeof place === "string") return [];
    if (span && (place.span.start < span.start || place.span.end > span.end)) return [];
    return [{ reference, number: meanings[index] as number }];
  });
}

/** A message as an entry that holds nothing else. */
export function entryOf({ bytes }: Message, from: Entry["from"]): Entry {
  return { at: 0, from, session: 1, body: { form: "message", bytes } };
}

/** The references of a message that was just received. */
export function referencesIn(message: Message, from: Entry["from"], method: string | undefined): Reference[] {
  return factsOf(entryOf(message, from), () => method).references.filter(
    ({ place }) => typeof place !== "string",
  );
}
