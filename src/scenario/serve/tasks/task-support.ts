import { memberAt } from "../../../protocol/member.ts";
import type { Tool } from "../../model.ts";
import type { Asked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { isDeclared, missingCapability } from "../may-ask.ts";
import type { RpcError } from "../settled.ts";
import { hasTasks, METHOD_NOT_FOUND, TASKS_EXTENSION } from "../speech.ts";
import type { Subject } from "../subject.ts";

/** What a client of the modern era must declare to be answered with a task. */
export const TASKS_REQUIRED = ["extensions", TASKS_EXTENSION];

/** Whether a call is answered with a task; or why it cannot be answered the way it was made. */
export function taskOf(
  { name, taskSupport }: Tool,
  { client, params }: Asked,
  desk: Desk,
): Subject["task"] | RpcError {
  const { revision } = client;
  if (revision.era === "modern") {
    if (taskSupport === "forbidden" || desk.capabilities(revision).extensions === undefined) return undefined;
    if (isDeclared(TASKS_REQUIRED, client)) return "offered";
    return taskSupport === "required" ? missingCapability(TASKS_REQUIRED) : undefined;
  }
  // A server that does not say that it has tasks looks at none (2025-11-25 basic/utilities/tasks).
  const has =
    hasTasks(revision) &&
    memberAt(desk.capabilities(revision), "tasks", "requests", "tools", "call") !== undefined;
  const isAsked = has && params.task !== undefined;
  if (isAsked && taskSupport === "forbidden") {
    return { code: METHOD_NOT_FOUND, message: `Tool ${name} does not support tasks` };
  }
  if (isAsked) return "asked";
  if (taskSupport !== "required") return undefined;
  const why = has ? "" : `, which ${revision.version} does not have`;
  return { code: METHOD_NOT_FOUND, message: `Tool ${name} must be called with a task${why}` };
}
