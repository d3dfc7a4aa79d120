import type { JsonObject } from "../../protocol/message.ts";
import { type Rule, tools } from "./rule.ts";

const REGION = { type: "object", properties: { region: { type: "string" } } };

function region(header: string): JsonObject {
  return {
    inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": header } } },
  };
}

function taskSupport(value: string): JsonObject {
  return { execution: { taskSupport: value } };
}

const WEATHER = { type: "object", properties: { degrees: { type: "number" } } };

/** Of tools alone; what their schemas accept has rules of its own. */
export const TOOL_RULES = {
  "annotation-riskier": {
    layer: "contract",
    classes: ["risky"],
    title: "Tool is now said to do more harm",
    reason:
      "Clients ask for approval by it. What is left out counts as readOnly false, destructive true, idempotent false, openWorld true; of a tool that only reads, destructive and idempotent mean nothing.",
    example: tools({ annotations: { readOnlyHint: true } }, { annotations: {} }),
  },
  "annotation-safer": {
    layer: "contract",
    classes: ["compatible"],
    title: "Tool is now said to do less harm",
    reason: "It is a hint of a server that need not be trusted.",
    example: tools({}, { annotations: { openWorldHint: false } }),
  },
  "task-support-required": {
    layer: "contract",
    classes: ["breaking"],
    title: "Tool runs as a task only",
    reason: "Plain calls are answered with -32601.",
    example: tools(taskSupport("optional"), taskSupport("required")),
  },
  "task-support-dropped": {
    layer: "contract",
    classes: ["risky"],
    title: "Tool no longer runs as a task",
    reason: "Calls that ask for a task are answered with -32601.",
    example: tools(taskSupport("optional"), taskSupport("forbidden")),
  },
  "task-support-added": {
    layer: "contract",
    classes: ["compatible"],
    title: "Tool runs with and without a task",
    reason: "Plain calls and those as a task work alike.",
    example: tools(taskSupport("forbidden"), taskSupport("optional")),
  },
  "header-mirror-changed": {
    layer: "contract",
    classes: ["risky"],
    title: "Arguments mirrored in HTTP headers changed",
    reason: "Calls made from the old list are refused with -32020 until the client lists the tools again.",
    example: tools({ inputSchema: REGION }, region("Region")),
  },
  "header-mirror-invalid": {
    layer: "contract",
    classes: ["breaking"],
    title: "An `x-mcp-header` breaks the rules",
    reason: "Clients over HTTP must drop the tool.",
    example: tools({ inputSchema: REGION }, region("not a token")),
  },
  "input-root-not-object": {
    layer: "contract",
    classes: ["breaking"],
    title: "Root of the input schema is no object",
    reason: "Arguments are an object in every revision, and clients refuse a list with anything else.",
    example: tools({}, { inputSchema: { type: "string" } }),
  },
  "output-root-not-object": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Root of the output schema is no object",
    reason:
      "Up to 2025-11-25 structured content is an object. Risky where the server was seen to speak later revisions alone.",
    example: tools({ outputSchema: WEATHER }, { outputSchema: { type: "array" } }),
  },
  "output-schema-added": {
    layer: "contract",
    classes: ["risky"],
    title: "Output schema added",
    reason: "Clients now check results against it.",
    example: tools({}, { outputSchema: WEATHER }),
  },
  "output-schema-removed": {
    layer: "contract",
    classes: ["risky"],
    title: "Output schema removed",
    reason: "Consumers that rely on types have nothing to rely on any more.",
    example: tools({ outputSchema: WEATHER }, {}),
  },
} as const satisfies Readonly<Record<string, Rule>>;
