import type { ListName } from "../../drive/pages.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { Revision } from "../../protocol/revisions.ts";
import { eachEffect, eachStep, hasHandler } from "../effects.ts";
import type { Scenario } from "../model.ts";
import { mergedObjects } from "../read/merge.ts";
import { CHANGED } from "./feeds.ts";
import { hasTasks, TASKS_EXTENSION } from "./speech.ts";

/** What the scenario can do by what is in it, with what it says of that laid over. */
export function capabilitiesOf(scenario: Scenario, revision: Revision): JsonObject {
  const { tools, resources, templates, prompts } = scenario;
  const completes = [...templates, ...prompts].some(({ complete }) => complete.size > 0);
  const derived: JsonObject = {
    ...(tools.length > 0 ? { tools: listChanged(scenario, "tools") } : {}),
    ...(resources.length + templates.length > 0
      ? {
          resources: {
            ...(isUpdated(scenario) ? { subscribe: true } : {}),
            ...listChanged(scenario, "resources", "templates"),
          },
        }
      : {}),
    ...(prompts.length > 0 ? { prompts: listChanged(scenario, "prompts") } : {}),
    ...(completes ? { completions: {} } : {}),
    ...(logs(scenario) ? { logging: {} } : {}),
    ...(tools.some(({ taskSupport }) => taskSupport !== "forbidden") ? TASKS : {}),
  };
  return known(present(mergedObjects(derived, scenario.capabilities)), revision);
}

/** Capabilities that not every revision has; a scenario names them for all. */
const IN: Readonly<Record<string, (revision: Revision) => boolean>> = {
  completions: ({ version }) => version >= "2025-03-26",
  tasks: hasTasks,
  extensions: ({ era }) => era === "modern",
};

function known(capabilities: JsonObject, revision: Revision): JsonObject {
  return Object.fromEntries(Object.entries(capabilities).filter(([key]) => IN[key]?.(revision) ?? true));
}

/** In the manner of either era. */
const TASKS: JsonObject = {
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  extensions: { [TASKS_EXTENSION]: {} },
};

function listChanged(scenario: Scenario, ...lists: readonly ListName[]): JsonObject {
  const changes = [...eachEffect(scenario)].some(
    (effect) =>
      (effect.kind === "show" && lists.some((list) => effect.names[list] !== undefined)) ||
      (effect.kind === "notify" && lists.some((list) => CHANGED[effect.method] === list)),
  );
  return changes || hasHandler(scenario) ? { listChanged: true } : {};
}

function isUpdated(scenario: Scenario): boolean {
  return hasHandler(scenario) || [...eachEffect(scenario)].some(({ kind }) => kind === "update");
}

function logs(scenario: Scenario): boolean {
  return hasHandler(scenario) || [...eachStep(scenario)].some(({ kind }) => kind === "log");
}

/** Without what null took away. */
function present(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(capabilities).flatMap(([key, value]) => {
      if (value === null) return [];
      const inner = typeof value === "object" && !Array.isArray(value) ? present(value) : value;
      return [[key, inner]];
    }),
  );
}
