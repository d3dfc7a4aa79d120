import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";

const ajv = new Ajv2020({ strict: true, strictRequired: false });
const schema = new URL("../../src/replay/schema/report.schema.json", import.meta.url);
const validate = ajv.compile(JSON.parse(readFileSync(schema, "utf8")));

/** What is wrong with a report, as the published schema has it; undefined when nothing is. */
export const faultsOf = (report: unknown): string | undefined =>
  validate(report) ? undefined : ajv.errorsText(validate.errors);

/** The report as it is written, which must conform. */
export function conforming<T>(report: T): T {
  const written = JSON.parse(JSON.stringify(report)) as T;
  expect(faultsOf(written)).toBeUndefined();
  return written;
}
