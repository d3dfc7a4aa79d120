import { memberAt } from "../../../protocol/member.ts";
import type { JsonObject } from "../../../protocol/message.ts";
import { opaque } from "../../random.ts";
import type { Asked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { inputResponsesOf } from "../input.ts";
import { isDeclared, missingCapability } from "../may-ask.ts";
import { INVALID_PARAMS } from "../speech.ts";
import type { RunningTask } from "./running-task.ts";
import type { Task } from "./task.ts";
import { TASKS_REQUIRED } from "./task-support.ts";

export function getTask(asked: Asked, desk: Desk): undefined {
  return about(asked, desk, ({ task }) => {
    const isLegacy = asked.client.revision.era === "legacy";
    return desk.result(asked, isLegacy ? task.told : task.detailed, false);
  });
}

/** 2025-11-25 alone: answered when the task is over. */
export function taskResult(asked: Asked, desk: Desk): undefined {
  return about(asked, desk, ({ way }) => way.await?.(asked.id) as undefined);
}

/** The modern era alone. */
export function updateTask(asked: Asked, desk: Desk): undefined {
  return about(asked, desk, ({ way }) => {
    const { inputResponses } = asked.params;
    const responses = inputResponses === undefined ? undefined : inputResponsesOf(asked.params);
    if (!responses) return invalid(asked, desk, "inputResponses must be an object");
    const problem = way.update?.(responses);
    return problem === undefined ? desk.result(asked, {}, false) : invalid(asked, desk, problem);
  });
}

export function cancelTask(asked: Asked, desk: Desk): undefined {
  return about(asked, desk, (found) => {
    const isLegacy = asked.client.revision.era === "legacy";
    const { task, run, way } = found;
    if (isLegacy && task.isOver) {
      const message = `Cannot cancel task: already in terminal status '${task.status}'`;
      return desk.error(asked, { code: INVALID_PARAMS, message });
    }
    if (!task.isOver) {
      run.cancel();
      task.cancel();
      way.cancelled?.();
    }
    // In the modern era that it was heard is all that is answered.
    return desk.result(asked, isLegacy ? task.told : {}, false);
  });
}

export function listTasks(asked: Asked, desk: Desk): undefined {
  const { all } = desk.tasks;
  const { seed, tasks } = desk.scenario;
  const cursorAfter = ({ task }: RunningTask) => opaque(`${seed} tasks after ${task.facts.id}`);
  const { cursor } = asked.params;
  const from = cursor === undefined ? 0 : all.findIndex((each) => cursorAfter(each) === cursor) + 1;
  if (cursor !== undefined && from === 0) {
    const message = "Invalid cursor: it was not given out by this server";
    return desk.error(asked, { code: INVALID_PARAMS, message, data: { cursor } });
  }
  const page = all.slice(from, from + (tasks.pageSize ?? all.length));
  const last = page.at(-1);
  const next: JsonObject = last && from + page.length < all.length ? { nextCursor: cursorAfter(last) } : {};
  return desk.result(asked, { tasks: page.map(({ task }) => task.told), ...next }, false);
}

/** The tasks that a client listens to, as far as there are such; undefined where it is refused. */
export function listenedTasks(asked: Asked, desk: Desk): readonly Task[] | undefined {
  const ids = memberAt(asked.params, "notifications", "taskIds");
  if (!Array.isArray(ids)) return [];
  if (!isDeclared(TASKS_REQUIRED, asked.client)) return desk.error(asked, missingCapability(TASKS_REQUIRED));
  return ids.flatMap((id) => desk.tasks.get(id)?.task ?? []);
}

function about(asked: Asked, desk: Desk, answer: (found: RunningTask) => undefined): undefined {
  const { client, params } = asked;
  if (client.revision.era === "modern" && !isDeclared(TASKS_REQUIRED, client)) {
    return desk.error(asked, missingCapability(TASKS_REQUIRED));
  }
  const found = desk.tasks.get(params.taskId);
  if (found) return answer(found);
  return desk.error(asked, { code: INVALID_PARAMS, message: "Failed to retrieve task: Task not found" });
}

function invalid(asked: Asked, desk: Desk, why: string): undefined {
  return desk.error(asked, { code: INVALID_PARAMS, message: `Invalid params: ${why}` });
}
