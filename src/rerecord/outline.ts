import { Correlator } from "../exchange/correlator.ts";
import type { Entry } from "../exchange/entry.ts";
import type { Exchange, Step } from "../exchange/exchange.ts";
import { type Message, readMessage } from "../protocol/message.ts";
import { volatilesOf } from "../protocol/volatile.ts";
import { HttpNotes } from "../replay/http-notes.ts";
import { questionOf } from "../replay/key.ts";
import { EntryLists } from "./entry-lists.ts";
import { Hash } from "./hash.ts";
import { hashBody, shapeOf } from "./hash-entry.ts";
import { isCounted, type Named, Names } from "./names.ts";
import { Oddities } from "./oddities.ts";
import { type Facts, factsOf, type Reference } from "./references.ts";
import { type Renaming, rewritten } from "./rewrite.ts";

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
  /** Its place among the exchanges of the recording. */
  readonly index: number;
}

/** Marks every name and value as one, so that what differs in nothing else is equal. */
const ABSTRACT: Renaming = {
  name: ({ kind }) => `"•${kind}"`,
  value: ({ type }) => JSON.stringify(`•${type}`),
  session: () => "0",
  retry: () => 0,
  pair: true,
};

/**
 * What an entry belongs by, apart from what its message says: the response stream it came on. `apart`: what the server
 * asks for itself (on the standalone stream; for roots, where one stream carries everything), and the answer to it.
 */
type Tie = "stream" | "apart" | "none";

type Three = [Float64Array, Float64Array, Float64Array];

/** No exchange is this entry's. */
const LOOSE = -1;

/**
 * A recording as it is compared with another one of the same thing: what each entry says apart from what changes from
 * run to run, whose exchange it is, and what its names name. It holds no bytes of the entries.
 */
export class Outline {
  readonly entries: Entries;
  readonly names = new Names();
  readonly exchanges: Outlined[] = [];
  /** Of each entry: its connection. */
  readonly sessions: Int32Array;
  /** Of each entry: a hash of what it says. */
  readonly says: Float64Array;
  /** Of each entry: a hash of what kind of thing it is. */
  readonly shapes: Float64Array;
  /** Of each entry: the index of its exchange, or -1. */
  readonly homes: Int32Array;
  /** Of each entry: milliseconds since the recording began. */
  readonly times: Float64Array;
  /** What is no part of any exchange. */
  readonly odd = new Oddities();
  /** Recorded over the HTTP+SSE pair. */
  pair = false;
  readonly #sharedStream: boolean;
  /** Of each entry: what ties it to an exchange, or frees it. */
  readonly #ties: Tie[] = [];
  #anyApart = false;
  /** Numbers of what the entries' references mean, one entry after the other. */
  readonly #meant: number[] = [];
  readonly #firstMeant: Int32Array;
  #byExchange: Map<Exchange, number> | undefined;
  #lists: EntryLists | undefined;
  readonly #http = new HttpNotes();

  constructor(entries: Entries, sharedStream: boolean) {
    const { count } = entries;
    this.entries = entries;
    this.#sharedStream = sharedStream;
    [this.sessions, this.homes] = [new Int32Array(count), new Int32Array(count).fill(LOOSE)];
    [this.says, this.shapes, this.times] = [0, 1, 2].map(() => new Float64Array(count)) as Three;
    this.#firstMeant = new Int32Array(count + 1);
    const correlator = new Correlator({
      sharedStream,
      onExchange: (exchange, opener, entry) => this.#begin(exchange, opener, entry),
      onStray: (stray) => this.odd.strays.push(stray),
    });
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const entry = entries.entryAt(ordinal);
      const frame = entry.body && readMessage(entry.body.bytes);
      this.#add(entry, ordinal, frame);
      this.odd.add(entry, ordinal, frame);
      correlator.add(entry, ordinal, frame);
    }
    correlator.finish();
    this.#settle();
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

  /** Whether a message, which is all that an entry says, holds no name but its id, and no volatile value. */
  isPlain(ordinal: number, message: Message): boolean {
    if (message.kind === "malformed") return false;
    const home = this.exchanges[this.homes[ordinal] as number]?.exchange;
    const answers = message.kind === "response";
    if (answers && (!home || this.entries.entryAt(ordinal).from === "client")) return false;
    return volatilesOf(message, answers ? home?.method : message.method).length === 0;
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

  /** The thing that a reference of an entry names. */
  meantBy(ordinal: number, index: number): Named {
    const first = this.#firstMeant[ordinal] as number;
    return this.names.all[this.#meant[first + index] as number] as Named;
  }

  #add(entry: Entry, ordinal: number, frame: Message | undefined): void {
    const { session } = entry;
    const { names } = this;
    this.#http.add(entry, ordinal);
    const methodOf = (reference: Reference) => {
      const known = names.find(reference, session);
      return known === undefined ? undefined : names.all[known]?.method;
    };
    const facts = factsOf(entry, methodOf, frame);
    const method = frame?.method;
    for (const reference of facts.references) {
      this.#meant.push(names.resolve(reference, session, ordinal));
    }
    this.#firstMeant[ordinal + 1] = this.#meant.length;
    if (entry.event?.name === "endpoint") this.pair = true;
    this.sessions[ordinal] = session;
    this.times[ordinal] = entry.at;
    this.says[ordinal] = this.#saying(entry, ordinal, facts);
    this.shapes[ordinal] = shapeOf(entry, method);
    const tie = this.#tieOf(entry, method, ordinal);
    this.#anyApart ||= tie === "apart";
    this.#ties.push(tie);
  }

  #tieOf({ from, on }: Entry, method: string | undefined, ordinal: number): Tie {
    if (typeof on === "object") return "stream";
    if (from === "server") {
      const apart = this.#sharedStream || this.pair ? method === "roots/list" : on === "get";
      return apart ? "apart" : "none";
    }
    if (!this.#anyApart) return "none";
    const first = this.#firstMeant[ordinal] as number;
    const asked = this.#meant.slice(first).map((number) => this.names.all[number]?.boundAt);
    return asked.some((at) => at !== undefined && this.#ties[at] === "apart") ? "apart" : "none";
  }

  /** What an entry says apart from names and values; a reply says it to the question it answers. */
  #saying(entry: Entry, ordinal: number, facts: Facts): number {
    const { from, on, http, event, closed, body } = entry;
    const hash = new Hash().text(from);
    if (on || http || event || closed || (body && body.form === "text")) {
      const abstract = rewritten(entry, facts, ABSTRACT);
      hash.text(JSON.stringify([abstract.on, abstract.http, abstract.event, closed]));
      if (body?.form === "text") hash.bytes(abstract.body?.bytes ?? body.bytes);
    }
    if (body && body.form !== "text") hashBody(hash, body.bytes, facts);
    for (const [index, reference] of facts.references.entries()) {
      if (reference.kind !== "ask" || reference.binds) continue;
      const { boundAt } = this.meantBy(ordinal, index);
      if (boundAt !== undefined) hash.number(this.says[boundAt] ?? 0);
    }
    return hash.value;
  }

  #begin(exchange: Exchange, opener: Message, entry: Entry): void {
    const path = this.#http.pathApart(entry.http?.path) ?? "";
    const asked = questionOf(opener);
    const minted = this.meaningsOf(exchange.entry).some((number) => {
      const named = this.names.all[number];
      return named !== undefined && !isCounted(named.kind);
    });
    const question = flat(`${path} ${asked.key}`);
    this.exchanges.push({
      exchange,
      key: minted ? flat(`${path} ${questionOf(abstractOf(opener)).key}`) : question,
      minted,
      question,
      client: asked.client?.name,
      index: this.exchanges.length,
    });
  }

  /** Finds out whose each entry is. */
  #settle(): void {
    for (const { exchange, index } of this.exchanges) {
      this.#claim(exchange.entry, index);
      for (const step of exchange.steps) {
        if (step.listener) this.#claim(step.entry, this.indexOf(step.listener) ?? LOOSE);
        else if (!this.#isLoose(step)) this.#claim(step.entry, index);
      }
    }
    for (let ordinal = 0; ordinal < this.count; ordinal++) {
      const first = this.#firstMeant[ordinal] as number;
      if (this.homes[ordinal] === LOOSE && first < (this.#firstMeant[ordinal + 1] as number)) {
        this.#claimByStream(ordinal);
      }
    }
  }

  /**
   * It stands where it happened to come: the end of a connection; what the server told while no request was open, or
   * asked for itself; and, where one stream carries everything, what bears no sign of a request, log lines above all.
   */
  #isLoose({ role, entry, standalone, progress, takesBack }: Step): boolean {
    if (role === "crash") return true;
    if (role === "send" && (progress || takesBack !== undefined)) return false;
    if (role === "send" && standalone) return true;
    const tie = this.#ties[entry];
    const shared = this.#sharedStream || this.pair;
    return tie === "apart" || (role === "send" && shared && tie === "none");
  }

  #claim(ordinal: number, exchange: number): void {
    if (this.homes[ordinal] === LOOSE) this.homes[ordinal] = exchange;
  }

  /** HTTP facts of a response stream are no step, but belong to the request that the stream is of. */
  #claimByStream(ordinal: number): void {
    if (typeof this.entries.entryAt(ordinal).on !== "object") return;
    const { boundAt } = this.meantBy(ordinal, 0);
    if (boundAt !== undefined) this.#claim(ordinal, this.homes[boundAt] ?? LOOSE);
  }
}

/**
 * The same text in one piece. V8 keeps what was put together from many as a tree of them, six times as large, until
 * somebody looks into it.
 */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** A question as it is asked in every recording. */
function abstractOf({ bytes }: Message): Message {
  const entry: Entry = { at: 0, from: "client", session: 1, body: { form: "message", bytes } };
  const abstract = rewritten(
    entry,
    factsOf(entry, () => undefined),
    ABSTRACT,
  );
  return readMessage(abstract.body?.bytes ?? bytes);
}
