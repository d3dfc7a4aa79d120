import type { EntryRead, LocatedCall } from "../cassette/call-codec.ts";
import { Correlator } from "../exchange/correlator.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { answerOf, type Exchange } from "../exchange/exchange.ts";
import { flatText } from "../protocol/flat-text.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonValue, Message } from "../protocol/message.ts";
import { type Era, showsEra } from "../protocol/revisions.ts";
import { Appendix } from "./appendix.ts";
import type { Candidates, Recorded } from "./candidates.ts";
import { Catalogue } from "./catalogue.ts";
import { Clients } from "./clients.ts";
import { ExchangeIndex } from "./exchange-index.ts";
import { type Flaw, flawsOf, refusedFor } from "./flaws.ts";
import { keyAt, keyWith } from "./full-key.ts";
import { HttpNotes } from "./http-notes.ts";
import { canonicalAnswer, questionOf } from "./key.ts";
import { type MessagePlace, MessagesAt, type Placed } from "./messages-at.ts";
import { PlainQuestion, type Question } from "./question.ts";
import { sameIdNotice } from "./same-id.ts";
import { Strays } from "./strays.ts";
import { readToolSchemas } from "./tool-schemas.ts";

/** Where a recording comes from: entries in wire order, and each again by its ordinal. */
export interface EntrySource {
  readonly header: Header;
  /** The next entries, at most about `count`; none at the end. A call stands for the two it consists of. */
  next(count: number): readonly (Entry | LocatedCall)[];
  entryAt(ordinal: number): Entry;
  /** The same with its message, where that takes no second reading. */
  messageAt?(ordinal: number): EntryRead | undefined;
  /** Of its file, if it comes from one; those of a call are there when it is given. */
  readonly bytes?: Uint8Array | undefined;
  /** Where an entry stands, for people: `file:line`. */
  placeOf(ordinal: number): string;
}

/** Entries read at a time, so that the first answer does not wait for a long file. */
const SLICE = 2_000;
const NO_CALLS = new Uint8Array(0);

/**
 * A recording as an index of exchanges by key, filled as it is needed: `initialize` is found near the beginning, and
 * everything else waits for the whole.
 */
export class Recording {
  readonly header: Header;
  /** Whom it was made with; whole once all is read. */
  readonly clients = new Clients();
  /** For explaining what it does not hold. */
  readonly catalogue = new Catalogue(
    () => this.exchanges,
    ({ exchange }) => this.at(exchange).message,
  );
  readonly appendix = new Appendix();
  readonly #source: EntrySource;
  readonly #correlator: Correlator;
  readonly #index: ExchangeIndex;
  readonly #http = new HttpNotes();
  readonly strays: Strays;
  readonly #eras = new Set<Era>();
  /** The exchange begun last in the first session. */
  #lastOfFirst: Exchange | undefined;
  #ordinal = 0;
  /** How many exchanges there are so far, with appended ones. */
  #numbered = 0;
  #complete = false;
  #schemas: ReadonlyMap<string, JsonValue> | undefined;
  readonly #messages: MessagesAt;

  /** `onNotice` is told of what is read that a user should know although it is no fault of the file. */
  constructor(source: EntrySource, onNotice?: (notice: string) => void) {
    this.header = source.header;
    this.#source = source;
    this.#messages = new MessagesAt(source);
    this.#index = new ExchangeIndex(source.bytes ?? NO_CALLS);
    const placeOf = source.placeOf.bind(source);
    this.strays = new Strays(placeOf, onNotice);
    this.#correlator = new Correlator({
      sharedStream: source.header.source.transport === "stdio",
      onExchange: (...seen) => this.#add(...seen),
      callAt: (entry) => this.#index.callAt(entry),
      onSameId: (...both) => onNotice?.(sameIdNotice(...both, placeOf)),
      onStray: (stray) => this.strays.add(stray),
    });
  }

  /** Reads on by one slice; false when there is nothing left. */
  advance(): boolean {
    if (this.#complete) return false;
    const found = this.#source.next(SLICE);
    for (const each of found) {
      if ("hash" in each) this.#addCall(each);
      else this.#addEntry(each);
    }
    if (found.length > 0) return true;
    this.#correlator.finish();
    this.#complete = true;
    if (this.#http.refusals.size > 0) this.#setRefusalsApart();
    return false;
  }

  #addEntry(entry: Entry): void {
    this.#http.add(entry, this.#ordinal);
    this.#correlator.add(entry, this.#ordinal++);
  }

  #addCall(call: LocatedCall): void {
    const entry = this.#ordinal;
    if (this.#correlator.addCall(call, entry)) {
      this.#index.addCall(call, entry);
      this.#numbered++;
      if (call.session === 1) this.#lastOfFirst = undefined;
      this.#ordinal += 2;
    } else {
      this.#addEntry(this.entryAt(entry));
      this.#addEntry(this.entryAt(entry + 1));
    }
  }

  /** In bytes; 0 of one that comes from no file. */
  get size(): number {
    return this.#source.bytes?.length ?? 0;
  }

  readAll(): void {
    while (this.advance());
  }

  /** All recordings of a question. */
  answersTo(key: string): Candidates | undefined {
    this.readAll();
    return this.#index.under(key);
  }

  /** The same of a question that was asked properly, at the recording's own path. */
  answersToProper(question: Question): Candidates | undefined {
    this.readAll();
    return question instanceof PlainQuestion
      ? this.#index.answering(question)
      : this.#index.under(question.key);
  }

  /** All questions with their recordings, each in wire order. */
  byKey(): Iterable<readonly [key: string, all: readonly Recorded[]]> {
    this.readAll();
    return this.#index.byKey();
  }

  /** Takes an entry that was appended to its source while this is served; see `Appendix`. */
  append(entry: Entry): void {
    this.#schemas = undefined;
    this.#correlator.add(entry, this.#ordinal++);
  }

  /**
   * The first recording of a question, from as little of the file as possible, if nothing further on could serve it
   * better: it is of the first connection and by the same client, and nothing more will be said in it.
   */
  firstAnswerTo(question: Question): Recorded | undefined {
    do {
      if (this.#complete) return undefined;
      const first = this.#index.firstApart(question.key);
      if (!first) continue;
      const { exchange, client } = first;
      if (exchange.session !== 1 || client?.info !== question.client?.info) return undefined;
      if (answerOf(exchange)?.role === "outcome" && this.#lastOfFirst !== exchange) return first;
    } while (this.advance());
    return undefined;
  }

  /** Every exchange, in wire order. */
  get exchanges(): readonly Recorded[] {
    this.readAll();
    return this.#index.all;
  }

  /** How the first recorded connection that shows it opened; undefined for a recording that shows neither way. */
  get era(): Era | undefined {
    while (this.#eras.size === 0 && this.advance());
    const [first] = this.#eras;
    return first;
  }

  /** Whether a recorded connection opened in this era. */
  speaks(era: Era): boolean {
    this.readAll();
    return this.#eras.has(era);
  }

  /** A path, if it is another than the recording's first. */
  pathApart(path: string): string | undefined {
    return this.#http.pathApart(path);
  }

  /** All HTTP paths it was recorded at. */
  get paths(): ReadonlySet<string> {
    return this.#readHttp.paths;
  }

  /** The HTTP path it was recorded at. */
  get path(): string | undefined {
    while (this.#http.path === undefined && this.header.source.transport !== "stdio" && this.advance());
    return this.#http.path;
  }

  /** HTTP status with which the server met the standalone GET, if a client tried. */
  get standaloneStatus(): number | undefined {
    return this.#readHttp.standaloneStatus;
  }

  /** Recorded over the HTTP+SSE pair of 2024-11-05. */
  get isPair(): boolean {
    return this.#readHttp.pair;
  }

  /** Recorded over Streamable HTTP from a server that gave no session ids. */
  get sessionless(): boolean {
    const { sessions, pair } = this.#readHttp;
    return this.header.source.transport === "http" && !sessions && !pair;
  }

  /** What all of it tells. */
  get #readHttp(): HttpNotes {
    this.readAll();
    return this.#http;
  }

  /** The `inputSchema` of the tool that a `tools/call` names, as the recording lists it. */
  inputSchemaFor(method: string | undefined, params: JsonValue | undefined): JsonValue | undefined {
    if (method !== "tools/call") return undefined;
    const name = memberAt(params, "name");
    if (typeof name !== "string") return undefined;
    this.#schemas ??= readToolSchemas(
      [...this.exchanges, ...this.appendix.all].map(({ exchange }) => exchange),
      (place) => this.at(place).message,
    );
    return this.#schemas.get(name);
  }

  /** The message at a place of the recording, and the entry it came in. */
  at(place: MessagePlace): Placed {
    return this.#messages.at(place);
  }

  /** How an exchange was answered, as a text that is equal for equal answers. */
  answerTextOf({ exchange }: Recorded): string {
    const answer = answerOf(exchange);
    if (!answer) return "none";
    const { entry, message } = this.at(answer);
    return answer.role === "outcome" ? canonicalAnswer(message) : `status ${entry.http?.status}`;
  }

  entryAt(ordinal: number): Entry {
    return this.#source.entryAt(ordinal);
  }

  #add(exchange: Exchange, opener: Message, entry: Entry): void {
    const { key, client, inputs, without, withToken, era } = questionOf(opener);
    const flaws = flawsOf(entry, opener);
    const recorded: Recorded = {
      number: this.#numbered++,
      exchange,
      // What is appended later tells nothing more of whom the recording was made with.
      client: this.#complete ? undefined : client && this.clients.note(client, exchange.session),
      inputs,
      without,
      withToken,
      authorization: entry.http?.headers?.authorization,
      improper: flaws.length > 0,
    };
    const full = flatText(keyWith(flaws, keyAt(this.#http.pathApart(entry.http?.path), key)));
    if (this.#complete) return this.appendix.put(full, recorded);
    this.#index.add(full, recorded);
    if (exchange.session === 1) this.#lastOfFirst = exchange;
    if (showsEra(exchange, era)) this.#eras.add(era);
  }

  /** Requests whose flaw only the refusal shows are no recordings of the same request sent properly. */
  #setRefusalsApart(): void {
    this.#index.rekey((recorded, key) => {
      const flaw = this.#refusal(recorded);
      if (flaw === undefined) return undefined;
      recorded.improper = true;
      return keyWith([flaw], key);
    });
  }

  /** Requests that are improper in themselves have been told apart by that. */
  #refusal({ exchange, improper }: Recorded): Flaw | undefined {
    const answer = improper ? undefined : answerOf(exchange);
    if (!answer || !this.#http.refusals.has(answer.entry)) return undefined;
    return refusedFor(this.entryAt(exchange.entry).http, this.entryAt(answer.entry));
  }
}
