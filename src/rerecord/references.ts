import type { Entry } from "../exchange/entry.ts";
import {
  eachMessage,
  type IdToken,
  idToken,
  type Message,
  readMessage,
  type Side,
  textOf,
} from "../protocol/message.ts";
import type { Span } from "../protocol/scan-json.ts";
import { type Volatile, type VolatileKind, volatilesOf } from "../protocol/volatile.ts";

/**
 * What a name in a recording is the name of. Ids and progress tokens are counted by each side for itself, so `request`
 * and `requestToken` are the client's, `ask` and `askToken` the server's; `event` is a Server-Sent Event; the others are
 * minted by the server.
 */
export type NameKind =
  | "request"
  | "ask"
  | "requestToken"
  | "askToken"
  | "event"
  | "cursor"
  | "requestState"
  | "taskId"
  | "elicitationId";

/** A name where it stands in an entry. */
export interface Reference {
  readonly kind: NameKind;
  /** Its JSON text, spelt as ids are (see `IdToken`). */
  readonly token: IdToken;
  /** Here it is given; elsewhere the last one given is meant. */
  readonly binds: boolean;
  /** Of the request whose id is given here. */
  readonly method?: string | undefined;
  readonly place: EntryPlace | BodyPlace;
}

/** Outside of messages: `on`, the id of an event, and the headers that name an event or a task. */
export type EntryPlace = "on" | "event" | "last-event-id" | "mcp-name";

export interface BodyPlace {
  readonly span: Span;
  /** The place is a part of a string, so the name stands without its quotes. */
  readonly bare: boolean;
}

/** A member that means nothing to anybody else: a time, a duration. */
export interface Value {
  /** The same in every recording of the message. */
  readonly path: string;
  readonly span: Span;
  readonly type: string;
}

export interface Facts {
  /** In an order that does not depend on that of members. */
  readonly references: readonly Reference[];
  readonly values: readonly Value[];
  /** There is no name in the body but ids of messages, and no value. */
  readonly plain: boolean;
}

/** Tells the method of the request that is answered, given the reference with its id and the index that it has. */
export type MethodOf = (reference: Reference, index: number) => string | undefined;

/**
 * The names and volatile values of an entry.
 * @param read its body, where that has been read as a message already
 */
export function factsOf(entry: Entry, methodOf: MethodOf, read?: Message): Facts {
  const reader = new Reader(entry.from, methodOf);
  const { on, event, http, body } = entry;
  if (typeof on === "object") reader.name("request", on.id, "on");
  if (event?.id !== undefined) reader.name("event", JSON.stringify(event.id), "event");
  const resumedAfter = http?.headers?.["last-event-id"];
  if (resumedAfter !== undefined) reader.name("event", JSON.stringify(resumedAfter), "last-event-id");
  if (body?.form === "message" || body?.form === "json") {
    const frame = read ?? readMessage(body.bytes);
    if (frame.kind === "batch") reader.batch(frame);
    else reader.message(frame, ALONE);
  }
  const named = http?.headers?.["mcp-name"];
  if (named !== undefined && entry.from === "client") reader.mirror(JSON.stringify(named));
  return reader;
}

/** A message's place in its frame. */
interface Item {
  readonly index: number;
  readonly start: number;
}

/** Of a message that is no element of a batch. */
const ALONE: Item = { index: 0, start: 0 };

type Own = "request" | "ask";

const NO_VALUES: readonly Value[] = [];

class Reader implements Facts {
  readonly references: Reference[] = [];
  // Nearly all entries have none, and an array for each would be many.
  values: readonly Value[] = NO_VALUES;
  plain = true;
  readonly #methodOf: MethodOf;
  readonly #own: Own;
  readonly #other: Own;

  constructor(from: Side, methodOf: MethodOf) {
    this.#methodOf = methodOf;
    this.#own = from === "client" ? "request" : "ask";
    this.#other = from === "client" ? "ask" : "request";
  }

  name(kind: NameKind, token: IdToken, place: Reference["place"], binds = false): void {
    this.references.push({ kind, token, binds, method: undefined, place });
  }

  batch(frame: Message): void {
    let index = 0;
    for (const message of eachMessage(frame)) {
      this.message(message, { index, start: frame.scan.items[index]?.start ?? 0 });
      index++;
    }
  }

  message(message: Message, item: Item): void {
    const method = message.kind === "response" ? this.#answered(message, item) : message.method;
    if (message.kind === "request") this.#id(message, this.#own, item);
    const found = volatilesOf(message, method);
    if (found.length > 1) found.sort((a, b) => (a.path < b.path ? -1 : 1));
    if (found.length > 0) this.#volatiles(message, found, item);
  }

  #volatiles(message: Message, found: readonly Volatile[], item: Item): void {
    const elicitations: Reference[] = [];
    const values: Value[] = [...this.values];
    for (const { kind, path, span } of found) {
      const token = idToken(textOf(message.bytes.subarray(span.start, span.end)));
      const place = { span: shifted(span, item), bare: false };
      if (kind === "value") {
        values.push({ path: `${item.index} ${path}`, span: place.span, type: typeOf(token) });
      } else if (isName(token) && kind !== "elicitationUrl") {
        this.name(NAMES[kind](this.#own, this.#other), token, place, kind === "progressToken");
        if (kind === "elicitationId") elicitations.push(this.references.at(-1) as Reference);
      }
    }
    this.values = values;
    this.plain = false;
    for (const { kind, span } of found) {
      if (kind === "elicitationUrl") this.#within(message, shifted, { span, item, elicitations });
    }
  }

  /** The header that mirrors a task's id. */
  mirror(token: IdToken): void {
    const mirrors = this.references.some((task) => task.kind === "taskId" && task.token === token);
    if (mirrors) this.name("taskId", token, "mcp-name");
  }

  #answered(message: Message, item: Item): string | undefined {
    // The id of an error that names no request is the name of nothing.
    if (message.id === undefined || message.id === "null") return undefined;
    this.#id(message, this.#other, item);
    const index = this.references.length - 1;
    return this.#methodOf(this.references[index] as Reference, index);
  }

  #id({ id, scan, method }: Message, kind: Own, item: Item): void {
    const span = scan.members.id as Span;
    const place = { span: shifted(span, item), bare: false };
    this.references.push({ kind, token: id as IdToken, binds: kind === this.#own, method, place });
  }

  /** The ids of elicitations inside a URL. */
  #within({ bytes }: Message, shift: typeof shifted, { span, item, elicitations }: Within): void {
    for (const { kind, token } of elicitations) {
      const inner = encoder.encode(token.slice(1, -1));
      for (let at = indexIn(bytes, inner, span); at >= 0; ) {
        const part = { start: at, end: at + inner.length };
        this.name(kind, token, { span: shift(part, item), bare: true });
        at = indexIn(bytes, inner, { start: part.end, end: span.end });
      }
    }
  }
}

interface Within {
  readonly span: Span;
  readonly item: Item;
  readonly elicitations: readonly Reference[];
}

const encoder = new TextEncoder();

const NAMES: Readonly<
  Record<Exclude<VolatileKind, "value" | "elicitationUrl">, (own: Own, other: Own) => NameKind>
> = {
  progressToken: (own) => `${own}Token`,
  progress: (_, other) => `${other}Token`,
  // A server takes back its own requests, and ends subscriptions; which it was shows when it is looked up.
  requestId: (own) => own,
  subscription: () => "request",
  cursor: () => "cursor",
  requestState: () => "requestState",
  taskId: () => "taskId",
  elicitationId: () => "elicitationId",
};

function shifted(span: Span, item: Item): Span {
  if (item.start === 0) return span;
  const { start, end } = span;
  return { start: start + item.start, end: end + item.start };
}

/** Text and numbers are names, `null` and what else stands in their place is not. */
function isName(token: string): boolean {
  return /^["\d-]/.test(token);
}

function typeOf(token: string): string {
  const first = token[0] as string;
  return /[\d-]/.test(first) ? "number" : first;
}

function indexIn(bytes: Uint8Array, part: Uint8Array, { start, end }: Span): number {
  if (part.length === 0) return -1;
  for (let at = start; at + part.length <= end; at++) {
    let length = 0;
    while (length < part.length && bytes[at + length] === part[length]) length++;
    if (length === part.length) return at;
  }
  return -1;
}
