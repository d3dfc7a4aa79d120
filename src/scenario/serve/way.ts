import type { JsonObject } from "../../protocol/message.ts";
import type { Turn } from "../model.ts";
import type { Asked } from "./asked.ts";
import type { Question } from "./question.ts";
import type { Progress } from "./request-state.ts";
import type { Settled } from "./settled.ts";
import type { Render, Telling } from "./told.ts";

/** A request on its way to its answer. */
export interface Underway {
  readonly asked: Asked;
  /** Nothing more is to be done for it. */
  cancel(): void;
}

/** How what a request comes to reaches its client: as its answer, or by way of a task. What is told is made when it is. */
export interface Way {
  begin(turn: Turn): void;
  /** True where the client is told, before its answer; a sentence where it cannot be. */
  tell(telling: Telling, render: Render): boolean | string;
  status(message: () => string): void;
  /** The stream of the answer ends, and the client comes back after so many milliseconds. */
  cut(retry: number | undefined): void;
  /** So many milliseconds have passed. */
  waited(ms: number): void;
  /** False when the request is over with that, and `done` is never called: the client sends it again. */
  ask(questions: readonly Question[], progress: Progress, done: (answers: JsonObject) => void): boolean;
  /** Nothing more comes before the client says something. */
  rest(): void;
  settle(outcome: Settled): void;
  /** The client gave it up. */
  cancel(): void;
}
