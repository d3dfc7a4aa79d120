import { expect, test } from "vitest";
import { Faults } from "../../../src/faults/faults.ts";
import { readFaults } from "../../../src/faults/read-faults.ts";
import { scenarioOfValue } from "../../../src/scenario/load-scenario.ts";
import { load } from "./support.ts";

const ERROR = "{ error: { code: 1, message: no } }";

test("a scenario has its faults, and those of the file it extends before them; chance goes by its seed", async () => {
  const scenario = await load({
    "own.yaml": `scenario: 1\nextends: base.yaml\nseed: 7\ntools: [{ name: own }]\nfaults: [{ on: { method: tools/call, name: own }, do: ${ERROR} }]\n`,
    "base.yaml": `scenario: 1\nseed: 3\ntools: [{ name: base }]\nfaults: [{ on: { method: tools/call, name: base }, do: ${ERROR} }]\n`,
  });
  expect(scenario.faults?.seed).toBe(7);
  expect(scenario.faults?.faults.map(({ on }) => on.name)).toEqual(["base", "own"]);
  expect(scenario.faults?.faults[1]?.deeds[0]?.place).toMatchObject({ file: "own.yaml", line: 5 });
  expect((await load({ "s.yaml": "scenario: 1\n" })).faults).toBeUndefined();
});

test("others are laid over them, and each is told of by itself", () => {
  const document = { scenario: 1, faults: [{ do: { hang: true } }] };
  const { faults } = scenarioOfValue(document, "the scenario");
  const laid = readFaults({ file: "f.yaml", text: `faults: [{ on: { nth: 2 }, do: ${ERROR} }]` });
  const all = new Faults(...(faults ? [faults] : []), laid).faults;
  expect(all.map(({ fault, place }) => `${place}: ${fault}`)).toEqual([
    "the scenario: every request: the answer never comes",
    "f.yaml:1:34: the 2nd request: error 1, no",
  ]);
});
