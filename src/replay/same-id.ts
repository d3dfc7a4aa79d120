import type { Exchange } from "../exchange/exchange.ts";

/**
 * What to say of two requests that wait for their answers under one id.
 * @param placeOf where an entry stands, as `file:line`
 */
export function sameIdNotice(
  later: Exchange,
  earlier: Exchange,
  placeOf: (ordinal: number) => string,
): string {
  const line = placeOf(earlier.entry).split(":").at(-1);
  return (
    `${placeOf(later.entry)}: the request with id ${later.id} is asked while the one of line ${line}, ` +
    "with the same id, waits for its answer: that one stays without.\n" +
    "  Give one of the two, and its answer, another id."
  );
}
