import type { Message } from "../protocol/message.ts";
import type { Entry } from "./entry.ts";
import { addStep, type Exchange, isBrokenOff, type Step } from "./exchange.ts";
import { LastHeard } from "./last-heard.ts";
import { cancelsNothing, nameIn, TRIGGERS, takesIn } from "./notices.ts";
import { OpenRequests } from "./open-requests.ts";
import type { Seen } from "./seen.ts";
import { ServerRequests } from "./server-requests.ts";
import { Subscribed } from "./subscribed.ts";
import { tokenAt } from "./token.ts";
import { isListen, type World } from "./world.ts";

/** One recorded connection while its entries are sorted into exchanges. */
export class Lane {
  readonly #session: number;
  readonly #world: World;
  /** All of the server's messages come on one stream, so `on: get` tells nothing. */
  #shared: boolean;
  readonly #requests: OpenRequests;
  readonly #byToken = new Map<string, Exchange>();
  readonly #asks = new ServerRequests((home, step) => this.#add(home, step));
  readonly #subscribed = new Subscribed();
  /** POSTs without a request, whose HTTP answers come in order; undefined where no exchange began. */
  readonly #posts: (Exchange | undefined)[] = [];
  /** Malformed messages that came on no POST and have no answer yet. */
  readonly #malformed: Exchange[] = [];
  /** What the server sent before the client's first message. */
  readonly #preface: Step[] = [];
  /** The last notification upon which servers ask, until a request that began after it is answered. */
  #trigger: Exchange | undefined;
  readonly #last: LastHeard;
  #clientGone = false;

  constructor(session: number, shared: boolean, world: World) {
    this.#session = session;
    this.#shared = shared;
    this.#world = world;
    this.#requests = new OpenRequests(world.callAt);
    this.#last = new LastHeard(world.callAt);
  }

  /** A request and the answer right behind it. False while something else goes on that it might be a part of. */
  call(entry: number, id: number): boolean {
    if (this.#preface.length > 0 || !this.#requests.called(entry, id)) return false;
    this.#trigger = undefined;
    this.#last.called(entry);
    this.#world.last.called(entry);
    return true;
  }

  /** A message of the client. Returns the exchange that begins with it. */
  client(seen: Seen): Exchange | undefined {
    const { message } = seen;
    if (message.kind === "response") this.#reply(seen);
    else if (message.method !== "notifications/cancelled" || !this.#cancel(seen)) return this.#begin(seen);
    return undefined;
  }

  /** The client sent a POST without a request in it, with which this exchange began, or none. */
  posted(exchange: Exchange | undefined): void {
    this.#posts.push(exchange);
  }

  /** An entry of the client that holds no message. */
  clientBare(entry: Entry, ordinal: number): void {
    const httpMethod = entry.http && (entry.http.method ?? "POST");
    if (httpMethod === "POST") this.#posts.push(undefined);
    else if (httpMethod !== undefined) this.#resume(entry, ordinal);
    else if (entry.closed) this.#closed(entry, ordinal);
  }

  server(seen: Seen): void {
    const { message } = seen;
    if (message.kind === "response") return this.#outcome(seen);
    if (message.kind === "request") return this.#ask(seen);
    if (message.kind === "notification") return this.#notified(seen);
    this.#status(seen.entry, seen.ordinal);
  }

  /** An entry of the server that holds no JSON. */
  serverBare(entry: Entry, ordinal: number): void {
    if (entry.closed) return this.#closed(entry, ordinal);
    // The first event of the HTTP+SSE pair, whose GET stream carries everything.
    if (entry.event?.name === "endpoint") this.#shared = true;
    else if (entry.event && !entry.body?.bytes.length) {
      const exchange = this.#requests.linked(entry);
      if (exchange) this.#add(exchange, { role: "event", entry: ordinal, item: -1 });
    } else this.#status(entry, ordinal);
  }

  finish(): void {
    this.#asks.finish(this.#requests);
  }

  #begin(seen: Seen): Exchange {
    const { message, ordinal, item, entry } = seen;
    const kind = message.kind === "request" || message.kind === "notification" ? message.kind : "malformed";
    const { id, method } = message;
    const steps = this.#preface.length > 0 ? this.#preface.splice(0) : [];
    const exchange: Exchange = { kind, session: this.#session, entry: ordinal, item, id, method, steps };
    if (!cancelsNothing(seen)) this.#heard(exchange);
    if (kind === "request") this.#beginRequest(exchange, message);
    else if (kind === "malformed" && !entry.http) this.#malformed.push(exchange);
    else if (method !== undefined && TRIGGERS.has(method)) this.#trigger = exchange;
    return exchange;
  }

  #beginRequest(exchange: Exchange, message: Message): void {
    const earlier = this.#requests.begin(exchange);
    if (earlier && !isBrokenOff(earlier)) this.#world.onSameId?.(exchange, earlier);
    const token = tokenAt(message, ["params", "_meta", "progressToken"]);
    if (token !== undefined) this.#byToken.set(token, exchange);
    this.#subscribed.note(message);
  }

  #reply({ message: { id }, ordinal: entry, item }: Seen): void {
    if (id !== undefined) this.#asks.reply(id, { role: "reply", entry, item, id }, this.#requests.begun);
  }

  /** False when nothing that is open is cancelled by it: then it is a notification like any other. */
  #cancel(seen: Seen): boolean {
    if (cancelsNothing(seen)) return false;
    const { message, ordinal, item } = seen;
    const id = tokenAt(message, ["params", "requestId"]);
    const exchange = id === undefined ? undefined : this.#requests.open(id);
    if (!exchange) return false;
    this.#giveUp(exchange, { role: "cancel", entry: ordinal, item });
    return true;
  }

  #giveUp(exchange: Exchange, cancel: Step): void {
    this.#add(exchange, cancel);
    this.#requests.cancelled(exchange);
    this.#asks.cancelled(exchange);
  }

  #outcome({ message, entry, ordinal, item }: Seen): void {
    const step = { role: "outcome", entry: ordinal, item } as const;
    const { id } = message;
    const exchange = id === undefined ? undefined : this.#requests.awaited(id);
    if (exchange) this.#answer(exchange, step);
    else if (message.isError && (id === undefined || id === "null")) this.#unnamed(entry, step);
    // A second answer, or one nobody asked for: it stays in the file, and nothing waits for it.
    else
      this.#world.onStray?.({ session: this.#session, entry: ordinal, item, ...this.#requests.namesake(id) });
  }

  #answer(exchange: Exchange, step: Step): void {
    if (this.#requests.isListener(exchange) && exchange.steps.length > 0) {
      this.#ofListener(exchange, step);
      this.#requests.answered(exchange);
      return;
    }
    this.#add(exchange, step);
    if (this.#trigger && exchange.entry > this.#trigger.entry) this.#trigger = undefined;
    if (this.#requests.answered(exchange)) {
      this.#asks.answered(exchange, this.#requests);
    }
  }

  /**
   * An error that names no request. It answers the request whose response stream it came on, as HTTP refuses one, or
   * the POST or line that could not be read.
   */
  #unnamed(entry: Entry, step: Step): void {
    const refused = entry.on === "post" ? this.#posts.shift() : this.#requests.linked(entry);
    if (refused?.kind === "malformed") this.#add(refused, step);
    else if (refused) this.#answer(refused, { ...step, role: "status" });
    else if (entry.on !== "post") {
      const malformed = this.#malformed.shift();
      // Where nothing was malformed the client sees it, and goes on waiting.
      this.#add(malformed ?? this.#home(entry), malformed ? step : { ...step, role: "send" });
    }
  }

  #ask({ message, entry, ordinal, item }: Seen): void {
    const step: Step = { role: "ask", entry: ordinal, item, id: message.id, ...this.#route(entry) };
    const candidates = this.#requests.size;
    const linked = this.#requests.linked(entry);
    const trigger = this.#trigger;
    if (!linked && this.#shared && candidates > 0 && (candidates > 1 || trigger)) {
      this.#asks.askUnclaimed(step, { candidates, trigger, begun: this.#requests.begun });
    } else {
      this.#asks.ask(linked ?? (this.#isApart(entry) ? trigger : undefined) ?? this.#home(entry), step);
    }
  }

  #notified(seen: Seen): void {
    const { message, entry } = seen;
    const step: Step = { role: "send", entry: seen.ordinal, item: seen.item };
    if (this.#named(message, step)) return;
    const subscribed = this.#subscribed.stepOf(message);
    // Nobody is there any more to hear what is about no open request.
    if (this.#clientGone && this.#requests.size === 0) return;
    this.#add(this.#requests.linked(entry) ?? this.#home(entry), {
      ...step,
      ...this.#route(entry),
      ...subscribed,
    });
  }

  /** Places a notification that names what it is about; false when it does not. */
  #named(message: Message, step: Step): boolean {
    const id = nameIn(message, this.#requests.listened);
    if (id === undefined) return false;
    if (message.method === "notifications/progress") {
      // A token nobody gave names nothing, and must not reach whoever gives it one day.
      const exchange = this.#byToken.get(id);
      if (exchange) this.#add(exchange, { ...step, progress: true });
      return true;
    }
    const takesBack = message.method === "notifications/cancelled";
    if (takesBack && this.#asks.takeBack(id, step, this.#requests.begun)) return true;
    const listener = this.#requests.listener(id);
    if (listener) this.#ofListener(listener, step, message.method);
    // Of a request that was never made: as it bears an id, it must not reach whatever has that id then.
    else if (takesBack) this.#add(this.#last.exchange, { ...step, takesBack: id });
    return takesBack || listener !== undefined;
  }

  /** What a subscription brings, but its first message, comes after what it followed, whatever that was about. */
  #ofListener(listener: Exchange, step: Step, method?: string): void {
    const first = listener.steps.length === 0 || method === "notifications/subscriptions/acknowledged";
    if (!first && this.#clientGone && this.#requests.size === 0) return;
    const last = this.#last.exchange;
    const followed = last && !isListen(last) ? last : this.#world.last.exchange;
    // What began before the subscription is played before it, when nobody listens yet.
    const isApart = !first && followed !== undefined && followed.entry > listener.entry;
    // What is heard of elsewhere is not done here: the next may follow something else again.
    if (isApart) addStep(followed, { ...step, listener });
    else this.#add(listener, { ...step, listener });
  }

  #heard(exchange: Exchange): void {
    this.#last.heard(exchange);
    if (!isListen(exchange)) this.#world.last.heard(exchange);
  }

  #status(entry: Entry, ordinal: number): void {
    const { on, http, event } = entry;
    if (!http || event || on === "get" || on === "delete") return;
    const exchange = on === "post" ? this.#posts.shift() : this.#requests.linked(entry);
    if (exchange && !takesIn(entry)) this.#answer(exchange, { role: "status", entry: ordinal, item: -1 });
  }

  #closed(entry: Entry, ordinal: number): void {
    const place = { entry: ordinal, item: -1 };
    if (entry.on === "post") this.#posts.shift();
    else if (entry.on !== undefined) {
      const exchange = typeof entry.on === "object" ? this.#requests.open(entry.on.id) : undefined;
      if (!exchange) return;
      if (entry.from === "client") this.#giveUp(exchange, { role: "cancel", ...place });
      else if (this.#requests.isListener(exchange)) this.#ofListener(exchange, { role: "end", ...place });
      else this.#add(exchange, { role: entry.closed?.reason === "end" ? "end" : "crash", ...place });
    } else if (entry.from === "client") this.#clientGone = true;
    else {
      this.#asks.finish(this.#requests);
      // Once the client is gone, a server that just ends has nothing to answer any more.
      if (!this.#clientGone || (entry.closed?.exit ?? 0) !== 0) {
        for (const exchange of this.#requests) this.#add(exchange, { role: "crash", ...place });
      }
      this.#requests.clear();
    }
  }

  /** A client that comes back to a stream it had dropped (legacy HTTP) did not cancel: the stream merely ended. */
  #resume(entry: Entry, ordinal: number): void {
    const exchange = this.#requests.linked(entry);
    if (!exchange) return;
    const last = exchange.steps.at(-1);
    if (last?.role === "cancel" && this.#requests.reopened(exchange)) {
      exchange.steps[exchange.steps.length - 1] = { ...last, role: "end" };
    }
    this.#add(exchange, { role: "resume", entry: ordinal, item: -1 });
  }

  /** A message on the standalone stream keeps to it, where the recording tells streams apart. */
  #isApart(entry: Entry): boolean {
    return this.#shared ? this.#requests.size === 0 : entry.on === "get";
  }

  #route(entry: Entry): { standalone?: true } {
    return this.#isApart(entry) ? { standalone: true } : {};
  }

  /**
   * Where a message that names nobody belongs: to the one open request; with several open, to the one that was
   * heard of last; with none, after the entry it followed. The standalone stream is for what concerns no open request.
   */
  #home(entry: Entry): Exchange | undefined {
    return (this.#isApart(entry) ? undefined : this.#requests.heardLast) ?? this.#last.exchange;
  }

  #add(exchange: Exchange | undefined, step: Step): void {
    if (!exchange) return void this.#preface.push(step);
    addStep(exchange, step);
    this.#heard(exchange);
    this.#requests.heard(exchange);
  }
}
