import type { Exchange } from "../exchange/exchange.ts";
import { Affinity } from "./affinity.ts";

/** What is remembered of one live client: which recordings it was given, and which recorded client it stands for. */
export class Visitor {
  readonly affinity = new Affinity();
  readonly served = new Set<Exchange>();
}

/**
 * Who may have sent a message. Mostly it is known; over HTTP of the modern era, where nothing on the wire tells clients
 * of one name apart, several may have. What is in doubt counts for all of them.
 */
export type Visitors = readonly [Visitor, ...Visitor[]];
