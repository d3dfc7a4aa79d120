import type { LocatedCall } from "../cassette/call-codec.ts";
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

  next(count: number): readonly (Entry | LocatedCall)[] {
    const found = this.#read.next(count);
    for (const each of found) this.#count += "hash" in each ? 2 : 1;
    return found;
  }

  get bytes(): Uint8Array | undefined {
    return this.#read.bytes;
  }

  entryAt(ordinal: number): Entry {
    return this.#appended[ordinal - this.#count] ?? this.#read.entryAt(ordinal);
  }

  placeOf(ordinal: number): string {
    return ordinal < this.#count ? this.#read.placeOf(ordinal) : "an appended entry";
  }
}
