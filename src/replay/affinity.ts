import type { Candidates, Recorded } from "./candidates.ts";
import type { Clients } from "./clients.ts";
import { Counts } from "./counts.ts";
import type { ClientName } from "./question.ts";

export interface Choice {
  readonly recorded: Recorded;
  /** The question was asked more often than it was recorded: this answered it before. */
  readonly repeat: boolean;
  /** The recordings it was chosen of: those of the recorded connection that answers. */
  readonly series: readonly Recorded[];
  /** The question was not answered after all: it counts as never asked. */
  readonly takeBack: () => void;
}

export interface Asking {
  readonly candidates: Candidates;
  readonly clients: Clients;
  /** See `Recording`: which connection was whose is a guess there, so all of one name are one. */
  readonly sessionless: boolean;
  /** Having asked this tells clients apart. */
  readonly tells: boolean;
}

/**
 * The n-th recorded answer for the n-th equal question, after the last the last again. Where several may be asking,
 * the answer is that of the one who got furthest, so that nobody is told what is older than what it was told before.
 * Whether one asked too often is judged by what it asked for certain.
 */
export function choose(askers: readonly [Affinity, ...Affinity[]], asking: Asking): Choice {
  const { candidates } = asking;
  let [furthest] = askers;
  let most = furthest.timesAsked(candidates);
  for (let i = 1; i < askers.length; i++) {
    const asker = askers[i] as Affinity;
    const times = asker.timesAsked(candidates);
    if (times <= most) continue;
    furthest = asker;
    most = times;
  }
  const series = furthest.series(candidates, asking);
  const certain = askers.length === 1 ? 1 : 0;
  let repeat = true;
  for (const asker of askers) {
    const before = asker.timesForCertain(candidates);
    repeat &&= before >= series.length;
    asker.note(candidates, most + 1, before + certain);
  }
  const recorded = series[Math.min(most, series.length - 1)] as Recorded;
  const takeBack = () => {
    for (const asker of askers) {
      const before = asker.timesForCertain(candidates);
      asker.note(candidates, asker.timesAsked(candidates) - 1, before - certain);
    }
  };
  return { recorded, repeat, series, takeBack };
}

export interface AskingLoosely extends Asking {
  /** Whether one of the askers was given a recording as the answer to the very question it was recorded of. */
  readonly isServed: (recorded: Recorded) => boolean;
}

/**
 * Of recordings that only rules let answer, the first that none of the askers was given yet, after the last the last
 * again.
 */
export function chooseUnused(
  askers: readonly [Affinity, ...Affinity[]],
  { candidates, isServed, ...asking }: AskingLoosely,
): Choice {
  const [asker, ...others] = askers;
  const isGiven = (recorded: Recorded) =>
    isServed(recorded) || askers.some((each) => each.wasGivenLoosely(recorded));
  const series = asker.unusedSeries(candidates, { ...asking, isGiven });
  const unused = asker.firstNot(isGiven, series);
  const recorded = unused ?? (series.at(-1) as Recorded);
  for (const each of askers) each.noteLoosely(recorded, others.length === 0);
  const takeBack = () => {
    if (unused) for (const each of askers) each.takeBackLoosely(unused);
  };
  const repeat = unused === undefined && others.length === 0 && asker.isCertainOf(series);
  return { recorded, repeat, series, takeBack };
}

type Known = Omit<Asking, "candidates">;

interface Unused extends Known {
  readonly isGiven: (recorded: Recorded) => boolean;
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
  /** How often it asked a question, by the number of the candidates: without what may have been from others. */
  readonly #certain = new Counts();
  /** What may have been from others. */
  readonly #doubtful = new Counts();
  #asked = false;
  /** What rules let answer, and whether for certain to this client. */
  readonly #givenLoosely = new Map<Recorded, boolean>();
  /** Where in a series what was not given begins. */
  #unusedFrom = new WeakMap<readonly Recorded[], number>();
  #early: Recorded | undefined;

  /** The client told its name; the first one counts, once the recording is known. */
  meet(name: ClientName | undefined): void {
    this.#name ??= name;
  }

  /** The client was answered nothing yet. */
  get isNew(): boolean {
    return this.#early === undefined && !this.#asked && this.#givenLoosely.size === 0;
  }

  /** The client was answered from here before the whole recording was known. */
  answeredEarly(recorded: Recorded): void {
    this.#early = recorded;
  }

  /** How often the client asked one of these, at most. */
  timesAsked(candidates: Candidates): number {
    const { number } = candidates;
    return this.#certain.of(number) + this.#doubtful.of(number) || this.#timesEarly(candidates);
  }

  /** How often it certainly was this client. */
  timesForCertain(candidates: Candidates): number {
    return this.#certain.of(candidates.number) || this.#timesEarly(candidates);
  }

  #timesEarly({ all }: Candidates): number {
    return this.#early !== undefined && all[0] === this.#early ? 1 : 0;
  }

  /** The client asked one of these, now so many times in all. */
  note({ number }: Candidates, most: number, certain: number): void {
    this.#asked = true;
    this.#certain.set(number, certain);
    const doubtful = most - certain;
    if (doubtful !== this.#doubtful.of(number)) this.#doubtful.set(number, doubtful);
  }

  /** The recordings of which the n-th answers the n-th time the client asks. */
  series(candidates: Candidates, { clients, tells, sessionless }: Known): readonly Recorded[] {
    this.#introduce(clients);
    if (sessionless) return candidates.of(this.#tied);
    return this.#own(candidates, this.timesAsked(candidates), tells);
  }

  wasGivenLoosely(recorded: Recorded): boolean {
    return this.#givenLoosely.has(recorded);
  }

  noteLoosely(recorded: Recorded, certain: boolean): void {
    this.#givenLoosely.set(recorded, certain || this.#givenLoosely.get(recorded) === true);
  }

  takeBackLoosely(recorded: Recorded): void {
    this.#givenLoosely.delete(recorded);
    this.#unusedFrom = new WeakMap();
  }

  /** None of these was given by rules where another client may have asked. */
  isCertainOf(series: readonly Recorded[]): boolean {
    return series.every((recorded) => this.#givenLoosely.get(recorded) !== false);
  }

  /** The recordings of the recorded connection that answers, which holds such as were not given if any does. */
  unusedSeries(
    candidates: Candidates,
    { clients, tells, sessionless, isGiven }: Unused,
  ): readonly Recorded[] {
    this.#introduce(clients);
    if (sessionless) return candidates.of(this.#tied);
    const { bySession } = candidates;
    const seriesOf = (session: number) => bySession.get(session) as readonly Recorded[];
    const holdsUnused = (session: number) => this.firstNot(isGiven, seriesOf(session)) !== undefined;
    const all = [...bySession.keys()];
    const tied = (this.#tied ?? all).filter((session) => bySession.has(session));
    const possible = tied.filter(holdsUnused);
    const best = possible.length > 0 ? possible : tied;
    if (tells && best.length > 0) this.#tied = best;
    return seriesOf((best[0] ?? all.find(holdsUnused) ?? all[0]) as number);
  }

  /** The first of a series that was not given; what was given once stays so, unless it is taken back. */
  firstNot(isGiven: (recorded: Recorded) => boolean, series: readonly Recorded[]): Recorded | undefined {
    let at = this.#unusedFrom.get(series) ?? 0;
    while (at < series.length && isGiven(series[at] as Recorded)) at++;
    this.#unusedFrom.set(series, at);
    return series[at];
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
