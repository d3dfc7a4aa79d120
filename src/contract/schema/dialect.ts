import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";

/** As ajv calls them. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

/** MCP's default since 2025-11-25, which is also what a schema is read as whose dialect is not known. */
const DEFAULT: Dialect = "2020-12";

const KNOWN: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, "2019-09"],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
];

export function dialectOf(schema: JsonValue): Dialect {
  return knownDialect(schemaUri(schema)) ?? DEFAULT;
}

/** The `$schema` of a dialect that is not known here: what its keywords mean is not for us to say. */
export function unknownDialect(schema: JsonValue): string | undefined {
  const uri = schemaUri(schema);
  return uri === undefined || knownDialect(uri) ? undefined : uri;
}

function schemaUri(schema: JsonValue): string | undefined {
  return isObject(schema) && typeof schema.$schema === "string" ? schema.$schema : undefined;
}

function knownDialect(uri: string | undefined): Dialect | undefined {
  return KNOWN.find(([pattern]) => uri !== undefined && pattern.test(uri))?.[1];
}

/** Keywords that a dialect does not have yet, so that they say nothing in it. */
const MISSING: Readonly<Record<Dialect, readonly string[]>> = {
  "draft-07": [
    "$dynamicRef",
    "$recursiveRef",
    "dependentRequired",
    "dependentSchemas",
    "maxContains",
    "minContains",
    "prefixItems",
    "unevaluatedItems",
    "unevaluatedProperties",
  ],
  "2019-09": ["$dynamicRef", "prefixItems"],
  "2020-12": [],
};

/** What a schema says in its dialect; the same object where it says nothing else. */
export function inDialect(schema: JsonObject, dialect: Dialect): JsonObject {
  const missing = MISSING[dialect];
  if (!missing.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !missing.includes(keyword)));
}
