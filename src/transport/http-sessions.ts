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
  last: IdToken | undefined;
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
      guest.seen.add(message.id);
      guest.last = message.id;
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
    if (!connection) return possible.at(-1);
    return (
      possible.find((guest) => guest.connections.has(connection)) ??
      possible.find((guest) => follows(id, guest.last)) ??
      possible.findLast((guest) => guest.connections.size === 0)
    );
  }

  #add(clientInfo: string | undefined): Guest {
    const guest: Guest = {
      session: this.#begin(),
      clientInfo,
      seen: new Set(),
      connections: new Set(),
      last: undefined,
    };
    this.#guests.push(guest);
    // A mock that runs for days forgets clients long gone.
    if (this.#guests.length > MOST_GUESTS) this.#guests = this.#guests.slice(-MOST_GUESTS / 2);
    return guest;
  }
}

const MOST_GUESTS = 2_000;

function follows(id: IdToken | undefined, last: IdToken | undefined): boolean {
  return id !== undefined && last !== undefined && /^\d{1,15}$/.test(id) && Number(id) === Number(last) + 1;
}
