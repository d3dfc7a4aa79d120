import type { JsonObject } from "../../../protocol/message.ts";
import { answersAmong } from "../input.ts";
import type { Question } from "../question.ts";
import type { Progress } from "../request-state.ts";
import type { Settled } from "../settled.ts";
import type { TaskWay } from "./running-task.ts";
import type { Task } from "./task.ts";

/**
 * By way of a task of the modern era: what it asks for and what it comes to is there to be fetched, and nothing else is
 * told (SEP-2663).
 */
export class ModernTaskWay implements TaskWay {
  readonly #task: Task;
  #answers: JsonObject = {};
  #done: ((answers: JsonObject) => void) | undefined;

  constructor(task: Task) {
    this.#task = task;
  }

  begin(): void {}

  tell(): false {
    return false;
  }

  status(message: () => string): void {
    this.#task.say(message());
  }

  cut(): void {}

  waited(ms: number): void {
    this.#task.pass(ms);
  }

  ask(questions: readonly Question[], _progress: Progress, done: (answers: JsonObject) => void): boolean {
    this.#answers = {};
    this.#done = done;
    this.#task.ask(questions);
    return true;
  }

  update(responses: JsonObject): string | undefined {
    const given = answersAmong(responses, this.#task.open);
    if (typeof given === "string") return given;
    const names = Object.keys(given);
    if (names.length === 0) return undefined;
    this.#answers = { ...this.#answers, ...given };
    this.#task.answered(names);
    if (this.#task.open.size === 0) this.#done?.(this.#answers);
    return undefined;
  }

  rest(): void {}

  /** A tool that failed is a task that is completed: only the protocol's errors make one fail. */
  settle(outcome: Settled): void {
    this.#task.settle("error" in outcome ? "failed" : "completed", outcome, undefined);
  }

  cancel(): void {}
}
