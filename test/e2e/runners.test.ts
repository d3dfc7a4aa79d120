import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Project, type RunnerName } from "./support/project.ts";

/** What a miss says of the forecast for a city. */
const missed = (city: string) =>
  new RegExp(
    `^(VcrError: )?No recorded exchange answers tools/call forecast\\.[\\s\\S]*"city":"${city}"[\\s\\S]*differs at /arguments/city: recorded "Oslo", asked "${city}"[\\s\\S]*Record it:`,
  );

/** The tests of a project: what the failures of each say, in order. */
const TOLD: Readonly<Record<string, readonly RegExp[]>> = {
  "is answered": [],
  "a miss that the client keeps to itself": [missed("Bergen")],
  "a miss of a process that the client starts": [missed("Tromsø")],
  "a miss, and a failure of its own": [/sunny/, missed("Hamar")],
  "a miss that the test tells of itself": [/^(Error: )?No recorded exchange/],
  "a miss that is allowed": [],
  "something unused": [
    /^(VcrError: )?Never asked of cassettes.weather\.yaml:[\s\S]*tools\/call forecast {2}\{"name":"forecast","arguments":\{"city":"Lisbon"\}\}/,
  ],
  "something that was not received": [
    /expected to receive tools\/call with\n {2}[^\n]*Lisbon[\s\S]*nearest [^\n]*Oslo[\s\S]*differs at \/arguments\/city: expected "Lisbon", received "Oslo"/,
  ],
  "under a name of its own": [],
  "in beforeEach a miss": [missed("Lillehammer")],
  "in beforeEach the next one": [],
};

/** Where the runners differ. */
const OWN: Readonly<Record<RunnerName, Readonly<Record<string, readonly RegExp[]>>>> = {
  vitest: {
    "concurrently a miss": [missed("Narvik")],
    "concurrently the other one": [],
    "concurrently without the context": [/Hand over the context: test\.concurrent/],
  },
  jest: {
    // It does not say what a test failed with.
    "a miss that the test tells of itself": [/^Error: No recorded exchange/, missed("Voss")],
    "concurrently without hooks": [/Open it with useCassette of "mcp-vcr"/],
  },
  "node-test": {
    "concurrently a miss": [missed("Narvik")],
    "concurrently the other one": [],
    "concurrently without the context": [/Hand it over: test\("…", async \(t\)/],
  },
};

const CASSETTES = ["weather", "agent/under-a-name-of-its-own"];

function projectOf(runner: RunnerName): Project {
  const project = new Project(runner);
  for (const name of CASSETTES) {
    cpSync("cassettes/weather.yaml", join(project.folder, `cassettes/${name}.yaml`));
  }
  return project;
}

describe.each(Object.keys(OWN) as RunnerName[])("%s", (runner) => {
  test("fails the tests that missed something, each with its own explanation, and no other", async () => {
    const { code, results } = await projectOf(runner).run(["agent.test.mjs"]);
    expect(code).toBe(1);
    const told = { ...TOLD, ...OWN[runner] };
    expect(results).toEqual(
      Object.fromEntries(
        Object.entries(told).map(([name, says]) => [
          name,
          says.map((each) => expect.stringMatching(each) as string),
        ]),
      ),
    );
  });
});

describe.each(["vitest", "jest"] as const)("%s", (runner) => {
  test("waits for no fake timer, but for those that the test writes down", async () => {
    const { code, results } = await projectOf(runner).run(["timers.test.mjs"]);
    expect(Object.entries(results).filter(([, failures]) => failures.length > 0)).toEqual([]);
    expect([code, Object.keys(results).length]).toEqual([0, 11]);
  });
});
