import { VcrError } from "../../errors.ts";
import type { Scenario } from "../model.ts";

/** What a request is about, by its method. */
const ITEMS: Readonly<Record<string, "tools" | "prompts">> = {
  "tools/call": "tools",
  "prompts/get": "prompts",
};

/** Why a name means nothing, for messages. */
export type Missing = (name: string, list: "tools" | "prompts" | "resources") => string;

/**
 * A scenario's own faults, which strike what it has.
 * @throws VcrError `scenario-invalid` for a name that it does not have
 */
export function checkFaults(scenario: Scenario, missing: Missing): void {
  for (const { on, deeds } of scenario.faults?.faults ?? []) {
    const { method, name } = on;
    if (method === undefined || name === undefined) continue;
    const list = method === "resources/read" ? "resources" : ITEMS[method];
    if (list === undefined || isThere(name, list, scenario)) continue;
    throw new VcrError(
      "scenario-invalid",
      `faults: there is no ${list.slice(0, -1)} ${JSON.stringify(name)}${missing(name, list)}`,
      { place: deeds[0]?.place, hint: "A fault strikes what its on: names, so this one never would." },
    );
  }
}

function isThere(name: string, list: "tools" | "prompts" | "resources", scenario: Scenario): boolean {
  if (list !== "resources") return scenario[list].some((each) => each.name === name);
  const { resources, templates } = scenario;
  return (
    resources.some(({ uri }) => uri === name) ||
    templates.some(({ pattern }) => pattern.match(name) !== undefined)
  );
}
