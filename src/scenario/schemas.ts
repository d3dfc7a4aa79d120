import type { JsonValue } from "../protocol/message.ts";

/** Checks values against JSON Schemas, in the dialect that each names (2020-12 where it names none). */
export interface SchemaChecker {
  /** What of a value a schema refuses, as sentences with the place; empty where it accepts. */
  faults(schema: JsonValue, value: JsonValue): readonly string[];
  /** What is wrong with the schema itself; undefined where it is sound. */
  problem(schema: JsonValue): string | undefined;
}

/** Where a checker comes from, which is loaded when it is first needed. */
export interface Schemas {
  /** Once it is there. */
  readonly loaded: SchemaChecker | undefined;
  load(): Promise<SchemaChecker>;
}
