import { describe, expect, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import { checkSchemas } from "../../../src/scenario/check/check-schemas.ts";
import { Bench, load, schemas, textIn } from "./support.ts";

async function faultOf(files: Readonly<Record<string, string>>): Promise<VcrError> {
  try {
    checkSchemas(await load(files), await schemas.load());
  } catch (error) {
    if (error instanceof VcrError) return error;
    throw error;
  }
  throw new Error("it is taken for right");
}

/** A question by a form, and a reply to an answer; from line 12 on. */
function answered(when: string): string {
  return `scenario: 1
tools:
  - name: book
    replies:
      - ask:
          trip:
            elicit:
              message: Where to?
              requestedSchema:
                { type: object, properties: { city: { type: string, enum: [Oslo, Rome] }, days: { type: integer } } }
        replies:
          - when: ${when}
            text: yes
          - text: no
`;
}

describe("what no client can answer", () => {
  test.each([
    [
      "an action that is none",
      "{ trip: { action: accepted } }",
      '12:29: when: can never match: trip.action is never "accepted" (did you mean accept?)',
    ],
    ["a text for the answer", "{ trip: accept }", '12:21: when: can never match: trip is never "accept"'],
    [
      "a member that no answer has",
      "{ trip: { acton: accept } }",
      '12:29: when: can never match: trip has no "acton" (did you mean action?)',
    ],
    [
      "a choice that the form does not have",
      "{ trip: { content: { city: Osloo } } }",
      '12:40: when: can never match: trip.content.city is never "Osloo" (did you mean Oslo?)',
    ],
    [
      "another type than the form's",
      '{ trip: { content: { days: "3" } } }',
      '12:40: when: can never match: trip.content.days is never "3"',
    ],
    [
      "a field that the form does not have",
      "{ trip: { content: { ctiy: Oslo } } }",
      '12:40: when: can never match: trip.content has no "ctiy" (did you mean city?)',
    ],
  ])("%s", async (_, when, message) => {
    const fault = await faultOf({ "s.yaml": answered(when) });
    expect([fault.code, fault.message]).toEqual(["scenario-invalid", `s.yaml:${message}`]);
  });

  test.each([
    "{ trip: { action: { oneOf: [decline, cancel] } } }",
    "{ trip: { action: { not: accept } } }",
    "{ trip: { action: accept, content: { city: Oslo, days: 3, other: { any: false } } } }",
    "{ trip: { content: { city: { pattern: ^R } } } }",
  ])("is not %s", async (when) => {
    await expect(load({ "s.yaml": answered(when) })).resolves.toBeDefined();
  });
});

describe("what is hidden and never shown", () => {
  test("is refused where it says so", async () => {
    const { message, hint } = await faultOf({
      "s.yaml": "scenario: 1\ntools:\n  - { name: late, hidden: true, replies: [{ text: x }] }\n",
    });
    expect(message).toBe('s.yaml:3:27: hidden: nothing ever shows the tool "late", so it can never answer');
    expect(hint).toContain('show: { tools: ["late"] }');
  });

  test("may be shown by the file that extends, or by a program", async () => {
    const base = "scenario: 1\ntools: [{ name: late, hidden: true, replies: [{ text: x }] }]\n";
    const own = "scenario: 1\nextends: base.yaml\ntimeline: [{ at: 1s, show: { tools: [late] } }]\n";
    await expect(load({ "own.yaml": own, "base.yaml": base })).resolves.toBeDefined();
    const handler = () => ({ steps: [{ show: { tools: ["late"] } }], text: "x" });
    const late = { name: "late", hidden: true, replies: [{ text: "late" }] };
    const bench = await Bench.of({ scenario: 1, tools: [late, { name: "now", replies: [{ handler }] }] });
    bench.initialize();
    bench.request("tools/call", { name: "now" });
    await Promise.resolve();
    bench.time.pass(1000);
    expect(textIn(bench.call("late"))).toBe("late");
  });
});

describe("a fault of the scenario's own on what it does not have", () => {
  test.each([
    ["tools/call", "forcast", 'there is no tool "forcast" (did you mean forecast?)'],
    ["prompts/get", "greet", 'there is no prompt "greet"'],
    ["resources/read", "w://a/b", 'there is no resource "w://a/b"'],
  ])("%s %s", async (method, name, said) => {
    const text = `scenario: 1
tools: [{ name: forecast, replies: [{ text: x }] }]
templates: [{ uriTemplate: "w://{id}", replies: [{ text: x }] }]
faults:
  - { on: { method: ${method}, name: "${name}" }, do: { hang: true } }
`;
    const { message } = await faultOf({ "s.yaml": text });
    expect(message).toMatch(/^s\.yaml:5:\d+: faults: /);
    expect(message).toContain(said);
    await expect(
      load({ "s.yaml": text.replace(name, "w://a").replace(method, "resources/read") }),
    ).resolves.toBeDefined();
  });
});

describe("an override that breaks what the other file says", () => {
  test.each([
    [
      "an argument that is gone",
      "inputSchema: { type: object, additionalProperties: false, properties: { place: { type: string } } }",
    ],
    ["a promise that is new", "outputSchema: { type: object }"],
  ])("is named beside it: %s", async (_, override) => {
    const { message, hint } = await faultOf({
      "own.yaml": `scenario: 1\nextends: base.yaml\ntools:\n  - { name: f, ${override} }\n`,
      "base.yaml":
        "scenario: 1\ntools:\n  - name: f\n    inputSchema: { type: object, properties: { city: {} } }\n    replies: [{ when: { city: Oslo }, text: x }]\n",
    });
    expect(message).toMatch(/^base\.yaml:5:/);
    expect(hint).toContain("What base.yaml says is changed at own.yaml:4:5: mend either.");
  });
});
