import type { IdToken, Message } from "../../protocol/message.ts";
import type { Outlined } from "../../rerecord/outline.ts";
import type { Outcome } from "../move.ts";
import { settledAt } from "./recorded-session.ts";

/** A request that was made again. */
export interface Made {
  id: IdToken;
  outcome: Outcome | undefined;
}

/** What came of it. */
export interface Settled {
  readonly made: Made;
  readonly outcome: Outcome;
  /** The answer, where there was one. */
  readonly message: Message | undefined;
}

/** The requests that were made again on one connection. */
export class MadeRequests {
  readonly #all = new Map<Outlined, Made>();
  /** Those that were not settled when last looked at. */
  readonly #open = new Set<Outlined>();

  /** Begins one; one that is asked once more counts from now on. */
  begin(outlined: Outlined): Made {
    const made: Made = { id: "", outcome: undefined };
    this.#all.set(outlined, made);
    this.#open.add(outlined);
    return made;
  }

  of(outlined: Outlined): Made | undefined {
    return this.#all.get(outlined);
  }

  get count(): number {
    return this.#all.size;
  }

  /** Tells whether those that were settled before an entry of the recording are. */
  settledBefore(ordinal: number): () => boolean {
    const due: Made[] = [];
    for (const outlined of this.#open) {
      const made = this.#all.get(outlined) as Made;
      if (made.outcome !== undefined) this.#open.delete(outlined);
      else if ((settledAt(outlined.exchange) ?? Number.POSITIVE_INFINITY) < ordinal) due.push(made);
    }
    return () => due.every(({ outcome }) => outcome !== undefined);
  }
}
