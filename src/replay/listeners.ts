import type { Exchange } from "../exchange/exchange.ts";
import type { LiveExchange } from "./live-exchange.ts";

interface Listener {
  readonly live: LiveExchange;
  /** The session it came on. */
  readonly owner: object;
  /** What it listens for: the key of its request. */
  readonly filter: string;
}

interface Search {
  /** The recorded `subscriptions/listen` that was told. */
  readonly listen: Exchange;
  readonly filter: string;
  /** The exchange that sets the notification off. */
  readonly trigger: Exchange;
  readonly owner: object;
}

/**
 * The open `subscriptions/listen` requests of the modern era. There a change is the server's, not a connection's, and a
 * client may listen on one connection and act on another; so all sessions are looked through, the own one first.
 */
export class Listeners {
  #all: Listener[] = [];

  add(listener: Listener): void {
    this.#all = this.#all.filter(({ live }) => live.open);
    this.#all.push(listener);
  }

  /**
   * Who is to hear what a recorded listener heard: the live request that plays its part, else the newest that listens
   * for the same and is not told by a notification of its own.
   */
  find({ listen, filter, trigger, owner }: Search): LiveExchange | undefined {
    const open = this.#all.filter(({ live }) => live.open);
    const own = open.filter((listener) => listener.owner === owner);
    const playing = (listener: Listener) => listener.live.exchange === listen;
    const found = own.findLast(playing) ?? open.findLast(playing);
    if (found) return found.live;
    const told = new Set(trigger.steps.map((step) => step.listener));
    const alike = (listener: Listener) => listener.filter === filter && !told.has(listener.live.exchange);
    return (own.findLast(alike) ?? open.findLast(alike))?.live;
  }
}
