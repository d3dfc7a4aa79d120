import type { Entry } from "../exchange/entry.ts";
import type { Exchange, Step } from "../exchange/exchange.ts";
import { passingBytes } from "../protocol/byte-slab.ts";
import type { IdToken, Message } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import type { Action } from "./action.ts";
import { type Cancelled, cancelledBefore } from "./cancelled.ts";
import { canonicalAnswer } from "./key.ts";
import type { Told } from "./listeners.ts";
import { LiveAsks, type Waiting } from "./live-asks.ts";
import { answerWithId, liveIdOf, progressTokenOf } from "./live-id.ts";
import type { LiveRequest } from "./live-request.ts";
import type { Placed } from "./messages-at.ts";
import { Pacer, type Tempo } from "./pacer.ts";
import type { Recording } from "./recording.ts";
import { type Splice, spliced } from "./splice.ts";

const encoder = new TextEncoder();

/** What a live exchange needs of the connection it runs on. */
export interface Stage {
  readonly recording: Recording;
  readonly tempo: Tempo;
  /** See `DoorSide`. */
  readonly isForOtherEra: boolean;
  act(action: Action): void;
  /** See `DoorSide`. */
  readonly roomFor: ((length: number) => Uint8Array) | undefined;
  /** Takes a fresh id for a request of the server; its answer comes back through `answer`. */
  ask(exchange: LiveExchange, recordedId: IdToken): IdToken;
  /** The live requests that stand for a recorded `subscriptions/listen`. */
  listeners(told: Told): readonly LiveExchange[];
  subscribes(uri: string): boolean;
  /** It went as far as it can for now. */
  advanced(exchange: LiveExchange): void;
  /** A client's answer that is not the recorded one. */
  differs(exchange: LiveExchange, recorded: Message, live: Message): void;
}

/** A recorded exchange on its way to a live client: goes on through its steps as far as the client allows. */
export class LiveExchange {
  readonly exchange: Exchange;
  readonly request: Message;
  readonly #repeat: boolean;
  readonly #stage: Stage;
  readonly takeBack: (() => void) | undefined;
  readonly #recorded: LiveRequest["recorded"];
  /** What there is only where the server asks. */
  #asks: LiveAsks | undefined;
  #pacer: Pacer | undefined;
  #position = 0;
  #cancelled = false;
  #stopped = false;
  #resumed = 0;
  #answered = false;
  #advancing = false;
  /** The last thing sent on its own stream is a notification. */
  #notified = false;

  constructor(stage: Stage, exchange: Exchange, { request, repeat, from, takeBack, recorded }: LiveRequest) {
    this.#recorded = recorded;
    this.#stage = stage;
    this.exchange = exchange;
    this.request = request;
    this.#repeat = repeat;
    if (from) {
      this.#position = from.position;
      this.#asks = new LiveAsks(from.replies);
    }
    this.takeBack = takeBack;
  }

  /** The live request's id. */
  get id(): IdToken | undefined {
    return this.request.id;
  }

  /** Where it stands in the recording. */
  get waiting(): Waiting {
    return { exchange: this.exchange, position: this.#position, repeat: this.#repeat };
  }

  /** It has no outcome yet, and the client waits for one. */
  get open(): boolean {
    return !this.#stopped && !this.#answered && !this.#cancelled;
  }

  /** Something is to be sent by itself, when its time has come. */
  get pausing(): boolean {
    return this.#pacer?.pausing === true;
  }

  /** Nothing more is to come for it. */
  get done(): boolean {
    return this.#stopped || (!this.open && this.#position >= this.exchange.steps.length);
  }

  /** Sends what stands next, up to the first step that waits for the client. */
  advance(): void {
    // A door may hand on an answer while the step that asked for it is still being played.
    if (this.#advancing) return;
    this.#advancing = true;
    try {
      for (; !this.#stopped; this.#position++) {
        const step = this.exchange.steps[this.#position];
        if (!step) break;
        if (!this.#isOver(step) && !(this.#isDue(step) && this.#play(step))) break;
      }
    } finally {
      this.#advancing = false;
    }
    this.#stage.advanced(this);
  }

  /** The live client's answer to a request of this exchange. */
  answer(recordedId: IdToken, message: Message): void {
    const passed = this.#asks?.passed.get(recordedId);
    if (passed) this.#compare(passed, message);
    else this.#noteAsks().replies.set(recordedId, message);
    this.advance();
  }

  /**
   * The live client gave up: unless the recording tells what came then, nothing more is sent. Undefined when there was
   * nothing to give up any more.
   */
  cancel(): Cancelled | undefined {
    if (!this.open) return undefined;
    this.#cancelled = true;
    this.#pacer?.callOff();
    const left = this.exchange.steps.slice(this.#position);
    const cancelled = cancelledBefore(left, progressTokenOf(this.request) !== undefined);
    this.#position += cancelled.overtaken;
    this.#stopped = !cancelled.recorded;
    this.advance();
    return cancelled;
  }

  /** The client came back to an ended stream. */
  resume(): void {
    this.#resumed++;
    this.advance();
  }

  #isDue(step: Step): boolean {
    const notified = step.role === "outcome" && this.#receiversOf(step).some((each) => each.#notified);
    const { tempo } = this.#stage;
    if (!notified && !tempo.pace) return true;
    this.#pacer ??= new Pacer(this.exchange, tempo, () => this.advance());
    return this.#pacer.isDue(this.#position, notified);
  }

  /** False when the step waits. */
  #play(step: Step): boolean {
    if (!step.listener || step.listener === this.exchange) return this.#perform(step);
    for (const listener of this.#receiversOf(step)) listener.#perform(step);
    return true;
  }

  /** What came after an answer came once. Again with every repeat, a list change after a list would never end. */
  #isOver({ listener, subscribed }: Step): boolean {
    return this.#repeat && this.#answered && listener === undefined && subscribed === undefined;
  }

  #receiversOf(step: Step): readonly LiveExchange[] {
    const listen = step.listener;
    if (!listen || listen === this.exchange) return [this];
    return this.#stage.listeners({ listen, step, trigger: this.exchange, by: this });
  }

  #perform(step: Step): boolean {
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
        if (step.listener) this.#stopped = true;
        return true;
      case "resume":
        if (this.#resumed === 0) return false;
        this.#resumed--;
        return true;
      case "crash":
        this.#crash(this.#at(step).entry);
        return false;
    }
  }

  #crash({ on, closed = {} }: Entry): void {
    this.#act({ type: "crash", on: on === undefined ? undefined : this.id, closed });
  }

  #act(action: Action): void {
    this.#stage.act(action);
  }

  #at(step: Step): Placed {
    return this.#stage.recording.at(step);
  }

  #send(step: Step): void {
    if (step.progress && progressTokenOf(this.request) === undefined) return;
    if (step.takesBack !== undefined && !this.#asks?.liveIds.has(step.takesBack)) return;
    if (step.subscribed !== undefined && !this.#stage.subscribes(step.subscribed)) return;
    const { entry, message } = this.#at(step);
    this.#deliver(step, entry, spliced(message, this.#ownNames(step)));
  }

  /** What in a notification names something of the live client, and its name there. */
  #ownNames(step: Step): readonly Splice[] {
    if (step.progress) return [[["params", "progressToken"], progressTokenOf(this.request)]];
    if (step.takesBack !== undefined) {
      return [[["params", "requestId"], encoder.encode(this.#asks?.liveIds.get(step.takesBack))]];
    }
    if (!step.listener) return [];
    const id = liveIdOf(this.request);
    return [
      [["params", "_meta", META.subscriptionId], id],
      // A server may end a subscription by cancelling its request (2026-07-28 basic/patterns/cancellation).
      [["params", "requestId"], id],
    ];
  }

  #deliver(step: Step, { event, http }: Entry, bytes: Uint8Array): void {
    const stream = step.standalone || this.#answered ? "standalone" : "own";
    if (step.role === "send" && stream === "own") this.#notified = true;
    this.#act({ type: "send", bytes, on: this.id, stream, event, http });
  }

  #ask(step: Step): void {
    const { entry, message } = this.#at(step);
    const recordedId = step.id ?? "null";
    const liveId = this.#stage.ask(this, recordedId);
    this.#noteAsks().liveIds.set(recordedId, liveId);
    this.#deliver(step, entry, spliced(message, [[["id"], encoder.encode(liveId)]]));
  }

  #noteAsks(): LiveAsks {
    this.#asks ??= new LiveAsks();
    return this.#asks;
  }

  #reply(step: Step): boolean {
    const recordedId = step.id ?? "null";
    const live = this.#asks?.replies.get(recordedId);
    if (live) {
      this.#compare(step, live);
      this.#asks?.replies.delete(recordedId);
      this.#notified = false;
      return true;
    }
    // What was asked on the standalone stream concerns no open request, and may never reach the client.
    if (!step.standalone || this.#stage.isForOtherEra) return false;
    if (!this.open || this.exchange.kind !== "request") return false;
    this.#noteAsks().passed.set(recordedId, step);
    return true;
  }

  #compare(reply: Step, live: Message): void {
    const recorded = this.#at(reply).message;
    if (canonicalAnswer(recorded) !== canonicalAnswer(live)) this.#stage.differs(this, recorded, live);
  }

  #outcome(step: Step): void {
    this.#answered = true;
    const { roomFor = passingBytes } = this.#stage;
    if (this.#recorded?.answerTo) {
      const bytes = this.#recorded.answerTo(this.request, roomFor);
      return this.#act({ type: "outcome", bytes, on: this.id, isLine: true });
    }
    const { entry, message } = this.#at(step);
    const { event, http } = entry;
    const bytes = answerWithId({ message, exchange: this.exchange }, liveIdOf(this.request), roomFor);
    this.#act({ type: "outcome", bytes, on: this.id, event, http });
  }

  #status(step: Step): void {
    this.#answered = true;
    const { http = {}, body } = this.#at(step).entry;
    this.#act({ type: "status", on: this.id, http, body: body?.bytes });
  }
}
