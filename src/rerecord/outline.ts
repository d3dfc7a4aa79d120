import type { Entry } from "../exchange/entry.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Era } from "../protocol/revisions.ts";
import { ABSTRACT } from "./abstract.ts";
import { EntryLists } from "./entry-lists.ts";
import type { HttpSigns } from "./http-signs.ts";
import type { Named, Names } from "./names.ts";
import type { Oddities } from "./oddities.ts";
import { type Facts, factsOf } from "./references.ts";
import { rewritten } from "./rewrite.ts";

/** A recording's entries by ordinal. */
export interface Entries {
  readonly count: number;
  entryAt(ordinal: number): Entry;
}

export interface Outlined {
  readonly exchange: Exchange;
  /** The question, whatever names are in it. */
  readonly key: string;
  /** Names minted by the server are in it. */
  readonly minted: boolean;
  /** The question with the names that are in it. */
  readonly question: string;
  /** Canonical `clientInfo.name`, where the request tells it. */
  readonly client: string | undefined;
  /** Of a request; a notification shows none and counts as legacy. */
  readonly era: Era;
  /** Its place among the exchanges of the recording. */
  readonly index: number;
}

/** What an outline holds. */
export interface OutlineParts {
  readonly names: Names;
  readonly exchanges: readonly Outlined[];
  /** Of each entry: its connection. */
  readonly sessions: Int32Array;
  /** Of each entry: a hash of what it says. */
  readonly says: Float64Array;
  /** Of each entry: a hash of what kind of thing it is. */
  readonly shapes: Float64Array;
  /** Of each entry: 1 where its body holds no names but ids of messages, and no volatile values. */
  readonly plain: Uint8Array;
  /** Of each entry: the index of its exchange, or -1. */
  readonly homes: Int32Array;
  /** Of each entry: milliseconds since the recording began. */
  readonly times: Float64Array;
  /** What is no part of any exchange. */
  readonly odd: Oddities;
  /** Of a recording over HTTP. */
  readonly signs: HttpSigns;
  /** HTTP status of the first answer to a standalone GET. */
  readonly standaloneStatus: number | undefined;
  /** Recorded over the HTTP+SSE pair. */
  readonly pair: boolean;
  /** Numbers of what the entries' references mean, one entry after the other. */
  readonly meant: readonly number[];
  /** Of each entry: where those of its references begin; one more tells where the last ones end. */
  readonly firstMeant: Int32Array;
}

/**
 * A recording as it is compared with another one of the same thing: what each entry says apart from what changes from
 * run to run, whose exchange it is, and what its names name. It holds no bytes of the entries. `Outlining` makes it.
 */
export class Outline implements Omit<OutlineParts, "meant" | "firstMeant"> {
  readonly entries: Entries;
  readonly names: Names;
  readonly exchanges: readonly Outlined[];
  readonly sessions: Int32Array;
  readonly says: Float64Array;
  readonly shapes: Float64Array;
  readonly plain: Uint8Array;
  readonly homes: Int32Array;
  readonly times: Float64Array;
  readonly odd: Oddities;
  readonly signs: HttpSigns;
  readonly standaloneStatus: number | undefined;
  readonly pair: boolean;
  readonly #meant: readonly number[];
  readonly #firstMeant: Int32Array;
  #byExchange: Map<Exchange, number> | undefined;
  #lists: EntryLists | undefined;

  constructor(entries: Entries, parts: OutlineParts) {
    this.entries = entries;
    this.names = parts.names;
    this.exchanges = parts.exchanges;
    this.sessions = parts.sessions;
    this.says = parts.says;
    this.shapes = parts.shapes;
    this.plain = parts.plain;
    this.homes = parts.homes;
    this.times = parts.times;
    this.odd = parts.odd;
    this.signs = parts.signs;
    this.standaloneStatus = parts.standaloneStatus;
    this.pair = parts.pair;
    this.#meant = parts.meant;
    this.#firstMeant = parts.firstMeant;
  }

  get count(): number {
    return this.homes.length;
  }

  /** An entry's names and values; the names' meanings are at the same indexes in `meaningsOf`. */
  factsOf(entry: Entry, ordinal: number): Facts {
    const first = this.#firstMeant[ordinal] as number;
    return factsOf(entry, (_, index) => this.names.all[this.#meant[first + index] as number]?.method);
  }

  /** An entry with every name and volatile value marked as one. */
  abstractAt(ordinal: number): Entry {
    const entry = this.entries.entryAt(ordinal);
    return rewritten(entry, this.factsOf(entry, ordinal), ABSTRACT);
  }

  /** The index of an exchange of this recording. */
  indexOf(exchange: Exchange): number | undefined {
    this.#byExchange ??= new Map(this.exchanges.map((each) => [each.exchange, each.index]));
    return this.#byExchange.get(exchange);
  }

  /** Ordinals of an exchange's entries, in wire order. */
  entriesOf({ index }: Outlined): readonly number[] {
    this.#lists ??= new EntryLists(this.homes, this.exchanges.length);
    return this.#lists.of(index);
  }

  meaningsOf(ordinal: number): readonly number[] {
    return this.#meant.slice(this.#firstMeant[ordinal], this.#firstMeant[ordinal + 1]);
  }

  /** The things that an entry's references name. */
  namesIn(ordinal: number): readonly Named[] {
    return this.meaningsOf(ordinal).map((number) => this.names.all[number] as Named);
  }

  /** The thing that a reference of an entry names. */
  meantBy(ordinal: number, index: number): Named {
    const first = this.#firstMeant[ordinal] as number;
    return this.names.all[this.#meant[first + index] as number] as Named;
  }
}
