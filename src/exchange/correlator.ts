import { eachMessage, type Message, readMessage } from "../protocol/message.ts";
import type { Entry } from "./entry.ts";
import type { Exchange } from "./exchange.ts";
import { Lane, type Seen } from "./lane.ts";

export interface CorrelatorOptions {
  /** All of the server's messages share one stream (stdio), so `on: get` tells nothing. */
  readonly sharedStream: boolean;
  /** Called for each exchange when its first message is seen; steps are added to it later. */
  readonly onExchange: (exchange: Exchange, opener: Message, entry: Entry) => void;
}

/**
 * Sorts a recording's entries, in wire order, into exchanges. Pairing is by connection and by what links messages on
 * the wire (ids, progress tokens, subscription ids, the response stream they came on); only what bears no link is
 * placed by order, as `Lane` tells.
 */
export class Correlator {
  readonly #lanes = new Map<number, Lane>();
  readonly #options: CorrelatorOptions;

  constructor(options: CorrelatorOptions) {
    this.#options = options;
  }

  /** Takes the next entry; `ordinal` counts entries from 0. */
  add(entry: Entry, ordinal: number): void {
    const lane = this.#lane(entry.session);
    const form = entry.body?.form;
    if (entry.body === undefined || form === "text" || form === "base64") {
      lane.bare(entry, ordinal, this.#options.onExchange);
      return;
    }
    const frame = readMessage(entry.body.bytes);
    let item = frame.kind === "batch" ? 0 : -1;
    for (const message of eachMessage(frame)) {
      const seen: Seen = { entry, ordinal, item, message };
      if (entry.from === "client") lane.client(seen, this.#options.onExchange);
      else lane.server(seen);
      item += 1;
    }
  }

  /** No more entries come: what still floats is placed. */
  finish(): void {
    for (const lane of this.#lanes.values()) lane.finish();
  }

  #lane(session: number): Lane {
    let lane = this.#lanes.get(session);
    if (!lane) {
      lane = new Lane(session, this.#options.sharedStream);
      this.#lanes.set(session, lane);
    }
    return lane;
  }
}
