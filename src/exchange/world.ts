import type { IdToken } from "../protocol/message.ts";
import type { Exchange } from "./exchange.ts";
import type { CallAt, LastHeard } from "./last-heard.ts";

/** A response of the server that no request waits for. */
export interface Stray {
  /** The recorded connection, counted from 1. */
  readonly session: number;
  readonly entry: number;
  /** Its index in a batch, -1 outside batches. */
  readonly item: number;
  readonly id: IdToken | undefined;
  /** The last request before it with this id, or with the same characters as an id of the other type. */
  readonly namesake: Exchange | undefined;
}

/** What the connections of a recording have in common. */
export interface World {
  /**
   * The exchange heard of last, on whatever connection: in the modern era a client may listen on one connection and act
   * on another, so what a listener is told follows what was done anywhere.
   */
  readonly last: LastHeard;
  readonly callAt: CallAt;
  /** A request began under the id of one that waits for its answer. */
  readonly onSameId?: ((later: Exchange, earlier: Exchange) => void) | undefined;
  readonly onStray?: ((stray: Stray) => void) | undefined;
}

/** A subscription of the modern era. */
export function isListen({ method }: Exchange): boolean {
  return method === "subscriptions/listen";
}
