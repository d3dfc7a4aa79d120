import { Correlator } from "../exchange/correlator.ts";
import type { Entry } from "../exchange/entry.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { flatText } from "../protocol/flat-text.ts";
import { type Message, readMessage } from "../protocol/message.ts";
import { HttpNotes } from "../replay/http-notes.ts";
import { questionOf } from "../replay/key.ts";
import { ABSTRACT, abstractOf } from "./abstract.ts";
import { Hash } from "./hash.ts";
import { hashBody, shapeOf } from "./hash-entry.ts";
import { APART, BY_STREAM, homesOf, UNTIED } from "./homes.ts";
import { HttpSigns } from "./http-signs.ts";
import { isCounted, type Named, Names } from "./names.ts";
import { Oddities } from "./oddities.ts";
import { type Entries, Outline, type Outlined } from "./outline.ts";
import { type Facts, factsOf, type Reference } from "./references.ts";
import { rewritten } from "./rewrite.ts";
import { maybeTwin, type Twin, type Twins } from "./twins.ts";
import type { Wordings } from "./wordings.ts";

/** Outlines a recording that is there already. */
export function outlineOf(entries: Entries, sharedStream: boolean): Outline {
  const outlining = new Outlining(sharedStream, { room: entries.count });
  for (let ordinal = 0; ordinal < entries.count; ordinal++) outlining.add(entries.entryAt(ordinal));
  return outlining.finish(entries);
}

/** Entries for which there is room at first, where nobody knows how many will come. */
const ROOM = 1024;

export interface OutliningOptions {
  /** How many entries will come, more or less. */
  readonly room?: number | undefined;
  /** Another recording, which most likely says the same in most places. */
  readonly twins?: Twins | undefined;
  /** Where messages are noted, for being known in another recording. */
  readonly wordings?: Wordings | undefined;
}

/** Outlines a recording as its entries come, in wire order. None of them is kept. */
export class Outlining {
  readonly #sharedStream: boolean;
  readonly #names = new Names();
  readonly #exchanges: Outlined[] = [];
  readonly #odd = new Oddities();
  readonly #http = new HttpNotes();
  readonly #signs = new HttpSigns();
  readonly #correlator: Correlator;
  readonly #rows: Rows;
  readonly #meant: number[] = [];
  #count = 0;
  #pair = false;
  #anyApart = false;
  /** The connection of the entry that is looked at. */
  #session = 0;
  readonly #twins: Twins | undefined;
  readonly #wordings: Wordings | undefined;
  /** The exchange that began elsewhere with the very message that is looked at. */
  #known: Outlined | undefined;

  constructor(sharedStream: boolean, { room = ROOM, twins, wordings }: OutliningOptions = {}) {
    this.#sharedStream = sharedStream;
    this.#twins = twins;
    this.#wordings = wordings;
    this.#rows = new Rows(room);
    this.#correlator = new Correlator({
      sharedStream,
      onExchange: (exchange, opener, entry) => this.#begin(exchange, opener, entry),
      onStray: (stray) => this.#odd.strays.push(stray),
    });
  }

  add(entry: Entry): void {
    const ordinal = this.#count++;
    if (ordinal === this.#rows.room) this.#rows.grow();
    const twin = this.#twins?.of(entry);
    if (twin && this.#addTwin(entry, ordinal, twin)) return;
    const frame = entry.body && readMessage(entry.body.bytes);
    this.#note(entry, ordinal, frame);
    this.#odd.add(entry, ordinal, frame);
    this.#correlator.add(entry, ordinal, frame);
  }

  /** No more come. */
  finish(entries: Entries): Outline {
    this.#correlator.finish();
    const count = this.#count;
    const { sessions, times, says, shapes, plain, ties, firstMeant } = this.#rows;
    const homes = homesOf({
      count,
      exchanges: this.#exchanges,
      ties,
      shared: this.#sharedStream || this.#pair,
      streamOf: (ordinal) => this.#meantBy(ordinal, 0)?.boundAt,
    });
    return new Outline(entries, {
      names: this.#names,
      exchanges: this.#exchanges,
      odd: this.#odd,
      signs: this.#signs,
      standaloneStatus: this.#http.standaloneStatus,
      pair: this.#pair,
      homes,
      sessions: sessions.subarray(0, count),
      times: times.subarray(0, count),
      says: says.subarray(0, count),
      shapes: shapes.subarray(0, count),
      plain: plain.subarray(0, count),
      meant: this.#meant,
      firstMeant: firstMeant.subarray(0, count + 1),
    });
  }

  /** Takes over what is known of the same words. False where they mean something else here. */
  #addTwin(entry: Entry, ordinal: number, { message, outlined, answers, ordinal: there }: Twin): boolean {
    const { session } = entry;
    const { id: token, method } = message;
    if (token !== undefined) {
      const reference = { kind: "request", token, binds: outlined !== undefined, method } as const;
      this.#session = session;
      // What is volatile in an answer depends on what it answers.
      if (outlined === undefined && this.#methodOf(reference) !== answers) return false;
      this.#meant.push(this.#names.resolve(reference, session, ordinal));
    }
    const rows = this.#rows;
    const { says, shapes } = (this.#twins as Twins).outline;
    rows.firstMeant[ordinal + 1] = this.#meant.length;
    rows.sessions[ordinal] = session;
    rows.times[ordinal] = entry.at;
    rows.says[ordinal] = says[there] as number;
    rows.shapes[ordinal] = shapes[there] as number;
    rows.plain[ordinal] = 1;
    rows.ties[ordinal] = this.#tieOf(entry, method, ordinal);
    this.#known = outlined;
    this.#correlator.add(entry, ordinal, message);
    this.#known = undefined;
    return true;
  }

  #note(entry: Entry, ordinal: number, frame: Message | undefined): void {
    const { session } = entry;
    const rows = this.#rows;
    this.#session = session;
    this.#http.add(entry, ordinal);
    this.#signs.add(entry);
    const facts = factsOf(entry, this.#methodOf, frame);
    for (const reference of facts.references) {
      this.#meant.push(this.#names.resolve(reference, session, ordinal));
    }
    rows.firstMeant[ordinal + 1] = this.#meant.length;
    if (entry.event?.name === "endpoint") this.#pair = true;
    rows.sessions[ordinal] = session;
    rows.times[ordinal] = entry.at;
    rows.says[ordinal] = this.#saying(entry, ordinal, facts);
    rows.shapes[ordinal] = shapeOf(entry, frame?.method);
    rows.plain[ordinal] = facts.plain ? 1 : 0;
    const tie = this.#tieOf(entry, frame?.method, ordinal);
    if (tie === APART) this.#anyApart = true;
    rows.ties[ordinal] = tie;
    if (this.#wordings && entry.body && frame && maybeTwin(entry, frame, facts)) {
      this.#wordings.add(ordinal, entry.from, entry.body.bytes);
    }
  }

  readonly #methodOf = (reference: Pick<Reference, "kind" | "token">): string | undefined => {
    const known = this.#names.find(reference, this.#session);
    return known === undefined ? undefined : this.#names.all[known]?.method;
  };

  #meantBy(ordinal: number, index: number): Named | undefined {
    const number = this.#meant[(this.#rows.firstMeant[ordinal] as number) + index];
    return this.#names.all[number as number];
  }

  #tieOf({ from, on }: Entry, method: string | undefined, ordinal: number): number {
    if (typeof on === "object") return BY_STREAM;
    if (from === "server") {
      const apart = this.#sharedStream || this.#pair ? method === "roots/list" : on === "get";
      return apart ? APART : UNTIED;
    }
    if (!this.#anyApart) return UNTIED;
    const { firstMeant, ties } = this.#rows;
    const asked = this.#meant.slice(firstMeant[ordinal]).map((number) => this.#names.all[number]?.boundAt);
    return asked.some((at) => at !== undefined && ties[at] === APART) ? APART : UNTIED;
  }

  /** What an entry says apart from names and values; a reply says it to the question it answers. */
  #saying(entry: Entry, ordinal: number, facts: Facts): number {
    const { from, on, http, event, closed, body } = entry;
    const { references } = facts;
    const hash = new Hash().text(from);
    if (on || http || event || closed || (body && body.form === "text")) {
      const abstract = rewritten(entry, facts, ABSTRACT);
      hash.text(JSON.stringify([abstract.on, abstract.http, abstract.event, closed]));
      if (body?.form === "text") hash.bytes(abstract.body?.bytes ?? body.bytes);
    }
    if (body && body.form !== "text") hashBody(hash, body.bytes, facts);
    for (let index = 0; index < references.length; index++) {
      const { kind, binds } = references[index] as Reference;
      if (kind !== "ask" || binds) continue;
      const boundAt = this.#meantBy(ordinal, index)?.boundAt;
      if (boundAt !== undefined) hash.number(this.#rows.says[boundAt] ?? 0);
    }
    return hash.value;
  }

  #begin(exchange: Exchange, opener: Message, { http }: Entry): void {
    const index = this.#exchanges.length;
    if (this.#known) {
      const { key, minted, question, client, era } = this.#known;
      this.#exchanges.push({ exchange, key, minted, question, client, era, index });
      return;
    }
    const path = (http && this.#http.pathApart(http.path)) ?? "";
    const asked = questionOf(opener);
    const minted = this.#isMinted(exchange.entry);
    const question = flatText(`${path} ${asked.key}`);
    this.#exchanges.push({
      exchange,
      key: minted ? flatText(`${path} ${questionOf(abstractOf(opener)).key}`) : question,
      minted,
      question,
      client: asked.client?.name,
      era: asked.era,
      index,
    });
  }

  /** Whether an entry bears names that are no mere numbers. */
  #isMinted(ordinal: number): boolean {
    const { firstMeant } = this.#rows;
    const end = firstMeant[ordinal + 1] as number;
    for (let at = firstMeant[ordinal] as number; at < end; at++) {
      const named = this.#names.all[this.#meant[at] as number];
      if (named !== undefined && !isCounted(named.kind)) return true;
    }
    return false;
  }
}

/** What is known of each entry, in columns: many numbers take least room so, and are nothing to look through for V8. */
class Rows {
  room: number;
  sessions: Int32Array;
  times: Float64Array;
  says: Float64Array;
  shapes: Float64Array;
  plain: Uint8Array;
  ties: Uint8Array;
  firstMeant: Int32Array;

  constructor(room: number) {
    this.room = room;
    this.sessions = new Int32Array(room);
    this.times = new Float64Array(room);
    this.says = new Float64Array(room);
    this.shapes = new Float64Array(room);
    this.plain = new Uint8Array(room);
    this.ties = new Uint8Array(room);
    this.firstMeant = new Int32Array(room + 1);
  }

  grow(): void {
    const { sessions, times, says, shapes, plain, ties, firstMeant } = this;
    const more = new Rows(Math.max(ROOM, this.room * 2));
    more.sessions.set(sessions);
    more.times.set(times);
    more.says.set(says);
    more.shapes.set(shapes);
    more.plain.set(plain);
    more.ties.set(ties);
    more.firstMeant.set(firstMeant);
    Object.assign(this, more);
  }
}
