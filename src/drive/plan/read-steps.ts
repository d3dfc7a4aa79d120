import type { Members, Shape } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { LISTS, type ListName } from "../pages.ts";
import type { Doing, Expected, Step, StepKind } from "../step.ts";
import { ANSWER_KINDS, answerSet, rawAnswers } from "./answers.ts";

/** Members that a step may have besides the one that names what it does. */
const ANY_REQUEST = ["timeout", "expect", "answers"] as const;

interface Reading {
  /** Further members of its own. */
  readonly members: readonly string[];
  readonly read: (value: Tree, members: Members, shape: Shape) => Doing;
}

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
const COMPLETE = { what: "complete", allowed: ["ref", "argument", "context"], required: ["ref", "argument"] };

/** How each kind of step is written. */
const READINGS: Readonly<Record<Exclude<StepKind, "auto">, Reading>> = {
  call: named("call"),
  read: {
    members: ANY_REQUEST,
    read: (value, _more, shape) => ({ kind: "read", uri: shape.text(value, "read") }),
  },
  prompt: named("prompt"),
  complete: {
    members: ANY_REQUEST,
    read: (value, _more, shape) => {
      shape.members(value, COMPLETE);
      return { kind: "complete", params: shape.object(value, "complete") };
    },
  },
  list: {
    members: ANY_REQUEST,
    read: (value, _more, shape) => ({
      kind: "list",
      list: shape.oneOf(value, Object.keys(LISTS) as ListName[], "list"),
    }),
  },
  subscribe: {
    members: ANY_REQUEST,
    read: (value, _more, shape) => ({ kind: "subscribe", uri: shape.text(value, "subscribe") }),
  },
  unsubscribe: {
    members: ANY_REQUEST,
    read: (value, _more, shape) => ({ kind: "unsubscribe", uri: shape.text(value, "unsubscribe") }),
  },
  level: {
    members: ANY_REQUEST,
    read: (value, _more, shape) => ({ kind: "level", level: shape.oneOf(value, LEVELS, "level") }),
  },
  request: {
    members: ["params", ...ANY_REQUEST],
    read: (value, more, shape) => ({
      kind: "request",
      method: shape.text(value, "request"),
      params: paramsOf(more, shape),
    }),
  },
  notify: {
    members: ["params"],
    read: (value, more, shape) => ({
      kind: "notify",
      method: shape.text(value, "notify"),
      params: paramsOf(more, shape),
    }),
  },
  wait: { members: [], read: (value, _more, shape) => ({ kind: "wait", ms: shape.duration(value, "wait") }) },
};

function named(kind: "call" | "prompt"): Reading {
  return {
    members: ["arguments", ...ANY_REQUEST],
    read: (value, more, shape) => {
      const args = more.get("arguments");
      return { kind, name: shape.text(value, kind), arguments: args && shape.object(args, "arguments") };
    },
  };
}

function paramsOf(members: Members, shape: Shape): JsonValue | undefined {
  const params = members.get("params");
  return params && shape.value(params);
}

const KINDS = Object.keys(READINGS) as (keyof typeof READINGS)[];
const EXPECTED: readonly Expected[] = ["result", "error", "timeout"];

export function readSteps(tree: Tree, shape: Shape): readonly Step[] {
  const items = shape.list(tree, "steps");
  if (items.length === 0) throw shape.fault(tree.at, "there is no step", "Add one, such as - list: tools");
  return items.map((item) => readStep(item, shape));
}

function readStep(tree: Tree, shape: Shape): Step {
  const place = shape.place(tree.at);
  if (tree.kind === "scalar") {
    if (tree.value === "auto") return { doing: { kind: "auto" }, place };
    throw shape.fault(tree.at, `${JSON.stringify(tree.value)} is no step`, HINT);
  }
  if (tree.kind === "list") throw shape.fault(tree.at, "a list is no step", HINT);
  const kinds = KINDS.filter((kind) => tree.members.some(({ key }) => key === kind));
  const [kind, second] = kinds;
  if (kind === undefined) throw noStep(tree, shape);
  if (second !== undefined)
    throw shape.fault(tree.at, `a step does one thing, not both ${kind} and ${second}`, HINT);
  const { members: more, read } = READINGS[kind];
  const members = shape.members(tree, { what: `a ${kind} step`, allowed: [kind, ...more] });
  return { doing: read(members.get(kind) as Tree, members, shape), place, ...optionsOf(members, shape) };
}

const HINT = `A step is auto, or a mapping with one of ${KINDS.join(", ")}.`;

function noStep(tree: Extract<Tree, { kind: "map" }>, shape: Shape) {
  const options: readonly string[] = ["arguments", "params", ...ANY_REQUEST];
  const wrong = tree.members.find(({ key }) => !options.includes(key));
  if (wrong) return shape.unknown(wrong, "a step", KINDS);
  return shape.fault(tree.at, "a step must say what it does", HINT);
}

function optionsOf(members: Members, shape: Shape): Omit<Step, "doing" | "place"> {
  const [timeout, expect, answers] = ANY_REQUEST.map((name) => members.get(name));
  return {
    timeout: timeout && shape.duration(timeout, "timeout"),
    expect: expect && shape.oneOf(expect, EXPECTED, "expect"),
    answers: answers && readAnswers(answers, shape),
  };
}

function readAnswers(tree: Tree, shape: Shape) {
  return answerSet(rawAnswers(shape.members(tree, { what: "answers", allowed: ANSWER_KINDS })), shape);
}
