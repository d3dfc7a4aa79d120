import { tokenAt } from "../exchange/token.ts";
import { eachMessage, type IdToken, type Message } from "../protocol/message.ts";
import type { Action } from "./action.ts";
import type { Arrival } from "./arrival.ts";
import { Continuing } from "./continuing.ts";
import type { Asker, LiveSide } from "./eras/sides.ts";
import type { Connecting, OtherEra } from "./eras/translation.ts";
import { type Asked, Finder, type Found, NO_FLAWS } from "./finder.ts";
import { Relay } from "./forward/relay.ts";
import { InFlight } from "./in-flight.ts";
import { questionOf } from "./key.ts";
import type { Told } from "./listeners.ts";
import { LiveExchange, type Stage } from "./live-exchange.ts";
import { missAnswer, missOf, type Untranslatable, type Why } from "./miss.ts";
import { noteAnswer, noteCancelled, noteInputs, noteSilence, noteTurnedAway } from "./noted.ts";
import type { Tempo } from "./pacer.ts";
import type { ClientSession, DoorSide, Playing } from "./playing.ts";
import { isProbe, probeAnswer } from "./probes.ts";
import type { Question } from "./question.ts";
import type { Recording } from "./recording.ts";
import { unservable } from "./unservable.ts";
import type { Visitors } from "./visitor.ts";

/** One connection of a live client. */
export class PlayerSession implements Stage, Asker, LiveSide, ClientSession {
  readonly recording: Recording;
  readonly tempo: Tempo;
  readonly #player: Playing;
  readonly #door: DoorSide;
  readonly #finder: Finder;
  readonly #visitors: Visitors;
  /** To the real server, where there is one; it speaks for itself in any era. */
  readonly #relay: Relay | undefined;
  readonly #otherEra: OtherEra | undefined;
  readonly #inFlight = new InFlight();
  readonly newAskId = (): IdToken => this.#inFlight.newAskId();
  readonly continuing = new Continuing(this, this.#inFlight, (live) => this.#begin(live));
  readonly #subscriptions = new Set<string>();

  constructor(player: Playing, { door, visitors, translate }: Connecting) {
    this.#player = player;
    this.recording = player.recording;
    this.#door = door;
    this.#visitors = visitors;
    this.#otherEra = translate?.(this);
    this.#finder = new Finder(player, door, visitors);
    this.tempo = {
      timer: (player.options.pace && door.wait) ?? door.timer,
      pace: player.options.pace,
      entryAt: (ordinal) => player.recording.entryAt(ordinal),
      pausing: new Set(),
    };
    const act = (action: Action) => door.act(action);
    this.#relay = Relay.of(player, visitors, { act, mintAsk: this.newAskId });
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
    const live = this.#inFlight.of(id);
    if (live) this.#giveUp(live);
    else this.#relay?.cancel(id);
    this.#otherEra?.drop(id);
  }

  /** The client is gone for good. */
  close(): void {
    this.#relay?.close();
  }

  /** The client is gone. What it asked for is over, which is no giving up. */
  disconnect(): void {
    for (const live of this.#inFlight.all) live.cancel();
    for (const pacer of [...this.tempo.pausing]) pacer.callOff();
    this.#otherEra?.disconnect();
  }

  /** No more is received: what still waits for its time is sent now. */
  flush(): void {
    for (const pacer of [...this.tempo.pausing]) pacer.hurry();
    this.#otherEra?.flush();
  }

  /** Whether something will be sent for this request by itself, when its time has come or the real server answers. */
  isPausing(id: IdToken): boolean {
    if (this.#inFlight.of(id)?.pausing === true) return true;
    return this.#relay?.awaits(id) === true || this.#otherEra?.isPausing(id) === true;
  }

  /** The client came back to an ended stream, or the door has none that could end. */
  resume(id: IdToken): void {
    this.#inFlight.of(id)?.resume();
  }

  act(action: Action): void {
    if (action.type === "crash") this.flush();
    if (action.type !== "status" || this.#door.carriesStatus) this.#door.act(action);
  }

  get roomFor(): DoorSide["roomFor"] {
    return this.#door.roomFor;
  }

  get isForOtherEra(): boolean {
    return this.#door.isForOtherEra === true;
  }

  refuse(message: Message, untranslatable: Untranslatable, answer?: Uint8Array): void {
    this.#miss(message, this.#redact(message), { reason: "era", untranslatable, answer });
  }

  ask(live: LiveExchange, recordedId: IdToken): IdToken {
    return this.#inFlight.ask(live, recordedId);
  }

  listeners(told: Told): readonly LiveExchange[] {
    const filter = questionOf(this.recording.at(told.listen).message).key;
    return this.#player.listeners.find({ ...told, filter, owners: this.#visitors });
  }

  subscribes(uri: string): boolean {
    return this.isForOtherEra || this.#subscriptions.has(uri);
  }

  differs({ exchange }: LiveExchange, recorded: Message, answer: Message): void {
    noteAnswer(this.#player, exchange, { recorded, live: answer });
  }

  #receiveOne(message: Message, arrival: Arrival): boolean {
    if (!this.isForOtherEra) this.#player.options.onReceived?.(message);
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
    const asked = this.#inFlight.answered(message.id);
    if (!asked) {
      if (message.id !== undefined) this.#relay?.answer(message.id, message);
      return this.#otherEra?.answered(message);
    }
    asked.live.answer(asked.recordedId, this.#redact(message));
  }

  #notified(asked: Asked): boolean {
    const { message } = asked;
    const flawed = (asked.arrival.flaws ?? NO_FLAWS).length > 0;
    if (message.method === "notifications/cancelled" && !flawed && this.#cancelled(message)) return true;
    const found = this.#finder.find(asked);
    if (!flawed) this.#relay?.notification(message, found !== undefined);
    // A notification asks for nothing, so one that was not recorded is no miss.
    if (!found) {
      if (!flawed) this.#otherEra?.notified(message);
      return !flawed;
    }
    this.#player.tally.heard(found.recorded);
    this.#play(found, message);
    return true;
  }

  /** False when no such request is in flight: then it is a notification like any other. */
  #cancelled(message: Message): boolean {
    const id = tokenAt(message, ["params", "requestId"]);
    if (id === undefined) return false;
    const live = this.#inFlight.of(id);
    if (live) return this.#giveUp(live);
    return this.#relay?.cancel(id, message) === true || this.#otherEra?.drop(id) === true;
  }

  #giveUp(live: LiveExchange): boolean {
    const cancelled = live.cancel();
    if (!cancelled) return false;
    noteCancelled(this.#player, live.exchange, cancelled);
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
      // A client finds out about its connection as often as it likes.
      if (!isProbe(message))
        return this.#miss(message, redacted, { reason: "exhausted", series: found.series });
    }
    const why = unservable(found.recorded.exchange, this.#door, this.#player.options);
    if (why?.reason === "status" && this.#relay) return this.#forward(asked, this.#relay);
    if (why) return this.#miss(message, redacted, why);
    if (found.repeat && !isProbe(message)) {
      this.#player.tally.repeat(question.label);
    }
    if (question.inputs !== undefined && found.recorded.inputs !== question.inputs) {
      noteInputs(this.#player, found.recorded.exchange, redacted);
    }
    this.#player.tally.hit(found.recorded);
    this.#subscribe(redacted);
    noteSilence(this.#player, found.recorded.exchange, redacted);
    noteTurnedAway(this.#player, found.recorded.exchange);
    this.#play(found, message, () => this.#takeBack(found, question));
  }

  #play({ recorded, repeat }: Found, message: Message, takeBack?: () => void): void {
    const { exchange, number } = recorded;
    for (const { served } of this.#visitors) served.put(number);
    this.#begin(new LiveExchange(this, exchange, { request: message, repeat, takeBack, recorded }));
  }

  /** The recording waits for the client's next try. */
  #takeBack({ recorded, repeat, takeBack }: Found, { label }: Question): void {
    takeBack?.();
    this.#player.tally.takeBack(recorded, repeat ? label : undefined);
    if (!repeat) for (const { served } of this.#visitors) served.remove(recorded.number);
  }

  #begin(live: LiveExchange): void {
    const message = live.request;
    this.#inFlight.begin(live, this.tempo.pace !== undefined);
    if (message.method === "subscriptions/listen") {
      const filter = questionOf(this.#redact(message)).key;
      this.#player.listeners.add({ live, owners: this.#visitors, filter });
    }
    live.advance();
  }

  /** It is forgotten once nothing more is to come for it. */
  advanced(live: LiveExchange): void {
    if (live.id !== undefined && !live.pausing) this.#door.rests?.(live.id);
    this.#inFlight.forget(live);
  }

  #unrecorded(asked: Asked): void {
    const { message, redacted } = asked;
    if (this.#otherEra?.asked(asked)) return;
    const probe = probeAnswer(message, this.recording, this.#player.options.realServer?.written);
    if (probe) this.#tell(message, probe);
    else if (this.#relay) this.#forward(asked, this.#relay);
    else this.#miss(message, redacted, { reason: "unrecorded" });
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

  #miss(message: Message, redacted: Message, { answer, ...why }: Why): void {
    const miss = missOf(redacted, {
      recording: this.recording,
      cassette: this.#player.options.cassette,
      ...why,
      rules: this.#player.options.rules,
      used: ({ number }) => this.#visitors.some(({ served }) => served.has(number)),
    });
    const explanation = this.#player.miss(miss);
    this.#tell(message, answer ?? missAnswer(message, miss, explanation));
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
