import type { Era } from "../protocol/revisions.ts";

/**
 * What of a client's message decides which recording answers it: the era it is asked in, the method, and the params in
 * canonical form without what changes from run to run. Two messages with equal keys are the same question.
 */
export interface Question {
  readonly key: string;
  /** Canonical `params.inputResponses` of a retry in the modern era; not in the key, since people answer freely. */
  readonly inputs: string | undefined;
  /** How optional arguments are left out, which is told apart only where both ways were recorded. */
  readonly without: Without | undefined;
  /** The client as the message names it, which may tell recorded clients apart. */
  readonly client: ClientName | undefined;
  /** It gives a token for progress. */
  readonly withToken: boolean;
  /** Of requests; a notification shows none and counts as legacy. */
  readonly era: Era;
  /** Method and name, for people. */
  readonly label: string;
}

/** No member at all, or an empty object. */
export type Without = "absent" | "empty";

export interface ClientName {
  /** Canonical `clientInfo`. */
  readonly info: string;
  /** Its `name`, canonical too. */
  readonly name: string;
}

/** A question that shows nothing but its key. What people are told of it is worked out when somebody asks. */
export class PlainQuestion implements Question {
  readonly key: string;
  readonly inputs = undefined;
  readonly without = undefined;
  readonly client = undefined;
  readonly withToken = false;
  readonly era = "legacy";
  readonly #labelled: () => string;

  constructor(key: string, labelled: () => string) {
    this.key = key;
    this.#labelled = labelled;
  }

  get label(): string {
    return this.#labelled();
  }
}
