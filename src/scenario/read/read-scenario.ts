import { type Members, Shape } from "../../cassette/written/shape.ts";
import { readTree, type Tree, type WrittenSource } from "../../cassette/written/tree.ts";
import { readFaultList } from "../../faults/read-faults.ts";
import type { JsonObject } from "../../protocol/message.ts";
import { senderOf } from "../../protocol/methods.ts";
import { REVISIONS } from "../../protocol/revisions.ts";
import type { Caching, Method } from "../model.ts";
import { checkServerCapabilities } from "./capability-names.ts";
import { LIST_NAMES } from "./effects.ts";
import type { Extension, ScenarioParts, Without } from "./parts.ts";
import { readItems } from "./read-items.ts";
import { readPages } from "./read-pages.ts";
import { readReplies } from "./read-reply.ts";
import { readTaskSettings } from "./read-tasks.ts";
import { readTimeline } from "./read-timeline.ts";
import type { Reading } from "./reading.ts";
import { type AnyFunction, valueSource } from "./value-tree.ts";

export const FORMAT = 1;

export const TOP = [
  "scenario",
  "extends",
  "without",
  "seed",
  "server",
  "instructions",
  "revisions",
  "capabilities",
  "pageSize",
  "pages",
  "caching",
  "state",
  "unknown",
  "validate",
  "tools",
  "resources",
  "templates",
  "prompts",
  "methods",
  "timeline",
  "tasks",
  "faults",
] as const;

export interface ReadScenario {
  readonly parts: ScenarioParts;
  readonly extension: Extension | undefined;
}

const FROM_FILE = { verbatim: false, validates: true };

/** Names for turns, different in all files that make one scenario. */
export type TurnIds = () => string;

export function turnIds(): TurnIds {
  let next = 0;
  return () => `t${next++}`;
}

/** @throws VcrError `scenario-invalid`, with file, line and column */
export function readScenarioText(
  { file, text }: Pick<WrittenSource, "file" | "text">,
  ids: TurnIds,
): ReadScenario {
  const source: WrittenSource = { file, text, what: "a scenario", code: "scenario-invalid" };
  return readScenarioTree(readTree(source), {
    shape: new Shape(source),
    newTurnId: ids,
    functions: [],
    ...FROM_FILE,
  });
}

/** A scenario that a program made. @throws VcrError `scenario-invalid`, with file and member */
export function readScenarioValue(value: unknown, file: string, ids: TurnIds): ReadScenario {
  const { source, tree, functions } = valueSource(value, { file, what: "a scenario" });
  const known: readonly AnyFunction[] = functions;
  return readScenarioTree(tree, {
    shape: new Shape(source),
    newTurnId: ids,
    functions: known,
    ...FROM_FILE,
  });
}

function readScenarioTree(tree: Tree, reading: Reading): ReadScenario {
  const { shape } = reading;
  const members = shape.members(tree, { what: "a scenario", allowed: TOP, required: ["scenario"] });
  const format = members.get("scenario") as Tree;
  if (format.kind !== "scalar" || format.value !== FORMAT) {
    throw shape.fault(
      format.at,
      `scenario: must be ${FORMAT}, the format of this file`,
      `Write scenario: ${FORMAT}.`,
    );
  }
  const validate = members.get("validate");
  const validates = validate ? shape.yesOrNo(validate, "validate") : true;
  const inner = { ...reading, validates };
  return { parts: readParts(members, inner), extension: readExtension(members, inner) };
}

function readParts(members: Members, reading: Reading): ScenarioParts {
  const { shape } = reading;
  const pageSize = members.get("pageSize");
  const faults = members.get("faults");
  const state = members.get("state");
  const list = (name: (typeof LIST_NAMES)[number]) => readItems(members.get(name), name, reading);
  return {
    lists: {
      tools: list("tools"),
      resources: list("resources"),
      templates: list("templates"),
      prompts: list("prompts"),
    },
    methods: readMethods(members.get("methods"), reading),
    timeline: readTimeline(members.get("timeline"), reading),
    faults: faults ? readFaultList(faults, shape) : [],
    pageSize: pageSize && shape.whole(pageSize, "pageSize", 1),
    pages: readPages(members.get("pages"), reading),
    state: state ? shape.object(state, "state") : {},
    capabilities: readCapabilities(members.get("capabilities"), reading),
    settings: readSettings(members, reading),
  };
}

function readCapabilities(tree: Tree | undefined, { shape, validates }: Reading): JsonObject {
  if (!tree) return {};
  if (validates) checkServerCapabilities(tree, shape);
  return shape.object(tree, "capabilities");
}

function readSettings(members: Members, reading: Reading): ScenarioParts["settings"] {
  const { shape } = reading;
  const read = <Value>(key: string, of: (tree: Tree) => Value) => {
    const tree = members.get(key);
    return tree ? { [key]: of(tree) } : {};
  };
  return {
    ...read("seed", (tree) => shape.whole(tree, "seed", 0)),
    ...read("server", (tree) => readServer(tree, reading)),
    ...read("instructions", (tree) => shape.text(tree, "instructions")),
    ...read("revisions", (tree) => readRevisions(tree, reading)),
    ...read("caching", (tree) => readCaching(tree, reading)),
    ...read("tasks", (tree) => readTaskSettings(tree, reading)),
    ...read("unknown", (tree) => shape.oneOf(tree, ["miss", "refuse"] as const, "unknown")),
  };
}

const SERVER = ["name", "version", "title", "description", "websiteUrl", "icons"];

function readServer(tree: Tree, { shape }: Reading) {
  const members = shape.members(tree, { what: "server", allowed: SERVER, required: ["name", "version"] });
  for (const [key, value] of members) if (key !== "icons") shape.text(value, key);
  return shape.object(tree, "server");
}

function readRevisions(tree: Tree, { shape }: Reading): readonly string[] {
  const known = REVISIONS.map(({ version }) => version);
  const items = shape.list(tree, "revisions").map((item) => shape.oneOf(item, known, "a revision"));
  if (items.length === 0) throw shape.fault(tree.at, "revisions: a server speaks one at least");
  return known.filter((version) => items.includes(version));
}

function readCaching(tree: Tree, { shape }: Reading): Caching {
  const members = shape.members(tree, { what: "caching", allowed: ["ttl", "scope"] });
  const ttl = members.get("ttl");
  const scope = members.get("scope");
  return {
    ttl: ttl ? shape.duration(ttl, "ttl") : 0,
    scope: scope ? shape.oneOf(scope, ["private", "public"] as const, "scope") : "private",
  };
}

function readMethods(tree: Tree | undefined, reading: Reading): readonly Method[] {
  if (!tree) return [];
  const { shape } = reading;
  return shape.list(tree, "methods").map((item) => {
    const required = ["method", "replies"];
    const members = shape.members(item, { what: "a method", allowed: required, required });
    const name = members.get("method") as Tree;
    const method = shape.text(name, "method");
    if (REVISIONS.some(({ version }) => senderOf(method, version) !== undefined)) {
      throw shape.fault(
        name.at,
        `${method} is a method of the protocol`,
        "It is answered from tools, resources, prompts.",
      );
    }
    const about = { kind: "method", matches: true } as const;
    const replies = readReplies(members.get("replies") as Tree, about, reading);
    return { method, label: method, place: shape.place(item.at), replies };
  });
}

function readExtension(members: Members, { shape }: Reading): Extension | undefined {
  const base = members.get("extends");
  const without = members.get("without");
  if (!base) {
    if (without) throw shape.fault(without.at, "without: goes with extends:");
    return undefined;
  }
  return {
    file: shape.text(base, "extends"),
    place: shape.place(base.at),
    without: without ? readWithout(without, shape) : [],
  };
}

function readWithout(tree: Tree, shape: Shape): readonly Without[] {
  const members = shape.members(tree, { what: "without", allowed: LIST_NAMES });
  return LIST_NAMES.flatMap((list) => {
    const names = members.get(list);
    if (!names) return [];
    return shape
      .list(names, list)
      .map((item) => ({ list, key: shape.text(item, "a name"), place: shape.place(item.at) }));
  });
}
