import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import { RELATED_TASK } from "../serve/speech.ts";
import type { RecordedCall } from "./recorded-call.ts";

/** A call that was answered with a task, by the task's id. */
export function taskIdOf({ method, result }: RecordedCall): JsonValue | undefined {
  if (method !== "tools/call") return undefined;
  return result?.resultType === "task" ? result.taskId : memberAt(result, "task", "taskId");
}

/** Calls with what their tasks came to in the place of the tasks; a task without an end is left out. */
export function throughTasks(calls: readonly RecordedCall[], notices: Set<string>): readonly RecordedCall[] {
  return calls.flatMap((call) => {
    const id = taskIdOf(call);
    if (id === undefined) return [call];
    const about = calls.filter(({ session, params }) => session === call.session && params.taskId === id);
    const end = endOf(about);
    const name = String(call.params.name);
    if (!end) notices.add(`a task of ${name} had no end in the recording, and is left out`);
    if (about.some(({ result }) => isObject(result?.inputRequests)))
      notices.add(`what a task of ${name} asked the client is left out`);
    return end ? [{ ...call, result: undefined, ...end, steps: [...call.steps, ...(end.steps ?? [])] }] : [];
  });
}

type End = Partial<Pick<RecordedCall, "result" | "error" | "cancelled" | "steps">>;

/** By its result (2025-11-25), or by how it was found the last time (2026-07-28). */
function endOf(about: readonly RecordedCall[]): End | undefined {
  const asked = about.find(({ method, result, error }) => method === "tasks/result" && (result || error));
  const found = about.filter(({ method }) => method === "tasks/get" || method === "tasks/cancel");
  if (found.some(({ result }) => result?.status === "cancelled")) return { cancelled: true };
  if (asked) {
    const { steps, error } = asked;
    return { steps, error, result: asked.result && withoutTask(asked.result) };
  }
  const last = found.map(({ result }) => result).findLast((result) => result?.result ?? result?.error);
  const [result, error] = [last?.result, last?.error];
  if (isObject(result)) return { result: plain(result) };
  return isObject(error) ? { error } : undefined;
}

function withoutTask({ _meta, ...result }: JsonObject): JsonObject {
  if (!isObject(_meta)) return result as JsonObject;
  const { [RELATED_TASK]: _, ...meta } = _meta;
  return (Object.keys(meta).length > 0 ? { ...result, _meta: meta } : result) as JsonObject;
}

/** A result within a task, without what a scenario adds by itself. */
function plain({ resultType: _, _meta: __, ...result }: JsonObject): JsonObject {
  return result as JsonObject;
}
