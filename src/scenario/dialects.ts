export type Dialect = "draft-07" | "2019-09" | "2020-12";

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
