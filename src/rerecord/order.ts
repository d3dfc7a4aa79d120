import type { Outline } from "./outline.ts";
import { NONE } from "./pairing.ts";

/**
 * The order of the merged recording, as ordinals of the new one: what is in both stands as it stood in the old
 * recording, and what is new comes after what it came after, within its exchange.
 * @param olds by ordinals of the new recording: the old ordinal, or `NONE`
 */
export function orderAsBefore(fresh: Outline, olds: Int32Array): number[] {
  const places = new Int32Array(fresh.count);
  const lastOf = { session: new Map<number, number>(), exchange: new Map<number, number>() };
  const nextOf = nextPlaces(fresh, olds);
  for (let ordinal = 0; ordinal < fresh.count; ordinal++) {
    const session = fresh.sessions[ordinal] as number;
    const home = fresh.homes[ordinal] as number;
    const old = olds[ordinal] as number;
    const before = lastOf.session.get(session) ?? places[ordinal - 1] ?? NONE;
    const inExchange = (home === NONE ? undefined : lastOf.exchange.get(home)) ?? NONE;
    const after = Math.max(before, inExchange);
    const place = old !== NONE ? old : after < (nextOf[ordinal] as number) ? after : inExchange;
    places[ordinal] = place;
    lastOf.session.set(session, place);
    if (home !== NONE) lastOf.exchange.set(home, Math.max(place, inExchange));
  }
  const order = Array.from({ length: fresh.count }, (_, ordinal) => ordinal);
  // At one place, what was there before comes first, and then what is new, as it came.
  const rank = (ordinal: number) => (olds[ordinal] === NONE ? 1 : 0);
  return order.sort((a, b) => (places[a] as number) - (places[b] as number) || rank(a) - rank(b) || a - b);
}

/** Of each entry: the old ordinal of the next entry of its exchange that is in both. */
function nextPlaces(fresh: Outline, olds: Int32Array): Float64Array {
  const next = new Float64Array(fresh.count).fill(Number.POSITIVE_INFINITY);
  const ofExchange = new Map<number, number>();
  for (let ordinal = fresh.count - 1; ordinal >= 0; ordinal--) {
    const home = fresh.homes[ordinal] as number;
    if (home === NONE) continue;
    next[ordinal] = ofExchange.get(home) ?? Number.POSITIVE_INFINITY;
    if (olds[ordinal] !== NONE) ofExchange.set(home, olds[ordinal] as number);
  }
  return next;
}
