import { describe, expect, test } from "vitest";
import { Bench, type Json, modern, textIn } from "./support.ts";

const HEAD = "scenario: 1\nserver: { name: weather, version: 1.4.0 }\n";

function tool(replies: string, more = ""): string {
  return `${HEAD}tools:
  - name: forecast
    inputSchema: { type: object, required: [city], properties: { city: { type: string }, days: { type: integer } } }
${more}    replies:
${replies.replace(/^/gm, "      ")}
`;
}

describe("what a reply answers", () => {
  test.each<[string, string, unknown]>([
    ["text", "- text: 3 °C", { content: [{ type: "text", text: "3 °C" }] }],
    [
      "text from the request",
      "- text: 'in ${args.city} $${x}'",
      { content: [{ type: "text", text: "in Oslo ${x}" }] },
    ],
    [
      "a value in place of one that is not there",
      "- text: '${args.days:-no} days'",
      { content: [{ type: "text", text: "no days" }] },
    ],
    [
      "content",
      "- content: [{ type: image, data: AA==, mimeType: image/png }]",
      { content: [{ type: "image", data: "AA==", mimeType: "image/png" }] },
    ],
    [
      "structured content, as text too",
      "- structuredContent: { t: 3 }",
      { content: [{ type: "text", text: '{"t":3}' }], structuredContent: { t: 3 } },
    ],
    [
      "a failure with its data",
      "- { toolError: no, structuredContent: { retry: '${args.city}' } }",
      { content: [{ type: "text", text: "no" }], structuredContent: { retry: "Oslo" }, isError: true },
    ],
    [
      "structured content and text",
      "- { text: cold, structuredContent: { t: '${args}' } }",
      { content: [{ type: "text", text: "cold" }], structuredContent: { t: { city: "Oslo" } } },
    ],
    [
      "a tool error",
      "- toolError: no such city",
      { content: [{ type: "text", text: "no such city" }], isError: true },
    ],
    ["a whole result", "- result: { content: [], extra: 1 }", { content: [], extra: 1 }],
    ["_meta", "- { text: x, _meta: { a: 1 } }", { content: [{ type: "text", text: "x" }], _meta: { a: 1 } }],
  ])("%s", async (_, replies, result) => {
    const bench = await Bench.of(tool(replies));
    bench.initialize();
    expect(bench.call("forecast", { city: "Oslo" })).toMatchObject({ result });
    expect(bench.misses).toEqual([]);
  });

  test("an error with data", async () => {
    const bench = await Bench.of(
      tool("- error: { code: -32050, message: 'down in ${args.city}', data: { a: [1] } }"),
    );
    bench.initialize();
    expect(bench.call("forecast", { city: "Oslo" }).error).toEqual({
      code: -32050,
      message: "down in Oslo",
      data: { a: [1] },
    });
  });

  test("nothing, until it is cancelled", async () => {
    const bench = await Bench.of(tool("- { progress: [{ progress: 1, total: 2 }], hang: true }"));
    bench.initialize();
    const params = { name: "forecast", arguments: { city: "x" }, _meta: { progressToken: "p" } };
    expect(bench.request("tools/call", params, 9)).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "p", progress: 1, total: 2 },
      },
    ]);
    bench.time.pass(60_000);
    bench.send({ method: "notifications/cancelled", params: { requestId: 9 } });
    bench.time.pass(60_000);
    expect(bench.sent.at(-1)?.message.method).toBe("notifications/progress");
  });

  test("progress only where there is a token, log lines as loud as asked for, each in its time", async () => {
    const bench = await Bench.of(
      tool(
        "- steps: [{ log: { level: debug, data: a } }, { progress: { progress: 1 } }, { delay: 100ms }, { log: { level: error, logger: l, data: b } }]\n  text: done",
      ),
    );
    bench.initialize();
    bench.ask("logging/setLevel", { level: "warning" });
    expect(bench.request("tools/call", { name: "forecast", arguments: { city: "x" } }, "c")).toEqual([]);
    bench.time.pass(99);
    expect(bench.sent).toHaveLength(2);
    bench.time.pass(1);
    expect(bench.sent.at(-1)).toEqual({
      on: '"c"',
      message: {
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "error", logger: "l", data: "b" },
      },
    });
    bench.time.pass(2);
    expect(textIn(bench.answerTo("c"))).toBe("done");
  });

  test("in the modern era log lines come for requests that ask for them", async () => {
    const bench = await Bench.of(tool("- { log: { data: a }, text: done }"));
    const params = { name: "forecast", arguments: { city: "x" } };
    bench.ask("tools/call", { ...params, ...modern() });
    expect(bench.sent).toHaveLength(1);
    bench.ask("tools/call", { ...params, ...modern({}, { "io.modelcontextprotocol/logLevel": "info" }) });
    expect(bench.sent.map(({ message }) => message.method)).toEqual([
      undefined,
      "notifications/message",
      undefined,
    ]);
  });

  test("what outputSchema describes, where no reply is written; the same for the same seed", async () => {
    const text = `${HEAD}seed: SEED
tools:
  - name: t
    outputSchema:
      type: object
      required: [id, tags, when]
      properties:
        id: { type: integer, minimum: 10, maximum: 20 }
        tags: { type: array, items: { enum: [a, b, c] }, minItems: 2, uniqueItems: true }
        when: { type: string, format: date-time }
`;
    const answers = await Promise.all(
      ["1", "1", "2"].map(async (seed) => {
        const bench = await Bench.of(text.replace("SEED", seed));
        bench.initialize();
        return bench.call("t").result as Json;
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).not.toEqual(answers[2]);
    expect(answers[0]).toMatchObject({ structuredContent: { id: expect.any(Number) } });
  });
});

describe("which reply answers", () => {
  test.each<[string, string, Json, string]>([
    ["equality", "{ city: Oslo }", { city: "Oslo" }, "yes"],
    ["equality, not", "{ city: Oslo }", { city: "Bergen" }, "no"],
    ["a pattern", "{ city: { pattern: '^Ber' } }", { city: "Bergen" }, "yes"],
    ["any value", "{ days: { any: true } }", { city: "x", days: 0 }, "yes"],
    ["no value", "{ days: { any: false } }", { city: "x" }, "yes"],
    ["no value, and there is one", "{ days: { any: false } }", { city: "x", days: 1 }, "no"],
    ["a range", "{ days: { min: 1, below: 7 } }", { city: "x", days: 6 }, "yes"],
    ["a range, beyond", "{ days: { min: 1, below: 7 } }", { city: "x", days: 7 }, "no"],
    ["a schema", "{ city: { schema: { type: string, maxLength: 3 } } }", { city: "abc" }, "yes"],
    ["a schema, not", "{ city: { schema: { type: string, maxLength: 3 } } }", { city: "abcd" }, "no"],
    ["one of several", "{ city: { oneOf: [Oslo, { pattern: '^B' }] } }", { city: "Bergen" }, "yes"],
    ["not", "{ city: { not: Oslo } }", { city: "Oslo" }, "no"],
    [
      "equals, for a value that looks like an operator",
      "{ more: { equals: { min: 1 } } }",
      { city: "x", more: { min: 1 } },
      "yes",
    ],
    ["members of a member", "{ more: { a: { b: 1 } } }", { city: "x", more: { a: { b: 1, c: 2 } } }, "yes"],
    [
      "members called like operators",
      "{ more: { members: { min: 1 } } }",
      { city: "x", more: { min: 1, x: 2 } },
      "yes",
    ],
  ])("by %s", async (_, when, args, expected) => {
    const bench = await Bench.of(tool(`- { when: ${when}, text: "yes" }\n- text: "no"`));
    bench.initialize();
    expect(textIn(bench.call("forecast", args))).toBe(expected);
  });

  test("so many times, then the next; a sequence, whose last stays", async () => {
    const bench = await Bench.of(
      tool(
        "- { times: 2, text: a }\n- sequence: [{ text: b }, { error: { code: 1, message: c } }, { text: '${nth}' }]",
      ),
    );
    bench.initialize();
    const texts = Array.from({ length: 6 }, () => bench.call("forecast", { city: "x" }));
    expect(texts.map((each) => (each.error ? "error" : textIn(each)))).toEqual([
      "a",
      "a",
      "b",
      "error",
      "3",
      "4",
    ]);
  });

  test("by state that another reply set, each client having its own", async () => {
    const text = `${HEAD}state: { user: null }
tools:
  - name: login
    inputSchema: { type: object, properties: { name: { type: string } } }
    replies: [{ set: { user: "\${args.name}" }, text: hello }]
  - name: whoami
    replies:
      - { requires: { user: null }, toolError: log in }
      - text: \${state.user}
`;
    const [one, other] = await Promise.all([Bench.of(text), Bench.of(text)]);
    for (const bench of [one, other]) bench.initialize();
    expect(textIn(one.call("whoami"))).toBe("log in");
    one.call("login", { name: "Ada" });
    expect(textIn(one.call("whoami"))).toBe("Ada");
    expect(textIn(other.call("whoami"))).toBe("log in");
  });

  test("by what the client declares", async () => {
    const replies = "- { client: { sampling: { any: true } }, text: able }\n- text: unable";
    const bench = await Bench.of(tool(replies));
    bench.initialize("2025-11-25", { sampling: {} });
    expect(textIn(bench.call("forecast", { city: "x" }))).toBe("able");
    const other = await Bench.of(tool(replies));
    other.initialize();
    expect(textIn(other.call("forecast", { city: "x" }))).toBe("unable");
  });
});

describe("what is not written", () => {
  test("is a miss that names the nearest reply and where it differs", async () => {
    const bench = await Bench.of(
      tool(
        "- { when: { city: Oslo, days: 1 }, text: x }\n- { when: { city: Rome, days: { max: 5 } }, times: 1, text: y }",
      ),
    );
    bench.initialize();
    const { error } = bench.call("forecast", { city: "Rome", days: 9 });
    expect(error).toMatchObject({
      code: -32010,
      data: {
        reason: "unwritten",
        label: "tools/call forecast",
        nearest: {
          asked: { when: { city: "Rome", days: { max: 5 } } },
          differences: [{ pointer: "/arguments/days", kind: "changed", before: { max: 5 }, after: 9 }],
        },
        recorded: 2,
        used: 0,
      },
    });
    expect(bench.misses).toHaveLength(1);
    expect((error as { message: string }).message).toContain("No reply of tools/call forecast answers this.");
  });

  test.each<[string, string, Json | undefined, number, string]>([
    [
      "a tool",
      "tools/call",
      { name: "forcast", arguments: {} },
      -32602,
      'There is no tool "forcast" (did you mean forecast?)',
    ],
    ["a prompt", "prompts/get", { name: "hi" }, -32602, 'There is no prompt "hi"'],
    ["a resource", "resources/read", { uri: "w://x" }, -32002, 'There is no resource "w://x"'],
    ["a method", "weather/now", undefined, -32601, 'There is no method "weather/now"'],
  ])("%s: a miss, or the answer of the revision", async (_, method, params, code, why) => {
    const text = `${tool("- text: x")}resources: [{ uri: w://a, replies: [{ text: a }] }]\nprompts: [{ name: greet, replies: [{ text: a }] }]\n`;
    const missing = await Bench.of(text);
    missing.initialize();
    expect(missing.ask(method, params).error).toMatchObject({ code: -32010 });
    expect(missing.misses[0]?.why).toContain(why);
    const refusing = await Bench.of(`${text}unknown: refuse\n`);
    refusing.initialize();
    expect(refusing.ask(method, params).error).toMatchObject({ code });
    expect(refusing.misses).toEqual([]);
  });

  test.each([
    ["a value that a reply refers to", tool("- text: ${args.days}"), "there is no such value"],
    [
      "a result that the outputSchema allows",
      tool(
        '- structuredContent: { t: "${args.city}" }',
        "    outputSchema: { type: object, properties: { t: { type: number } } }\n",
      ),
      "/t must be number",
    ],
  ])("%s: a miss that says so", async (_, text, why) => {
    const bench = await Bench.of(text);
    bench.initialize();
    expect(bench.call("forecast", { city: "x" }).error).toMatchObject({
      code: -32010,
      data: { reason: "unfit" },
    });
    expect(bench.misses[0]?.why).toContain(why);
  });
});

describe("arguments that the inputSchema refuses", () => {
  test.each<[string, boolean]>([
    ["2024-11-05", false],
    ["2025-03-26", false],
    ["2025-06-18", false],
    ["2025-11-25", true],
    ["2026-07-28", true],
  ])("%s: the model reads it: %s", async (version, modelReads) => {
    const bench = await Bench.of(tool("- text: x"));
    const params = { name: "forecast", arguments: { city: 1 } };
    if (version !== "2026-07-28") bench.initialize(version);
    const answer = bench.ask("tools/call", version === "2026-07-28" ? { ...params, ...modern() } : params);
    const message = "Invalid arguments for tool forecast: /city must be string";
    if (modelReads) expect(answer.result).toMatchObject({ isError: true, content: [{ text: message }] });
    else expect(answer.error).toEqual({ code: -32602, message });
    expect(bench.misses).toEqual([]);
  });

  test("by the dialect that the schema names: items of draft-07 are those of a tuple", async () => {
    const schema = (dialect: string) => `${HEAD}tools:
  - name: t
    inputSchema: { $schema: "${dialect}", type: object, properties: { a: { items: [{ type: string }] } } }
    replies: [{ text: x }]
`;
    const bench = await Bench.of(schema("http://json-schema.org/draft-07/schema#"));
    bench.initialize();
    expect(bench.call("t", { a: [1] }).result).toMatchObject({ isError: true });
  });

  test("are taken where the tool does not validate", async () => {
    const bench = await Bench.of(tool("- text: x", "    validate: false\n"));
    bench.initialize();
    expect(textIn(bench.call("forecast", { city: 1 }))).toBe("x");
  });
});
