import type { ShapeFault } from "../protocol/conformity/shape.ts";
import type { IdToken, Side } from "../protocol/message.ts";
import type { Dangling } from "./minted.ts";

/** A request that was asked, and what its answer will decide about. */
export interface Asked {
  readonly session: number;
  readonly from: Side;
  readonly id: IdToken;
  readonly method: string;
  readonly version: string;
  readonly ordinal: number;
  /** Of the message in its entry. */
  readonly path: readonly (string | number)[];
  /** Faults that count only where the other side took the request all the same. */
  readonly doubts: { readonly fault?: ShapeFault | undefined; readonly dangling: readonly Dangling[] };
  answered: boolean;
}

/** Requests of all sessions by who asked and under which id. */
export class OpenRequests {
  readonly #asked = new Map<string, Asked>();

  /** Returns the request that has its id and still waits, if there is one. */
  ask(asked: Asked): Asked | undefined {
    const key = keyOf(asked.session, asked.from, asked.id);
    const before = this.#asked.get(key);
    this.#asked.set(key, asked);
    return before && !before.answered ? before : undefined;
  }

  /** The request that an answer from this side is for. */
  find(session: number, answerer: Side, id: IdToken): Asked | undefined {
    return this.#asked.get(keyOf(session, answerer === "client" ? "server" : "client", id));
  }

  /** Whether a client of this session asked under this id. */
  hasAsked(session: number, from: Side, id: IdToken): boolean {
    return this.#asked.has(keyOf(session, from, id));
  }
}

function keyOf(session: number, from: Side, id: IdToken): string {
  return `${session} ${from} ${id}`;
}
