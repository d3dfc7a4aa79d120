import type { Entry } from "../exchange/entry.ts";
import type { Exchange, Step } from "../exchange/exchange.ts";
import { type IdToken, type Message, textOf } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import { findSpan, replaceSpan, replaceSpans, type Span } from "../protocol/scan-json.ts";
import type { Action } from "./action.ts";
import { canonicalAnswer } from "./key.ts";
import type { Placed, Recording } from "./recording.ts";

const encoder = new TextEncoder();

/** What a live exchange needs of the connection it runs on. */
export interface Stage {
  readonly recording: Recording;
  act(action: Action, live: LiveExchange): void;
  /** Takes a fresh id for a request of the server; its answer comes back through `answer`. */
  ask(exchange: LiveExchange, recordedId: IdToken): IdToken;
  /** The live request that stands for a recorded `subscriptions/listen`, for what `trigger` sets off. */
  listener(listen: Exchange, trigger: Exchange): LiveExchange | undefined;
  subscribes(uri: string): boolean;
  /** A client's answer that is not the recorded one. */
  differs(exchange: LiveExchange, recorded: Message, live: Message): void;
}

/** A recorded exchange on its way to a live client: goes on through its steps as far as the client allows. */
export class LiveExchange {
  readonly exchange: Exchange;
  readonly request: Message;
  readonly #stage: Stage;
  readonly #progressToken: string | undefined;
  readonly #replies = new Map<IdToken, Message>();
  readonly #liveAsks = new Map<IdToken, IdToken>();
  #position = 0;
  #cancelled = false;
  #stopped = false;
  #resumed = 0;
  #answered = false;
  #advancing = false;

  constructor(stage: Stage, exchange: Exchange, request: Message) {
    this.#stage = stage;
    this.exchange = exchange;
    this.request = request;
    const token = findSpan(request.bytes, ["params", "_meta", "progressToken"]);
    this.#progressToken = token && textOf(request.bytes.subarray(token.start, token.end));
  }

  /** The live request's id, as its exact token. */
  get id(): IdToken | undefined {
    return this.request.id;
  }

  /** The outcome was sent, or none is to come. */
  get done(): boolean {
    if (this.exchange.method === "subscriptions/listen") return !this.listening;
    return this.#stopped || this.#position >= this.exchange.steps.length;
  }

  /** A `subscriptions/listen` that was neither ended by the server nor given up by the client. */
  get listening(): boolean {
    return !this.#stopped && !this.#answered;
  }

  /** The outcome was sent; notifications that followed it may be left. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Sends what stands next, up to the first step that waits for the client. */
  advance(): void {
    // A door may hand on an answer while the step that asked for it is still being played.
    if (this.#advancing) return;
    this.#advancing = true;
    for (; !this.#stopped; this.#position++) {
      const step = this.exchange.steps[this.#position];
      if (!step || !this.#play(step)) break;
    }
    this.#advancing = false;
  }

  /** The live client's answer to a request of this exchange. */
  answer(recordedId: IdToken, message: Message): void {
    this.#replies.set(recordedId, message);
    this.advance();
  }

  /** The live client gave up: unless the recording tells what came then, nothing more is sent. */
  cancel(): void {
    this.#cancelled = true;
    const rest = this.exchange.steps.slice(this.#position);
    if (!rest.some((step) => step.role === "cancel")) {
      this.#stopped = true;
      return;
    }
    // What the recording had before its cancellation is overtaken by the live one.
    while (this.exchange.steps[this.#position]?.role !== "cancel") this.#position++;
    this.advance();
  }

  /** The client came back to an ended stream. */
  resume(): void {
    this.#resumed++;
    this.advance();
  }

  /** False when the step waits. */
  #play(step: Step): boolean {
    switch (step.role) {
      case "send":
        this.#send(step);
        return true;
      case "ask":
        this.#ask(step);
        return true;
      case "reply":
        return this.#reply(step);
      case "outcome":
        this.#outcome(step);
        return true;
      case "cancel":
        return this.#cancelled;
      case "status":
        this.#status(step);
        return true;
      case "event":
        this.#act({ type: "event", on: this.id, event: this.#at(step).entry.event ?? {} });
        return true;
      case "end":
        this.#act({ type: "end", on: this.id });
        return true;
      case "resume":
        if (this.#resumed === 0) return false;
        this.#resumed--;
        return true;
      case "crash":
        this.#act({ type: "crash", closed: this.#at(step).entry.closed ?? {} });
        return false;
    }
  }

  #act(action: Action): void {
    this.#stage.act(action, this);
  }

  #at(step: Step): Placed {
    return this.#stage.recording.at(step);
  }

  #send(step: Step): void {
    const { entry, message } = this.#at(step);
    const as = (path: readonly string[], token: string) => {
      const span = findSpan(message.bytes, path);
      return span ? replaceSpan(message.bytes, span, encoder.encode(token)) : message.bytes;
    };
    if (step.progress) {
      if (this.#progressToken === undefined) return;
      return this.#deliver(step, entry, as(["params", "progressToken"], this.#progressToken));
    }
    if (step.takesBack !== undefined) {
      const live = this.#liveAsks.get(step.takesBack);
      if (live !== undefined) this.#deliver(step, entry, as(["params", "requestId"], live));
      return;
    }
    if (step.listener) {
      const listener = this.#stage.listener(step.listener, this.exchange);
      if (listener)
        listener.#hear(entry, as(["params", "_meta", META.subscriptionId], listener.id ?? "null"));
      return;
    }
    if (step.subscribed !== undefined && !this.#stage.subscribes(step.subscribed)) return;
    this.#deliver(step, entry, message.bytes);
  }

  /** A notification for this live `subscriptions/listen`, set off by another exchange. */
  #hear(entry: Entry, bytes: Uint8Array): void {
    this.#act({ type: "send", bytes, on: this.id, stream: "own", event: entry.event, http: entry.http });
  }

  #deliver(step: Step, entry: Entry, bytes: Uint8Array): void {
    const stream = step.standalone || this.#answered ? "standalone" : "own";
    this.#act({ type: "send", bytes, on: this.id, stream, event: entry.event, http: entry.http });
  }

  #ask(step: Step): void {
    const { entry, message } = this.#at(step);
    const recordedId = step.id ?? "null";
    const liveId = this.#stage.ask(this, recordedId);
    this.#liveAsks.set(recordedId, liveId);
    const span = message.scan.members.id;
    this.#deliver(
      step,
      entry,
      span ? replaceSpan(message.bytes, span, encoder.encode(liveId)) : message.bytes,
    );
  }

  #reply(step: Step): boolean {
    const recordedId = step.id ?? "null";
    const live = this.#replies.get(recordedId);
    if (!live) return false;
    const recorded = this.#at(step).message;
    if (canonicalAnswer(recorded) !== canonicalAnswer(live)) this.#stage.differs(this, recorded, live);
    this.#replies.delete(recordedId);
    return true;
  }

  #outcome(step: Step): void {
    const { entry, message } = this.#at(step);
    this.#answered = true;
    this.#act({
      type: "outcome",
      bytes: this.#withLiveId(message),
      on: this.id,
      after: this.#sincePrevious(entry.at),
      event: entry.event,
      http: entry.http,
    });
  }

  #sincePrevious(at: number): number {
    const previous = this.exchange.steps[this.#position - 1] ?? this.exchange;
    return Math.max(0, at - this.#stage.recording.at(previous).entry.at);
  }

  /** The answer with the live request's id, also where a subscription is named after it. */
  #withLiveId(message: Message): Uint8Array {
    const idSpan = message.scan.members.id;
    if (this.id === undefined || !idSpan || message.id === "null") return message.bytes;
    const id = encoder.encode(this.id);
    const spans: { span: Span; replacement: Uint8Array }[] = [{ span: idSpan, replacement: id }];
    if (this.exchange.method === "subscriptions/listen") {
      const named = findSpan(message.bytes, ["result", "_meta", META.subscriptionId]);
      if (named) spans.push({ span: named, replacement: id });
    }
    spans.sort((a, b) => a.span.start - b.span.start);
    return replaceSpans(message.bytes, spans);
  }

  #status(step: Step): void {
    const { entry } = this.#at(step);
    this.#answered = true;
    this.#act({ type: "status", on: this.id, http: entry.http ?? {}, body: entry.body?.bytes });
  }
}
