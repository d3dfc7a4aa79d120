import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { plainValue, readTree } from "../../../src/cassette/written/tree.ts";
import { LISTS, type ListName } from "../../../src/drive/pages.ts";
import faults from "../../../src/faults/schema/faults.schema.json" with { type: "json" };
import { checkSchemas } from "../../../src/scenario/check/check-schemas.ts";
import { outcomeKeys } from "../../../src/scenario/read/outcomes.ts";
import { ITEMS } from "../../../src/scenario/read/read-items.ts";
import { courseKeys } from "../../../src/scenario/read/read-reply.ts";
import { TOP } from "../../../src/scenario/read/read-scenario.ts";
import { STEP_KEYS } from "../../../src/scenario/read/read-steps.ts";
import schema from "../../../src/scenario/schema/scenario.schema.json" with { type: "json" };
import { load, schemas } from "./support.ts";

type Definition = { readonly properties: Readonly<Record<string, unknown>> };
const definitions = schema.$defs as unknown as Readonly<Record<string, Definition>>;
const keys = (name: string) => Object.keys(definitions[name]?.properties ?? {}).sort();

const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);

function isValid(text: string): boolean {
  return validate(
    plainValue(readTree({ file: "s.yaml", text, what: "a scenario", code: "scenario-invalid" })),
  );
}

describe("the JSON Schema for editors", () => {
  test("takes the scenario that comes with the program", () => {
    isValid(readFileSync("src/scenario/ready/everything.yaml", "utf8"));
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(["fixture", "tasks"])(
    "takes that of the conformance suite (%s), and so does the program",
    async (name) => {
      const text = readFileSync(`test/conformance/${name}.scenario.yaml`, "utf8");
      isValid(text);
      expect(validate.errors ?? []).toEqual([]);
      checkSchemas(await load({ "fixture.yaml": text }), await schemas.load());
    },
  );

  test.each([
    "scenario: 2\n",
    "scenario: 1\ntoools: []\n",
    "scenario: 1\ntools: [{ nam: a }]\n",
    "scenario: 1\ntools: [{ name: a, replies: [{ txt: a }] }]\n",
    "scenario: 1\ntools: [{ name: a, replies: [{ delay: 5, text: a }] }]\n",
  ])("refuses %j", (text) => {
    expect(isValid(text)).toBe(false);
  });

  test("says of faults what the schema of faults files says", () => {
    const renamed = JSON.stringify([faults.$defs.fault, faults.$defs.on, faults.$defs.do])
      .replaceAll("#/$defs/on", "#/$defs/faultOn")
      .replaceAll("#/$defs/do", "#/$defs/faultDo");
    expect([schema.$defs.fault, schema.$defs.faultOn, schema.$defs.faultDo]).toEqual(JSON.parse(renamed));
  });

  test("knows the keys that are read, and no others", () => {
    expect(Object.keys(schema.properties).sort()).toEqual([...TOP].sort());
    expect(keys("step")).toEqual([...STEP_KEYS].sort());
    const kinds: Readonly<Record<ListName, string>> = {
      tools: "tool",
      resources: "resource",
      templates: "template",
      prompts: "prompt",
    };
    for (const list of Object.keys(LISTS) as ListName[]) {
      expect(keys(kinds[list])).toEqual([...Object.keys(ITEMS[list].listed), ...ITEMS[list].own].sort());
    }
    for (const kind of ["tool", "resource", "prompt", "method"] as const) {
      const conditions = ["when", "requires", "client", "times", "sequence"];
      expect(keys(`${kind}Reply`)).toEqual([...conditions, ...courseKeys(kind), ...outcomeKeys(kind)].sort());
      expect(keys(`${kind}Turn`)).toEqual([...courseKeys(kind), ...outcomeKeys(kind)].sort());
    }
  });
});
