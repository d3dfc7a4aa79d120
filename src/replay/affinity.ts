import type { Exchange } from "../exchange/exchange.ts";
import type { Question } from "./key.ts";
import type { Recorded } from "./recording.ts";

export interface Choice {
  readonly recorded: Recorded;
  /** It was served to this client before: the question was asked more often than it was recorded. */
  readonly repeat: boolean;
  /** Modern era: the client's `inputResponses` are not the recorded ones. */
  readonly inputsDiffer: boolean;
}

/**
 * Which recorded answers a live client has had, and which recorded connections it may stand for. A client is tied to
 * one of several recorded connections only as far as its own messages tell them apart; it is never tied by the order
 * in which clients arrive.
 */
export class Affinity {
  #tied: ReadonlySet<number> | undefined;
  #introduced = false;
  readonly #used = new Set<Exchange>();

  /** The n-th recorded answer for the n-th equal question, after the last the last again. */
  choose(candidates: readonly Recorded[], question: Question, authorization?: string): Choice | undefined {
    const known = withEqualAuthorization(candidates, authorization);
    if (known.length === 0) return undefined;
    this.#introduce(known, question);
    const session = this.#session(known);
    const own = known.filter((recorded) => recorded.exchange.session === session);
    const fitting = withEqualInputs(own, question);
    const fresh = fitting.find((recorded) => !this.#used.has(recorded.exchange));
    const recorded = fresh ?? fitting.at(-1);
    if (!recorded) return undefined;
    this.#used.add(recorded.exchange);
    return { recorded, repeat: fresh === undefined, inputsDiffer: recorded.inputs !== question.inputs };
  }

  /** The client's name says whom it stands for, when a recorded client bore the same. */
  #introduce(candidates: readonly Recorded[], { clientInfo }: Question): void {
    if (this.#introduced || clientInfo === undefined) return;
    this.#introduced = true;
    const same = candidates.filter((recorded) => recorded.clientInfo === clientInfo);
    if (same.length > 0) this.#tied = new Set(same.map((recorded) => recorded.exchange.session));
  }

  /** The recorded connection to answer from: among those still possible, the first that was asked this. */
  #session(candidates: readonly Recorded[]): number {
    const asked = new Set(candidates.map((recorded) => recorded.exchange.session));
    const tied = this.#tied;
    const possible = tied ? [...asked].filter((session) => tied.has(session)) : [...asked];
    if (possible.length > 0) this.#tied = new Set(possible);
    return (possible[0] ?? candidates[0]?.exchange.session) as number;
  }
}

/**
 * Where one question was recorded with and without credentials (a 401, then the answer), the client gets what was
 * recorded for what it shows. Otherwise credentials do not matter: a mock needs none.
 */
function withEqualAuthorization(
  candidates: readonly Recorded[],
  authorization?: string,
): readonly Recorded[] {
  if (candidates.length < 2) return candidates;
  if (!candidates.some((recorded) => recorded.authorization !== candidates[0]?.authorization))
    return candidates;
  const equal = candidates.filter((recorded) => recorded.authorization === authorization);
  if (equal.length > 0) return equal;
  const alike = candidates.filter((recorded) => !recorded.authorization === !authorization);
  return alike.length > 0 ? alike : candidates;
}

/** Of several recorded rounds, those whose input was the same; with none, any, and the difference is reported. */
function withEqualInputs(candidates: readonly Recorded[], { inputs }: Question): readonly Recorded[] {
  if (inputs === undefined) return candidates;
  const equal = candidates.filter((recorded) => recorded.inputs === inputs);
  return equal.length > 0 ? equal : candidates;
}
