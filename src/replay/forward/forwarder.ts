import type { EventFacts } from "../../exchange/entry.ts";
import { eachMessage, type IdToken, type Message, readMessage } from "../../protocol/message.ts";
import { ServerAsks } from "./asks.ts";
import { cancellationOf } from "./cancellation.ts";
import { errorOf, failureAnswer } from "./failure.ts";
import { InFlight, isListener, type Pending, type Unrecorded } from "./in-flight.ts";
import type { Passed } from "./journal.ts";
import { Block, Ledger } from "./ledger.ts";
import type { Arrived, Link, LinkSide } from "./link.ts";
import type { LiveSide } from "./live-side.ts";
import { Opening } from "./opening.ts";
import { firstNotice, type RealServer } from "./real-server.ts";

/**
 * Asks the real server what a recording does not hold, for one live client: requests go out as the client sent them,
 * under their own ids and progress tokens; what the server asks in turn gets ids of the session's.
 */
export class Forwarder implements LinkSide {
  readonly #server: RealServer;
  readonly #ledger: Ledger;
  readonly #inFlight = new InFlight();
  readonly #opening = new Opening();
  readonly #asks = new ServerAsks();
  /** Requests that the client gave up: they may be answered still. */
  readonly #givenUp = new Map<IdToken, Pick<Pending, "live" | "block">>();
  /** What was answered without a request that waited for it, told of once each. */
  readonly #strangeIds = new Set<IdToken>();
  /** Where the last request came from: what concerns none goes there. */
  #live: LiveSide | undefined;
  #queue: Pending[] = [];
  #link: Link | undefined;

  constructor(server: RealServer) {
    this.#server = server;
    this.#ledger = new Ledger(server.journal());
  }

  /** The server is to answer a request with this id, that came on this connection if one is named. */
  holds(id: IdToken, live?: LiveSide): boolean {
    const holder = this.#inFlight.get(id)?.live;
    return live ? holder === live : holder !== undefined || this.#givenUp.has(id);
  }

  request({ message, label, asked, modern, headers, live }: Unrecorded): void {
    const { log } = live;
    this.#live = live;
    if (log.all.length === 0 && !this.#server.records) live.notice(firstNotice(label, this.#server));
    const pending: Pending = {
      message,
      id: message.id ?? "null",
      label,
      modern,
      headers,
      live,
      block: new Block(),
      underway: log.begin(label, asked),
      sent: false,
    };
    this.#inFlight.add(pending);
    this.#queue.push(pending);
    void this.#ledger.ready().then(() => this.#pump());
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
    const { block, bytes } = answer;
    this.#keep(block, { from: "client", raw: bytes });
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
    // A mock has been asked whatever the client said, however soon it gave it up; and may have answered with that.
    if (this.#server.written) this.#pump();
    if (!this.#inFlight.has(pending)) return true;
    this.#inFlight.remove(pending);
    let appended = false;
    if (pending.sent) {
      if (!isListener(pending)) this.#givenUp.set(id, pending);
      this.#cancelAtServer(pending, notification ?? cancellationOf(id));
      const onKept = () => pending.underway.end("cancelled", { appended: true });
      appended = this.#ledger.commitCancelled(pending.block, onKept);
    }
    pending.underway.end("cancelled", { appended });
    if (!isListener(pending)) pending.live.gaveUp(pending.label);
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

  streamed(id: IdToken, event: EventFacts | undefined): void {
    const live = this.#inFlight.get(id)?.live;
    live?.act(event ? { type: "event", on: id, event } : { type: "end", on: id });
  }

  rests(id: IdToken): void {
    this.#inFlight.get(id)?.underway.waits(true);
  }

  closed(reason: string): void {
    this.#link = undefined;
    this.#opening.reset();
    this.#asks.clear();
    this.#givenUp.clear();
    this.#ledger.reset();
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
    this.#ledger.note(pending.block, { from: "client", raw: pending.message.bytes });
    if (isListener(pending)) this.#ledger.commit(pending.block);
    link.send(pending.message, pending.headers);
  }

  #cancelAtServer(pending: Pending, notification: Message): void {
    if (pending.modern && this.#link?.drop) {
      this.#link.drop(pending.id);
      this.#givenUp.delete(pending.id);
      const on = { id: pending.id };
      return this.#ledger.note(pending.block, { from: "client", on, closed: { reason: "aborted" } });
    }
    this.#link?.send(notification);
    this.#ledger.note(pending.block, { from: "client", raw: notification.bytes });
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
    const asker = pending ?? this.#givenUp.get(id);
    if (!asker) return this.#strange(id);
    const passed = { from: "server", raw: message.bytes, ...arrived } as const;
    if (pending) {
      this.#inFlight.remove(pending);
      this.#asks.outlive(pending, this.#inFlight.latest);
      this.#ledger.note(pending.block, passed);
      // It is in the cassette before the client has it.
      pending.underway.end("answered", { appended: this.#ledger.commit(pending.block) });
    } else {
      this.#givenUp.delete(id);
      this.#keep(asker.block, passed);
    }
    const { http, event } = arrived;
    asker.live.act({ type: "outcome", bytes: message.bytes, on: id, http, event });
  }

  /** A second answer, or one to what nobody asked: neither goes to the client. */
  #strange(id: IdToken): void {
    if (this.#strangeIds.has(id)) return;
    this.#strangeIds.add(id);
    this.#live?.notice(
      `the real server (${this.#server.name}) answered ${id}, which no request waits for: passed over`,
    );
  }

  #ask(message: Message, arrived: Arrived): void {
    const named = this.#inFlight.named(message, arrived);
    const home = named ?? this.#nearest(arrived);
    const passed: Passed = { from: "server", raw: message.bytes, ...arrived };
    const isDoubtful = !named && home !== undefined && this.#inFlight.isShared && this.#opening.over;
    const block = isDoubtful ? this.#ledger.float(passed) : this.#keep(this.#blockOf(home), passed);
    const live = home?.live ?? this.#live;
    if (live) this.#send(this.#asks.add(live.mintAsk(), message, { home, block }), home, arrived);
  }

  #notified(message: Message, arrived: Arrived): void {
    const home = this.#inFlight.named(message, arrived) ?? this.#nearest(arrived);
    const cancels = message.method === "notifications/cancelled";
    const takenBack = cancels ? this.#asks.takeBack(message) : undefined;
    const block = takenBack ? takenBack.block : this.#blockOf(home);
    this.#keep(block, { from: "server", raw: message.bytes, ...arrived });
    this.#send(takenBack?.bytes ?? message.bytes, home, arrived);
    if (home && isListener(home) && cancels) {
      this.#inFlight.remove(home);
      home.underway.end("answered", { appended: true });
    }
  }

  /** Whose stream it goes out on: what names no request, and came on no stream of its own, is about the latest. */
  #nearest({ on }: Arrived): Pending | undefined {
    return on === "get" ? undefined : this.#inFlight.latest;
  }

  #blockOf(home: Pending | undefined): Block | undefined {
    return home && this.#inFlight.has(home) && !isListener(home) ? home.block : undefined;
  }

  #send(bytes: Uint8Array, home: Pending | undefined, arrived: Arrived): void {
    const stream = home && arrived.on !== "get" ? "own" : "standalone";
    (home?.live ?? this.#live)?.act({ type: "send", bytes, on: home?.id, stream, event: arrived.event });
  }

  /**
   * Notes what passed with the exchange it belongs to, or, where it belongs to none, after the last one. Before the
   * first request has gone out, it belongs to the opening, which the cassette has already.
   */
  #keep(own: Block | undefined, passed: Passed): Block | undefined {
    if (!this.#opening.over) return undefined;
    const open = own && !own.home.isWritten ? own : this.#inFlight.latest?.block;
    const block = open ?? new Block();
    this.#ledger.note(block, passed);
    if (!open) this.#ledger.commit(block);
    return block;
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
    this.#ledger.forget(pending.block);
    pending.underway.end("failed", { reason });
    const { message, explanation } = failureAnswer(pending, { server: this.#server.name, reason });
    pending.live.notice(explanation);
    pending.live.act({ type: "outcome", bytes: message, on: pending.id });
  }
}
