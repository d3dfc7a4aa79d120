import type { Exchange } from "./exchange.ts";

/** What the connections of a recording have in common. */
export interface World {
  /**
   * The exchange heard of last, on whatever connection: in the modern era a client may listen on one connection and act
   * on another, so what a listener is told follows what was done anywhere.
   */
  last: Exchange | undefined;
  /** A request began under the id of one that waits for its answer. */
  readonly onSameId?: ((later: Exchange, earlier: Exchange) => void) | undefined;
}

/** A subscription of the modern era. */
export function isListen({ method }: Exchange): boolean {
  return method === "subscriptions/listen";
}
