import { type IdToken, type Message, readMessage, type Side } from "../../protocol/message.ts";
import { isCounted } from "../../rerecord/names.ts";
import type { Outline } from "../../rerecord/outline.ts";
import { factsOf, type NameKind } from "../../rerecord/references.ts";
import { rewritten } from "../../rerecord/rewrite.ts";
import { Echoes } from "./echoes.ts";
import { entryOf, type Meant, meantAt, messageAt, type Place, referencesIn } from "./places.ts";

/** What is called what now, of all that bears a name in a recording: ids, cursors, tasks, and so on. */
export class LiveNames {
  /** Of ids that are none of the protocol's. */
  readonly echoes: Echoes;
  readonly #outline: Outline;
  readonly #live = new Map<number, IdToken>();
  /** Of each name, by its number: who used it first. */
  readonly #givers: Side[] = [];

  constructor(outline: Outline) {
    this.#outline = outline;
    this.echoes = new Echoes(outline.entries);
    for (let ordinal = 0; ordinal < outline.count; ordinal++) {
      const { from } = outline.entries.entryAt(ordinal);
      for (const number of outline.meaningsOf(ordinal)) this.#givers[number] ??= from;
    }
  }

  learn(number: number, token: IdToken): void {
    this.#live.set(number, token);
  }

  tokenOf(number: number): IdToken | undefined {
    return this.#live.get(number);
  }

  /**
   * Learns from a message of the server, and the recorded one in whose place it is. The n-th name of a kind is the
   * n-th; a name that the server does not give this time is forgotten.
   */
  pair(recorded: Place, live: Message, method: string | undefined): void {
    this.echoes.pair(recorded, live);
    const given = new Map<NameKind, IdToken[]>();
    for (const { kind, token } of referencesIn(live, "server", method)) {
      const tokens = given.get(kind);
      if (tokens) tokens.push(token);
      else given.set(kind, [token]);
    }
    for (const { reference, number } of meantAt(this.#outline, recorded)) {
      const token = given.get(reference.kind)?.shift();
      if (token !== undefined) this.#live.set(number, token);
      else if (!isCounted(reference.kind)) this.#live.delete(number);
    }
  }

  /** What of the recorded server's a message of the client echoes, and the server has not given this time. */
  lacking(place: Place): Meant | undefined {
    return meantAt(this.#outline, place).find(
      ({ reference, number }) =>
        !reference.binds && !this.#live.has(number) && this.#givers[number] === "server",
    );
  }

  /** Whether all requests that a message of the client names have been made. */
  knowsRequestsIn(place: Place): boolean {
    return meantAt(this.#outline, place).every(
      ({ reference: { kind, binds }, number }) =>
        binds ||
        kind !== "request" ||
        this.#live.has(number) ||
        this.#outline.names.all[number]?.boundAt === undefined,
    );
  }

  /**
   * A message of the client as it was recorded, with the names that hold now.
   * @param id of a request: the one it is to have, which is its progress token too
   */
  write(place: Place, id?: IdToken): Message {
    const message = messageAt(this.#outline.entries, place);
    const meant = meantAt(this.#outline, place);
    if (id !== undefined) {
      for (const { reference, number } of meant) if (reference.binds) this.#live.set(number, id);
    }
    const entry = entryOf(message, "client");
    const { body } = rewritten(
      entry,
      factsOf(entry, () => undefined),
      {
        name: ({ token }, index) => this.#live.get(meant[index]?.number ?? -1) ?? token,
        value: () => undefined,
        session: String,
        retry: (ms) => ms,
        pair: false,
      },
    );
    return this.echoes.write(readMessage(body?.bytes ?? message.bytes));
  }
}
