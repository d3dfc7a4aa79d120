import type { Exchange, Step } from "../exchange/exchange.ts";
import type { Outlined } from "./outline.ts";

/**
 * What an entry belongs by, apart from what its message says: the response stream it came on. `APART`: what the server
 * asks for itself (on the standalone stream; for roots, where one stream carries everything), and the answer to it.
 */
export const UNTIED = 0;
export const BY_STREAM = 1;
export const APART = 2;

/** No exchange is this entry's. */
const LOOSE = -1;

export interface HomesParts {
  readonly count: number;
  readonly exchanges: readonly Outlined[];
  /** Of each entry: what ties it to an exchange, or frees it. */
  readonly ties: Uint8Array;
  /** One stream carries everything. */
  readonly shared: boolean;
  /** Of an entry on a response stream: the ordinal of the request that the stream is of. */
  readonly streamOf: (ordinal: number) => number | undefined;
}

/** Of each entry, the index of the exchange whose it is; -1 where it is of none. */
export function homesOf(parts: HomesParts): Int32Array {
  const { count, exchanges, ties, streamOf } = parts;
  const homes = new Int32Array(count).fill(LOOSE);
  const claim = (ordinal: number, home: number) => {
    if (homes[ordinal] === LOOSE) homes[ordinal] = home;
  };
  let byExchange: ReadonlyMap<Exchange, number> | undefined;
  for (const { exchange, index } of exchanges) {
    claim(exchange.entry, index);
    for (const step of exchange.steps) {
      if (step.listener) {
        byExchange ??= new Map(exchanges.map((each) => [each.exchange, each.index]));
        claim(step.entry, byExchange.get(step.listener) ?? LOOSE);
      } else if (!isLoose(step, parts)) claim(step.entry, index);
    }
  }
  // HTTP facts of a response stream are no step, but belong to the request that the stream is of.
  for (let ordinal = 0; ordinal < count; ordinal++) {
    if (homes[ordinal] !== LOOSE || ties[ordinal] !== BY_STREAM) continue;
    const request = streamOf(ordinal);
    if (request !== undefined) claim(ordinal, homes[request] ?? LOOSE);
  }
  return homes;
}

/**
 * It stands where it happened to come: the end of a connection; what the server told while no request was open, or
 * asked for itself; and, where one stream carries everything, what bears no sign of a request, log lines above all.
 */
function isLoose(
  { role, entry, standalone, progress, takesBack }: Step,
  { ties, shared }: HomesParts,
): boolean {
  if (role === "crash") return true;
  if (role === "send" && (progress || takesBack !== undefined)) return false;
  if (role === "send" && standalone) return true;
  return ties[entry] === APART || (role === "send" && shared && ties[entry] === UNTIED);
}
