import type { Entry, Header } from "../exchange/entry.ts";
import type { EntrySource, Recording } from "./recording.ts";

/** A source that is appended to once it has been read to its end. */
export class GrowingSource implements EntrySource {
  readonly header: Header;
  readonly #read: EntrySource;
  readonly #appended: Entry[] = [];
  /** Entries of the source itself, so far. */
  #count = 0;

  constructor(source: EntrySource) {
    this.header = source.header;
    this.#read = source;
  }

  /** The next entry, also for the recording that reads this. */
  append(entry: Entry, recording: Recording): void {
    recording.readAll();
    this.#appended.push(entry);
    recording.append(entry);
  }

  next(count: number): readonly Entry[] {
    const entries = this.#read.next(count);
    this.#count += entries.length;
    return entries;
  }

  entryAt(ordinal: number): Entry {
    return this.#appended[ordinal - this.#count] ?? this.#read.entryAt(ordinal);
  }

  placeOf(ordinal: number): string {
    return ordinal < this.#count ? this.#read.placeOf(ordinal) : "an appended entry";
  }
}
