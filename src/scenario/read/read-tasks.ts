import type { Members } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { Step, TaskPlan, TaskSettings } from "../model.ts";
import { type Reading, templatedObject, templatedText } from "./reading.ts";

/** What is true of every task. */
export function readTaskSettings(tree: Tree, reading: Reading): Omit<TaskSettings, "pageSize"> {
  const { shape } = reading;
  const members = shape.members(tree, { what: "tasks", allowed: ["ttl", "pollInterval", "notify"] });
  const notify = members.get("notify");
  return { ...timesIn(members, reading), notify: notify ? shape.yesOrNo(notify, "notify") : true };
}

/** `task: {…}`: what is said of one task when it begins. `task: false` is no step, but see `isTask`. */
export function readTask(tree: Tree, reading: Reading): readonly Step[] {
  if (tree.kind === "scalar" && tree.value === false) return [];
  const { shape } = reading;
  if (tree.kind !== "map") {
    throw shape.fault(tree.at, "task must be a mapping, or false", "task: {} is a task like any other.");
  }
  const allowed = ["ttl", "pollInterval", "message", "_meta"];
  const members = shape.members(tree, { what: "task", allowed });
  const message = members.get("message");
  const meta = members.get("_meta");
  const plan: TaskPlan = {
    ...timesIn(members, reading),
    message: message && templatedText(message, "message", reading),
    meta: meta && templatedObject(meta, "_meta", reading),
  };
  return [{ kind: "task", plan }];
}

/** Whether a reply is given by way of a task, where the server decides. */
export function isTask(members: Members): boolean {
  const tree = members.get("task");
  return !(tree?.kind === "scalar" && tree.value === false);
}

function timesIn(members: Members, { shape }: Reading): Pick<TaskSettings, "ttl" | "pollInterval"> {
  const time = (key: string) => {
    const tree = members.get(key);
    const ms = tree && shape.duration(tree, key);
    if (tree && ms === 0) throw shape.fault(tree.at, `${key} must be longer than nothing`);
    return ms;
  };
  return { ttl: time("ttl"), pollInterval: time("pollInterval") };
}
