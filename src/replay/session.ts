import { answerOf, type Exchange, isSettled } from "../exchange/exchange.ts";
import { tokenAt } from "../exchange/token.ts";
import { eachMessage, type IdToken, type JsonValue, type Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Action } from "./action.ts";
import type { Recorded } from "./candidates.ts";
import { type Arrival, type Asked, Finder, type Found, NO_FLAWS } from "./finder.ts";
import { Relay } from "./forward/relay.ts";
import { answerValueOf, askedOf, inputsOf, paramsOf, questionOf } from "./key.ts";
import { LiveExchange, type Stage } from "./live-exchange.ts";
import { type MissReason, missAnswer, missOf } from "./miss.ts";
import { isOfOtherEra } from "./other-era.ts";
import type { Tempo } from "./pacer.ts";
import type { DoorSide, Playing } from "./playing.ts";
import { isProbe, probeAnswer } from "./probes.ts";
import type { Recording } from "./recording.ts";
import type { Visitors } from "./visitor.ts";

/** One connection of a live client. */
export class PlayerSession implements Stage {
  readonly recording: Recording;
  readonly tempo: Tempo;
  readonly #player: Playing;
  readonly #door: DoorSide;
  readonly #finder: Finder;
  readonly #visitors: Visitors;
  /** To the real server, where there is one. */
  readonly #relay: Relay | undefined;
  /** Live exchanges that still have steps, by the live request's id; those of notifications apart. */
  readonly #byId = new Map<IdToken, LiveExchange>();
  readonly #asks = new Map<IdToken, { readonly live: LiveExchange; readonly recordedId: IdToken }>();
  readonly #subscriptions = new Set<string>();
  #nextAsk = 0;

  constructor(player: Playing, door: DoorSide, visitors: Visitors) {
    this.#player = player;
    this.recording = player.recording;
    this.#door = door;
    this.#visitors = visitors;
    this.#finder = new Finder(player, door, visitors);
    this.tempo = {
      timer: door.timer,
      pace: player.options.pace,
      entryAt: (ordinal) => player.recording.entryAt(ordinal),
      pausing: new Set(),
    };
    const act = (action: Action) => door.act(action);
    this.#relay = Relay.of(player, visitors, { act, mintAsk: () => this.#mintAsk() });
  }

  /**
   * A message of the client. False when a flawed request (see `Arrival`) was not recorded as such: the door answers
   * it by the rules of its transport, and it is no miss.
   */
  receive(message: Message, arrival: Arrival = {}): boolean {
    if (message.kind !== "batch" || message.scan.items.length === 0)
      return this.#receiveOne(message, arrival);
    let taken = false;
    for (const one of eachMessage(message)) taken = this.#receiveOne(one, arrival) || taken;
    return taken;
  }

  /** The client dropped the response stream of a request: in the modern era that cancels it. */
  drop(id: IdToken): void {
    const live = this.#byId.get(id);
    if (live) this.#giveUp(live);
    else this.#relay?.cancel(id);
  }

  /** The client is gone for good. */
  close(): void {
    this.#relay?.close();
  }

  /** The client is gone. What it asked for is over, which is no giving up. */
  disconnect(): void {
    for (const live of [...this.#byId.values()]) live.cancel();
    for (const pacer of [...this.tempo.pausing]) pacer.callOff();
  }

  /** No more is received: what still waits for its time is sent now. */
  flush(): void {
    for (const pacer of [...this.tempo.pausing]) pacer.hurry();
  }

  /** Whether something will be sent for this request by itself, when its time has come or the real server answers. */
  isPausing(id: IdToken): boolean {
    return this.#byId.get(id)?.pausing === true || this.#relay?.awaits(id) === true;
  }

  /** The client came back to an ended stream, or the door has none that could end. */
  resume(id: IdToken): void {
    this.#byId.get(id)?.resume();
  }

  act(action: Action): void {
    if (action.type === "crash") this.flush();
    if (action.type !== "status" || this.#door.carriesStatus) this.#door.act(action);
  }

  ask(live: LiveExchange, recordedId: IdToken): IdToken {
    const id = this.#mintAsk();
    this.#asks.set(id, { live, recordedId });
    return id;
  }

  #mintAsk(): IdToken {
    return String(this.#nextAsk++);
  }

  listeners(listen: Exchange, trigger: Exchange): readonly LiveExchange[] {
    const filter = questionOf(this.recording.at(listen).message).key;
    return this.#player.listeners.find({ listen, filter, trigger, owners: this.#visitors });
  }

  subscribes(uri: string): boolean {
    return this.#subscriptions.has(uri);
  }

  differs(live: LiveExchange, recorded: Message, answer: Message): void {
    const request = this.recording.at(live.exchange).message;
    this.#differs(request, answerValueOf(recorded), answerValueOf(answer));
  }

  #differs(request: Message, recorded: JsonValue, live: JsonValue): void {
    const label = labelOf(request.method ?? "malformed", paramsOf(request));
    this.#player.tally.differentAnswers.push({ label, recorded, live });
    this.#player.options.onNotice?.(
      `During ${label} the client answers otherwise than recorded, and what follows is what was recorded.\n` +
        `  recorded ${JSON.stringify(recorded)}\n  answered ${JSON.stringify(live)}`,
    );
  }

  #receiveOne(message: Message, arrival: Arrival): boolean {
    this.#player.options.onReceived?.(message);
    if (message.kind === "response") {
      if (arrival.flaws?.length) return false;
      this.#answer(message);
      return true;
    }
    if (message.method === "initialize") this.#relay?.openWith(message);
    const redacted = this.#redact(message);
    const asked: Asked = { message, redacted, question: this.#player.questions.of(redacted), arrival };
    return message.kind === "notification" ? this.#notified(asked) : this.#asked(asked);
  }

  #answer(message: Message): void {
    if (message.id === undefined) return;
    const asked = this.#asks.get(message.id);
    if (!asked) return this.#relay?.answer(message.id, message);
    this.#asks.delete(message.id);
    asked.live.answer(asked.recordedId, this.#redact(message));
  }

  #notified(asked: Asked): boolean {
    const { message } = asked;
    const flawed = (asked.arrival.flaws ?? NO_FLAWS).length > 0;
    if (message.method === "notifications/cancelled" && !flawed && this.#cancelled(message)) return true;
    const found = this.#finder.find(asked);
    if (!flawed) this.#relay?.notification(message, found !== undefined);
    // A notification asks for nothing, so one that was not recorded is no miss.
    if (!found) return !flawed;
    this.#player.tally.heard(found.recorded);
    this.#play(found, message);
    return true;
  }

  /** False when no such request is in flight: then it is a notification like any other. */
  #cancelled(message: Message): boolean {
    const id = tokenAt(message, ["params", "requestId"]);
    if (id === undefined) return false;
    const live = this.#byId.get(id);
    return live ? this.#giveUp(live) : this.#relay?.cancel(id, message) === true;
  }

  #giveUp(live: LiveExchange): boolean {
    const cancelled = live.cancel();
    if (!cancelled) return false;
    // To end a subscription is no giving up.
    if (live.request.method === "subscriptions/listen") return true;
    const { message } = this.recording.at(live.exchange);
    const label = labelOf(message.method ?? "malformed", paramsOf(message));
    this.#player.tally.cancelled.push({ label, recorded: cancelled.recorded, unsent: cancelled.unsent });
    return true;
  }

  #asked(asked: Asked): boolean {
    const found = this.#finder.find(asked);
    if (!found && asked.arrival.flaws?.length) return false;
    if (found) this.#found(found, asked);
    else this.#unrecorded(asked);
    return true;
  }

  #found(found: Found, asked: Asked): void {
    const { message, redacted, question } = asked;
    if (found.repeat && this.#player.options.strict) {
      const probe = probeAnswer(message, this.recording);
      if (probe) return this.#tell(message, probe);
      return this.#miss(message, redacted, "exhausted");
    }
    if (!this.#door.carriesStatus && answerOf(found.recorded.exchange)?.role === "status") {
      return this.#relay ? this.#forward(asked, this.#relay) : this.#miss(message, redacted, "status");
    }
    if (found.repeat && !isProbe(message)) {
      this.#player.tally.repeat(labelOf(message.method ?? "malformed", paramsOf(redacted)));
    }
    if (question.inputs !== undefined && found.recorded.inputs !== question.inputs) {
      const request = this.recording.at(found.recorded.exchange).message;
      this.#differs(request, inputsOf(request), inputsOf(redacted));
    }
    this.#player.tally.hit(found.recorded);
    this.#subscribe(redacted);
    this.#noticeSilence(found.recorded, redacted);
    this.#play(found, message);
  }

  /** A request that the recording leaves without an answer leaves the live client waiting too, which is to be known. */
  #noticeSilence({ exchange }: Recorded, redacted: Message): void {
    if (isSettled(exchange)) return;
    const label = labelOf(redacted.method ?? "malformed", paramsOf(redacted));
    this.#player.tally.unanswered.push({ label, asked: askedOf(redacted) });
    this.#player.options.onNotice?.(`${label} was recorded without an answer, so the client gets none.`);
  }

  #play({ recorded, repeat }: Found, message: Message): void {
    const { exchange } = recorded;
    const live = new LiveExchange(this, exchange, { request: message, repeat });
    for (const { served } of this.#visitors) served.add(exchange);
    // What is but an answer is over at once, and nobody will ask for it.
    const lasts = this.tempo.pace || exchange.steps.length !== 1 || exchange.steps[0]?.role !== "outcome";
    if (lasts && message.kind === "request" && message.id !== undefined) this.#byId.set(message.id, live);
    if (message.method === "subscriptions/listen") {
      const filter = questionOf(this.#redact(message)).key;
      this.#player.listeners.add({ live, owners: this.#visitors, filter });
    }
    live.advance();
  }

  /** It is forgotten once nothing more is to come for it. */
  advanced(live: LiveExchange): void {
    if (live.id !== undefined && !live.pausing) this.#door.rests?.(live.id);
    if (!live.done || live.id === undefined || this.#byId.size === 0) return;
    if (this.#byId.get(live.id) === live) this.#byId.delete(live.id);
  }

  #unrecorded(asked: Asked): void {
    const { message, redacted, question } = asked;
    const probe = probeAnswer(message, this.recording);
    if (probe) this.#tell(message, probe);
    else if (this.#relay) this.#forward(asked, this.#relay);
    else
      this.#miss(message, redacted, isOfOtherEra(question, message, this.recording) ? "era" : "unrecorded");
  }

  /** Asks the real server, unless it was asked the same before and the answer was appended. */
  #forward(asked: Asked, relay: Relay): void {
    const found = this.#finder.findAppended(asked);
    if (found) return this.#found(found, asked);
    this.#subscribe(asked.redacted);
    relay.request(asked);
  }

  #tell(message: Message, bytes: Uint8Array): void {
    this.#door.act({ type: "outcome", bytes, on: message.id });
  }

  #miss(message: Message, redacted: Message, reason: MissReason): void {
    const miss = missOf(redacted, {
      recording: this.recording,
      cassette: this.#player.options.cassette,
      reason,
      rules: this.#player.options.rules,
      used: (recorded) => this.#visitors.some(({ served }) => served.has(recorded.exchange)),
    });
    this.#tell(message, missAnswer(message, miss, this.#player.miss(miss)));
  }

  #subscribe(message: Message): void {
    if (message.method !== "resources/subscribe" && message.method !== "resources/unsubscribe") return;
    const uri = tokenAt(message, ["params", "uri"]);
    if (uri === undefined) return;
    if (message.method === "resources/subscribe") this.#subscriptions.add(uri);
    else this.#subscriptions.delete(uri);
  }

  #redact(message: Message): Message {
    return this.#player.options.redact?.message(message) ?? message;
  }
}
