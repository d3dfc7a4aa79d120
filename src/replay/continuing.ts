import type { IdToken, Message } from "../protocol/message.ts";
import type { InFlight } from "./in-flight.ts";
import type { Waiting } from "./live-asks.ts";
import { LiveExchange, type Stage } from "./live-exchange.ts";

/** Leaves recorded exchanges where they wait for their client, and goes on with them there under other requests. */
export class Continuing {
  readonly #stage: Stage;
  readonly #inFlight: InFlight;
  readonly #begin: (live: LiveExchange) => void;

  constructor(stage: Stage, inFlight: InFlight, begin: (live: LiveExchange) => void) {
    this.#stage = stage;
    this.#inFlight = inFlight;
    this.#begin = begin;
  }

  /** Where the exchange of a live request stands. */
  waiting(id: IdToken): Waiting | undefined {
    return this.#inFlight.of(id)?.waiting;
  }

  /** Goes on with an exchange where it waited, with what its client replied. */
  goOn(request: Message, from: Waiting, replies: ReadonlyMap<IdToken, Message>): void {
    const { exchange, position, repeat } = from;
    this.#begin(new LiveExchange(this.#stage, exchange, { request, repeat, from: { position, replies } }));
  }

  /** Takes the recorded reply to a request of the server, by its live id, for the client's. */
  replyAsRecorded(ask: IdToken): void {
    const asked = this.#inFlight.answered(ask);
    if (!asked) return;
    const { live, recordedId } = asked;
    const reply = live.exchange.steps.find(({ role, id }) => role === "reply" && id === recordedId);
    if (reply) live.answer(recordedId, this.#stage.recording.at(reply).message);
  }

  /** The client cannot be asked what it is asked here: the recording is still there for its next try. */
  takeBack(id: IdToken): void {
    this.#inFlight.of(id)?.takeBack?.();
  }

  /** Plays the exchange of a live request no further. */
  leave(id: IdToken): void {
    this.#inFlight.leave(id);
  }
}
