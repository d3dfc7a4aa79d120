import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { defineScenario, type Tape, useScenario } from "../../../src/index.ts";
import { folderOf } from "./support.ts";

const ME = { name: "test", version: "1" };
const text = (answer: unknown) => (answer as { content: { text: string }[] }).content[0]?.text;

async function opened(...args: Parameters<typeof useScenario>): Promise<Tape> {
  const tape = await useScenario(...args);
  onTestFinished(() => tape.close());
  return tape;
}

const COUNTER = defineScenario({
  scenario: 1,
  tools: [{ name: "count", replies: [{ text: "${nth}" }] }],
  timeline: [{ every: "1s", notify: { method: "notifications/tick" } }],
});

async function counted(tape: Tape): Promise<string | undefined> {
  const client = new Client1(ME);
  await client.connect(tape.transport());
  const answer = text(await client.callTool({ name: "count" }));
  await client.close();
  return answer;
}

describe("a scenario", () => {
  test("is a value, and every client starts afresh", async () => {
    const tape = await opened(COUNTER);
    expect([await counted(tape), await counted(tape)]).toEqual(["1", "1"]);
    expect(tape.received.map(({ method }) => method)).toContain("tools/call");
    expect(tape.report().sessions).toBe(2);
    tape.reset();
    expect([tape.received, tape.report().sessions]).toEqual([[], 0]);
    expect(await counted(tape)).toBe("1");
  });

  test("is a file, which may extend another", async () => {
    const folder = folderOf({
      "base.yaml": ["scenario: 1", "tools:", "  - { name: count, replies: [{ text: base }] }"],
    });
    const file = join(folder, "counter.yaml");
    writeFileSync(file, "scenario: 1\nextends: base.yaml\n");
    const tape = await opened(file);
    expect(tape.file).toBe(file);
    expect(await counted(tape)).toBe("base");
  });

  test("is the one that comes with the program", async () => {
    const tape = await opened("everything");
    const client = new Client2(ME, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(tape.transport());
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    expect(tape.file).toMatch(/everything\.yaml$/);
  });

  test("misses what it does not hold, and that fails the test, unless it may", async () => {
    const tape = await opened(COUNTER);
    const client = new Client1(ME);
    await client.connect(tape.transport());
    await client.callTool({ name: "cuont" }).catch(() => undefined);
    expect(() => tape.check()).toThrow('There is no tool "cuont" (did you mean count?)');
    const other = await opened(COUNTER, { misses: "allow" });
    const another = new Client1(ME);
    await another.connect(other.transport());
    await another.callTool({ name: "cuont" }).catch(() => undefined);
    expect([other.misses.length, other.check()]).toEqual([1, undefined]);
  });

  test("has faults", async () => {
    const faults = { faults: [{ on: { method: "tools/call" }, do: { toolError: "no" } }] };
    expect(await counted(await opened(COUNTER, { faults }))).toBe("no");
  });

  test("leaves nothing running", async () => {
    const before = process.getActiveResourcesInfo().sort();
    for (let count = 0; count < 20; count++) {
      const tape = await useScenario(COUNTER);
      await counted(tape);
      const client = new Client1(ME);
      await client.connect(tape.transport());
      await tape.close();
    }
    expect(process.getActiveResourcesInfo().sort()).toEqual(before);
  });
});

describe("a mistake is one of the opening", () => {
  test.each([
    ["a file that is not there", "nowhere.scenario.yaml", /nowhere\.scenario\.yaml/],
    ["a value that is none", { scenario: 1, tols: [] } as object, /did you mean "?tools/],
    [
      "a schema that is none",
      {
        scenario: 1,
        tools: [{ name: "a", inputSchema: { type: "object", properties: { a: { $ref: "#/b" } } } }],
      },
      /the scenario of the test: .*inputSchema of a/,
    ],
    ["nothing", undefined as unknown as string, /a scenario is a file or a value, not undefined/],
  ])("%s", async (_what, scenario, said) => {
    await expect(useScenario(scenario as string)).rejects.toThrow(said);
  });

  test("an option that is none", async () => {
    await expect(useScenario(COUNTER, { strict: true } as object)).rejects.toMatchObject({
      message: 'useScenario has no option "strict"',
      hint: "Its options are: faults, misses, unused.",
    });
  });
});
