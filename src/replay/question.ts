import { type JsonValue, textOf } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Era } from "../protocol/revisions.ts";
import { plainKey } from "./plain-key.ts";

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

/** A question that shows nothing but its key: of a request whose params `plainKey` takes. */
export class PlainQuestion implements Question {
  readonly inputs = undefined;
  readonly without = undefined;
  readonly client = undefined;
  readonly withToken = false;
  readonly era = "legacy";
  readonly method: string;
  /** As they were spelt. */
  readonly params: Uint8Array;
  /** `hashOfKey` of the key. */
  readonly hash: number;
  #key: string | undefined;
  #label: string | undefined;

  constructor(method: string, params: Uint8Array, hash: number) {
    this.method = method;
    this.params = params;
    this.hash = hash;
  }

  get key(): string {
    this.#key ??= plainKey(this.params, this.method, { start: 0, end: this.params.length }) as string;
    return this.#key;
  }

  get label(): string {
    this.#label ??= labelOf(this.method, JSON.parse(textOf(this.params)) as JsonValue);
    return this.#label;
  }

  /** The same, with params that may be kept. */
  withParams(params: Uint8Array): PlainQuestion {
    return new PlainQuestion(this.method, params, this.hash);
  }
}
