import { type IdToken, type Message, readMessage, textOf } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import { findSpan } from "../protocol/scan-json.ts";
import type { Entry } from "./entry.ts";
import type { Exchange, Step } from "./exchange.ts";

/** A message, and where in the recording it stands. */
export interface Seen {
  readonly entry: Entry;
  readonly ordinal: number;
  readonly item: number;
  readonly message: Message;
}

type OnExchange = (exchange: Exchange, opener: Message, entry: Entry) => void;

/** A server's request that several open exchanges could have sent: settled when one of them completes. */
interface Floating {
  readonly among: readonly Exchange[];
  readonly steps: Step[];
  replied: boolean;
}

/** One recorded connection while its entries are sorted into exchanges. */
export class Lane {
  readonly #session: number;
  /** All of the server's messages come on one stream, so `on: get` tells nothing. */
  #shared: boolean;
  /** The last exchange under each request id, open or not. */
  readonly #byId = new Map<IdToken, Exchange>();
  readonly #byToken = new Map<string, Exchange>();
  /** Requests without outcome, in the order they were made; listeners apart. */
  readonly #open = new Set<Exchange>();
  readonly #listeners = new Set<Exchange>();
  readonly #asks = new Map<IdToken, Exchange | Floating>();
  readonly #floating = new Set<Floating>();
  readonly #subscribed = new Set<string>();
  /** POSTs without a request, whose HTTP answers come in order; undefined where no exchange began. */
  readonly #posts: (Exchange | undefined)[] = [];
  /** What the server sent before the client's first message. */
  readonly #preface: Step[] = [];
  #last: Exchange | undefined;
  #clientGone = false;

  constructor(session: number, shared: boolean) {
    this.#session = session;
    this.#shared = shared;
  }

  client(seen: Seen, onExchange: OnExchange): void {
    const { message } = seen;
    if (message.kind === "response") return this.#reply(seen);
    if (message.method === "notifications/cancelled" && this.#cancel(seen)) return;
    const exchange = this.#begin(seen);
    onExchange(exchange, message, seen.entry);
  }

  server(seen: Seen): void {
    const { message } = seen;
    if (message.kind === "response") return this.#outcome(seen);
    if (message.kind === "request") return this.#ask(seen);
    if (message.kind === "notification") return this.#notice(seen);
    this.#status(seen.entry, seen.ordinal);
  }

  /** An entry that holds no JSON-RPC message. */
  bare(entry: Entry, ordinal: number, onExchange: OnExchange): void {
    if (entry.closed) return this.#closed(entry, ordinal);
    if (entry.from === "server") {
      // The first event of the HTTP+SSE pair, whose GET stream carries everything.
      if (entry.event?.name === "endpoint") this.#shared = true;
      else if (entry.event && !entry.body)
        this.#add(this.#linked(entry), { role: "event", entry: ordinal, item: -1 });
      else this.#status(entry, ordinal);
      return;
    }
    if (entry.http && entry.http.method !== "POST") {
      const exchange = this.#linked(entry);
      if (exchange) this.#resume(exchange, ordinal);
      return;
    }
    const bytes = entry.body?.bytes;
    if (!bytes) return;
    const message = readMessage(bytes);
    const exchange = this.#begin({ entry, ordinal, item: -1, message });
    onExchange(exchange, message, entry);
  }

  finish(): void {
    for (const floating of this.#floating) {
      const home = floating.among.at(-1);
      if (home) this.#settle(floating, home);
    }
  }

  #begin({ message, entry, ordinal, item }: Seen): Exchange {
    const kind = message.kind === "request" || message.kind === "notification" ? message.kind : "malformed";
    const exchange: Exchange = {
      kind,
      session: this.#session,
      entry: ordinal,
      item,
      id: message.id,
      method: message.method,
      steps: this.#preface.splice(0),
    };
    this.#last = exchange;
    if (kind === "request" && message.id !== undefined) this.#beginRequest(exchange, message, message.id);
    else if (entry.http) this.#posts.push(exchange);
    return exchange;
  }

  #beginRequest(exchange: Exchange, message: Message, id: IdToken): void {
    this.#byId.set(id, exchange);
    if (exchange.method === "subscriptions/listen") this.#listeners.add(exchange);
    else this.#open.add(exchange);
    const token = tokenAt(message, ["params", "_meta", "progressToken"]);
    if (token !== undefined) this.#byToken.set(token, exchange);
    const uri = message.method?.startsWith("resources/") ? tokenAt(message, ["params", "uri"]) : undefined;
    if (uri !== undefined && message.method === "resources/subscribe") this.#subscribed.add(uri);
    if (uri !== undefined && message.method === "resources/unsubscribe") this.#subscribed.delete(uri);
  }

  #reply({ message, ordinal, item, entry }: Seen): void {
    if (entry.http) this.#posts.push(undefined);
    const home = message.id === undefined ? undefined : this.#asks.get(message.id);
    if (!home || message.id === undefined) return;
    this.#asks.delete(message.id);
    const step: Step = { role: "reply", entry: ordinal, item, id: message.id };
    if ("among" in home) {
      home.steps.push(step);
      home.replied = true;
    } else this.#add(home, step);
  }

  /** False when the cancelled request is unknown or answered already: then it is a notification like any other. */
  #cancel({ message, ordinal, item, entry }: Seen): boolean {
    const id = tokenAt(message, ["params", "requestId"]);
    const exchange = id === undefined ? undefined : this.#byId.get(id);
    if (!exchange || !this.#isOpen(exchange)) return false;
    if (entry.http) this.#posts.push(undefined);
    this.#add(exchange, { role: "cancel", entry: ordinal, item });
    // An answer may still come, but what else the server says is not about this.
    this.#open.delete(exchange);
    return true;
  }

  #outcome({ message, entry, ordinal, item }: Seen): void {
    const named = message.id === undefined || message.id === "null" ? undefined : this.#byId.get(message.id);
    const exchange = named ?? (message.isError ? this.#unnamed(entry) : undefined);
    // A second answer, or one nobody asked for: it stays in the file, and nothing waits for it.
    if (!exchange || exchange.steps.some((step) => step.role === "outcome")) return;
    this.#add(exchange, { role: "outcome", entry: ordinal, item });
    this.#open.delete(exchange);
    this.#listeners.delete(exchange);
    for (const floating of this.#floating) {
      if (floating.replied && floating.among.includes(exchange)) this.#settle(floating, exchange);
    }
  }

  /** Whom an error without id answers: the request whose response stream it came on, else what was malformed. */
  #unnamed(entry: Entry): Exchange | undefined {
    if (entry.on === "post") return this.#posts.shift();
    if (entry.on !== undefined && typeof entry.on === "object") return this.#byId.get(entry.on.id);
    return this.#last?.kind === "malformed" ? this.#last : undefined;
  }

  #ask({ message, entry, ordinal, item }: Seen): void {
    const id = message.id ?? "null";
    const step: Step = { role: "ask", entry: ordinal, item, id, ...this.#route(entry) };
    const linked = this.#linked(entry);
    if (this.#shared && this.#open.size > 1) {
      const floating: Floating = { among: [...this.#open], steps: [step], replied: false };
      this.#floating.add(floating);
      this.#asks.set(id, floating);
      return;
    }
    const home = linked ?? this.#home(entry);
    if (home) this.#asks.set(id, home);
    this.#add(home, step);
  }

  #settle(floating: Floating, home: Exchange): void {
    home.steps.push(...floating.steps);
    home.steps.sort((a, b) => a.entry - b.entry || a.item - b.item);
    this.#floating.delete(floating);
    for (const step of floating.steps) {
      if (step.id !== undefined && this.#asks.get(step.id) === floating) this.#asks.set(step.id, home);
    }
  }

  #notice({ message, entry, ordinal, item }: Seen): void {
    const base = { role: "send", entry: ordinal, item } as const;
    if (message.method === "notifications/progress") {
      const token = tokenAt(message, ["params", "progressToken"]);
      const exchange = token === undefined ? undefined : this.#byToken.get(token);
      if (exchange) return this.#add(exchange, { ...base, progress: true });
    }
    if (message.method === "notifications/cancelled") {
      const id = tokenAt(message, ["params", "requestId"]);
      const home = id === undefined ? undefined : this.#asks.get(id);
      if (home && !("among" in home)) return this.#add(home, { ...base, takesBack: id });
    }
    const listener = this.#listener(message);
    if (listener) return this.#add(this.#last ?? listener, { ...base, listener });
    const uri =
      message.method === "notifications/resources/updated" ? tokenAt(message, ["params", "uri"]) : undefined;
    const subscribed = uri !== undefined && this.#subscribed.has(uri) ? uri : undefined;
    const home = this.#linked(entry) ?? this.#home(entry);
    this.#add(home, { ...base, ...this.#route(entry), ...(subscribed === undefined ? {} : { subscribed }) });
  }

  #listener(message: Message): Exchange | undefined {
    if (this.#listeners.size === 0) return undefined;
    const id = tokenAt(message, ["params", "_meta", META.subscriptionId]);
    const exchange = id === undefined ? undefined : this.#byId.get(id);
    return exchange && this.#listeners.has(exchange) ? exchange : undefined;
  }

  #status(entry: Entry, ordinal: number): void {
    const { on, http } = entry;
    if (!http || on === "get" || on === "delete") return;
    const accepted = http.status === 202 || http.status === 204;
    const exchange = on === "post" ? this.#posts.shift() : this.#linked(entry);
    const opened = http.status === 200 && entry.body === undefined;
    if (!exchange || accepted || opened) return;
    this.#add(exchange, { role: "status", entry: ordinal, item: -1 });
    this.#open.delete(exchange);
  }

  #closed(entry: Entry, ordinal: number): void {
    if (entry.on !== undefined) {
      const exchange = this.#linked(entry);
      if (!exchange || !this.#isOpen(exchange)) return;
      const role = entry.from === "client" ? "cancel" : "end";
      this.#add(exchange, { role, entry: ordinal, item: -1 });
      if (role === "cancel") this.#open.delete(exchange);
      return;
    }
    if (entry.from === "client") this.#clientGone = true;
    else if (!this.#clientGone) {
      for (const exchange of this.#open) this.#add(exchange, { role: "crash", entry: ordinal, item: -1 });
    }
    this.#open.clear();
  }

  /** A client that comes back to a stream it had dropped (legacy HTTP) did not cancel: the stream merely ended. */
  #resume(exchange: Exchange, ordinal: number): void {
    const last = exchange.steps.at(-1);
    if (last?.role === "cancel") exchange.steps[exchange.steps.length - 1] = { ...last, role: "end" };
    this.#add(exchange, { role: "resume", entry: ordinal, item: -1 });
  }

  #isOpen(exchange: Exchange): boolean {
    return this.#open.has(exchange) || this.#listeners.has(exchange);
  }

  /** The exchange that an entry names by its response stream. */
  #linked(entry: Entry): Exchange | undefined {
    return entry.on !== undefined && typeof entry.on === "object" ? this.#byId.get(entry.on.id) : undefined;
  }

  /** A message on the standalone stream keeps to it, where the recording tells streams apart. */
  #route(entry: Entry): { standalone?: true } {
    const apart = this.#shared ? this.#open.size === 0 : entry.on === "get";
    return apart ? { standalone: true } : {};
  }

  /**
   * Where a message that names nobody belongs: to the one open request; with several open, to the one that was
   * heard of last; with none, after the entry it followed. The standalone stream is for what concerns no open request.
   */
  #home(entry: Entry): Exchange | undefined {
    if (!this.#shared && entry.on === "get") return this.#last;
    const [first] = this.#open;
    if (this.#open.size === 1) return first;
    if (this.#open.size === 0 || (this.#last && this.#open.has(this.#last))) return this.#last;
    return [...this.#open].at(-1);
  }

  #add(exchange: Exchange | undefined, step: Step): void {
    if (!exchange) {
      this.#preface.push(step);
      return;
    }
    exchange.steps.push(step);
    this.#last = exchange;
  }
}

/** The exact JSON token at a path. */
function tokenAt(message: Message, path: readonly string[]): string | undefined {
  const span = findSpan(message.bytes, path);
  return span && textOf(message.bytes.subarray(span.start, span.end));
}
