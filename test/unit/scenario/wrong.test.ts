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
    "6:9",
    'no argument is called "ctiy" (did you mean city?)',
  ],
  [
    "a reply that can never match: a value that is refused",
    tool("- { when: { city: 7 }, text: x }"),
    "6:9",
    "when: can never match: city is never 7",
  ],
  [
    "a reply that can never match: beyond the schema",
    tool("- { when: { days: 11 }, text: x }"),
    "6:9",
    "days is never 11",
  ],
  [
    "a reply that can never match: a state that nothing sets",
    tool("- { requires: { user: Ada }, text: x }"),
    "6:9",
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
    "6:9",
    "refers to nothing (did you mean city?)",
  ],
  [
    "a reference to an answer that nobody gave",
    tool("- text: ${answers.trip.action}"),
    "6:9",
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
    "scenario: 1\ntools:\n  - name: a\n    outputSchema: { type: object, required: [b], properties: { b: { type: string, pattern: '^x$' } } }\n",
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
    "4:5",
    'hide: there is no tool "b"',
  ],
  [
    "an event after a method that is none",
    "scenario: 1\ntimeline:\n  - { after: { method: tools/cal }, set: { a: 1 } }\n",
    "3:24",
    "tools/cal is no method of a client",
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
    "2:11",
    "there is no argument ctiy (did you mean city?)",
  ],
  [
    "what is not built",
    "scenario: 1\ntools: [{ name: a, execution: { taskSupport: optional } }]\n",
    "2:20",
    "tasks are not built yet",
  ],
  [
    "without: and no extends:",
    "scenario: 1\nwithout: { tools: [a] }\n",
    "2:10",
    "without: goes with extends:",
  ],
  [
    "an alias",
    "scenario: 1\nserver: &s { name: a, version: b }\n",
    "2:9",
    "anchors (&name) are not allowed in a scenario",
  ],
];

describe("a scenario with one mistake", () => {
  test.each(WRONG)("%s", async (_, text, place, message) => {
    const fault = await faultOf({ "wrong.yaml": text });
    expect(fault.code).toBe("scenario-invalid");
    expect(fault.message).toContain(`wrong.yaml:${place}: `);
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

  test.each<[string, object, string]>([
    [
      "a misspelt key",
      { scenario: 1, tools: [{ name: "a", replis: [] }] },
      "s.ts: tools[0].replis: a tool has no",
    ],
    [
      "a handler that is none",
      { scenario: 1, tools: [{ name: "a", replies: [{ handler: "x" }] }] },
      "s.ts: tools[0].replies[0].handler: handler must be a function",
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
