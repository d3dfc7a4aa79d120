import type { IdToken } from "../protocol/message.ts";
import type { LiveExchange } from "./live-exchange.ts";

/** A request of the recorded server that was sent to the live client. */
interface Ask {
  readonly live: LiveExchange;
  readonly recordedId: IdToken;
}

/** The exchanges of one live client that still have steps, and the server's requests in them. */
export class InFlight {
  /** By the live request's id; those of notifications apart. */
  readonly #byId = new Map<IdToken, LiveExchange>();
  readonly #asks = new Map<IdToken, Ask>();
  #nextAsk = 0;

  /** @param isPaced an answer may wait for its time */
  begin(live: LiveExchange, isPaced: boolean): void {
    const { exchange, request } = live;
    // What is but an answer is over at once, and nobody will ask for it.
    const lasts = isPaced || exchange.steps.length !== 1 || exchange.steps[0]?.role !== "outcome";
    if (lasts && request.kind === "request" && request.id !== undefined) this.#byId.set(request.id, live);
  }

  get all(): readonly LiveExchange[] {
    return [...this.#byId.values()];
  }

  of(id: IdToken): LiveExchange | undefined {
    return this.#byId.get(id);
  }

  /** Once nothing more is to come for it. */
  forget(live: LiveExchange): void {
    if (!live.done || live.id === undefined || this.#byId.size === 0) return;
    if (this.#byId.get(live.id) === live) this.#byId.delete(live.id);
  }

  /** Nothing of it is waited for any more, whatever may still be to come. */
  leave(id: IdToken): void {
    const live = this.#byId.get(id);
    this.#byId.delete(id);
    for (const [ask, asked] of this.#asks) if (asked.live === live) this.#asks.delete(ask);
  }

  /** A fresh id for a request of the server. */
  newAskId(): IdToken {
    return String(this.#nextAsk++);
  }

  ask(live: LiveExchange, recordedId: IdToken): IdToken {
    const id = this.newAskId();
    this.#asks.set(id, { live, recordedId });
    return id;
  }

  /** The server's request that a reply with this id answers; it is waited for no more. */
  answered(id: IdToken | undefined): Ask | undefined {
    const ask = id === undefined ? undefined : this.#asks.get(id);
    if (id !== undefined) this.#asks.delete(id);
    return ask;
  }
}
