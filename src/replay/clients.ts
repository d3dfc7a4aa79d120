import type { ClientName } from "./question.ts";

/** A client as a recording names it, and the recorded connections where it does. */
export interface Client extends ClientName {
  readonly sessions: Set<number>;
}

/** The clients of a recording, by what they call themselves. */
export class Clients {
  readonly #byInfo = new Map<string, Client>();
  readonly #byName = new Map<string, Set<number>>();

  /** Notes that a client of this name was on a connection. Equal names give the same client. */
  note({ info, name }: ClientName, session: number): Client {
    let client = this.#byInfo.get(info);
    if (!client) {
      client = { info, name, sessions: new Set() };
      this.#byInfo.set(info, client);
    }
    if (client.sessions.has(session)) return client;
    client.sessions.add(session);
    const named = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, named.add(session));
    return client;
  }

  /** Where a client that calls itself so was recorded; where none was in all details, where one of the same name was. */
  sessionsOf({ info, name }: ClientName): ReadonlySet<number> | undefined {
    return this.#byInfo.get(info)?.sessions ?? this.#byName.get(name);
  }
}
