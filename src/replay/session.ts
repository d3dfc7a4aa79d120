import type { Exchange } from "../exchange/exchange.ts";
import {
  eachMessage,
  type IdToken,
  type JsonValue,
  jsonOf,
  type Message,
  textOf,
} from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import { META } from "../protocol/revisions.ts";
import { findSpan } from "../protocol/scan-json.ts";
import type { Action } from "./action.ts";
import { Affinity } from "./affinity.ts";
import { paramsOf, type Question, questionOf } from "./key.ts";
import { LiveExchange, type Stage } from "./live-exchange.ts";
import { MISS_CODE, type MissReason, missOf } from "./miss.ts";
import { Pacer } from "./pacer.ts";
import type { DoorSide, Player } from "./player.ts";
import { probeAnswer } from "./probes.ts";
import { keyWith, type Recorded, type Recording } from "./recording.ts";

/** How a message came in, where that matters: over HTTP. */
export interface Arrival {
  /** What was improper about the HTTP request, as `flawsOf` names it. */
  readonly flaws?: readonly string[] | undefined;
  /** The `authorization` header, redacted as the recording is. */
  readonly authorization?: string | undefined;
}

const NO_FLAWS: readonly string[] = [];

/** One live client of a player. */
export class PlayerSession implements Stage {
  readonly recording: Recording;
  readonly #player: Player;
  readonly #door: DoorSide;
  readonly #pacer: Pacer;
  readonly #affinity = new Affinity();
  readonly #served = new Set<Exchange>();
  /** Live exchanges that still have steps, by the live request's id; those of notifications apart. */
  readonly #byId = new Map<IdToken, LiveExchange>();
  readonly #asks = new Map<IdToken, { readonly live: LiveExchange; readonly recordedId: IdToken }>();
  readonly #subscriptions = new Set<string>();
  #nextAsk = 0;

  constructor(player: Player, door: DoorSide) {
    this.#player = player;
    this.recording = player.recording;
    this.#door = door;
    this.#pacer = new Pacer((action) => door.act(action), door.timer);
  }

  /**
   * A message of the client. False when a flawed request (see `Arrival`) was not recorded as such: the door answers
   * it by the rules of its transport, and it is no miss.
   */
  receive(message: Message, arrival: Arrival = {}): boolean {
    switch (message.kind) {
      case "response":
        this.#answer(message);
        return true;
      case "batch":
        for (const one of eachMessage(message)) this.receive(one, arrival);
        return true;
      case "notification":
        this.#notified(message, arrival);
        return true;
      default:
        return this.#asked(message, arrival);
    }
  }

  /** The client dropped the response stream of a request: in the modern era that cancels it. */
  drop(id: IdToken): void {
    this.#pacer.drop(id);
    this.#byId.get(id)?.cancel();
  }

  /** No more is received: what still waits is sent now. */
  flush(): void {
    this.#pacer.flush();
  }

  /** The client came back to an ended stream, or the door has none that could end. */
  resume(id: IdToken): void {
    this.#byId.get(id)?.resume();
  }

  act(action: Action, live: LiveExchange): void {
    if (action.type !== "status" || this.#door.carriesStatus) return this.#pacer.act(action);
    this.#miss(live.request, this.#redact(live.request), "status");
  }

  ask(live: LiveExchange, recordedId: IdToken): IdToken {
    const id = String(this.#nextAsk++);
    this.#asks.set(id, { live, recordedId });
    return id;
  }

  listener(listen: Exchange, trigger: Exchange): LiveExchange | undefined {
    const filter = questionOf(this.recording.at(listen).message).key;
    return this.#player.listeners.find({ listen, filter, trigger, owner: this });
  }

  subscribes(uri: string): boolean {
    return this.#subscriptions.has(uri);
  }

  differs(live: LiveExchange, recorded: Message, answer: Message): void {
    this.#differs(this.recording.at(live.exchange).message, jsonOf(recorded), jsonOf(answer));
  }

  #differs(request: Message, recorded: JsonValue, live: JsonValue): void {
    const label = labelOf(request.method ?? "", paramsOf(request));
    this.#player.tally.differentAnswers.push({ label, recorded, live });
  }

  #answer(message: Message): void {
    const asked = message.id === undefined ? undefined : this.#asks.get(message.id);
    if (!asked || message.id === undefined) return;
    this.#asks.delete(message.id);
    asked.live.answer(asked.recordedId, this.#redact(message));
  }

  #notified(message: Message, arrival: Arrival): void {
    if (message.method === "notifications/cancelled") {
      const span = findSpan(message.bytes, ["params", "requestId"]);
      const id = span && textOf(message.bytes.subarray(span.start, span.end));
      if (id !== undefined) this.#pacer.drop(id);
      const live = id === undefined ? undefined : this.#byId.get(id);
      if (live) return live.cancel();
    }
    const question = questionOf(this.#redact(message));
    const choice = this.#affinity.choose(
      this.recording.answersTo(question.key),
      question,
      arrival.authorization,
    );
    // A notification asks for nothing, so one that was not recorded is no miss.
    if (!choice) return;
    this.#player.tally.heard(choice.recorded);
    this.#play(choice.recorded, message);
  }

  #asked(message: Message, arrival: Arrival): boolean {
    const flaws = arrival.flaws ?? NO_FLAWS;
    const redacted = this.#redact(message);
    const question = questionOf(redacted);
    const choice = this.#affinity.choose(this.#candidates(question, flaws), question, arrival.authorization);
    if (!choice) return flaws.length === 0 ? this.#unrecorded(message, redacted) : false;
    if (choice.repeat && this.#player.options.strict) {
      this.#miss(message, redacted, "exhausted");
      return true;
    }
    if (choice.repeat) this.#player.tally.repeat(labelOf(message.method ?? "malformed", paramsOf(redacted)));
    if (choice.inputsDiffer && question.inputs !== undefined) this.#inputsDiffer(choice.recorded, redacted);
    this.#player.tally.hit(choice.recorded);
    this.#subscribe(message);
    this.#play(choice.recorded, message);
    return true;
  }

  #candidates(question: Question, flaws: readonly string[]): readonly Recorded[] {
    if (flaws.length === 0 && question.key.startsWith("initialize ")) {
      const first = this.recording.firstAnswerTo(question);
      if (first) return [first];
    }
    return this.recording.answersTo(keyWith(flaws, question.key));
  }

  #play(recorded: Recorded, message: Message): void {
    const live = new LiveExchange(this, recorded.exchange, message);
    this.#served.add(recorded.exchange);
    if (message.id !== undefined) this.#byId.set(message.id, live);
    if (message.method === "subscriptions/listen") {
      this.#player.listeners.add({ live, owner: this, filter: questionOf(this.#redact(message)).key });
    }
    live.advance();
    if (live.done && message.id !== undefined && this.#byId.get(message.id) === live)
      this.#byId.delete(message.id);
  }

  #unrecorded(message: Message, redacted: Message): boolean {
    const probe = probeAnswer(message, this.recording);
    if (probe) this.#pacer.act({ type: "outcome", bytes: probe, on: message.id, after: 0 });
    else this.#miss(message, redacted, eraMismatch(message, this.recording) ? "era" : "unrecorded");
    return true;
  }

  #miss(message: Message, redacted: Message, reason: MissReason): void {
    const miss = missOf(redacted, {
      recording: this.recording,
      cassette: this.#player.options.cassette,
      reason,
      used: (recorded) => this.#served.has(recorded.exchange),
    });
    const explanation = this.#player.miss(miss);
    const error = JSON.stringify({ code: MISS_CODE, message: `mcp-vcr: ${explanation}`, data: miss });
    const bytes = new TextEncoder().encode(`{"jsonrpc":"2.0","id":${message.id ?? "null"},"error":${error}}`);
    this.#pacer.act({ type: "outcome", bytes, on: message.id, after: 0 });
  }

  #inputsDiffer(recorded: Recorded, live: Message): void {
    const request = this.recording.at(recorded.exchange).message;
    this.#differs(request, inputsOf(request), inputsOf(live));
  }

  #subscribe(message: Message): void {
    if (message.method !== "resources/subscribe" && message.method !== "resources/unsubscribe") return;
    const span = findSpan(message.bytes, ["params", "uri"]);
    if (!span) return;
    const uri = textOf(message.bytes.subarray(span.start, span.end));
    if (message.method === "resources/subscribe") this.#subscriptions.add(uri);
    else this.#subscriptions.delete(uri);
  }

  #redact(message: Message): Message {
    return this.#player.options.redact?.(message) ?? message;
  }
}

function inputsOf(message: Message): JsonValue {
  const span = findSpan(message.bytes, ["params", "inputResponses"]);
  return span ? (JSON.parse(textOf(message.bytes.subarray(span.start, span.end))) as JsonValue) : null;
}

/** `initialize` asked of a modern recording, or a modern request of a legacy one. */
function eraMismatch(message: Message, recording: Recording): boolean {
  if (message.method === "initialize") return recording.era === "modern";
  const modern = findSpan(message.bytes, ["params", "_meta", META.protocolVersion]);
  return modern !== undefined && recording.era === "legacy";
}
