import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import type { IdToken, JsonValue, Message } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import type { HttpSession } from "./http-session.ts";

/** One client as far as requests without a session id show it. */
interface Guest {
  readonly session: HttpSession;
  readonly clientInfo: string | undefined;
  readonly seen: Set<IdToken>;
  readonly connections: Set<object>;
  /** Clients count their ids: the last number behind each prefix (`7`, `"listen:0"`). */
  readonly counts: Map<string, number>;
}

/**
 * Whose request is this? Where the protocol has no sessions (the modern era, stateless servers), clients are told
 * apart by what they cannot share: a name, a TCP connection, ids that a client never uses twice and counts up by one.
 */
export class Guests {
  readonly #begin: () => HttpSession;
  #guests: Guest[] = [];

  constructor(begin: () => HttpSession) {
    this.#begin = begin;
  }

  of(message: Message, params: JsonValue | undefined, connection: object | undefined): HttpSession {
    const info = memberAt(params, "_meta", META.clientInfo) ?? memberAt(params, "clientInfo");
    const clientInfo = info === undefined ? undefined : canonicalJson(info);
    const guest = this.#find(message.id, clientInfo, connection) ?? this.#add(clientInfo);
    if (message.id !== undefined) {
      const { prefix, number } = counted(message.id);
      guest.seen.add(message.id);
      guest.counts.set(prefix, Math.max(number, guest.counts.get(prefix) ?? number));
    }
    if (connection) guest.connections.add(connection);
    return guest.session;
  }

  /** The TCP connection is closed: a client that comes on a new one may be the same. */
  disconnected(connection: object): void {
    for (const guest of this.#guests) guest.connections.delete(connection);
  }

  #find(
    id: IdToken | undefined,
    clientInfo: string | undefined,
    connection: object | undefined,
  ): Guest | undefined {
    const possible = this.#guests.filter(
      (guest) => guest.clientInfo === clientInfo && (id === undefined || !guest.seen.has(id)),
    );
    const here = connection ? possible.filter((guest) => guest.connections.has(connection)) : possible;
    if (id === undefined) return here.at(-1) ?? possible.at(-1);
    const { prefix, number } = counted(id);
    // Requests sent at once may arrive in another order than they were counted.
    const nearest = (guests: readonly Guest[]) => nearestTo(number, prefix, guests);
    const uncounted = possible.filter((guest) => !guest.counts.has(prefix));
    return (
      nearest(here) ??
      here[0] ??
      nearest(possible) ??
      (uncounted.length === 1 ? uncounted[0] : undefined) ??
      possible.findLast((guest) => guest.connections.size === 0)
    );
  }

  #add(clientInfo: string | undefined): Guest {
    const guest: Guest = {
      session: this.#begin(),
      clientInfo,
      seen: new Set(),
      connections: new Set(),
      counts: new Map(),
    };
    this.#guests.push(guest);
    // A mock that runs for days forgets clients long gone.
    if (this.#guests.length > MOST_GUESTS) this.#guests = this.#guests.slice(-MOST_GUESTS / 2);
    return guest;
  }
}

const MOST_GUESTS = 2_000;
/** How far from its last id a client's next one may be. */
const NEAR = 16;

/** The guest whose last id is nearest to the one that would come before this. */
function nearestTo(number: number, prefix: string, guests: readonly Guest[]): Guest | undefined {
  let best: Guest | undefined;
  let least = NEAR;
  for (const guest of guests) {
    const distance = Math.abs(number - 1 - (guest.counts.get(prefix) ?? Number.NaN));
    if (distance < least) {
      best = guest;
      least = distance;
    }
  }
  return best;
}

/** An id token as what stands before its last number, and the number; NaN where there is none. */
function counted(id: IdToken): { prefix: string; number: number } {
  const match = /^(.*?)(\d{1,15})("?)$/.exec(id);
  return match
    ? { prefix: `${match[1]}${match[3]}`, number: Number(match[2]) }
    : { prefix: id, number: Number.NaN };
}
