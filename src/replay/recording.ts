import { Correlator } from "../exchange/correlator.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { memberAt } from "../protocol/member.ts";
import { eachMessage, type JsonValue, jsonOf, type Message, readMessage } from "../protocol/message.ts";
import { type Era, eraOfRequest } from "../protocol/revisions.ts";
import { type Flaw, flawsOf, refusedFor } from "./flaws.ts";
import { paramsOf, type Question, questionOf } from "./key.ts";

/** Where a recording comes from: entries in wire order, and each again by its ordinal. */
export interface EntrySource {
  readonly header: Header;
  /** The next entries, at most about `count`; none at the end. */
  next(count: number): readonly Entry[];
  entryAt(ordinal: number): Entry;
}

/** An exchange and what is asked of it: what the index holds. */
export interface Recorded {
  readonly exchange: Exchange;
  readonly clientInfo: string | undefined;
  readonly inputs: string | undefined;
  /** The `authorization` the client showed, redacted, over HTTP. */
  readonly authorization: string | undefined;
}

export interface Placed {
  readonly entry: Entry;
  readonly message: Message;
}

/** Entries read at a time, so that the first answer does not wait for a long file. */
const SLICE = 2_000;
const NOTHING = new Uint8Array();

/**
 * A recording as an index of exchanges by key, filled as it is needed: `initialize` is found near the beginning, and
 * everything else waits for the whole.
 */
export class Recording {
  readonly header: Header;
  readonly #source: EntrySource;
  readonly #correlator: Correlator;
  readonly #byKey = new Map<string, Recorded | Recorded[]>();
  readonly #exchanges: Recorded[] = [];
  #ordinal = 0;
  #complete = false;
  #era: Era | undefined;
  #path: string | undefined;
  #standalone: number | undefined;
  #sessions = false;
  #pair = false;
  #schemas: ReadonlyMap<string, JsonValue> | undefined;

  constructor(source: EntrySource) {
    this.header = source.header;
    this.#source = source;
    const sharedStream = source.header.source.transport === "stdio";
    this.#correlator = new Correlator({ sharedStream, onExchange: (...seen) => this.#index(...seen) });
  }

  /** Reads on by one slice; false when there is nothing left. */
  advance(): boolean {
    if (this.#complete) return false;
    const entries = this.#source.next(SLICE);
    for (const entry of entries) {
      this.#note(entry);
      this.#correlator.add(entry, this.#ordinal++);
    }
    if (entries.length > 0) return true;
    this.#correlator.finish();
    this.#complete = true;
    if (this.header.source.transport !== "stdio") this.#setRefusalsApart();
    return false;
  }

  readAll(): void {
    while (this.advance());
  }

  /** All recordings of a question, in wire order. */
  answersTo(key: string): readonly Recorded[] {
    this.readAll();
    return this.#found(key);
  }

  /**
   * The first recording of a question if nothing further on could serve it better, from as little of the file as
   * possible: it is whole, and asked by the same client.
   */
  firstAnswerTo(question: Question): Recorded | undefined {
    do {
      const [first] = this.#found(question.key);
      if (!first) continue;
      if (first.clientInfo !== question.clientInfo) return undefined;
      const last = first.exchange.steps.at(-1);
      if (last?.role === "outcome") return first;
    } while (this.advance());
    return undefined;
  }

  /** Every exchange, in wire order. */
  get exchanges(): readonly Recorded[] {
    this.readAll();
    return this.#exchanges;
  }

  /** How the recorded connections opened; undefined for a recording that shows neither way. */
  get era(): Era | undefined {
    while (this.#era === undefined && this.advance());
    return this.#era;
  }

  /** The HTTP path it was recorded at. */
  get path(): string | undefined {
    while (this.#path === undefined && this.header.source.transport !== "stdio" && this.advance());
    return this.#path;
  }

  /** HTTP status with which the server met the standalone GET, if a client tried. */
  get standaloneStatus(): number | undefined {
    this.readAll();
    return this.#standalone;
  }

  /** Recorded over the HTTP+SSE pair of 2024-11-05. */
  get isPair(): boolean {
    this.readAll();
    return this.#pair;
  }

  /** Recorded over HTTP from a server that gave no session ids. */
  get sessionless(): boolean {
    this.readAll();
    return this.header.source.transport === "http" && !this.#sessions;
  }

  /** The `inputSchema` of the tool that a `tools/call` names, as the recording lists it. */
  inputSchemaFor(method: string | undefined, params: JsonValue | undefined): JsonValue | undefined {
    if (method !== "tools/call") return undefined;
    const name = memberAt(params, "name");
    if (typeof name !== "string") return undefined;
    this.#schemas ??= this.#readSchemas();
    return this.#schemas.get(name);
  }

  /** The message at a place of the recording, and the entry it came in. */
  at(place: { readonly entry: number; readonly item: number }): Placed {
    const entry = this.#source.entryAt(place.entry);
    const frame = readMessage(entry.body?.bytes ?? NOTHING);
    if (place.item < 0) return { entry, message: frame };
    let item = 0;
    for (const message of eachMessage(frame)) if (item++ === place.item) return { entry, message };
    return { entry, message: frame };
  }

  #readSchemas(): ReadonlyMap<string, JsonValue> {
    const schemas = new Map<string, JsonValue>();
    for (const { exchange } of this.exchanges) {
      if (exchange.method !== "tools/list") continue;
      const answer = exchange.steps.find((step) => step.role === "outcome");
      const tools = answer && memberAt(jsonOf(this.at(answer).message), "result", "tools");
      if (!Array.isArray(tools)) continue;
      for (const tool of tools) {
        const name = memberAt(tool, "name");
        const schema = memberAt(tool, "inputSchema");
        if (typeof name === "string" && schema !== undefined) schemas.set(name, schema);
      }
    }
    return schemas;
  }

  #found(key: string): readonly Recorded[] {
    const found = this.#byKey.get(key);
    if (found === undefined) return [];
    return Array.isArray(found) ? found : [found];
  }

  #index(exchange: Exchange, opener: Message, entry: Entry): void {
    const question = questionOf(opener);
    const flaws = flawsOf(entry, opener);
    const recorded: Recorded = {
      exchange,
      clientInfo: question.clientInfo,
      inputs: question.inputs,
      authorization: entry.http?.headers?.authorization,
    };
    this.#exchanges.push(recorded);
    this.#era ??= eraShownBy(opener);
    this.#put(keyWith(flaws, question.key), recorded);
  }

  /** Requests whose flaw only the refusal shows are no recordings of the same request sent properly. */
  #setRefusalsApart(): void {
    for (const [key, found] of [...this.#byKey]) {
      for (const recorded of Array.isArray(found) ? [...found] : [found]) {
        const flaw = this.#refusal(recorded);
        if (!flaw) continue;
        this.#remove(key, recorded);
        this.#put(keyWith([flaw], key), recorded);
      }
    }
  }

  #refusal({ exchange }: Recorded): Flaw | undefined {
    const answer = exchange.steps.find((step) => step.role === "outcome" || step.role === "status");
    if (!answer) return undefined;
    const entry = this.#source.entryAt(answer.entry);
    if (entry.http?.status === undefined || entry.http.status < 400) return undefined;
    return refusedFor(this.#source.entryAt(exchange.entry).http, entry);
  }

  #put(key: string, recorded: Recorded): void {
    const before = this.#byKey.get(key);
    if (before === undefined) this.#byKey.set(key, recorded);
    else if (Array.isArray(before)) before.push(recorded);
    else this.#byKey.set(key, [before, recorded]);
  }

  #remove(key: string, recorded: Recorded): void {
    const rest = this.#found(key).filter((other) => other !== recorded);
    if (rest.length === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, rest);
  }

  #note(entry: Entry): void {
    if (entry.http?.path !== undefined) this.#path ??= entry.http.path;
    if (entry.from === "server" && entry.http?.headers?.["mcp-session-id"] !== undefined)
      this.#sessions = true;
    if (entry.event?.name === "endpoint") this.#pair = true;
    if (entry.from === "server" && entry.on === "get" && entry.http?.status !== undefined) {
      this.#standalone ??= entry.http.status;
    }
  }
}

/** A request that broke the rules of HTTP transport is another question than the same body sent properly. */
export function keyWith(flaws: readonly string[], key: string): string {
  return flaws.length === 0 ? key : `[${flaws.join(" ")}] ${key}`;
}

/** A dual-era client asks `server/discover` of legacy servers too, and is turned away: that shows nothing. */
function eraShownBy(opener: Message): Era | undefined {
  if (opener.kind !== "request" || opener.method === "server/discover") return undefined;
  if (opener.method === "initialize") return "legacy";
  const era = eraOfRequest({ method: opener.method, params: paramsOf(opener) });
  return era === "modern" ? "modern" : undefined;
}
