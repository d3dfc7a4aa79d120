import type { JsonObject } from "../../protocol/message.ts";
import { inputResponsesOf } from "./input.ts";
import { type Progress, unsealed } from "./request-state.ts";

/** What a modern request brings along of an earlier one. */
export interface Brought {
  readonly responses: JsonObject;
  /** Undefined for a request that is sent for the first time. */
  readonly progress: Progress | undefined;
  /** The responses are taken: what can be taken up once is not to come again. */
  taken(): void;
}

/** Requests of one client that are sent again with what the server asked for. */
export class Resumptions {
  readonly #seed: number;
  /** What was given out as `requestState`, came back, and is not to come again. */
  readonly #taken = new Set<string>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A sentence where the request brings what the server did not ask for. */
  of(params: JsonObject): Brought | string {
    const responses = inputResponsesOf(params);
    if (!responses) return "inputResponses must be an object";
    const { requestState } = params;
    if (requestState === undefined) return { responses, progress: undefined, taken: () => undefined };
    const progress = unsealed(requestState, params, this.#seed);
    if (!progress) return "requestState is none that was given out for this request";
    const state = String(requestState);
    if (this.#taken.has(state)) return "requestState was used, and its reply answers no more often";
    const taken = () => void (progress.limited && this.#taken.add(state));
    return { responses, progress, taken };
  }
}
