import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const text = { type: "string", minLength: 1 } as const;
const closed = { type: "object", additionalProperties: false } as const;
const message = { ...closed, required: ["text"], properties: { text } } as const;

/**
 * What of SARIF 2.1.0 the reports use, held to no less than its JSON Schema holds them to, and closed, so that what is
 * not here is found out. The whole schema has 110 kB (https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json)
 * and is not fetched by tests; the golden reports were checked with it by hand.
 */
const SUBSET = {
  ...closed,
  required: ["$schema", "version", "runs"],
  properties: {
    $schema: { type: "string", format: "uri" },
    version: { const: "2.1.0" },
    runs: {
      type: "array",
      minItems: 1,
      items: {
        ...closed,
        required: ["tool", "results"],
        properties: {
          tool: { ...closed, required: ["driver"], properties: { driver: { $ref: "#/$defs/driver" } } },
          results: { type: "array", items: { $ref: "#/$defs/result" } },
          invocations: { type: "array", items: { $ref: "#/$defs/invocation" } },
        },
      },
    },
  },
  $defs: {
    invocation: {
      ...closed,
      required: ["executionSuccessful"],
      properties: {
        executionSuccessful: { type: "boolean" },
        toolExecutionNotifications: {
          type: "array",
          items: {
            ...closed,
            required: ["message"],
            properties: { level: { enum: ["none", "note", "warning", "error"] }, message },
          },
        },
      },
    },
    driver: {
      ...closed,
      required: ["name", "rules"],
      properties: {
        name: text,
        semanticVersion: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" },
        rules: {
          type: "array",
          uniqueItems: true,
          items: {
            ...closed,
            required: ["id"],
            properties: { id: text, shortDescription: message, fullDescription: message },
          },
        },
      },
    },
    result: {
      ...closed,
      required: ["ruleId", "message"],
      properties: {
        ruleId: text,
        level: { enum: ["none", "note", "warning", "error"] },
        message,
        locations: { type: "array", items: { $ref: "#/$defs/location" } },
        partialFingerprints: { type: "object", additionalProperties: { type: "string" } },
        suppressions: { type: "array", uniqueItems: true, items: { $ref: "#/$defs/suppression" } },
        properties: { type: "object" },
      },
    },
    location: {
      ...closed,
      properties: {
        physicalLocation: {
          ...closed,
          required: ["artifactLocation"],
          properties: {
            artifactLocation: {
              ...closed,
              properties: { uri: { type: "string", format: "uri-reference" } },
            },
          },
        },
        logicalLocations: {
          type: "array",
          uniqueItems: true,
          items: {
            ...closed,
            properties: { name: { type: "string" }, fullyQualifiedName: { type: "string" }, kind: text },
          },
        },
      },
    },
    suppression: {
      ...closed,
      required: ["kind"],
      properties: {
        kind: { enum: ["inSource", "external"] },
        status: { enum: ["accepted", "underReview", "rejected"] },
        justification: { type: "string" },
      },
    },
  },
} as const;

const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);
const validate = ajv.compile(SUBSET);

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly { readonly ruleId: string; readonly suppressions?: readonly unknown[] }[];
  }[];
}

/** What is wrong with a text as a SARIF log: by its schema, and by what the specification asks for besides. */
export function sarifFaults(report: string): string[] {
  const log: unknown = JSON.parse(report);
  if (!validate(log)) return (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message}`);
  return (log as Log).runs.flatMap(({ tool, results }) => {
    const rules = new Set(tool.driver.rules.map(({ id }) => id));
    const unknown = results.filter(({ ruleId }) => !rules.has(ruleId));
    const told = results.filter(({ suppressions }) => suppressions).length;
    return [
      ...unknown.map(({ ruleId }) => `no rule ${ruleId}`),
      ...(told === 0 || told === results.length
        ? []
        : ["some results have suppressions, and some have none"]),
    ];
  });
}
