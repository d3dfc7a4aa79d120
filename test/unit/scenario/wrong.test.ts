import { describe, expect, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import { checkSchemas } from "../../../src/scenario/check/check-schemas.ts";
import { load, schemas } from "./support.ts";

/** Loads, and checks what needs schemas, as serving does; the fault that is found. */
async function faultOf(files: Readonly<Record<string, string | object>>): Promise<VcrError> {
  try {
    checkSchemas(await load(files), await schemas.load());
  } catch (error) {
    if (error instanceof VcrError) return error;
    throw error;
  }
  throw new Error("it is taken for right");
}

/** A tool, from line 2 on; its replies from line 5 on. */
function tool(replies: string, more = ""): string {
  return `scenario: 1
tools:
  - name: forecast
    inputSchema: { type: object, additionalProperties: false, properties: { city: { type: string }, days: { type: integer, maximum: 10 } } }
${more}    replies:
${replies.replace(/^/gm, "      ")}
`;
}

/** What is wrong, the file, where it is told to be, and what is said. */
const WRONG: readonly (readonly [string, string, string, string | RegExp])[] = [
  ["a misspelt key", "scenario: 1\ntoools: []\n", "2:1", 'a scenario has no "toools" (did you mean tools?)'],
  ["no format", "tools: []\n", "1:1", "a scenario lacks scenario:"],
  ["another format", "scenario: 2\n", "1:11", "scenario: must be 1"],
  [
    "a misspelt key of a tool",
    "scenario: 1\ntools:\n  - { name: a, inputShema: {} }\n",
    "3:16",
    "(did you mean inputSchema?)",
  ],
  ["a tool without a name", "scenario: 1\ntools:\n  - title: a\n", "3:5", "a tool lacks name:"],
  [
    "a tool that is there twice",
    "scenario: 1\ntools: [{ name: a }, { name: a }]\n",
    "2:22",
    'a tool "a" is there twice',
  ],
  ["a list that is none", "scenario: 1\ntools: { name: a }\n", "2:8", "tools must be a list"],
  ["a key twice", "scenario: 1\nseed: 1\nseed: 2\n", "3:1", 'the key "seed" occurs twice'],
  ["no YAML", "scenario: 1\ntools: [\n", "3:1", "no valid YAML"],
  ["a revision that is none", "scenario: 1\nrevisions: [2025-06-19]\n", "2:13", "(did you mean 2025-06-18?)"],
  ["a misspelt outcome", tool("- texts: x"), "6:9", "(did you mean text?)"],
  ["no outcome", tool("- when: { city: Oslo }"), "6:9", "a tool's reply must say what is answered"],
  [
    "two outcomes",
    tool("- { text: x, error: { code: 1, message: y } }"),
    "6:27",
    "text: and error: both say what is answered",
  ],
  [
    "a code that is no number",
    tool("- error: { code: E1, message: x }"),
    "6:24",
    "code must be a whole number",
  ],
  [
    "a step that stands in a reply",
    tool("- { text: x, show: { tools: [forecast] } }"),
    "6:20",
    "show: is a step, and stands in a list of them",
  ],
  [
    "a step that stands in an item of a sequence",
    tool("- { sequence: [{ text: x, cut: {} }] }"),
    "6:33",
    "cut: is a step",
  ],
  [
    "a log level that is cut short",
    tool("- { log: { level: warn, data: x }, text: x }"),
    "6:25",
    "(did you mean warning?)",
  ],
  [
    "a misspelt operator",
    "scenario: 1\ntools: [{ name: f, replies: [{ when: { a: { patern: ^B } }, text: x }] }]\n",
    "2:45",
    'there is no condition "patern" (did you mean pattern?)',
  ],
  [
    "a misspelt list of values",
    "scenario: 1\ntools: [{ name: f, replies: [{ when: { a: { oneof: [1] } }, text: x }] }]\n",
    "2:45",
    "(did you mean oneOf?)",
  ],
  ["a delay without a unit", tool("- { delay: 5, text: x }"), "6:18", "delay must be a time such as 500ms"],
  [
    "a log level that is none",
    tool("- { log: { level: warn, data: x }, text: x }"),
    "6:25",
    "level must be one of",
  ],
  [
    "a kind of content that is none",
    tool("- content: [{ type: img, data: x }]"),
    "6:27",
    "type must be one of text, image",
  ],
  [
    "a pattern that is none",
    tool("- { when: { city: { pattern: '(' } }, text: x }"),
    "6:37",
    "pattern: Invalid regular expression",
  ],
  [
    "a range that is empty",
    tool("- { when: { days: { min: 5, max: 4 } }, text: x }"),
    "6:25",
    "no number is within this range",
  ],
  [
    "operators beside members",
    tool("- { when: { city: { pattern: x, name: y } }, text: x }"),
    "6:39",
    '"name" stands beside pattern',
  ],
  [
    "a reply that can never match: an argument that is none",
    tool("- { when: { ctiy: Oslo }, text: x }"),
    "6:19",
    'no argument is called "ctiy" (did you mean city?)',
  ],
  [
    "a reply that can never match: a value that is refused",
    tool("- { when: { city: 7 }, text: x }"),
    "6:19",
    "when: can never match: city is never 7",
  ],
  [
    "a reply that can never match: beyond the schema",
    tool("- { when: { days: 11 }, text: x }"),
    "6:19",
    "days is never 11",
  ],
  [
    "a reply that can never match: a state that nothing sets",
    tool("- { requires: { user: Ada }, text: x }"),
    "6:23",
    "nothing sets user",
  ],
  [
    "a reply that is never reached",
    tool("- text: x\n- { when: { city: Oslo }, text: y }"),
    "7:9",
    "this reply is never reached",
  ],
  [
    "a reply that is never reached: a wider one before",
    tool("- { when: { city: { pattern: O } }, text: x }\n- { when: { city: Oslo, days: 1 }, text: y }"),
    "7:9",
    "this reply is never reached",
  ],
  [
    "an end of a sequence that is never reached",
    tool("- { times: 1, sequence: [{ text: x }, { text: y }] }"),
    "6:18",
    "times: 1 is less than the sequence is long",
  ],
  [
    "a reference to nothing",
    tool("- text: ${arg.city}"),
    "6:15",
    "${arg.city} refers to nothing (did you mean ${args.city}?)",
  ],
  [
    "a reference to an argument that is none",
    tool("- text: ${args.ctiy}"),
    "6:15",
    "refers to nothing (did you mean city?)",
  ],
  [
    "a reference to an answer that nobody gave",
    tool("- text: ${answers.trip.action}"),
    "6:15",
    "refers to nothing",
  ],
  [
    "a schema that is none",
    "scenario: 1\ntools: [{ name: a, inputSchema: { type: objekt } }]\n",
    "2:41",
    "type must be one of string",
  ],
  [
    "a misspelt keyword",
    "scenario: 1\ntools: [{ name: a, inputSchema: { type: object, propertys: {} } }]\n",
    "2:49",
    "(did you mean properties?)",
  ],
  [
    "a schema that leads nowhere",
    "scenario: 1\ntools:\n  - name: a\n    inputSchema: { type: object, properties: { b: { $ref: '#/$defs/c' } } }\n",
    "4:18",
    "inputSchema of a: can't resolve reference",
  ],
  [
    "arguments that are no object",
    "scenario: 1\ntools: [{ name: a, inputSchema: { type: string } }]\n",
    "2:41",
    "inputSchema must have type: object",
  ],
  [
    "a dialect that is none",
    "scenario: 1\ntools: [{ name: a, inputSchema: { $schema: x, type: object } }]\n",
    "2:44",
    "is no dialect",
  ],
  [
    "a result that breaks its promise",
    tool(
      "- structuredContent: { t: warm }",
      "    outputSchema: { type: object, properties: { t: { type: number } } }\n",
    ),
    "7:9",
    "structuredContent: /t must be number",
  ],
  [
    "a result without what is promised",
    tool("- text: x", "    outputSchema: { type: object }\n"),
    "7:9",
    "must have structuredContent",
  ],
  [
    "a result that cannot be made",
    "scenario: 1\ntools:\n  - name: a\n    outputSchema: { type: object, required: [b], properties: { b: { type: string, pattern: '^x$', minLength: 2 } } }\n",
    "4:19",
    "no result of a can be made",
  ],
  ["generate without a schema", tool("- generate: true"), "6:9", "generate: needs the tool's outputSchema"],
  [
    "a method of the protocol",
    "scenario: 1\nmethods: [{ method: tools/call, replies: [{ result: {} }] }]\n",
    "2:21",
    "is a method of the protocol",
  ],
  [
    "a change of a tool that is none",
    "scenario: 1\ntools: [{ name: a }]\ntimeline:\n  - { at: 1s, hide: { tools: [b] } }\n",
    "4:31",
    'hide: there is no tool "b"',
  ],
  [
    "an event after a method that is none",
    "scenario: 1\ntimeline:\n  - { after: { method: tools/cal }, set: { a: 1 } }\n",
    "3:24",
    "tools/cal is no method of a client",
  ],
  [
    "an event that refers to a request",
    "scenario: 1\ntimeline:\n  - { at: 1s, set: { a: '${args.b}' } }\n",
    "3:26",
    "${args.b} refers to nothing",
  ],
  [
    "an event that refers to a state that nothing sets",
    "scenario: 1\nstate: { user: x }\ntimeline:\n  - { at: 1s, set: { a: '${state.uzer}' } }\n",
    "4:26",
    "${state.uzer} refers to nothing (did you mean user?)",
  ],
  ["a state that nothing sets", tool('- text: "${state.user}"'), "6:16", "${state.user} refers to nothing"],
  [
    "a state that nothing sets, in an effect",
    tool('- { steps: [{ notify: { method: a/b, params: { x: "${state.user}" } } }], text: x }'),
    "6:58",
    "${state.user} refers to nothing",
  ],
  [
    "a form that is no schema",
    tool(
      "- { ask: { x: { elicit: { message: m, requestedSchema: { type: object, properties: { a: { type: string, pattern: '(' } } } } } }, text: x }",
    ),
    "6:9",
    "requestedSchema of the question x:",
  ],
  [
    "an event without a time",
    "scenario: 1\ntimeline: [{ set: { a: 1 } }]\n",
    "2:12",
    "an event has one of at, every, after",
  ],
  [
    "a page that is not there",
    "scenario: 1\npageSize: 2\npages: { tools: { loop: 3 } }\ntools: [{ name: a }]\n",
    "3:17",
    "loop: 3 says nothing, since there is only one page",
  ],
  [
    "a URI template that is none",
    "scenario: 1\ntemplates: [{ uriTemplate: 'w://{id' }]\n",
    "2:29",
    "a brace is not closed",
  ],
  [
    "a completion of nothing",
    "scenario: 1\nprompts: [{ name: p, arguments: [{ name: city }], complete: { ctiy: [a] } }]\n",
    "2:63",
    "there is no argument ctiy (did you mean city?)",
  ],
  [
    "a word for tasks that is none",
    "scenario: 1\ntools: [{ name: a, execution: { taskSupport: optionl } }]\n",
    "2:46",
    "taskSupport must be one of forbidden, optional, required (did you mean optional?)",
  ],
  [
    "a task of a tool that has none",
    "scenario: 1\ntools: [{ name: a, replies: [{ task: { ttl: 1s }, text: a }] }]\n",
    "2:30",
    "task: there is no task here",
  ],
  [
    "the status of what is no task",
    "scenario: 1\nresources: [{ uri: a, replies: [{ steps: [{ status: half }], text: a }] }]\n",
    "2:33",
    "status: there is no task here",
  ],
  [
    "two tasks at once",
    "scenario: 1\ntools: [{ name: a, execution: { taskSupport: optional }, replies: [{ steps: [{ task: {} }, { task: {} }], text: a }] }]\n",
    "2:68",
    "a reply becomes a task once",
  ],
  [
    "no task where there must be one",
    "scenario: 1\ntools: [{ name: a, execution: { taskSupport: required }, replies: [{ task: false, text: a }] }]\n",
    "2:68",
    "task: false, and a must be called with a task",
  ],
  [
    "tasks, and no revision that has them",
    "scenario: 1\nrevisions: [2025-06-18]\ntools: [{ name: a, execution: { taskSupport: required }, replies: [{ text: a }] }]\n",
    "3:31",
    "none of the revisions has tasks",
  ],
  [
    "a reply that is no task by a step",
    "scenario: 1\ntools: [{ name: a, execution: { taskSupport: optional }, replies: [{ steps: [{ task: false }], text: a }] }]\n",
    "2:86",
    "task: false is of a whole reply",
  ],
  [
    "a misspelt fault",
    "scenario: 1\nfaults: [{ on: { method: tools/call }, do: { haang: true } }]\n",
    "2:46",
    'do has no "haang" (did you mean hang?)',
  ],
  [
    "a delay of what is not there",
    'scenario: 1\ntools: [{ name: a, inputSchema: { type: object, properties: { s: {} } }, replies: [{ delay: "${args.t}s", text: a }] }]\n',
    "2:94",
    "${args.t} refers to nothing",
  ],
  [
    "without: and no extends:",
    "scenario: 1\nwithout: { tools: [a] }\n",
    "2:10",
    "without: goes with extends:",
  ],
  ["a reference that is not closed", tool('- { text: "${args.city" }'), "6:18", "${args.city is not closed"],
  [
    "a reference within another",
    tool('- { text: "${args.${args.city}}" }'),
    "6:18",
    "${args.${args.city} has a reference within a reference",
  ],
  [
    "a key that refers to nothing",
    tool('- { structuredContent: { "${arg.city}": 1 } }'),
    "6:33",
    "${arg.city} refers to nothing (did you mean ${args.city}?)",
  ],
  [
    "a misspelt capability of clients",
    tool("- { client: { elicitaton: { any: false } }, text: a }"),
    "6:21",
    'what a client declares has no "elicitaton" (did you mean elicitation?)',
  ],
  [
    "a misspelt mode of a capability",
    tool("- { client: { elicitation: { members: { ulr: {} } } }, text: a }"),
    "6:47",
    'what a client declares has no "ulr" (did you mean url?)',
  ],
  [
    "a misspelt capability of the server",
    "scenario: 1\ncapabilities: { toools: {} }\n",
    "2:17",
    'capabilities has no "toools" (did you mean tools?)',
  ],
  [
    "a capability that is no flag",
    "scenario: 1\ncapabilities: { tools: { listChanged: 1 } }\n",
    "2:39",
    "listChanged must be true or false",
  ],
  [
    "a capability that is no object",
    "scenario: 1\ncapabilities: { logging: true }\n",
    "2:26",
    "logging must be a mapping",
  ],
  [
    "an image that is no base64",
    tool("- { content: [{ type: image, data: '%%%', mimeType: image/png }] }"),
    "6:43",
    "data is no base64",
  ],
  [
    "an image's type that is no text",
    tool("- { content: [{ type: image, data: AAAA, mimeType: 5 }] }"),
    "6:58",
    "mimeType must be text",
  ],
  [
    "an embedded resource without its URI",
    tool("- { content: [{ type: resource, resource: { text: a } }] }"),
    "6:49",
    "resource lacks uri:",
  ],
  [
    "a blob that is no base64",
    "scenario: 1\nresources: [{ uri: 'w://x', replies: [{ blob: 'a b' }] }]\n",
    "2:48",
    "blob is no base64",
  ],
  [
    "progress that falls",
    tool("- { progress: [{ progress: 2 }, { progress: 1 }], text: a }"),
    "6:51",
    "progress goes from 2 to 1, and must go up",
  ],
  [
    "progress that falls, in steps",
    tool("- { steps: [{ progress: { progress: 2 } }, { progress: { progress: 2 } }], text: a }"),
    "6:74",
    "progress goes from 2 to 2, and must go up",
  ],
  [
    "a form that is not flat",
    tool(asking("{ a: { type: object, properties: {} } }")),
    /6:\d+/.source,
    "the field a is an object, and a form is flat",
  ],
  [
    "a choice without its choices",
    tool(asking("{ a: { type: array } }")),
    /6:\d+/.source,
    "the field a lacks items:",
  ],
  [
    "a field of a form with what none has",
    tool(asking("{ a: { type: number, minLength: 1 } }")),
    /6:\d+/.source,
    'the field a has no "minLength"',
  ],
  [
    "a field that is required and not there",
    tool(asking("{ a: { type: string } }, required: [b]")),
    /6:\d+/.source,
    "required: there is no field b",
  ],
  [
    "a form that no revision of it has",
    `${tool(asking("{ a: { type: array, items: { type: string, enum: [x] } } }"))}revisions: ["2025-06-18"]\n`,
    "6:18",
    "the question q asks for a choice of several (type: array), which no revision of revisions: has",
  ],
  [
    "a reply that can never match: a pattern of a number",
    tool("- { when: { days: { pattern: a } }, text: a }"),
    "6:19",
    'when: can never match: days is never {"pattern":"a"}',
  ],
  [
    "a reply that can never match: a range of a text",
    tool("- { when: { city: { min: 1 } }, text: a }"),
    "6:19",
    'when: can never match: city is never {"min":1}',
  ],
  [
    "a reply that can never match: a range beyond the schema's",
    tool("- { when: { days: { above: 10 } }, text: a }"),
    "6:19",
    'when: can never match: days is never {"above":10}',
  ],
  [
    "a reply that can never match: a required argument that is left out",
    "scenario: 1\ntools: [{ name: f, inputSchema: { type: object, required: [a], properties: { a: {} } }, replies: [{ when: { a: { any: false } }, text: a }] }]\n",
    /2:\d+/.source,
    "when: can never match: a is never left out",
  ],
  [
    "a number for a variable",
    'scenario: 1\ntemplates: [{ uriTemplate: "w://{id}", replies: [{ when: { id: 5 }, text: a }] }]\n',
    "2:60",
    "when: can never match: id is never 5",
  ],
  [
    "a range for a prompt's argument",
    "scenario: 1\nprompts: [{ name: p, arguments: [{ name: a }], replies: [{ when: { a: { min: 5 } }, text: a }] }]\n",
    "2:68",
    'when: can never match: a is never {"min":5}',
  ],
  [
    "pages of an empty list",
    "scenario: 1\npages: { tools: { size: 2 } }\n",
    "2:17",
    "pages of tools: there is no tool that could be on one",
  ],
  [
    "a notification that no modern server sends by itself",
    "scenario: 1\ntimeline: [{ at: 1s, notify: { method: notifications/custom } }]\nrevisions: ['2026-07-28']\n",
    "2:22",
    "notify: a server of 2026-07-28 cannot send notifications/custom by itself",
  ],
  [
    "an alias",
    "scenario: 1\nserver: &s { name: a, version: b }\n",
    "2:9",
    "anchors (&name) are not allowed in a scenario",
  ],
];

/** A reply that asks for a form of these fields. */
function asking(fields: string): string {
  return `- { ask: { q: { elicit: { message: m, requestedSchema: { type: object, properties: ${fields} } } } }, text: a }`;
}

describe("a scenario with one mistake", () => {
  test.each(WRONG)("%s", async (_, text, place, message) => {
    const fault = await faultOf({ "wrong.yaml": text });
    expect(fault.code).toBe("scenario-invalid");
    expect(fault.message).toMatch(new RegExp(`wrong.yaml:${place}: `));
    expect(fault.message.split("\n")).toHaveLength(1);
    expect(fault.message).toMatch(message instanceof RegExp ? message : new RegExp(escaped(message)));
  });

  test("extends: in a circle", async () => {
    const fault = await faultOf({
      "a.yaml": "scenario: 1\nextends: b.yaml\n",
      "b.yaml": "scenario: 1\nextends: a.yaml\n",
    });
    expect(fault.message).toBe("b.yaml:2:10: extends: goes in a circle: a.yaml -> b.yaml -> a.yaml");
  });

  test("without: what the other file does not have", async () => {
    const files = {
      "a.yaml": "scenario: 1\nextends: b.yaml\nwithout: { tools: [lst] }\n",
      "b.yaml": "scenario: 1\ntools: [{ name: list }]\n",
    };
    expect((await faultOf(files)).message).toBe(
      'a.yaml:3:20: without: there is no tool "lst" (did you mean list?)',
    );
  });

  test("what refers to something that without: leaves out", async () => {
    const files = {
      "a.yaml": "scenario: 1\nextends: b.yaml\nwithout: { tools: [list] }\n",
      "b.yaml": "scenario: 1\ntools: [{ name: list }]\ntimeline: [{ at: 1s, hide: { tools: [list] } }]\n",
    };
    expect((await faultOf(files)).message).toBe(
      'b.yaml:3:38: hide: there is no tool "list": without: leaves it out (a.yaml:3)',
    );
  });

  test.each([
    "capabilities: { toools: 1 }\nvalidate: false\n",
    "tools: [{ name: f, validate: false, replies: [{ content: [{ type: image, data: '%' }], progress: [{ progress: 1 }, { progress: 1 }] }] }]\n",
    "resources: [{ uri: 'w://x', validate: false, replies: [{ blob: 'a b' }] }]\n",
    `validate: false\ntools: [{ name: f, replies: [${asking("{ a: { type: object } }").slice(2)}] }]\n`,
  ])("that is meant, under validate: false: %s", async (text) => {
    await expect(load({ "s.yaml": `scenario: 1\n${text}` })).resolves.toBeDefined();
  });

  test.each([
    ["a later reply of another member", "- { when: { x: {} }, text: a }\n- { when: { y: 1 }, text: b }"],
    [
      "a condition on a capability itself",
      "- { client: { elicitation: { url: { any: true } }, sampling: { any: false } }, text: a }",
    ],
    ["capabilities of one's own", "- { client: { experimental: { mine: { any: true } } }, text: a }"],
    [
      "choices, as newer revisions have them",
      asking(
        "{ a: { type: array, items: { anyOf: [{ const: x, title: X }] } }, b: { type: string, oneOf: [{ const: x, title: X }] } }",
      ),
    ],
    [
      "content made of references",
      '- { content: [{ type: image, data: "${args.x}", mimeType: "${args.y}" }] }',
    ],
  ])("is not %s", async (_, replies) => {
    const text = `scenario: 1\ntools:\n  - name: f\n    replies:\n${replies.replace(/^/gm, "      ")}\n`;
    await expect(load({ "s.yaml": text })).resolves.toBeDefined();
  });

  test("is told of what holds itself", async () => {
    const round: Record<string, unknown> = {};
    round.inner = [round];
    expect((await faultOf({ "s.ts": { scenario: 1, state: round } })).message).toBe(
      "s.ts: state.inner[0]: it is circular: it holds itself",
    );
  });

  test.each<[string, object, string]>([
    [
      "a misspelt key",
      { scenario: 1, tools: [{ name: "a", replis: [] }] },
      's.ts: tools["a"].replis: a tool has no',
    ],
    [
      "a handler that is none",
      { scenario: 1, tools: [{ name: "a", replies: [{ handler: "x" }] }] },
      's.ts: tools["a"].replies[0].handler: handler must be a function',
    ],
    [
      "a reply that can never match",
      { scenario: 1, prompts: [{ name: "greet", replies: [{ when: { x: "1" }, text: "x" }] }] },
      's.ts: prompts["greet"].replies[0]',
    ],
    [
      "a value that no file could hold",
      { scenario: 1, seed: Number.NaN },
      "s.ts: seed: NaN is no value of JSON",
    ],
  ])("in a program: %s, with its member", async (_, value, message) => {
    expect((await faultOf({ "s.ts": value })).message).toContain(message);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
