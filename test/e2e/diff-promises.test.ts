import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, fixture, NODE, run, start } from "./support/program.ts";
import { everyday, record } from "./support/walk.ts";

/** `diff` where a side is a real server or a scenario: what is promised is compared, and that is said. */

interface Diffed {
  readonly code: number | null;
  readonly rules: readonly string[];
  readonly compared: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

async function diff(...args: string[]): Promise<Diffed> {
  const { code, stdout, stderr } = await run([CLI, "diff", "--format", "json", ...args]);
  expect(stderr).toBe("");
  const { comparisons, compared, notes } = JSON.parse(stdout.toString());
  const rules = comparisons[0].changes.map(
    (each: { class: string; rule: string }) => `${each.class} ${each.rule}`,
  );
  return { code, rules, compared, notes };
}

const WEATHER = [NODE, fixture("servers/weather.mjs")];
const ONLY = [expect.stringContaining("Only what the server promises was compared")];

describe("a cassette and a real server", () => {
  test("that is the same: no difference in what it promises", async () => {
    const everything = [NODE, "node_modules/.bin/mcp-server-everything", "stdio"];
    const { compared, ...rest } = await diff("cassettes/everything.yaml", "--", ...everything);
    expect(rest).toEqual({ code: 0, rules: [], notes: ONLY });
    expect(compared).toEqual({ tools: 16, resources: 7, "resource templates": 2, prompts: 4 });
  });

  test("of the modern era, over HTTP, by all its pages", async () => {
    const file = join(tempFolder(), "everyday.yaml");
    await run(record(file, everyday("modern", "stdio"), "--drive", "auto", "--era", "modern"));
    const real = start(everyday("modern", "json"));
    const { compared, ...rest } = await diff(file, await real.url());
    expect(rest).toEqual({ code: 0, rules: [], notes: ONLY });
    expect(compared).toMatchObject({ tools: 21, resources: 7, prompts: 5 });
  });

  test("that promises something else, also in another number of pages", async () => {
    const file = join(tempFolder(), "everyday.yaml");
    await run(record(file, everyday("legacy", "stdio"), "--drive", "auto", "--era", "legacy"));
    const later = [...everyday("legacy", "stdio"), "--change", "schema", "--change", "one-page"];
    const { code, rules, compared } = await diff(file, "--", NODE, ...later);
    expect({ code, rules }).toEqual({ code: 1, rules: ["breaking input-required-added"] });
    expect(compared.tools).toBe(21);
  });

  test("that has left the era it was recorded in", async () => {
    const file = join(tempFolder(), "everyday.yaml");
    await run(record(file, everyday("legacy", "stdio"), "--drive", "auto", "--era", "legacy"));
    const { code, rules, compared } = await diff(file, "--", NODE, ...everyday("modern", "stdio"));
    expect(code).toBe(1);
    expect(rules).toContain("breaking revision-dropped");
    expect(compared.tools).toBe(21);
  });
});

describe("scenarios", () => {
  const SCENARIO = `scenario: 1
server: { name: weather, version: 1.4.0 }
pageSize: 1
tools:
  - name: forecast
    inputSchema: { type: object, required: [city], properties: { city: { type: string } } }
    replies: [{ text: fine }]
  - name: compare
    replies: [{ text: fine }]
`;
  const written = (name: string, text: string) => {
    const file = join(tempFolder(), name);
    writeFileSync(file, text);
    return file;
  };

  test("one and itself, and one and another", async () => {
    const old = written("old.scenario.yaml", SCENARIO);
    expect(await diff(old, old)).toMatchObject({ code: 0, rules: [], notes: ONLY, compared: { tools: 2 } });
    const fresh = written("new.scenario.yaml", SCENARIO.replace("required: [city]", "required: [city, day]"));
    expect(await diff(old, fresh)).toMatchObject({ code: 1, rules: ["breaking input-required-added"] });
  });

  test("one that comes with the program", async () => {
    expect(await diff("everything", "everything")).toMatchObject({ code: 0, rules: [] });
  });

  test("one and the server that it stands for", async () => {
    const { rules, compared } = await diff(written("mock.scenario.yaml", SCENARIO), "--", ...WEATHER);
    expect(compared.tools).toBe(2);
    expect(rules).toContain("compatible tool-added");
    expect(rules).not.toContain("breaking tool-removed");
  });

  test("one and a cassette: tools that the mock does not have", async () => {
    const { rules } = await diff("cassettes/weather.yaml", written("mock.scenario.yaml", SCENARIO));
    expect(rules).toContain("breaking tool-removed");
  });
});
