import { resolve } from "node:path";
import { loadModule } from "../config/load-module.ts";
import { scenarioFile, scenarioFiles } from "../run/scenario-files.ts";
import { AjvSchemas } from "../scenario/ajv/ajv-schemas.ts";
import { checkSchemas } from "../scenario/check/check-schemas.ts";
import type { ScenarioDocument } from "../scenario/define-scenario.ts";
import { dialectsIn } from "../scenario/dialects-in.ts";
import { loadScenario, type ScenarioFiles } from "../scenario/load-scenario.ts";
import type { Scenario } from "../scenario/model.ts";
import type { Schemas } from "../scenario/schemas.ts";

/**
 * A scenario, checked whole: a mistake is one of the test's opening, not of whichever request comes to meet it.
 * @throws VcrError `scenario-invalid`
 */
export async function readScenario(
  scenario: string | ScenarioDocument,
  name: string,
): Promise<{ readonly file: string; readonly scenario: Scenario; readonly schemas: Schemas }> {
  const files = scenarioFiles(loadModule);
  const file = typeof scenario === "string" ? scenarioFile(scenario) : name;
  const read = await loadScenario(
    file,
    typeof scenario === "string" ? files : holding(scenario, name, files),
    name,
  );
  const schemas = new AjvSchemas(dialectsIn(read));
  checkSchemas(read, await schemas.load());
  return { file: typeof scenario === "string" ? resolve(file) : name, scenario: read, schemas };
}

/** Files, and a value that none of them holds. What it extends is looked for from the working directory on. */
function holding(value: ScenarioDocument, name: string, files: ScenarioFiles): ScenarioFiles {
  return {
    resolve: (from, named) => files.resolve(from, named),
    open: async (file, place) => (file === name ? { value } : files.open(file, place)),
  };
}
