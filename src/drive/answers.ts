import type { JsonObject, JsonValue } from "../protocol/message.ts";
import type { RpcError } from "./move.ts";

/** What a client answers to a request of the server. */
export type Answer = { readonly result: JsonObject } | { readonly error: RpcError };

/** What servers ask clients for, by the client capability that allows it. */
export const ASKED = {
  elicitation: "elicitation/create",
  sampling: "sampling/createMessage",
  roots: "roots/list",
} as const;

export type AnswerKind = keyof typeof ASKED;

/** The n-th request of a kind gets the n-th answer, those after the last one the last again. */
export type AnswerSet = Readonly<Partial<Record<AnswerKind, readonly Answer[]>>>;

/** Answers the server's requests; undefined is what the client has no answer for. */
export interface Answers {
  answer(method: string, params: JsonValue | undefined): Answer | undefined;
}

/** Answers as they are written down: those of the step that runs, and else the defaults. */
export class WrittenAnswers implements Answers {
  readonly #defaults: AnswerSet;
  #own: AnswerSet = {};
  readonly #given = new Map<readonly Answer[], number>();

  constructor(defaults: AnswerSet) {
    this.#defaults = defaults;
  }

  /** From here on a step with these answers runs; lists of the step are read from their beginning. */
  use(own: AnswerSet = {}): void {
    this.#own = own;
    for (const list of Object.values(own)) this.#given.delete(list);
  }

  answer(method: string): Answer | undefined {
    const kind = (Object.keys(ASKED) as AnswerKind[]).find((each) => ASKED[each] === method);
    const list = kind && (this.#own[kind] ?? this.#defaults[kind]);
    if (!list) return undefined;
    const given = this.#given.get(list) ?? 0;
    this.#given.set(list, given + 1);
    return list[Math.min(given, list.length - 1)];
  }
}
