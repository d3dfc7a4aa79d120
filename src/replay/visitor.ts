import { Affinity } from "./affinity.ts";
import type { Forwarder } from "./forward/forwarder.ts";
import { Marks } from "./marks.ts";

/** What is remembered of one live client: which recordings it was given, and which recorded client it stands for. */
export class Visitor {
  readonly affinity = new Affinity();
  /** Which recordings it was given, by their numbers. */
  readonly served = new Marks();
  /** How often it asked what the recording does not hold, by key. */
  readonly unrecorded = new Map<string, number>();
  /** Its connections to the real server: one at most, unless two requests at once bear one id. */
  readonly forwarders: Forwarder[] = [];
}

/**
 * Who may have sent a message. Mostly it is known; over HTTP of the modern era, where nothing on the wire tells clients
 * of one name apart, several may have. What is in doubt counts for all of them.
 */
export type Visitors = readonly [Visitor, ...Visitor[]];
