import type { Message } from "../protocol/message.ts";
import { type Affinity, choose, chooseUnused } from "./affinity.ts";
import type { Arrival } from "./arrival.ts";
import type { Candidates, Recorded } from "./candidates.ts";
import { keyAt, keyWith } from "./full-key.ts";
import type { LooseIndex } from "./loose-index.ts";
import type { DoorSide, Playing } from "./playing.ts";
import { isProbe } from "./probes.ts";
import type { Question } from "./question.ts";
import type { Recording } from "./recording.ts";
import type { Visitors } from "./visitor.ts";

export const NO_FLAWS: readonly string[] = [];

/** A message of the client, and what was found out about it. */
export interface Asked {
  readonly message: Message;
  /** As the recording would have it. */
  readonly redacted: Message;
  readonly question: Question;
  readonly arrival: Arrival;
}

export interface Found {
  readonly recorded: Recorded;
  /** It was asked more often than it was recorded. */
  readonly repeat: boolean;
  /** The recordings of the question of which the n-th answers the n-th time. */
  readonly series: readonly Recorded[];
  /** Its answer cannot be given after all, and is still to come; undefined where none can be taken back. */
  readonly takeBack?: () => void;
}

/** Finds the recording that answers a client's messages, and remembers which it was given. */
export class Finder {
  readonly #recording: Recording;
  readonly #loosely: LooseIndex | undefined;
  readonly #door: Pick<DoorSide, "carriesStatus">;
  readonly #visitors: Visitors;
  readonly #askers: readonly [Affinity, ...Affinity[]];

  constructor(
    { recording, loosely }: Pick<Playing, "recording" | "loosely">,
    door: Pick<DoorSide, "carriesStatus">,
    visitors: Visitors,
  ) {
    this.#recording = recording;
    this.#loosely = loosely;
    this.#door = door;
    this.#visitors = visitors;
    const [first, ...others] = visitors;
    this.#askers = [first.affinity, ...others.map(({ affinity }) => affinity)];
  }

  find(asked: Asked): Found | undefined {
    const { question, arrival } = asked;
    const { path, flaws = NO_FLAWS } = arrival;
    for (const asker of this.#askers) asker.meet(question.client);
    const early = this.#answeredEarly(asked);
    if (early) return { recorded: early, repeat: false, series: [early] };
    const isProper = path === undefined && flaws.length === 0;
    const fullKey = () => keyWith(flaws, keyAt(path, question.key));
    const candidates = isProper
      ? this.#recording.answersToProper(question)
      : this.#recording.answersTo(fullKey());
    if (candidates) return this.#chosen(asked, candidates, choose);
    return this.#loosely && this.#findLoosely(asked, fullKey(), this.#loosely);
  }

  /**
   * What was appended while this is served: the n-th answer for the n-th time. Undefined beyond the last, when the real
   * server is to be asked: so a client that polls it reaches the end, and the next replay gives the same answers.
   */
  findAppended({ question, arrival }: Asked): Found | undefined {
    const key = keyAt(arrival.path, question.key);
    const nth = Math.max(...this.#visitors.map(({ unrecorded }) => unrecorded.get(key) ?? 0));
    for (const { unrecorded } of this.#visitors) unrecorded.set(key, nth + 1);
    const recorded = this.#recording.appendix.answersTo(key)[nth];
    return recorded && { recorded, repeat: false, series: [recorded] };
  }

  /** What equals no recorded question may equal one by a rule. */
  #findLoosely(asked: Asked, fullKey: string, index: LooseIndex): Found | undefined {
    const candidates = index.answersTo({ message: asked.redacted, key: asked.question.key, fullKey });
    const isServed = ({ number }: Recorded) => this.#visitors.some(({ served }) => served.has(number));
    return (
      candidates &&
      this.#chosen(asked, candidates, (askers, asking) => chooseUnused(askers, { ...asking, isServed }))
    );
  }

  #chosen({ message, question, arrival }: Asked, candidates: Candidates, how: typeof choose): Found {
    const { inputs, without, withToken } = question;
    const { authorization } = arrival;
    const { carriesStatus } = this.#door;
    const fitting = candidates.fitting({ inputs, without, authorization, carriesStatus });
    const tells = message.kind === "request" && !isProbe(message);
    const { clients, sessionless } = this.#recording;
    const chosen = how(this.#askers, { candidates: fitting, clients, sessionless, tells });
    const { repeat, series, takeBack } = chosen;
    const answerOf = (each: Recorded) => this.#recording.answerTextOf(each);
    return { recorded: fitting.alike(chosen.recorded, withToken, answerOf), repeat, series, takeBack };
  }

  /** An `initialize` need not wait until a long recording is read. */
  #answeredEarly({ message, question, arrival }: Asked): Recorded | undefined {
    const { authorization, path, flaws = NO_FLAWS } = arrival;
    if (message.method !== "initialize" || flaws.length > 0) return undefined;
    const [asker] = this.#askers;
    if (authorization !== undefined || path !== undefined || !asker.isNew) return undefined;
    const recorded = this.#recording.firstAnswerTo(question);
    if (recorded) asker.answeredEarly(recorded);
    return recorded;
  }
}
