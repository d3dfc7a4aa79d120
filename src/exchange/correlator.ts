import { eachMessage, type Message, readMessage } from "../protocol/message.ts";
import type { Entry } from "./entry.ts";
import type { Exchange } from "./exchange.ts";
import { Lane } from "./lane.ts";
import { type CallAt, LastHeard } from "./last-heard.ts";
import type { Seen } from "./seen.ts";
import type { Stray, World } from "./world.ts";

export interface CorrelatorOptions {
  /** All of the server's messages share one stream (stdio), so `on: get` tells nothing. */
  readonly sharedStream: boolean;
  /** Called for each exchange when its first message is seen; steps are added to it later. */
  readonly onExchange: (exchange: Exchange, opener: Message, entry: Entry) => void;
  /** Called when a request has the id of one that waits for its answer: answers are taken for the later one's. */
  readonly onSameId?: ((later: Exchange, earlier: Exchange) => void) | undefined;
  /** The exchange of a call that was taken; needed by who gives any. */
  readonly callAt?: CallAt | undefined;
  /** Called for each response that answers nothing. */
  readonly onStray?: ((stray: Stray) => void) | undefined;
}

/**
 * Sorts a recording's entries, in wire order, into exchanges. Pairing is by connection and by what links messages on
 * the wire (ids, progress tokens, subscription ids, the response stream they came on); only what bears no link is
 * placed by order, as `Lane` tells.
 */
export class Correlator {
  readonly #lanes = new Map<number, Lane>();
  readonly #options: CorrelatorOptions;
  readonly #world: World;

  constructor(options: CorrelatorOptions) {
    this.#options = options;
    const { onSameId, onStray, callAt = noCall } = options;
    this.#world = { last: new LastHeard(callAt), callAt, onSameId, onStray };
  }

  /**
   * Takes the next entry; `ordinal` counts entries from 0.
   * @param read its body, where that has been read as a message already
   */
  add(entry: Entry, ordinal: number, read?: Message): void {
    const lane = this.#lane(entry.session);
    const form = entry.body?.form;
    const isMessage = form === "message" || form === "json";
    if (entry.from === "server") {
      if (isMessage) for (const seen of seenIn(entry, ordinal, read)) lane.server(seen);
      else lane.serverBare(entry, ordinal);
    } else if (isMessage || (form !== undefined && !entry.closed))
      this.#client(lane, seenIn(entry, ordinal, read));
    else lane.clientBare(entry, ordinal);
  }

  /**
   * Takes a request and its answer, which are the next two entries of one connection and hold nothing else. Nobody is
   * told of the exchange. False when it is to be told of what else goes on: then the two are to be added singly.
   * @param entry ordinal of the request
   */
  addCall({ session, id }: { readonly session: number; readonly id: number }, entry: number): boolean {
    return this.#lane(session).call(entry, id);
  }

  /** No more entries come: what still floats is placed. */
  finish(): void {
    for (const lane of this.#lanes.values()) lane.finish();
    this.#lanes.clear();
  }

  #client(lane: Lane, all: readonly Seen[]): void {
    let first: Exchange | undefined;
    let asks = false;
    for (const seen of all) {
      const exchange = lane.client(seen);
      if (!exchange) continue;
      first ??= exchange;
      asks ||= exchange.kind === "request";
      this.#options.onExchange(exchange, seen.message, seen.entry);
    }
    if (all[0]?.entry.http && !asks) lane.posted(first);
  }

  #lane(session: number): Lane {
    let lane = this.#lanes.get(session);
    if (!lane) {
      lane = new Lane(session, this.#options.sharedStream, this.#world);
      this.#lanes.set(session, lane);
    }
    return lane;
  }
}

function noCall(entry: number): never {
  throw new Error(`no call was taken at entry ${entry}`);
}

/** The messages of an entry's frame. An empty batch, and a batch in a batch, are malformed messages. */
function seenIn(entry: Entry, ordinal: number, read?: Message): readonly Seen[] {
  const frame = read ?? readMessage(entry.body?.bytes ?? new Uint8Array());
  if (frame.kind !== "batch" || frame.scan.items.length === 0) {
    return [{ entry, ordinal, item: -1, message: frame }];
  }
  return [...eachMessage(frame)].map((message, item) => ({ entry, ordinal, item, message }));
}
