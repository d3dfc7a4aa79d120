import type { IdToken, Message } from "../protocol/message.ts";
import type { HttpSession } from "./http-session.ts";

/** One client as far as requests without a session id show it. */
interface Caller {
  readonly session: HttpSession;
  readonly seen: Set<IdToken>;
  readonly connections: Set<object>;
  /** Clients count their ids: the last number behind each prefix (`7`, `"call-0"`). */
  readonly counts: Map<string, number>;
}

/**
 * Whose request is this, where a legacy server gave no session ids? A client opens with `initialize`, as everywhere in
 * that era; after it, clients are told apart by their TCP connections, and by ids, which a client counts up by one and
 * never uses twice.
 */
export class Callers {
  readonly #begin: () => HttpSession;
  #callers: Caller[] = [];

  constructor(begin: () => HttpSession) {
    this.#begin = begin;
  }

  of(message: Message, connection: object | undefined): HttpSession {
    const known = message.method === "initialize" ? undefined : this.#find(message.id, connection);
    const caller = known ?? this.#add();
    if (message.id !== undefined) {
      const { prefix, number } = counted(message.id);
      caller.seen.add(message.id);
      caller.counts.set(prefix, Math.max(number, caller.counts.get(prefix) ?? number));
    }
    if (connection) caller.connections.add(connection);
    return caller.session;
  }

  /** The TCP connection is closed: a client that comes on a new one may be the same. */
  disconnected(connection: object): void {
    for (const caller of this.#callers) caller.connections.delete(connection);
  }

  #find(id: IdToken | undefined, connection: object | undefined): Caller | undefined {
    const possible = this.#callers.filter((caller) => id === undefined || !caller.seen.has(id));
    const here = connection ? possible.filter((caller) => caller.connections.has(connection)) : possible;
    if (id === undefined) return here.at(-1) ?? possible.at(-1);
    const { prefix, number } = counted(id);
    // Requests sent at once may arrive in another order than they were counted.
    const nearest = (callers: readonly Caller[]) => nearestTo(number, prefix, callers);
    const uncounted = possible.filter((caller) => !caller.counts.has(prefix));
    return (
      nearest(here) ??
      here[0] ??
      nearest(possible) ??
      (uncounted.length === 1 ? uncounted[0] : undefined) ??
      possible.findLast((caller) => caller.connections.size === 0)
    );
  }

  #add(): Caller {
    const caller: Caller = {
      session: this.#begin(),
      seen: new Set(),
      connections: new Set(),
      counts: new Map(),
    };
    this.#callers.push(caller);
    // A mock that runs for days forgets clients long gone.
    if (this.#callers.length > MOST_CALLERS) this.#callers = this.#callers.slice(-MOST_CALLERS / 2);
    return caller;
  }
}

const MOST_CALLERS = 2_000;
/** How far from its last id a client's next one may be. */
const NEAR = 16;

/** Whose last id is nearest to the one that would come before this; of equals, the one who came last. */
function nearestTo(number: number, prefix: string, callers: readonly Caller[]): Caller | undefined {
  let best: Caller | undefined;
  let least = NEAR - 1;
  for (const caller of callers) {
    const distance = Math.abs(number - 1 - (caller.counts.get(prefix) ?? Number.NaN));
    if (distance > least || Number.isNaN(distance)) continue;
    best = caller;
    least = distance;
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
