import { type IdToken, type Message, readMessage } from "../../protocol/message.ts";
import type { Pending } from "./in-flight.ts";

const INITIALIZED = readMessage(
  new TextEncoder().encode('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
);

/**
 * Opens a legacy session at the real server as the live client opened its own, by the very same `initialize`, before
 * the first request that needs one. The modern era opens nothing.
 */
export class Opening {
  /** The live client's own. */
  #initialize: Message | undefined;
  /** The client's `initialize` was forwarded itself, so its `initialized` is to follow. */
  byClient = false;
  #phase: "closed" | "asked" | "open" = "closed";

  /** Something has gone out that is no opening. */
  over = false;

  /** What must be sent before a request; `wait` while that is under way, undefined when nothing need be. */
  before({
    message,
    modern,
    live,
  }: Pick<Pending, "message" | "modern" | "live">): Message | "wait" | undefined {
    if (this.#phase === "asked") return "wait";
    this.#initialize = live.initialize;
    this.byClient ||= message === live.initialize;
    if (this.byClient || !live.initialize) this.#phase = "open";
    this.over ||= modern || this.#phase === "open";
    if (modern || this.#phase === "open") return undefined;
    this.#phase = "asked";
    return live.initialize;
  }

  /** The server's answer to an `initialize` of ours would bear this id. */
  awaits(id: IdToken): boolean {
    return this.#phase === "asked" && id === this.#initialize?.id;
  }

  /** The server answered; returns what it is told then. */
  answered(): Message {
    this.#phase = "open";
    return INITIALIZED;
  }

  reset(): void {
    this.#phase = "closed";
    this.byClient = false;
    this.over = false;
  }
}
