import type { Entry } from "../exchange/entry.ts";
import type { IdToken, Side } from "../protocol/message.ts";
import { factsOf, type NameKind } from "../rerecord/references.ts";

/** Names that one side gives out and the other gives back, and what they are called. */
const ECHOED: Readonly<Partial<Record<NameKind, string>>> = {
  cursor: "cursor",
  requestState: "requestState",
  taskId: "task id",
};

/** Tokens that a request gives out and notifications of progress give back. */
const TOKENS: readonly NameKind[] = ["requestToken", "askToken"];

/** A name that was given back and never given out. */
export interface Dangling {
  /** What it is called. */
  readonly what: string;
  readonly token: IdToken;
  /** A notification of progress, which no answer tells to be deliberate. */
  readonly progress: boolean;
}

/** Remembers what each side gave out, in all sessions: a client may come back with a name in another one. */
export class Minted {
  readonly #said: Readonly<Record<Side, Set<string>>> = { client: new Set(), server: new Set() };

  /**
   * What in this entry was given back by its sender, and never given out by the other side.
   * @param asks the entry holds a request
   */
  add(entry: Entry, asks: boolean, methodOf: (id: IdToken) => string | undefined): Dangling[] {
    const other = entry.from === "client" ? "server" : "client";
    const dangling: Dangling[] = [];
    for (const { kind, token, binds } of factsOf(entry, ({ token: id }) => methodOf(id)).references) {
      const what = ECHOED[kind];
      const isToken = TOKENS.includes(kind);
      if (what === undefined && !isToken) continue;
      const key = `${kind} ${token}`;
      // A server mints cursors, states and tasks; what a client asks with them is an echo.
      const given = isToken ? !binds : entry.from === "client" && asks;
      if (given && !this.#said[other].has(key)) {
        dangling.push({ what: what ?? "progress token", token, progress: isToken });
      }
      this.#said[entry.from].add(key);
    }
    return dangling;
  }
}
