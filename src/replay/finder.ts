import type { Message } from "../protocol/message.ts";
import { type Affinity, choose } from "./affinity.ts";
import type { Recorded } from "./candidates.ts";
import type { Question } from "./key.ts";
import type { DoorSide } from "./playing.ts";
import { isProbe } from "./probes.ts";
import { keyAt, keyWith, type Recording } from "./recording.ts";
import type { Visitors } from "./visitor.ts";

/** How a message came in, where that matters: over HTTP. */
export interface Arrival {
  /** What was improper about the HTTP request, as `flawsOf` names it. */
  readonly flaws?: readonly string[] | undefined;
  /** The path it came at, where that is not the recording's first. */
  readonly path?: string | undefined;
  /** The `authorization` header, redacted as the recording is. */
  readonly authorization?: string | undefined;
}

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
}

/** Finds the recording that answers a client's messages, and remembers which it was given. */
export class Finder {
  readonly #recording: Recording;
  readonly #door: Pick<DoorSide, "carriesStatus">;
  readonly #askers: readonly [Affinity, ...Affinity[]];

  constructor(recording: Recording, door: Pick<DoorSide, "carriesStatus">, visitors: Visitors) {
    this.#recording = recording;
    this.#door = door;
    const [first, ...others] = visitors;
    this.#askers = [first.affinity, ...others.map(({ affinity }) => affinity)];
  }

  find(asked: Asked): Found | undefined {
    const { message, question, arrival } = asked;
    const { authorization, path, flaws = NO_FLAWS } = arrival;
    for (const asker of this.#askers) asker.meet(question.client);
    const early = this.#answeredEarly(asked);
    if (early) return { recorded: early, repeat: false };
    const candidates = this.#recording.answersTo(keyWith(flaws, keyAt(path, question.key)));
    if (!candidates) return undefined;
    const { carriesStatus } = this.#door;
    const fitting = candidates.fitting({ authorization, inputs: question.inputs, carriesStatus });
    const tells = message.kind === "request" && !isProbe(message);
    const { clients } = this.#recording;
    const { recorded, repeat } = choose(this.#askers, { candidates: fitting, clients, tells });
    const answerOf = (each: Recorded) => this.#recording.answerTextOf(each);
    return { recorded: fitting.alike(recorded, question.withToken, answerOf), repeat };
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
