import { describe, expect, test } from "vitest";
import { shellQuote } from "../../../src/replay/miss.ts";
import { client, HTTP, request, result, STDIO, server, type TapeOptions, tape } from "../../cases/tape.ts";

const call = (args: unknown, name = "forecast") =>
  request(3, "tools/call", { name, arguments: args, _meta: { progressToken: 1 } });

/** Calls of the tool with these arguments were recorded. */
const recordedWith = (all: readonly unknown[], options?: TapeOptions) =>
  tape(
    all.flatMap((args, id) => [
      client(request(id, "tools/call", { name: "forecast", arguments: args })),
      server(result(id, {})),
    ]),
    options,
  );

test("a miss is an error on the wire, data first, that explains itself and fails the run", () => {
  const told: string[] = [];
  const recorded = recordedWith([{ city: "Oslo" }, { city: "Rome", days: 3 }], {
    onMiss: (_miss, explanation) => told.push(explanation),
  });
  const live = recorded.connect();
  live.say(call({ city: "Oslo" }));
  const [answer] = live.say(call({ city: "Bergen" }));
  expect(answer).toMatchObject({ jsonrpc: "2.0", id: 3, error: { code: -32010 } });
  expect(answer.error.data).toEqual({
    reason: "unrecorded",
    method: "tools/call",
    label: "tools/call forecast",
    asked: { name: "forecast", arguments: { city: "Bergen" } },
    nearest: {
      asked: { name: "forecast", arguments: { city: "Oslo" } },
      differences: [{ pointer: "/arguments/city", kind: "changed", before: "Oslo", after: "Bergen" }],
    },
    recorded: 2,
    used: 1,
    cassette: "weather.yaml",
    fix: "npx mcp-vcr record --mode append -o weather.yaml -- node weather.js",
    looser: { rule: "tools/call forecast", ignore: ["/arguments/city"] },
  });
  expect(told).toEqual([
    [
      "No recorded exchange answers tools/call forecast.",
      '  asked    {"name":"forecast","arguments":{"city":"Bergen"}}',
      '  nearest  {"name":"forecast","arguments":{"city":"Oslo"}}',
      '           differs at /arguments/city: recorded "Oslo", asked "Bergen"',
      "  tape     weather.yaml (tools/call forecast recorded 2 times, 1 used)",
      "Record it:  npx mcp-vcr record --mode append -o weather.yaml -- node weather.js",
      '  without a client: --drive FILE before the --, with the line  - {"call":"forecast","arguments":{"city":"Bergen"}}',
      'Or loosen, in mcp-vcr.config.yaml:  match: { "tools/call forecast": { ignore: ["/arguments/city"] } }',
    ].join("\n"),
  ]);
  expect(answer.error.message).toBe(`mcp-vcr: ${told[0]}`);
  expect(recorded.player.failed).toBe(true);
  expect(recorded.player.report().misses).toEqual([answer.error.data]);
});

test("what is asked once more is counted by itself, whatever else of its name was recorded", () => {
  const live = recordedWith([{ x: 1 }, { x: 2 }, { x: 3 }], { strict: true }).connect();
  live.say(call({ x: 1 }));
  const [answer] = live.say(call({ x: 1 }));
  expect(answer.error.data).toMatchObject({ reason: "exhausted", recorded: 1, used: 1 });
  expect(answer.error.message).toContain(
    "This tools/call forecast was recorded once, and is asked once more",
  );
  expect(answer.error.message).toContain("(this question recorded once, 1 used)");
});

describe("the nearest", () => {
  const nearestOf = (recorded: readonly unknown[], asked: unknown) =>
    recordedWith(recorded).connect().say(call(asked))[0].error.data.nearest;

  test("is the one with the fewest differences, the first of equals", () => {
    const all = [
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
      { a: 9, b: 2 },
    ];
    expect(nearestOf(all, { a: 8, b: 2 }).asked.arguments).toEqual({ a: 1, b: 2 });
  });

  test("names what is missing and what is too much by pointers", () => {
    expect(nearestOf([{ "a/b": [1, 2], c: 1 }], { "a/b": [1, 3, 4] }).differences).toEqual([
      { pointer: "/arguments/a~1b/1", kind: "changed", before: 2, after: 3 },
      { pointer: "/arguments/a~1b/2", kind: "added", after: 4 },
      { pointer: "/arguments/c", kind: "removed", before: 1 },
    ]);
  });

  test("is of the same method where the name was never recorded, and none where the method was not", () => {
    const live = recordedWith([{ city: "Oslo" }]).connect();
    const { data } = live.say(call({ city: "Oslo" }, "tides"))[0].error;
    expect(data).toMatchObject({ label: "tools/call tides", recorded: 0, used: 0 });
    expect(data.nearest.differences).toMatchObject([
      { pointer: "/name", before: "forecast", after: "tides" },
    ]);
    const [answer] = live.say(request(1, "prompts/list"));
    expect(answer.error.data.nearest).toBeUndefined();
    expect(answer.error.message).toContain("(prompts/list never recorded)");
  });

  test("shows vendor metadata, which counts", () => {
    const recorded = tape([client(request(1, "a", { _meta: { "x/y": 1 } })), server(result(1, {}))]);
    const { data } = recorded.connect().say(request(1, "a", { _meta: { "x/y": 2 } }))[0].error;
    expect(data.nearest.differences).toEqual([
      { pointer: "/_meta/x~1y", kind: "changed", before: 1, after: 2 },
    ]);
  });

  test("of very different ones tells some differences and how many are left", () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`k${i}`, i]));
    const [answer] = recordedWith([many]).connect().say(call({}));
    expect(answer.error.data.nearest.differences).toHaveLength(50);
    expect(answer.error.message).toContain("           and 45 more\n");
  });

  test("long values are cut in the sentence, not in the data", () => {
    const long = "x".repeat(1000);
    const [answer] = recordedWith([{ a: 1 }])
      .connect()
      .say(call({ a: long }));
    expect(answer.error.data.asked.arguments.a).toBe(long);
    expect(Math.max(...answer.error.message.split("\n").map((line: string) => line.length))).toBeLessThan(
      250,
    );
  });
});

describe("numbers that JavaScript cannot hold", () => {
  const ask = (number: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","arguments":{"n":${number}}}}`;
  const recorded = () => tape([client(ask("9007199254740993")), server(result(1, "exact"))]);

  test("are different questions, and the miss says where, in digits", () => {
    const live = recorded().connect();
    expect(live.say(ask("9007199254740993"))).toEqual([result(1, "exact")]);
    expect(live.say(ask("9007199254740993.0"))).toEqual([result(1, "exact")]);
    const [answer] = live.say(ask("9007199254740992"));
    expect(answer.error.data.nearest).toEqual({
      asked: { name: "n", arguments: { n: "9007199254740993" } },
      askedText: '{"arguments":{"n":9007199254740993},"name":"n"}',
      differences: [
        {
          pointer: "/arguments/n",
          kind: "changed",
          before: "9007199254740993",
          after: 9007199254740992,
        },
      ],
    });
    expect(answer.error.message).toContain('  nearest  {"arguments":{"n":9007199254740993},"name":"n"}\n');
    expect(answer.error.message).toContain("recorded 9007199254740993, asked 9007199254740992\n");
  });

  test("also against a string of the same digits", () => {
    const [answer] = recorded().connect().say(ask('"9007199254740993"'));
    expect(answer.error.message).toContain("differs in a number that JavaScript cannot hold");
    expect(answer.error.message).toContain('asked    {"name":"n","arguments":{"n":"9007199254740993"}}');
  });
});

describe("the fix can be pasted", () => {
  const fixOf = (options: TapeOptions) => recordedWith([], options).connect().say(call({}))[0].error.data.fix;

  test("with a command whose words need quotes", () => {
    const command = ["node", "my server.js", "it's", "", "--root=/a/b", "$HOME"];
    const header = { ...STDIO, source: { transport: "stdio" as const, command } };
    expect(fixOf({ header, cassette: "my tapes/a.yaml" })).toBe(
      "npx mcp-vcr record --mode append -o 'my tapes/a.yaml' -- node 'my server.js' 'it'\\''s' '' --root=/a/b '$HOME'",
    );
  });

  test("with a URL", () => {
    expect(fixOf({ header: HTTP })).toBe(
      "npx mcp-vcr record --mode append -o weather.yaml --url 'http://127.0.0.1:3000/mcp?a=1&b=2'",
    );
  });

  test.each([
    ["plain-1.2_x", "plain-1.2_x"],
    ["a;b", "'a;b'"],
    ["*", "'*'"],
    ["~", "'~'"],
    ["a\nb", "'a\nb'"],
  ])("%j is %s", (word, quoted) => {
    expect(shellQuote(word)).toBe(quoted);
  });
});

test("the report tells what was never asked, digits and all", () => {
  const recorded = tape([
    client('{"id":1,"method":"tools/call","params":{"name":"n","arguments":9007199254740993}}'),
    server(result(1, {})),
    client(request(2, "tools/list", { cursor: "x", _meta: { progressToken: 1 } })),
    server(result(2, {})),
    client(request(3, "ping")),
    server(result(3, {})),
  ]);
  recorded.connect().say(request(9, "ping"));
  expect(recorded.player.report()).toEqual({
    "mcp-vcr-report": 1,
    cassette: "weather.yaml",
    sessions: 1,
    hits: 1,
    misses: [],
    forwarded: [],
    repeats: [],
    differentAnswers: [],
    unanswered: [],
    cancelled: [],
    unused: [
      { label: "tools/call n", asked: { name: "n", arguments: "9007199254740993" } },
      { label: "tools/list", asked: { cursor: "x" } },
    ],
    faults: [],
  });
});

test("what was redacted in the recording is asked for as it is live", () => {
  const hidden = tape([client(request(1, "a", { key: "<hidden>" })), server(result(1, "ok"))], {
    redact: {
      header: (_name, value) => value,
      message: (message) => {
        const text = new TextDecoder().decode(message.bytes).replace("sk-1", "<hidden>");
        return recordedMessage(text);
      },
    },
  });
  const live = hidden.connect();
  expect(live.say(request(5, "a", { key: "sk-1" }))).toEqual([result(5, "ok")]);
  const [answer] = live.say(request(5, "b", { key: "sk-1" }));
  expect(JSON.stringify(answer)).not.toContain("sk-1");
});

function recordedMessage(text: string) {
  return tape([client(text)]).recording.at({ entry: 0, item: -1 }).message;
}

test.each([
  ["null", "{}", "differs as a whole: recorded null, asked {}"],
  ["{}", "null", "differs as a whole: recorded {}, asked null"],
  [
    '{"name":"n","arguments":null}',
    '{"name":"n"}',
    "differs at /arguments: recorded with null, asked without",
  ],
  [
    '{"name":"n"}',
    '{"name":"n","arguments":null}',
    "differs at /arguments: asked with null, recorded without",
  ],
  [
    '{"name":"n","arguments":null}',
    '{"name":"n","arguments":{}}',
    "differs at /arguments: recorded null, asked {}",
  ],
])("params %s recorded and %s asked: where they differ is told", (recorded, asked, difference) => {
  const text = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const live = tape([client(text(recorded)), server(result(1, {}))]).connect();
  expect(live.say(text(asked))[0].error.message).toContain(difference);
});
