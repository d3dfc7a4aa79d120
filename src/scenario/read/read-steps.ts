import type { Members, Shape } from "../../cassette/written/shape.ts";
import type { Member, Tree } from "../../cassette/written/tree.ts";
import { LOG_LEVELS } from "../log-levels.ts";
import type { Step } from "../model.ts";
import { EFFECT_KEYS, readEffect } from "./effects.ts";
import { readAsks } from "./read-asks.ts";
import { isTask, readTask } from "./read-tasks.ts";
import { type Reading, templatedObject, templatedText } from "./reading.ts";

/** Steps that a reply may have without a list of them; they come in this order. */
export const SHORT_STEPS = ["task", "delay", "log", "progress", "ask"] as const;

type Read = (member: Member, reading: Reading) => readonly Step[];

const READERS: Readonly<Record<(typeof SHORT_STEPS)[number], Read>> = {
  task: ({ value }, reading) => readTask(value, reading),
  delay: ({ value }, reading) => [{ kind: "delay", ms: readDelay(value, reading) }],
  log: ({ value }, reading) => oneOrMore(value).flatMap((item) => readLog(item, reading)),
  progress: ({ value }, reading) => oneOrMore(value).flatMap((item) => readProgress(item, reading)),
  ask: ({ value }, reading) => [{ kind: "ask", asks: readAsks(value, reading) }],
};

/** Steps that stand in a list of them alone. */
const LISTED: Readonly<Record<string, Read>> = {
  cut: ({ value }, reading) => [readCut(value, reading)],
  status: ({ value }, reading) => [{ kind: "status", message: templatedText(value, "status", reading) }],
};

export const STEP_KEYS: readonly string[] = [...SHORT_STEPS, ...Object.keys(LISTED), ...EFFECT_KEYS];
const LOOSE = [...Object.keys(LISTED), ...EFFECT_KEYS.filter((key) => key !== "set")];

/** Refuses what is a step and stands in a reply by itself. */
export function refuseLooseSteps(tree: Tree, shape: Shape): void {
  const loose = tree.kind === "map" ? tree.members.find(({ key }) => LOOSE.includes(key)) : undefined;
  if (!loose) return;
  throw shape.fault(
    loose.at,
    `${loose.key}: is a step, and stands in a list of them`,
    `Write steps: [{ ${loose.key}: … }]; delay:, log:, progress: and ask: of the same reply go in there too.`,
  );
}

/** The steps of a reply: listed, or by short members of the reply. What is said of a task comes before either. */
export function readSteps(members: Members, reading: Reading): readonly Step[] {
  const { shape } = reading;
  const task = members.get("task");
  const first = task ? readTask(task, reading) : [];
  const short = SHORT_STEPS.flatMap((key) => {
    const value = members.get(key);
    return value && key !== "task" ? [{ key, at: value.at, value }] : [];
  });
  const listed = members.get("steps");
  if (reading.validates) checkRising(members, shape);
  if (!listed) return [...first, ...short.flatMap((member) => readStep(member, reading))];
  const [beside] = short;
  if (beside) {
    throw shape.fault(beside.at, `${beside.key}: stands beside steps:`, "Make it a step, in its order.");
  }
  return [...first, ...shape.list(listed, "steps").flatMap((item) => readListed(item, reading))];
}

function readListed(tree: Tree, reading: Reading): readonly Step[] {
  const { shape } = reading;
  const [only, second] = [...shape.members(tree, { what: "a step", allowed: STEP_KEYS })];
  if (!only) throw shape.fault(tree.at, "a step must do something", `It has one of ${STEP_KEYS.join(", ")}.`);
  const [key, value] = only;
  if (second) throw shape.fault(second[1].at, `a step does one thing, not both ${key} and ${second[0]}`);
  if (key === "task" && !isTask(new Map([only])))
    throw shape.fault(value.at, "task: false is of a whole reply", "Write it beside steps:.");
  return readStep({ key, at: tree.at, value }, reading);
}

/** Progress goes up with every notification (2025-11-25 basic/utilities/progress). */
function checkRising(members: Members, shape: Shape): void {
  const steps = members.get("steps");
  const all = [members, ...(steps ? shape.list(steps, "steps").map(membersOf) : [])];
  let last = Number.NEGATIVE_INFINITY;
  for (const step of all) {
    const progress = step.get("progress");
    for (const item of progress ? oneOrMore(progress) : []) {
      const given = membersOf(item).get("progress");
      const value = given?.kind === "scalar" ? Number(given.value) : Number.NaN;
      if (given && value <= last) {
        const hint = "Mend it; or set validate: false, for a server that breaks the protocol.";
        throw shape.fault(given.at, `progress goes from ${last} to ${value}, and must go up`, hint);
      }
      last = value;
    }
  }
}

function membersOf(tree: Tree): Members {
  return new Map(tree.kind === "map" ? tree.members.map(({ key, value }) => [key, value]) : []);
}

function readStep(member: Member, reading: Reading): readonly Step[] {
  const read = READERS[member.key as keyof typeof READERS] ?? LISTED[member.key];
  return read ? read(member, reading) : [{ kind: "effect", effect: readEffect(member, reading) }];
}

function oneOrMore(tree: Tree): readonly Tree[] {
  return tree.kind === "list" ? tree.items : [tree];
}

function readLog(tree: Tree, reading: Reading): readonly Step[] {
  const { shape } = reading;
  const allowed = ["level", "logger", "data", "delay"];
  const members = shape.members(tree, { what: "a log line", allowed, required: ["data"] });
  const level = members.get("level");
  if (level) shape.oneOf(level, LOG_LEVELS, "level");
  const { delay: _, ...params } = templatedObject(tree, "a log line", reading);
  return [...pause(members, reading), { kind: "log", params: { level: "info", ...params } }];
}

function readProgress(tree: Tree, reading: Reading): readonly Step[] {
  const { shape } = reading;
  const allowed = ["progress", "total", "message", "delay"];
  const members = shape.members(tree, { what: "progress", allowed, required: ["progress"] });
  for (const key of ["progress", "total"]) {
    const value = members.get(key);
    if (value) shape.number(value, key);
  }
  const message = members.get("message");
  if (message) templatedText(message, "message", reading);
  const { delay: _, ...params } = templatedObject(tree, "progress", reading);
  return [...pause(members, reading), { kind: "progress", params }];
}

/** Before the step. */
function pause(members: Members, reading: Reading): readonly Step[] {
  const delay = members.get("delay");
  return delay ? [{ kind: "delay", ms: readDelay(delay, reading) }] : [];
}

function readCut(tree: Tree, { shape }: Reading): Step {
  const members = shape.members(tree, { what: "cut", allowed: ["retry"] });
  const retry = members.get("retry");
  return { kind: "cut", retry: retry && shape.duration(retry, "retry") };
}

function readDelay(tree: Tree, reading: Reading): number | string {
  const isTemplate = tree.kind === "scalar" && typeof tree.value === "string" && tree.value.includes("${");
  return isTemplate ? templatedText(tree, "delay", reading) : reading.shape.duration(tree, "delay");
}
