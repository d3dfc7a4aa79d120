import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { CHECK_RULES } from "../../../src/check/finding.ts";
import { CHECK_FORMATS, type CheckedFile } from "../../../src/check/report.ts";

const FILES: readonly CheckedFile[] = [
  {
    file: "a,b.yaml",
    entries: 2,
    findings: [
      {
        file: "a,b.yaml",
        line: 3,
        column: 7,
        rule: "secret",
        message: "50% \u001b[31mred",
        hint: "one\ntwo",
      },
    ],
  },
];
const schema = JSON.parse(
  readFileSync(new URL("../../../src/check/schema/check.schema.json", import.meta.url), "utf8"),
);

test("text: a line that editors link, the hint below, a sum", () => {
  expect(CHECK_FORMATS.text(FILES)).toBe(
    "a,b.yaml:3:7: 50% \ufffd[31mred [secret]\n  one\n  two\n1 cassette, 2 entries: 1 finding",
  );
});

test("github: one annotation, escaped", () => {
  expect(CHECK_FORMATS.github(FILES).split("\n")[0]).toBe(
    "::error file=a%2Cb.yaml,line=3,col=7,title=secret%3A a credential is in a file that is made to be shared::50%25 \u001b[31mred%0Aone%0Atwo",
  );
});

test("json: conforms to its schema, which knows every rule", () => {
  const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(schema);
  expect(validate(JSON.parse(CHECK_FORMATS.json(FILES))) || validate.errors).toBe(true);
  expect(schema.$defs.finding.properties.rule.enum).toEqual(Object.keys(CHECK_RULES));
});
