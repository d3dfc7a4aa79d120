import { Hash, hashOf } from "./hash.ts";
import type { Outline } from "./outline.ts";

/** Signs by which connections of two recordings are taken for the same, from sure to likely. */
const SIGNS = [
  "says",
  "client asks in order",
  "client asks",
  "asks in order",
  "asks",
  "client",
  "any",
] as const;
type Sign = (typeof SIGNS)[number];

/**
 * Which connections of the new recording are which of the old one. Of several that show the same sign, the first is the
 * first.
 */
export function pairSessions(fresh: Outline, old: Outline): Map<number, number> {
  const [one, other] = [onlySession(fresh), onlySession(old)];
  if (one !== undefined && other !== undefined) return new Map([[one, other]]);
  const ours = signsOf(fresh);
  const theirs = signsOf(old);
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const sign of SIGNS) {
    const waiting = new Map<number, number[]>();
    for (const [session, signs] of theirs) {
      if (taken.has(session)) continue;
      const alike = waiting.get(signs[sign]);
      if (alike) alike.push(session);
      else waiting.set(signs[sign], [session]);
    }
    for (const [session, signs] of ours) {
      const found = pairs.has(session) ? undefined : waiting.get(signs[sign])?.shift();
      if (found === undefined) continue;
      pairs.set(session, found);
      taken.add(found);
    }
  }
  return pairs;
}

/** The connection of a recording of one; undefined of any other. */
export function onlySession({ sessions }: Pick<Outline, "sessions">): number | undefined {
  const [first] = sessions;
  return sessions.every((session) => session === first) ? first : undefined;
}

type Signs = Record<Sign, number>;

/** Hashes have 52 bits, so that the sum of two is exact. */
const SUMS = 2 ** 52;

/** In the order of the connections' numbers. */
function signsOf(outline: Outline): Map<number, Signs> {
  const numbers = [...new Set(outline.sessions)].sort((a, b) => a - b);
  const all = new Map(numbers.map((number) => [number, { says: 0, asks: 0, order: new Hash(), client: 0 }]));
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const signs = all.get(outline.sessions[ordinal] as number);
    if (signs) signs.says = (signs.says + (outline.says[ordinal] as number)) % SUMS;
  }
  for (const { exchange, key, client } of outline.exchanges) {
    const signs = all.get(exchange.session);
    if (!signs) continue;
    const hash = hashOf(key);
    signs.asks = (signs.asks + hash) % SUMS;
    signs.order.number(hash);
    if (signs.client === 0 && client !== undefined) signs.client = hashOf(client);
  }
  return new Map(
    [...all].map(([number, { says, asks, order, client }]) => {
      const inOrder = order.value;
      return [
        number,
        {
          says,
          "client asks in order": new Hash().number(client).number(inOrder).value,
          "client asks": new Hash().number(client).number(asks).value,
          "asks in order": inOrder,
          asks,
          client,
          any: 0,
        },
      ];
    }),
  );
}
