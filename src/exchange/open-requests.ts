import type { IdToken } from "../protocol/message.ts";
import type { Entry } from "./entry.ts";
import type { Exchange } from "./exchange.ts";
import type { CallAt } from "./last-heard.ts";
import type { Stray } from "./world.ts";

/** The client's requests on one connection, and which of them wait for what. Iterates over the open ones. */
export class OpenRequests {
  /** The last exchange under each request id, open or not. */
  readonly #byId = new Map<IdToken, Exchange>();
  /** Without outcome, in the order they were made; subscriptions and cancelled ones apart. */
  readonly #open = new Set<Exchange>();
  readonly #listeners = new Set<Exchange>();
  /** Cancelled without outcome: an answer may still cross. */
  readonly #cancelled = new Set<Exchange>();
  /** Open exchanges in the order in which something was last heard of them, and others between. */
  readonly #heard: Exchange[] = [];
  /** How many requests have begun. */
  begun = 0;
  /** Some request was a `subscriptions/listen`. */
  listened = false;
  readonly #callAt: CallAt;
  /** Entries of calls that are not under their ids yet. */
  #calls: number[] = [];

  constructor(callAt: CallAt) {
    this.#callAt = callAt;
  }

  /** Answers the request of the same id that is open, if there is one: from now on the id means the later one. */
  begin(exchange: Exchange): Exchange | undefined {
    const earlier = this.open(exchange.id ?? "null");
    this.begun += 1;
    this.#byId.set(exchange.id ?? "null", exchange);
    if (exchange.method === "subscriptions/listen") {
      this.listened = true;
      this.#listeners.add(exchange);
    } else {
      this.#open.add(exchange);
      this.heard(exchange);
    }
    return earlier;
  }

  /**
   * A request that begins and is answered at once. False while others are open, or one of this id may still be meant by
   * an answer.
   */
  called(entry: number, id: number): boolean {
    if (this.listened || this.#open.size > 0) return false;
    if (this.#cancelled.size > 0) {
      const before = this.#byId.get(String(id));
      if (before && this.#cancelled.has(before)) return false;
    }
    this.begun += 1;
    this.#calls.push(entry);
    return true;
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return this.#open.values();
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** The last exchange under an id, whatever became of it. */
  named(id: IdToken): Exchange | undefined {
    for (const entry of this.#calls) this.#put(this.#callAt(entry));
    this.#calls = [];
    return this.#byId.get(id);
  }

  /** The exchange that an entry names by its response stream. */
  linked({ on }: Entry): Exchange | undefined {
    return typeof on === "object" ? this.named(on.id) : undefined;
  }

  /** A call is put under its id when somebody asks for one, which may have been given to a later exchange meanwhile. */
  #put(exchange: Exchange): void {
    const id = exchange.id ?? "null";
    if ((this.#byId.get(id)?.entry ?? -1) < exchange.entry) this.#byId.set(id, exchange);
  }

  /** The last exchange under an id, or under one that only a person would take for it: `"1"` for `1`. */
  namesake(id: IdToken | undefined): Pick<Stray, "id" | "namesake"> {
    const name = id ?? "null";
    return {
      id,
      namesake: this.named(name) ?? this.named(name.startsWith('"') ? name.slice(1, -1) : `"${name}"`),
    };
  }

  /** The request with this id that can still be cancelled or answered. */
  open(id: IdToken): Exchange | undefined {
    const exchange = this.#byId.get(id);
    return exchange && this.#isOpen(exchange) ? exchange : undefined;
  }

  #isOpen(exchange: Exchange): boolean {
    return this.#open.has(exchange) || this.#listeners.has(exchange);
  }

  /** The request that a response with this id answers. */
  awaited(id: IdToken): Exchange | undefined {
    const exchange = this.#byId.get(id);
    if (exchange && (this.#isOpen(exchange) || this.#cancelled.has(exchange))) return exchange;
    return this.#equalNumber(id);
  }

  /** Many a peer reads ids as JavaScript does, and answers `1` to `1.0`, or 2^53 to 2^53 + 1. */
  #equalNumber(id: IdToken): Exchange | undefined {
    if (!/^-?\d/.test(id)) return undefined;
    const number = Number(id);
    for (const exchange of this.#open) {
      if (exchange.id !== undefined && exchange.id !== id && Number(exchange.id) === number) return exchange;
    }
    return undefined;
  }

  /** The `subscriptions/listen` with this id, ended or not. */
  listener(id: IdToken): Exchange | undefined {
    const exchange = this.#byId.get(id);
    return exchange?.method === "subscriptions/listen" ? exchange : undefined;
  }

  isListener(exchange: Exchange): boolean {
    return this.#listeners.has(exchange);
  }

  /** The first open request that began before an entry. */
  firstBefore(entry: number): Exchange | undefined {
    const [first] = this.#open;
    return first && first.entry < entry ? first : undefined;
  }

  /** How many open requests began before an entry. */
  countBefore(entry: number): number {
    let count = 0;
    for (const exchange of this.#open) if (exchange.entry < entry) count += 1;
    return count;
  }

  /** Something came that is about this exchange. */
  heard(exchange: Exchange): void {
    if (this.#open.has(exchange) && this.#heard.at(-1) !== exchange) this.#heard.push(exchange);
  }

  /** The open request that something was last heard of. */
  get heardLast(): Exchange | undefined {
    for (let last = this.#heard.at(-1); last; last = this.#heard.at(-1)) {
      if (this.#open.has(last)) return last;
      this.#heard.pop();
    }
    return undefined;
  }

  /** True when the request was open until now. */
  answered(exchange: Exchange): boolean {
    this.#listeners.delete(exchange);
    this.#cancelled.delete(exchange);
    return this.#open.delete(exchange);
  }

  /** An answer may still come, but what else the server says is not about this. */
  cancelled(exchange: Exchange): void {
    this.#listeners.delete(exchange);
    this.#open.delete(exchange);
    this.#cancelled.add(exchange);
  }

  /** It was not cancelled after all. False when it has an answer. */
  reopened(exchange: Exchange): boolean {
    if (!this.#cancelled.delete(exchange)) return false;
    this.#open.add(exchange);
    return true;
  }

  clear(): void {
    this.#open.clear();
    this.#listeners.clear();
  }
}
