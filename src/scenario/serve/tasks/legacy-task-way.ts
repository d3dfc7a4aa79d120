import type { IdToken, JsonObject } from "../../../protocol/message.ts";
import { isObject } from "../../matcher.ts";
import type { Asked } from "../asked.ts";
import { Asking } from "../asking.ts";
import type { Question } from "../question.ts";
import type { Progress } from "../request-state.ts";
import type { Settled } from "../settled.ts";
import { RELATED_TASK } from "../speech.ts";
import type { Stage } from "../stage.ts";
import { type Render, type Telling, toldOf } from "../told.ts";
import { settledBytes } from "../wire.ts";
import type { TaskWay } from "./running-task.ts";
import type { Task } from "./task.ts";

/**
 * By way of a task of 2025-11-25 (basic/utilities/tasks): whoever waits for its result is asked what there is to ask,
 * and told how it goes.
 */
export class LegacyTaskWay implements TaskWay {
  readonly #stage: Stage;
  readonly #asked: Asked;
  readonly #task: Task;
  /** Requests for its result. */
  readonly #waiting = new Set<IdToken>();
  /** Requests of the server that nobody waits to be asked. */
  #unasked: Uint8Array[] = [];
  #asking: Asking | undefined;
  /** Nothing more comes by itself. */
  #rests = false;

  constructor(stage: Stage, asked: Asked, task: Task) {
    this.#stage = stage;
    this.#asked = asked;
    this.#task = task;
  }

  begin(): void {}

  /** Beside the answer, which the client has already. */
  tell(telling: Telling, render: Render): false | string {
    const told = toldOf(telling, this.#asked, (params) => this.#related(render(params)));
    if (typeof told === "string") return told;
    if (told) this.#tell(told);
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
    this.#task.ask(questions);
    this.#asking = new Asking(this.#stage, this.#asked, {
      send: (bytes) => this.#put(bytes),
      meta: this.#meta,
    });
    this.#asking.begin(questions, (answers) => {
      this.#task.answered(Object.keys(answers));
      done(answers);
    });
    return true;
  }

  rest(): void {
    this.#rests = true;
    for (const id of this.#waiting) this.#stage.host.rests?.(id);
  }

  settle(outcome: Settled): void {
    const isFailed = "error" in outcome || outcome.result.isError === true;
    this.#task.settle(isFailed ? "failed" : "completed", outcome, isFailed ? reasonOf(outcome) : undefined);
    this.#answerAll();
  }

  cancel(): void {
    this.#asking?.cancel();
    this.#unasked = [];
  }

  await(id: IdToken): void {
    if (this.#task.isOver) return this.#answer(id);
    this.#waiting.add(id);
    for (const bytes of this.#unasked.splice(0)) this.#stage.send(bytes, id);
    if (this.#rests || this.#task.status === "input_required") this.#stage.host.rests?.(id);
  }

  leave(id: IdToken): void {
    this.#waiting.delete(id);
  }

  cancelled(): void {
    this.#answerAll();
  }

  #answerAll(): void {
    for (const id of this.#waiting) this.#answer(id);
    this.#waiting.clear();
  }

  #answer(id: IdToken): void {
    const settled = this.#task.settled ?? {
      error: { code: -32603, message: "The task was cancelled, and has no result" },
    };
    const outcome = "result" in settled ? { result: this.#related(settled.result) } : settled;
    this.#stage.send(settledBytes(id, outcome), id);
  }

  /** A request of the server goes to somebody who waits for the result; until then, to nobody. */
  #put(bytes: Uint8Array): void {
    const [id] = this.#waiting;
    if (id === undefined) this.#unasked.push(bytes);
    else this.#stage.send(bytes, id);
  }

  #tell(bytes: Uint8Array): void {
    const [id] = this.#waiting;
    this.#stage.send(bytes, id ?? "standalone");
  }

  get #meta(): JsonObject {
    return { [RELATED_TASK]: { taskId: this.#task.facts.id } };
  }

  #related(members: JsonObject): JsonObject {
    const meta = isObject(members._meta) ? members._meta : {};
    return { ...members, _meta: { ...meta, ...this.#meta } };
  }
}

/** What went wrong, for the status. */
function reasonOf(outcome: Settled): string {
  if ("error" in outcome) return String(outcome.error.message);
  const [block] = Array.isArray(outcome.result.content) ? outcome.result.content : [];
  return isObject(block) && typeof block.text === "string" ? block.text : "The tool failed";
}
