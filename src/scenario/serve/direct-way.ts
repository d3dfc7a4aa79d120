import type { JsonObject } from "../../protocol/message.ts";
import type { Turn } from "../model.ts";
import { AnswerStream } from "./answer-stream.ts";
import type { Asked } from "./asked.ts";
import { Asking, inputRequired } from "./asking.ts";
import type { Question } from "./question.ts";
import type { Progress } from "./request-state.ts";
import type { Settled } from "./settled.ts";
import { asResult } from "./speech.ts";
import type { Stage } from "./stage.ts";
import { type Render, type Telling, toldOf } from "./told.ts";
import type { Way } from "./way.ts";
import { settledBytes } from "./wire.ts";

/**
 * Between a notification and the outcome that follows it, in milliseconds: clients hand notifications to their handlers
 * a moment later than they take an outcome, so one that arrives together with the outcome is lost on them.
 */
export const APART = 2;

/** A request is answered, and everything before its answer comes on the stream of that. */
export class DirectWay implements Way {
  readonly #stage: Stage;
  readonly #asked: Asked;
  readonly #stream: AnswerStream;
  #asking: Asking | undefined;

  constructor(stage: Stage, asked: Asked) {
    this.#stage = stage;
    this.#asked = asked;
    this.#stream = new AnswerStream(stage, asked);
  }

  begin(turn: Turn): void {
    this.#stream.begin(turn);
  }

  tell(telling: Telling, render: Render): boolean | string {
    const told = toldOf(telling, this.#asked, render);
    if (told === undefined || typeof told === "string") return told ?? false;
    this.#stream.send(told);
    return true;
  }

  /** A status is a task's. */
  status(): void {}

  cut(retry: number | undefined): void {
    this.#stream.cut(retry);
  }

  waited(): void {}

  ask(questions: readonly Question[], progress: Progress, done: (answers: JsonObject) => void): boolean {
    const { client, params } = this.#asked;
    if (client.revision.era === "modern") {
      const { scenario } = this.#stage;
      const result = inputRequired(questions, { progress, params, seed: scenario.seed });
      this.settle({ result: asResult(result, client.revision, { scenario, cached: false }) });
      return false;
    }
    this.#asking = new Asking(this.#stage, this.#asked, { send: (bytes) => this.#stream.send(bytes) });
    this.#asking.begin(questions, done);
    return true;
  }

  rest(): void {
    this.#stage.host.rests?.(this.#asked.id);
  }

  settle(outcome: Settled): void {
    this.#stream.send(settledBytes(this.#asked.id, outcome));
  }

  cancel(): void {
    this.#asking?.cancel();
  }
}
