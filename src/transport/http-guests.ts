import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import type { IdToken, JsonValue, Message } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import type { Visitor, Visitors } from "../replay/visitor.ts";

/** One client, as far as its requests show it. */
interface Guest {
  readonly visitor: Visitor;
  /** Ids that are its own for certain. */
  readonly ids: Set<IdToken>;
}

/** All that call themselves the same. */
interface Namesakes {
  /** In the order of their coming, never empty once one came. */
  guests: Guest[];
  /** TCP connections that requests of this name came over, and that stand. */
  readonly connections: Set<object>;
}

/**
 * Whose request is this? In the modern era nothing on the wire says so: there are no sessions, and connections are
 * shared (2026-07-28 basic/index). Taken as certain is only this:
 *
 * - A client keeps its name, `clientInfo`.
 * - A client begins by asking `server/discover`, so each of these is another client's; one of a name that never asks it
 *   is one client.
 * - A client never gives two requests one id.
 * - Once no connection stands over which a name was used, whoever asks `server/discover` finds nobody of it left.
 *
 * A request is from a client of its name that did not use its id before. Where that leaves several, it may be from any:
 * it is answered as the one that got furthest would be, and counts for all of them. Hence the law of this class, in
 * whatever order requests come and over whatever connections:
 *
 * - Clients of different names are each as if alone, and so is a client whose namesakes are gone.
 * - No client is answered with what was recorded before something that it was answered with already.
 *
 * Where a name's ids leave nobody (a client that uses one id for everything), anybody of it is meant.
 */
export class Guests {
  readonly #welcome: () => Visitor;
  readonly #byName = new Map<string, Namesakes>();

  constructor(welcome: () => Visitor) {
    this.#welcome = welcome;
  }

  of(message: Message, params: JsonValue | undefined, connection: object = UNKNOWN): Visitors {
    const info = memberAt(params, "_meta", META.clientInfo);
    const namesakes = this.#named(info === undefined ? "" : canonicalJson(info));
    const begins = message.method === "server/discover";
    if (begins && namesakes.connections.size === 0) namesakes.guests = [];
    namesakes.connections.add(connection);
    if (begins || namesakes.guests.length === 0) this.#add(namesakes);
    const [first, ...others] = possible(namesakes.guests, message.id, begins) as [Guest, ...Guest[]];
    if (others.length === 0 && message.id !== undefined) first.ids.add(message.id);
    return [first.visitor, ...others.map(({ visitor }) => visitor)];
  }

  /** The TCP connection is closed. */
  disconnected(connection: object): void {
    for (const { connections } of this.#byName.values()) connections.delete(connection);
  }

  #named(name: string): Namesakes {
    let namesakes = this.#byName.get(name);
    if (!namesakes) {
      namesakes = { guests: [], connections: new Set() };
      this.#byName.set(name, namesakes);
      if (this.#byName.size > MOST_NAMES) this.#forgetOne();
    }
    return namesakes;
  }

  #add(namesakes: Namesakes): void {
    namesakes.guests.push({ visitor: this.#welcome(), ids: new Set() });
    if (namesakes.guests.length > MOST_NAMESAKES) namesakes.guests.shift();
  }

  /** A mock that runs for days forgets clients long gone. */
  #forgetOne(): void {
    for (const [name, { connections }] of this.#byName) {
      if (connections.size > 0) continue;
      this.#byName.delete(name);
      return;
    }
  }
}

const MOST_NAMES = 2_000;
const MOST_NAMESAKES = 200;

/** Of requests whose connection the door does not know: it never closes. */
const UNKNOWN = {};

function possible(guests: readonly Guest[], id: IdToken | undefined, begins: boolean): readonly Guest[] {
  if (begins) return guests.slice(-1);
  const unused = id === undefined ? guests : guests.filter(({ ids }) => !ids.has(id));
  return unused.length > 0 ? unused : guests;
}
