import type { Exchange } from "../exchange/exchange.ts";
import type { LiveExchange } from "./live-exchange.ts";
import type { Visitors } from "./visitor.ts";

interface Listener {
  readonly live: LiveExchange;
  /** Who may have sent it. */
  readonly owners: Visitors;
  /** What it listens for: the key of its request. */
  readonly filter: string;
}

interface Search {
  /** The recorded `subscriptions/listen` that was told. */
  readonly listen: Exchange;
  readonly filter: string;
  /** The exchange that sets the notification off. */
  readonly trigger: Exchange;
  /** Who may have sent that. */
  readonly owners: Visitors;
}

/**
 * The open `subscriptions/listen` requests of the modern era. There a change is the server's, not a connection's, and a
 * client may listen on one connection and act on another; so all are looked through, the own ones first.
 */
export class Listeners {
  #all: Listener[] = [];

  add(listener: Listener): void {
    this.#all = this.#all.filter(({ live }) => live.open);
    this.#all.push(listener);
  }

  /**
   * Who is to hear what a recorded listener heard: the live requests that play its part, else those that listen for
   * the same and are not told by a notification of their own. A client hears all that it listens for; of other clients
   * one does, the newest.
   */
  find({ listen, filter, trigger, owners }: Search): readonly LiveExchange[] {
    const told = new Set(trigger.steps.map((step) => step.listener));
    const open = this.#all.filter(({ live }) => live.open);
    const isOwn = (listener: Listener) => listener.owners.some((owner) => owners.includes(owner));
    const playing = (listener: Listener) => listener.live.exchange === listen;
    const alike = (listener: Listener) => listener.filter === filter && !told.has(listener.live.exchange);
    for (const fits of [playing, alike]) {
      const fitting = open.filter(fits);
      const own = fitting.filter(isOwn);
      const heard = own.length > 0 ? own : fitting.slice(-1);
      if (heard.length > 0) return heard.map(({ live }) => live);
    }
    return [];
  }
}
