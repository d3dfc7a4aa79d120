import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { LEGACY } from "../unit/testing/support.ts";
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
    /^(Error: )?cassettes.weather\.yaml was expected to receive tools\/call with\n {2}[^\n]*Lisbon[\s\S]*nearest [^\n]*Oslo[\s\S]*differs at \/arguments\/city: expected "Lisbon", received "Oslo"/,
  ],
  "a cancellation that never comes": [
    /^(VcrError: )?tools\/call was not cancelled within 50 ms\n {2}nobody asked it/,
  ],
  "a cancellation that nobody waits for": [
    /^(VcrError: )?tools\/call was not cancelled before the test was over\n {2}nobody asked it\nNobody waits for it/,
  ],
  "an opening that nobody waits for": [/^(VcrError: )?Never asked of cassettes.weather\.yaml/],
  "after an opening that nobody waits for": [],
  "under a name of its own": [],
  "in beforeEach a miss": [missed("Lillehammer")],
  "in beforeEach the next one": [],
};

/** Where the runners differ. */
const OWN: Readonly<Record<RunnerName, Readonly<Record<string, readonly RegExp[]>>>> = {
  vitest: {
    "a miss in every attempt": [missed("Moss"), missed("Moss")],
    "concurrently a miss": [missed("Narvik")],
    "concurrently the other one": [],
    "concurrently without the context": [/Hand over the context: test\.concurrent/],
  },
  jest: {
    "concurrently without hooks": [/Open it with useCassette of "mcp-vcr"/],
  },
  "node-test": {
    "concurrently a miss": [missed("Narvik")],
    "concurrently the other one": [],
    "concurrently without the context": [/Hand it over: test\("…", async \(t\)/],
  },
};

/** Tests of the other files: all pass. */
const FAKE_TIMERS = 11;
const MANY = 21;
const OTHERS: Readonly<Record<RunnerName, number>> = {
  vitest: FAKE_TIMERS + MANY,
  jest: FAKE_TIMERS + MANY,
  "node-test": MANY,
};

/** So a runner says what is left open. */
const WATCHFUL: Readonly<Record<RunnerName, readonly string[]>> = {
  vitest: ["--reporter=hanging-process"],
  jest: ["--detectOpenHandles"],
  "node-test": [],
};

function projectOf(runner: RunnerName): Project {
  const project = new Project(runner);
  const at = (path: string) => join(project.folder, path);
  for (const name of ["weather", "agent/under-a-name-of-its-own"]) {
    cpSync("cassettes/weather.yaml", at(`cassettes/${name}.yaml`));
  }
  writeFileSync(at("cassettes/count.jsonl"), LEGACY.join("\n"));
  // Two files at the same time, in whatever processes the runner likes.
  cpSync(at("many.test.mjs"), at("more.test.mjs"));
  if (runner === "node-test") rmSync(at("recorded.test.mjs"));
  return project;
}

describe.each(Object.keys(OWN) as RunnerName[])("%s", (runner) => {
  test("fails the tests that missed something, each with its own explanation, and no other; leaves nothing open", async () => {
    const { code, results, stderr } = await projectOf(runner).run(WATCHFUL[runner], { TESTS: String(MANY) });
    const told = { ...TOLD, ...OWN[runner] };
    const expected = Object.entries(told).map(([name, says]) => [
      name,
      says.map((each) => expect.stringMatching(each) as string),
    ]);
    const others = Object.keys(results).filter((name) => !(name in told));
    expect(others).toHaveLength(OTHERS[runner]);
    expect(results).toEqual(Object.fromEntries([...expected, ...others.map((name) => [name, []])]));
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/open handle|did not exit|hanging|leak|Warning/i);
  });
});

test("a test records its cassette at a desk, and needs no server from then on, in CI either", async () => {
  const project = new Project("node-test");
  const at = (path: string) => join(project.folder, path);
  cpSync("test/fixtures/servers/weather.mjs", at("weather.mjs"));
  writeFileSync(at("mcp-vcr.config.yaml"), "redact: { keys: [dossier] }\n");
  const recorded = await project.run(["recorded.test.mjs"]);
  expect([recorded.code, recorded.results]).toEqual([0, { "a forecast": [] }]);
  const cassette = readFileSync(at("cassettes/recorded/a-forecast.yaml"), "utf8");
  expect(cassette).toContain("# client: tools/call forecast");
  rmSync(at("weather.mjs"));
  const replayed = await project.run(["recorded.test.mjs"], { CI: "true" });
  expect([replayed.code, replayed.results]).toEqual([0, { "a forecast": [] }]);
  expect(readFileSync(at("cassettes/recorded/a-forecast.yaml"), "utf8")).toBe(cassette);
});

test("a tape that nobody closes leaves no folder behind", () => {
  const script = `
    import { useCassette } from "./dist/index.js";
    const [one, two] = [await useCassette("weather"), await useCassette("weather")];
    console.log(one.args[0] + "\\n" + two.args[0]);
    await two.close();
  `;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const relays = said.trim().split("\n");
  expect(relays).toHaveLength(2);
  expect(relays.filter((relay) => existsSync(dirname(relay)))).toEqual([]);
});
