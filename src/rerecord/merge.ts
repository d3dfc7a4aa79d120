import type { ByteSink } from "../cassette/codec.ts";
import { movableNames } from "./movable.ts";
import { orderAsBefore } from "./order.ts";
import type { Outline } from "./outline.ts";
import { Pairing } from "./pairing.ts";
import { Renames } from "./renames.ts";
import { keepsOrderOfSessions } from "./same-exchanges.ts";
import { pairSessions } from "./sessions.ts";
import { type Recordings, Writing, type Written } from "./writing.ts";

/** What of the old recording's arrangement is kept; the rest is as in the new one. */
export interface Arrangement {
  readonly order: "old" | "new";
  readonly numbers: "old" | "new";
}

/** From what keeps most to what is sure. */
export const ARRANGEMENTS: readonly Arrangement[] = [
  { order: "old", numbers: "old" },
  { order: "new", numbers: "old" },
  { order: "old", numbers: "new" },
  { order: "new", numbers: "new" },
];

/** A recording made anew, as one file with the old one's text wherever that still says what was recorded. */
export class Merge {
  readonly #recordings: Recordings;
  readonly #fresh: Outline;
  readonly #old: Outline;
  readonly #movable: ReadonlySet<number>;
  readonly #sessions: ReadonlyMap<number, number>;

  constructor(recordings: Recordings) {
    this.#recordings = recordings;
    const { old, fresh } = recordings;
    this.#fresh = fresh.outline;
    this.#old = old.outline;
    this.#movable = movableNames(this.#fresh, this.#old.names);
    this.#sessions = pairSessions(this.#fresh, this.#old);
  }

  /** Writes it in one of the arrangements. */
  write({ order, numbers }: Arrangement, sink: ByteSink): Written {
    const fresh = this.#fresh;
    const old = this.#old;
    const renames = new Renames({ names: fresh.names, sessions: new Set(fresh.sessions) }, this.#movable);
    if (numbers === "old") for (const pair of this.#sessions) renames.pairSessions(...pair);
    const { olds } = new Pairing(fresh, old, {
      sessions: this.#sessions,
      renames,
      questions: "any",
    });
    renames.settle();
    if (!keepsOrderOfSessions(fresh, (session) => renames.session(session))) return "unlike";
    const ordinals =
      order === "old" ? orderAsBefore(fresh, olds) : Array.from(fresh.sessions, (_, ordinal) => ordinal);
    return new Writing(this.#recordings, { fresh, old, olds, renames, ordinals }, sink).run();
  }
}
