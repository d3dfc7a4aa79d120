import type { Exchange } from "./exchange.ts";

/** Makes the exchange of a call out of its place; the same one each time. */
export type CallAt = (entry: number) => Exchange;

/** The exchange that something was heard of last. A call is made one when somebody asks for it. */
export class LastHeard {
  readonly #callAt: CallAt;
  #exchange: Exchange | undefined;
  /** The entry of a call, where that was the last. */
  #call: number | undefined;

  constructor(callAt: CallAt) {
    this.#callAt = callAt;
  }

  get exchange(): Exchange | undefined {
    if (this.#call !== undefined) this.heard(this.#callAt(this.#call));
    return this.#exchange;
  }

  heard(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#call = undefined;
  }

  called(entry: number): void {
    this.#call = entry;
  }
}
