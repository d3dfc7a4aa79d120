import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { readPlan } from "../../../src/drive/plan/read-plan.ts";
import type { VcrError } from "../../../src/errors.ts";

const read = (text: string) => readPlan({ file: "calls.yaml", text });
const doings = (text: string) => read(text).steps.map(({ doing }) => doing);

const schema = new URL("../../../src/drive/schema/drive.schema.json", import.meta.url);
const conforms = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(
  JSON.parse(readFileSync(schema, "utf8")),
);

const EVERYTHING = `
client:
  name: me
  version: "1"
  capabilities: { experimental: { x: {} } }
  roots: [{ uri: "file:///a", name: a }]
  elicitation: [{ action: accept, content: { name: Ada } }, { action: decline }]
  sampling: { content: { type: text, text: Short. }, model: m }
timeout: 2m
steps:
  - auto
  - call: forecast
    arguments: { city: Oslo }
    timeout: 1.5s
    expect: result
    answers: { elicitation: { error: { code: -1, message: no } } }
  - read: file:///a
  - prompt: greet
    arguments: { name: Ada }
  - complete: { ref: { type: ref/prompt, name: greet }, argument: { name: name, value: A } }
  - list: templates
  - subscribe: file:///a
  - unsubscribe: file:///a
  - level: debug
  - request: x/y
    params: [1]
    expect: error
  - notify: notifications/x
    params: { a: 1 }
  - wait: 500ms
`;

describe("a drive file", () => {
  test("holds every kind of step, and what the client answers", () => {
    const plan = read(EVERYTHING);
    expect(plan.client).toEqual({ name: "me", version: "1", capabilities: { experimental: { x: {} } } });
    expect(plan.timeout).toBe(120_000);
    expect(plan.answers).toEqual({
      roots: [{ result: { roots: [{ uri: "file:///a", name: "a" }] } }],
      elicitation: [
        { result: { action: "accept", content: { name: "Ada" } } },
        { result: { action: "decline" } },
      ],
      sampling: [{ result: { role: "assistant", model: "m", content: { type: "text", text: "Short." } } }],
    });
    expect(plan.steps.map(({ doing }) => doing)).toEqual([
      { kind: "auto" },
      { kind: "call", name: "forecast", arguments: { city: "Oslo" } },
      { kind: "read", uri: "file:///a" },
      { kind: "prompt", name: "greet", arguments: { name: "Ada" } },
      {
        kind: "complete",
        params: { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name", value: "A" } },
      },
      { kind: "list", list: "templates" },
      { kind: "subscribe", uri: "file:///a" },
      { kind: "unsubscribe", uri: "file:///a" },
      { kind: "level", level: "debug" },
      { kind: "request", method: "x/y", params: [1] },
      { kind: "notify", method: "notifications/x", params: { a: 1 } },
      { kind: "wait", ms: 500 },
    ]);
    expect(plan.steps[1]).toMatchObject({
      place: { file: "calls.yaml", line: 12, column: 5 },
      timeout: 1500,
      expect: "result",
      answers: { elicitation: [{ error: { code: -1, message: "no" } }] },
    });
    expect(conforms(load(EVERYTHING)), JSON.stringify(conforms.errors)).toBe(true);
  });

  test("may be a list alone, and JSON", () => {
    expect(doings("- auto\n- list: tools\n")).toEqual([{ kind: "auto" }, { kind: "list", list: "tools" }]);
    const json = JSON.stringify(
      [{ call: "a", arguments: { "é \ud83d\ude00": [1, null, true, "x"] } }, "auto"],
      null,
      2,
    );
    expect(doings(json)).toEqual([
      { kind: "call", name: "a", arguments: { "é 😀": [1, null, true, "x"] } },
      { kind: "auto" },
    ]);
    expect(doings(JSON.stringify([{ call: "a" }], null, "\t"))).toEqual([{ kind: "call", name: "a" }]);
  });
});

/** Where it is, and what is said. Of those marked `only` a JSON Schema can say nothing. */
type Wrong = readonly [text: string, place: string, message: RegExp, only?: "only"];

const WRONG: readonly Wrong[] = [
  ["- cal: a", "1:3", /a step has no "cal" \(did you mean call\?\)/],
  ["- call: a\n  argument: {}", "2:3", /a call step has no "argument" \(did you mean arguments\?\)/],
  ["- read: a\n  arguments: {}", "2:3", /a read step has no "arguments"/],
  ["- wait: 1s\n  timeout: 1s", "2:3", /a wait step has no "timeout"/],
  ["- call: a\n  read: b", "1:3", /not both call and read/],
  ["- timeout: 1s", "1:3", /must say what it does/],
  ["- call: 7", "1:9", /call must be text/],
  ["- call: a\n  arguments: [1]", "2:14", /arguments must be a mapping/],
  ["- call: a\n  arguments:", "2:3", /arguments must be a mapping/],
  ["- list: tool", "1:9", /one of tools, resources, templates, prompts \(did you mean tools\?\)/],
  ["- level: loud", "1:10", /level must be one of debug/],
  ["- wait: 500", "1:9", /such as 500ms/],
  ["- wait: 2h", "1:9", /such as 500ms/],
  ["- wait: 90m", "1:9", /such as 500ms/, "only"],
  ["- call: a\n  expect: success", "2:11", /one of result, error, timeout/],
  ["- complete: { ref: {} }", "1:13", /complete lacks argument/],
  ["- call: a\n  answers: { roots: x }", "2:21", /roots must be a list/],
  ["- call: a\n  answers: { elicit: {} }", "2:14", /answers has no "elicit"/],
  ["- call: a\n  answers: { elicitation: { action: yes } }", "2:37", /one of accept, decline, cancel/],
  [
    "- call: a\n  answers: { elicitation: { action: cancel, content: {} } }",
    "2:54",
    /goes with action: accept/,
  ],
  ["- call: a\n  answers: { elicitation: [] }", "2:27", /one at least/],
  ["- call: a\n  answers: { sampling: { text: hi } }", "2:26", /sampling has no "text"/],
  [
    "- call: a\n  answers: { sampling: { error: { code: x, message: y } } }",
    "2:41",
    /code must be a whole number/,
  ],
  ["- call: a\n  answers: { sampling: { error: { code: 1 } } }", "2:33", /error lacks message/],
  ["[]", "1:1", /there is no step/],
  ["- automatic", "1:3", /"automatic" is no step/],
  ["- [auto]", "1:3", /a list is no step/],
  ["auto", "1:1", /must be a list of steps/],
  ["step: []", "1:1", /a drive file has no "step" \(did you mean steps\?\)/],
  ["timeout: 1s", "1:1", /a drive file lacks steps/],
  ["client: { root: [] }\nsteps: [auto]", "1:11", /client has no "root" \(did you mean roots\?\)/],
  ["client: { roots: [{ url: x }] }\nsteps: [auto]", "1:21", /a root has no "url" \(did you mean uri\?\)/],
  ["- call: a\n  call: b", "2:3", /"call" occurs twice/, "only"],
  ["- call: a\n  arguments: { n: 9007199254740993 }", "2:19", /would be changed/, "only"],
  ["- call: &x a", "1:9", /anchors \(&name\) are not allowed/, "only"],
  ["- call: !!str a", "1:9", /tags \(!name\) are not allowed/, "only"],
  ["- call: a\n  arguments: { <<: {} }", "2:16", /merge keys/, "only"],
  ["- call: a\n---\n- auto", "3:7", /more than one document/, "only"],
  ["- call: [", "1:10", /no valid YAML/, "only"],
  ["# nothing", "1:1", /empty|must be a list/, "only"],
];

describe("what is wrong in a drive file is told with its place", () => {
  const rows = WRONG.map(([text, place, message, only]) => ({ text, place, message, only }));

  test.each(rows)("$text at $place", ({ text, place, message, only }) => {
    let error: VcrError | undefined;
    try {
      read(text);
    } catch (caught) {
      error = caught as VcrError;
    }
    expect(error?.code).toBe("usage");
    expect(error?.message).toMatch(message);
    expect(`${error?.place?.line}:${error?.place?.column}`).toBe(place);
    if (only === undefined) expect(conforms(load(text)), "the JSON Schema allows it").toBe(false);
  });
});
