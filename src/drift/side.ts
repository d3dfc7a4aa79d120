import type { Exchanges } from "../contract/extract.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { memberAt } from "../protocol/member.ts";
import { eachMessage, type JsonValue, type Message, readMessage, textOf } from "../protocol/message.ts";
import { type Era, eraOfRequest, META } from "../protocol/revisions.ts";
import { flawsOf } from "../replay/flaws.ts";
import { paramsOf } from "../replay/key.ts";
import type { Entries, Outline } from "../rerecord/outline.ts";
import { outlineOf } from "../rerecord/outlining.ts";

/** Where a message stands in a recording: the ordinal of its entry, and its index in a batch (-1 outside batches). */
export interface Place {
  readonly entry: number;
  readonly item: number;
}

export interface RecordedEntries extends Entries {
  readonly header: Header;
  /** Where it was made already. */
  readonly outline?: Outline | undefined;
}

const NOTHING = new Uint8Array();

/** A message and the value that it is, each worked out once for all who ask, and only then. */
export class Read {
  readonly #bytes: Uint8Array;
  #message: Message | undefined;
  #value: JsonValue | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get message(): Message {
    this.#message ??= readMessage(this.#bytes);
    return this.#message;
  }

  /** @throws SyntaxError where it is no JSON */
  get value(): JsonValue {
    this.#value ??= JSON.parse(textOf(this.#bytes)) as JsonValue;
    return this.#value;
  }
}

/** So many frames that were looked at last stay read: of an exchange that changed, all are looked at more than once. */
const AT_HAND = 8;

/** One of two recordings that are compared. */
export class Side implements Exchanges {
  readonly header: Header;
  readonly outline: Outline;
  readonly #era: Era | undefined;
  /** Declared in `initialize`, by connection. */
  readonly #capabilities: ReadonlyMap<number, JsonValue>;
  /** By what is left of dividing their ordinals. */
  readonly #atHand: { readonly ordinal: number; readonly read: Read }[] = [];

  constructor(entries: RecordedEntries) {
    this.header = entries.header;
    this.outline = entries.outline ?? outlineOf(entries, entries.header.source.transport === "stdio");
    const requests = this.outline.exchanges.filter(({ exchange }) => exchange.kind === "request");
    const shows = requests.find(({ exchange }) => exchange.method !== "server/discover");
    this.#era = shows && eraOfRequest(this.#openingOf(shows.exchange));
    const opened = requests.filter(({ exchange }) => exchange.method === "initialize");
    this.#capabilities = new Map(
      opened.map(({ exchange }) => [
        exchange.session,
        memberAt(this.#openingOf(exchange).params, "capabilities") ?? {},
      ]),
    );
  }

  #openingOf(exchange: Exchange) {
    return { method: exchange.method, params: paramsOf(this.messageAt(exchange)) };
  }

  /** As the contract looks for them. */
  get exchanges(): Exchanges["exchanges"] {
    return this.outline.exchanges.map(({ exchange }) => new Asked(this, exchange));
  }

  at(place: Place): { readonly message: Message } {
    return { message: this.messageAt(place) };
  }

  entryAt(ordinal: number): Entry {
    return this.outline.entries.entryAt(ordinal);
  }

  /** A message as it was sent. */
  messageAt(place: Place): Message {
    return this.readAt(place).message;
  }

  /** The same, with its value. */
  readAt({ entry: ordinal, item }: Place): Read {
    if (item >= 0) return readIn(this.entryAt(ordinal), item);
    const known = this.#atHand[ordinal % AT_HAND];
    if (known?.ordinal === ordinal) return known.read;
    const read = readIn(this.entryAt(ordinal), item);
    this.#atHand[ordinal % AT_HAND] = { ordinal, read };
    return read;
  }

  paramsAt(place: Place): JsonValue | undefined {
    return memberAt(this.readAt(place).value, "params");
  }

  /** A message with every name and volatile value marked as one. */
  abstractAt(place: Place): Message {
    return this.abstractReadAt(place).message;
  }

  /** The same, with its value. */
  abstractReadAt(place: Place): Read {
    const { entry, item } = place;
    // An id at the root is compared nowhere, so that a message which holds no other name need not be rewritten.
    if (item < 0 && this.outline.plain[entry] === 1) return this.readAt(place);
    return readIn(this.outline.abstractAt(entry), item);
  }

  abstractParamsAt(place: Place): JsonValue | undefined {
    return memberAt(this.abstractReadAt(place).value, "params");
  }

  /** How its first connection that shows it opened. */
  get era(): Era | undefined {
    return this.#era;
  }

  /** What the client of an exchange said it can do, with the request (2026-07-28) or when it opened the connection. */
  declaredBy(exchange: Exchange): JsonValue | undefined {
    const own = memberAt(paramsOf(this.messageAt(exchange)), "_meta", META.clientCapabilities);
    return own ?? this.#capabilities.get(exchange.session);
  }

  /** Whether an entry belongs to the exchange rather than to the connection at large. */
  isOf(exchange: Exchange, ordinal: number): boolean {
    return this.outline.homes[ordinal] === this.outline.indexOf(exchange);
  }
}

/** Whether a request broke the rules of its transport is found out when somebody asks. */
class Asked {
  readonly exchange: Exchange;
  readonly #side: Side;

  constructor(side: Side, exchange: Exchange) {
    this.#side = side;
    this.exchange = exchange;
  }

  get improper(): boolean {
    const { entry } = this.exchange;
    return flawsOf(this.#side.entryAt(entry), this.#side.messageAt(this.exchange)).length > 0;
  }
}

function readIn({ body }: Entry, item: number): Read {
  const bytes = body?.bytes ?? NOTHING;
  return new Read(item < 0 ? bytes : ([...eachMessage(readMessage(bytes))][item] as Message).bytes);
}
