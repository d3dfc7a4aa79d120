import type { IdToken, JsonObject } from "../../../protocol/message.ts";
import type { Underway, Way } from "../way.ts";
import type { Task } from "./task.ts";

/** By way of a task, with what clients can do to it in one era or the other. */
export interface TaskWay extends Way {
  /** 2025-11-25: answers a request for the result, once there is one. */
  await?(id: IdToken): void;
  /** 2025-11-25: a request for the result was given up. */
  leave?(id: IdToken): void;
  /** 2025-11-25: it was cancelled, so there will be no result. */
  cancelled?(): void;
  /**
   * 2026-07-28: takes answers to what is asked; a sentence for one that is none. What was not asked, or is answered
   * already, does not matter.
   */
  update?(responses: JsonObject): string | undefined;
}

/** A task, and the run that is on its way in it. */
export interface RunningTask {
  readonly task: Task;
  readonly run: Underway;
  readonly way: TaskWay;
  /** When it is forgotten, by the host's clock. */
  readonly until: number;
}
