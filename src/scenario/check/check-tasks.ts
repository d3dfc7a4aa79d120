import { VcrError } from "../../errors.ts";
import { eraOf } from "../../protocol/revisions.ts";
import { allAnswering } from "../effects.ts";
import type { Scenario, Step, Tool, Turn } from "../model.ts";
import { eachTurn, type PlacedTurn, taskStepOf } from "../turns.ts";

/**
 * What is written of tasks, where there can be none or another is meant.
 * @throws VcrError `scenario-invalid`
 */
export function checkTasks(scenario: Scenario): void {
  const { tools } = scenario;
  for (const tool of tools) checkTool(tool, scenario);
  const others = allAnswering(scenario).filter((each) => !(tools as readonly unknown[]).includes(each));
  const withoutTasks = [...others, ...tools.filter(({ taskSupport }) => taskSupport === "forbidden")];
  for (const { replies = [] } of withoutTasks) {
    for (const placed of eachTurn(replies)) refuseTask(placed);
  }
}

function checkTool({ taskSupport, placeOf, name, replies = [] }: Tool, { revisions }: Scenario): void {
  if (taskSupport === "required" && !revisions.some((version) => haveTasks(version))) {
    throw new VcrError(
      "scenario-invalid",
      `execution: ${name} must be called with a task, and none of the revisions has tasks`,
      { place: placeOf("execution"), hint: "2025-11-25 has, and 2026-07-28 by an extension." },
    );
  }
  for (const { turn, reply } of eachTurn(replies)) {
    if (taskSupport === "required" && !turn.task) {
      throw new VcrError("scenario-invalid", `task: false, and ${name} must be called with a task`, {
        place: reply.place,
        hint: "Leave it out, or write execution: { taskSupport: optional } on the tool.",
      });
    }
    if (countTasks(turn) < 2) continue;
    throw new VcrError("scenario-invalid", "a reply becomes a task once", {
      place: reply.place,
      hint: "Leave one task: out.",
    });
  }
}

function haveTasks(version: string): boolean {
  return version === "2025-11-25" || eraOf(version) === "modern";
}

/** Of a turn and what it leads to, the most that can come one after the other. */
function countTasks({ steps, outcome }: Turn): number {
  const own = steps.filter(({ kind }) => kind === "task").length;
  const following = outcome.kind === "replies" ? outcome.replies.flatMap(({ turns }) => turns) : [];
  return own + Math.max(0, ...following.map(countTasks));
}

const OF_TASKS: readonly Step["kind"][] = ["task", "status"];

function refuseTask({ turn, reply }: PlacedTurn): void {
  const step = turn.steps.find(({ kind }) => OF_TASKS.includes(kind));
  if (!step && turn.task && taskStepOf(turn) === undefined) return;
  throw new VcrError("scenario-invalid", `${step?.kind ?? "task"}: there is no task here`, {
    place: reply.place,
    hint: "Only a tool with execution: { taskSupport: optional } (or required) can become one.",
  });
}
