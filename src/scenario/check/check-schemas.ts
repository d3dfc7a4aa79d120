import { VcrError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { everyTurn } from "../effects.ts";
import { generated, NotGenerated } from "../generate.ts";
import { isObject, written } from "../matcher.ts";
import type { Reply, Scenario, Tool, Turn } from "../model.ts";
import type { SchemaChecker } from "../schemas.ts";
import { schemaOfForm } from "../serve/input.ts";
import { allReferences } from "../template.ts";
import { eachTurn } from "../turns.ts";
import { blamed } from "./blamed.ts";
import { isNever } from "./never.ts";

/**
 * What only compiled schemas show: schemas that are none, results that break their tool's promise, replies to arguments
 * that the tool refuses.
 * @throws VcrError `scenario-invalid`
 */
export function checkSchemas(scenario: Scenario, checker: SchemaChecker): void {
  const { tools } = scenario;
  for (const tool of tools) blamed(tool.overridden, () => checkTool(tool, checker));
  for (const { turn, reply } of everyTurn(scenario)) checkForms(turn, reply, checker);
}

function checkTool(tool: Tool, checker: SchemaChecker): void {
  for (const key of ["inputSchema", "outputSchema"] as const) {
    const schema = tool[key];
    const problem = schema === undefined ? undefined : checker.problem(schema);
    if (problem === undefined) continue;
    throw new VcrError("scenario-invalid", `${key} of ${tool.name}: ${problem}`, {
      place: tool.placeOf(key),
    });
  }
  if (tool.validate) checkResults(tool, checker);
  if (tool.validate) for (const reply of tool.replies ?? []) checkWhen(reply, tool, checker);
  checkGenerated(tool, checker);
}

function checkForms({ steps }: Turn, { place }: Reply, checker: SchemaChecker): void {
  for (const [name, ask] of steps.flatMap((step) => (step.kind === "ask" ? [...step.asks] : []))) {
    const schema = ask.validate ? schemaOfForm(ask) : undefined;
    if (!schema || allReferences(schema).length > 0) continue;
    const problem = checker.problem(schema);
    if (problem === undefined) continue;
    throw new VcrError("scenario-invalid", `requestedSchema of the question ${name}: ${problem}`, { place });
  }
}

function checkResults(tool: Tool, checker: SchemaChecker): void {
  const { outputSchema } = tool;
  if (outputSchema === undefined) return;
  for (const { turn, reply } of eachTurn(tool.replies ?? [])) {
    const result = turn.outcome.kind === "result" ? turn.outcome.result : {};
    const { structuredContent, isError } = result;
    // A failure is no result of the tool's. What a template refers to is known when it answers.
    if (structuredContent === undefined || isError === true || allReferences(structuredContent).length > 0)
      continue;
    const [fault] = checker.faults(outputSchema, structuredContent);
    if (fault === undefined) continue;
    throw new VcrError(
      "scenario-invalid",
      `structuredContent: ${fault}, as the outputSchema of ${tool.name} has it`,
      {
        place: reply.place,
        hint: "Mend one or the other; or set validate: false on the tool, for a server that breaks its promise.",
      },
    );
  }
}

/** A value that `when` wants and the schema refuses never comes so far. */
function checkWhen({ when, where }: Reply, tool: Tool, checker: SchemaChecker): void {
  const { properties } = tool.inputSchema;
  if (when?.kind !== "members" || !isObject(properties)) return;
  for (const [name, matcher] of when.members) {
    const schema = properties[name];
    if (schema === undefined || !Object.hasOwn(properties, name)) continue;
    const { required } = tool.inputSchema;
    const isRequired = Array.isArray(required) && required.includes(name);
    const accepts = (value: JsonValue) => isAllowed(checker, { tool, schema }, value);
    if (!isNever(matcher, { schema, required: isRequired, accepts })) continue;
    const never = matcher.kind === "any" ? "left out" : JSON.stringify(written(matcher));
    throw new VcrError(
      "scenario-invalid",
      `when: can never match: ${name} is never ${never}, since the inputSchema of ${tool.name} refuses it`,
      {
        place: where.placeOf("when", name),
        hint:
          isRequired && matcher.kind === "any" ? "It is required." : `It must be ${JSON.stringify(schema)}.`,
      },
    );
  }
}

/** Schemas of arguments may refer to what else the tool's schema defines. */
function isAllowed(
  checker: SchemaChecker,
  { tool, schema }: { tool: Tool; schema: JsonValue },
  value: JsonValue,
): boolean {
  const { $defs, definitions, $schema } = tool.inputSchema;
  const whole = Object.fromEntries(
    Object.entries({ $schema, $defs, definitions, allOf: [schema] }).filter(([, each]) => each !== undefined),
  ) as JsonObject;
  return checker.problem(whole) !== undefined || checker.faults(whole, value).length === 0;
}

/** Seeds that are tried. */
const TRIED = 5;

function checkGenerated(tool: Tool, checker: SchemaChecker): void {
  const { outputSchema, replies } = tool;
  if (outputSchema === undefined) return;
  const generate = [...eachTurn(replies ?? [])].find(({ turn }) => turn.outcome.kind === "generate");
  if (replies && !generate) return;
  const place = generate?.reply.place ?? tool.placeOf("outputSchema");
  for (let seed = 0; seed < TRIED; seed++) {
    const fault = faultOf(() => generated(outputSchema, `${seed}`, checker));
    if (fault === undefined) continue;
    throw new VcrError(
      "scenario-invalid",
      `no result of ${tool.name} can be made from its outputSchema: ${fault}`,
      {
        place,
        hint: "Write a reply with structuredContent:, or give the schema examples:.",
      },
    );
  }
}

function faultOf(make: () => unknown): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    if (error instanceof NotGenerated) return error.message;
    throw error;
  }
}
