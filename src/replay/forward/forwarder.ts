import {
  eachMessage,
  type IdToken,
  type JsonValue,
  type Message,
  readMessage,
} from "../../protocol/message.ts";
import { findSpan } from "../../protocol/scan-json.ts";
import { ServerAsks } from "./asks.ts";
import { failureAnswer } from "./failure.ts";
import { InFlight, isListener, type Pending } from "./in-flight.ts";
import type { Block, Journal, Passed } from "./journal.ts";
import type { Arrived, HeaderFields, Link, LinkSide } from "./link.ts";
import type { LiveSide } from "./live-side.ts";
import { Opening } from "./opening.ts";
import type { RealServer } from "./real-server.ts";

/** A request that no recording answers. */
export interface Unrecorded {
  readonly message: Message;
  /** Method and name. */
  readonly label: string;
  /** What was asked, redacted, for the report. */
  readonly asked: JsonValue;
  readonly modern: boolean;
  readonly headers: HeaderFields | undefined;
  readonly live: LiveSide;
}

const encoder = new TextEncoder();

/**
 * Asks the real server what a recording does not hold, for one live client: requests go out as the client sent them,
 * under their own ids and progress tokens; what the server asks in turn gets ids of the session's.
 */
export class Forwarder implements LinkSide {
  readonly #server: RealServer;
  readonly #journal: Journal;
  readonly #inFlight = new InFlight();
  readonly #opening = new Opening();
  readonly #asks = new ServerAsks();
  /** Requests that the client gave up: they may be answered still. */
  readonly #givenUp = new Map<IdToken, LiveSide>();
  /** Where the last request came from: what concerns none goes there. */
  #live: LiveSide | undefined;
  #queue: Pending[] = [];
  #link: Link | undefined;

  constructor(server: RealServer) {
    this.#server = server;
    this.#journal = server.journal();
  }

  /** The server is to answer a request with this id, that came on this connection if one is named. */
  holds(id: IdToken, live?: LiveSide): boolean {
    const holder = this.#inFlight.get(id)?.live;
    return live ? holder === live : holder !== undefined || this.#givenUp.has(id);
  }

  request({ message, label, asked, modern, headers, live }: Unrecorded): void {
    const { log } = live;
    this.#live = live;
    if (log.all.length === 0) live.notice(firstNotice(label, this.#server));
    const pending: Pending = {
      message,
      id: message.id ?? "null",
      label,
      modern,
      headers,
      live,
      block: this.#journal.block(),
      underway: log.begin(label, asked),
      sent: false,
    };
    this.#inFlight.add(pending);
    this.#queue.push(pending);
    void this.#journal.ready().then(() => this.#pump());
  }

  /** A notification of the client's; `recorded` ones were for the recording, and the server need not know. */
  notification(message: Message, recorded: boolean): void {
    const wanted = message.method === "notifications/initialized" ? this.#opening.byClient : !recorded;
    if (!wanted || !this.#link) return;
    this.#keep(undefined, { from: "client", raw: message.bytes });
    this.#link.send(message);
  }

  /** The client's answer; false when the server did not ask under this id. */
  answer(id: IdToken, message: Message): boolean {
    const answer = this.#asks.answer(id, message);
    if (!answer) return false;
    const { home, bytes } = answer;
    this.#keep(home, { from: "client", raw: bytes });
    this.#link?.send(readMessage(bytes));
    return true;
  }

  /**
   * The client gave a request up, by a notification or by closing its response stream. False when it is none that the
   * server is asked.
   */
  cancel(id: IdToken, notification?: Message): boolean {
    const pending = this.#inFlight.get(id);
    if (!pending) return false;
    this.#inFlight.remove(pending);
    let appended = false;
    if (pending.sent) {
      if (!isListener(pending)) this.#givenUp.set(id, pending.live);
      this.#cancelAtServer(pending, notification ?? cancellationOf(id));
      appended = pending.block.commit();
    }
    pending.underway.end("cancelled", { appended });
    return true;
  }

  /** The client is gone. */
  close(): void {
    void this.#link?.close();
  }

  message(message: Message, arrived: Arrived): void {
    for (const one of eachMessage(message)) this.#received(one, arrived);
  }

  refused(id: IdToken, reason: string): void {
    const pending = this.#inFlight.get(id);
    if (this.#opening.awaits(id)) this.#notOpened(reason);
    else if (pending) this.#fail(pending, reason);
  }

  closed(reason: string): void {
    this.#link = undefined;
    this.#opening.reset();
    this.#asks.clear();
    this.#givenUp.clear();
    this.#queue = [];
    const pending = this.#inFlight.takeAll();
    if (pending.length === 0) this.#live?.notice(`the real server (${this.#server.name}) ${reason}`);
    for (const each of pending) this.#fail(each, reason);
  }

  /** Sends what waits, as far as the server is ready for it. */
  #pump(): void {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      if (this.#inFlight.has(next)) {
        this.#link ??= this.#server.connect(this);
        const initialize = this.#opening.before(next);
        if (initialize === "wait") return;
        if (initialize) return this.#link.send(initialize, next.headers);
        this.#transmit(next, this.#link);
      }
      this.#queue.shift();
    }
  }

  #transmit(pending: Pending, link: Link): void {
    pending.sent = true;
    pending.block.add({ from: "client", raw: pending.message.bytes });
    if (isListener(pending)) pending.block.commit();
    link.send(pending.message, pending.headers);
  }

  #cancelAtServer(pending: Pending, notification: Message): void {
    if (pending.modern && this.#link?.drop) {
      this.#link.drop(pending.id);
      this.#givenUp.delete(pending.id);
      pending.block.add({ from: "client", on: { id: pending.id }, closed: { reason: "aborted" } });
      return;
    }
    this.#link?.send(notification);
    pending.block.add({ from: "client", raw: notification.bytes });
  }

  #received(message: Message, arrived: Arrived): void {
    switch (message.kind) {
      case "response":
        return this.#response(message, arrived);
      case "request":
        return this.#ask(message, arrived);
      case "notification":
        return this.#notified(message, arrived);
      default:
        this.#live?.notice(
          `the real server (${this.#server.name}) sent what is no message, which is passed over`,
        );
    }
  }

  #response(message: Message, arrived: Arrived): void {
    const id = message.id ?? "null";
    if (this.#opening.awaits(id)) return this.#opened(message);
    const pending = this.#inFlight.get(id);
    const live = pending?.live ?? this.#givenUp.get(id);
    // A second answer, or one to what nobody asked.
    if (!live) return;
    const passed = { from: "server", raw: message.bytes, ...arrived } as const;
    if (pending) {
      this.#inFlight.remove(pending);
      pending.block.add(passed);
      // It is in the cassette before the client has it.
      pending.underway.end("answered", { appended: pending.block.commit() });
    } else {
      this.#givenUp.delete(id);
      this.#keep(undefined, passed);
    }
    live.act({ type: "outcome", bytes: message.bytes, on: id, http: arrived.http });
  }

  #ask(message: Message, arrived: Arrived): void {
    const home = this.#homeOf(message, arrived);
    this.#keep(home, { from: "server", raw: message.bytes, ...arrived });
    const live = home?.live ?? this.#live;
    if (live) this.#send(this.#asks.add(live.mintAsk(), message, home), home, arrived);
  }

  #notified(message: Message, arrived: Arrived): void {
    const home = this.#homeOf(message, arrived);
    this.#keep(home, { from: "server", raw: message.bytes, ...arrived });
    const cancels = message.method === "notifications/cancelled";
    this.#send(cancels ? this.#asks.takeBack(message) : message.bytes, home, arrived);
    if (home && isListener(home) && cancels) {
      this.#inFlight.remove(home);
      home.underway.end("answered", { appended: true });
    }
  }

  /** Whose stream it goes out on: what names no request, and came on no stream of its own, is about the latest. */
  #homeOf(message: Message, arrived: Arrived): Pending | undefined {
    const named = this.#inFlight.named(message, arrived);
    return named ?? (arrived.on === "get" ? undefined : this.#inFlight.latest);
  }

  #send(bytes: Uint8Array, home: Pending | undefined, arrived: Arrived): void {
    const stream = home && arrived.on !== "get" ? "own" : "standalone";
    (home?.live ?? this.#live)?.act({ type: "send", bytes, on: home?.id, stream });
  }

  /**
   * Notes what passed with the exchange it belongs to, or, where it belongs to none, after the last one. Before the
   * first request has gone out, it belongs to the opening, which the cassette has already.
   */
  #keep(home: Pending | undefined, passed: Passed): void {
    if (!this.#opening.over) return;
    const exchange = home && this.#inFlight.has(home) && !isListener(home) ? home : this.#inFlight.latest;
    const block: Block = exchange?.block ?? this.#journal.block();
    block.add(passed);
    if (!exchange) block.commit();
  }

  #opened(answer: Message): void {
    if (answer.isError) return this.#notOpened(`refused to be initialized: ${errorOf(answer)}`);
    this.#link?.send(this.#opening.answered());
    this.#pump();
  }

  /** Whoever waited for the opening fails with it; the next request tries anew. */
  #notOpened(reason: string): void {
    this.#opening.reset();
    const waiting = this.#queue;
    this.#queue = [];
    for (const pending of waiting) if (this.#inFlight.has(pending)) this.#fail(pending, reason);
  }

  #fail(pending: Pending, reason: string): void {
    this.#inFlight.remove(pending);
    pending.underway.end("failed", { reason });
    const { message, explanation } = failureAnswer(pending, { server: this.#server.name, reason });
    pending.live.notice(explanation);
    pending.live.act({ type: "outcome", bytes: message, on: pending.id });
  }
}

function firstNotice(label: string, { name, keeps }: RealServer): string {
  const kept = keeps ? "; its answers are appended" : "";
  return (
    `${label} is not recorded: asking the real server (${name})${kept}.\n` +
    "What was answered from the recording before has not happened there."
  );
}

function cancellationOf(id: IdToken): Message {
  return readMessage(
    encoder.encode(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`),
  );
}

function errorOf({ bytes }: Message): string {
  const span = findSpan(bytes, ["error", "message"]);
  return span ? new TextDecoder().decode(bytes.subarray(span.start, span.end)) : "without a reason";
}
