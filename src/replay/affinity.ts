import type { Candidates, Recorded } from "./candidates.ts";
import type { Clients } from "./clients.ts";
import type { ClientName } from "./key.ts";

export interface Choice {
  readonly recorded: Recorded;
  /** The question was asked more often than it was recorded: this answered it before. */
  readonly repeat: boolean;
}

/**
 * Which recorded answers a live client has had, and which recorded connections it may stand for. A client is tied to
 * one of several recorded connections only as far as its name and its questions tell them apart; it is never tied by
 * the order in which clients arrive. As long as several are possible, the first of them answers.
 */
export class Affinity {
  /** In the order of their numbers; undefined before anything tells. */
  #tied: readonly number[] | undefined;
  #name: ClientName | undefined;
  #introduced = false;
  readonly #timesAsked = new Map<Candidates, number>();
  #early: Recorded | undefined;

  /** The client told its name; the first one counts, once the recording is known. */
  meet(name: ClientName | undefined): void {
    this.#name ??= name;
  }

  /** The client was answered nothing yet. */
  get isNew(): boolean {
    return this.#early === undefined && this.#timesAsked.size === 0;
  }

  /** The client was answered from here before the whole recording was known. */
  answeredEarly(recorded: Recorded): void {
    this.#early = recorded;
  }

  /**
   * The n-th recorded answer for the n-th equal question, after the last the last again.
   * @param tells whether having asked this tells clients apart
   */
  choose(candidates: Candidates, clients: Clients, tells: boolean): Choice {
    this.#introduce(clients);
    const nth = this.#timesAsked.get(candidates) ?? (candidates.all[0] === this.#early ? 1 : 0);
    this.#timesAsked.set(candidates, nth + 1);
    const own = this.#own(candidates, nth, tells);
    return { recorded: own[Math.min(nth, own.length - 1)] as Recorded, repeat: nth >= own.length };
  }

  /** Those of the recorded connection that answers. */
  #own(candidates: Candidates, nth: number, tells: boolean): readonly Recorded[] {
    const { all } = candidates;
    const [only] = all;
    if (all.length > 1 || !only) {
      return candidates.bySession.get(this.#session(candidates, nth, tells)) as readonly Recorded[];
    }
    const { session } = only.exchange;
    const tied = this.#tied;
    if (tells && tied?.length !== 1 && (tied?.includes(session) ?? true)) this.#tied = [session];
    return all;
  }

  #introduce(clients: Clients): void {
    if (this.#introduced || !this.#name) return;
    this.#introduced = true;
    const sessions = clients.sessionsOf(this.#name);
    if (!sessions) return;
    const before = this.#tied;
    const same = [...sessions].sort((a, b) => a - b).filter((session) => before?.includes(session) ?? true);
    if (same.length > 0) this.#tied = same;
  }

  /** The recorded connection to answer from. */
  #session({ bySession }: Candidates, nth: number, tells: boolean): number {
    const holding = (sessions: Iterable<number>, times: number) =>
      [...sessions].filter((session) => (bySession.get(session)?.length ?? 0) >= times);
    const tied = this.#tied ?? [...bySession.keys()];
    const often = holding(tied, nth + 1);
    const possible = often.length > 0 ? often : holding(tied, 1);
    if (possible.length > 0) {
      if (tells) this.#tied = possible;
      return possible[0] as number;
    }
    // Asked on another connection alone: still recorded, but it says nothing new of whom the client stands for.
    return (holding(bySession.keys(), nth + 1)[0] ?? bySession.keys().next().value) as number;
  }
}
