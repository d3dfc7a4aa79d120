import type { JsonValue } from "../protocol/message.ts";
import { isObject } from "./matcher.ts";

export const DIALECTS = ["draft-07", "2019-09", "2020-12"] as const;

export type Dialect = (typeof DIALECTS)[number];

/** Dialects of JSON Schema that can be checked, by what `$schema` names. */
export const DIALECT_OF: ReadonlyMap<string, Dialect> = new Map([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["https://json-schema.org/draft/2020-12/schema#", "2020-12"],
  ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
  ["https://json-schema.org/draft/2019-09/schema#", "2019-09"],
  ["http://json-schema.org/draft-07/schema#", "draft-07"],
  ["http://json-schema.org/draft-07/schema", "draft-07"],
  ["https://json-schema.org/draft-07/schema#", "draft-07"],
  ["https://json-schema.org/draft-07/schema", "draft-07"],
]);

/** The dialect that a schema names. */
export function dialectOf(schema: JsonValue): Dialect {
  const named = isObject(schema) ? schema.$schema : undefined;
  return (typeof named === "string" ? DIALECT_OF.get(named) : undefined) ?? "2020-12";
}
