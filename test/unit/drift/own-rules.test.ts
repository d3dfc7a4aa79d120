import { describe, expect, test } from "vitest";
import { OwnRules } from "../../../src/drift/own-rules.ts";
import { type MatchRules, Rules } from "../../../src/replay/rules.ts";
import { changeLines, recorded } from "../../cases/drift.ts";
import { client, error, notice, request, result, server } from "../../cases/tape.ts";

const ownOf = (rules: MatchRules) => new OwnRules(new Rules(rules, "mcp-vcr.config.yaml"));

/** A recording of one call, answered by a result, or by what else is given. */
const call = (answer: unknown, name = "t") =>
  recorded([
    client(request(1, "tools/call", { name })),
    server(typeof answer === "string" ? answer : result(1, answer)),
  ]);
const structured = (structuredContent: unknown, content: unknown[] = []) =>
  call({ content, structuredContent });

/** The places of what is told of two structured contents. */
async function placesOf(old: unknown, fresh: unknown, rules: MatchRules): Promise<string[]> {
  const lines = await changeLines(structured(old), structured(fresh), { own: ownOf(rules) });
  return lines.map((line) => line.split(" ").at(-1)?.replace("/structuredContent", "") as string);
}

const rule = (is: MatchRules[string]): MatchRules => ({ "tools/call t": is });
const at = (place: string) => `/structuredContent${place}`;

describe("what may differ", () => {
  test.each<[string, unknown, unknown, MatchRules[string], string[]]>([
    ["an ignored value", { at: 1, x: 1 }, { at: 2, x: 2 }, { ignore: [at("/at")] }, ["/x"]],
    ["all in an ignored place", { s: { a: 1 } }, { s: { b: [2] } }, { ignore: [at("/s")] }, []],
    ["an ignored place that came", {}, { at: 2 }, { ignore: [at("/at")] }, []],
    ["an ignored place that went", { at: 2 }, {}, { ignore: [at("/at")] }, []],
    ["any: whatever it is", { a: 1 }, { a: "1" }, { match: { [at("/a")]: "any" } }, []],
    ["any: but there", { a: 1 }, {}, { match: { [at("/a")]: "any" } }, ["/a"]],
    [
      "a pattern that both fit",
      { a: "v1" },
      { a: "v2" },
      { match: { [at("/a")]: { pattern: "^v\\d$" } } },
      [],
    ],
    [
      "a pattern that one fits",
      { a: "v1" },
      { a: "x2" },
      { match: { [at("/a")]: { pattern: "^v\\d$" } } },
      ["/a"],
    ],
    ["within a tolerance", { a: 3 }, { a: 3.5 }, { match: { [at("/a")]: { tolerance: 0.5 } } }, []],
    ["beyond a tolerance", { a: 3 }, { a: 3.6 }, { match: { [at("/a")]: { tolerance: 0.5 } } }, ["/a"]],
    [
      "a tolerance in every element of a list",
      { l: [{ x: 1 }, { x: 2 }, { x: 3 }] },
      { l: [{ x: 1.1 }, { x: 9 }, { x: 3 }] },
      { match: { [at("/l/*/x")]: { tolerance: 0.2 } } },
      ["/l/1/x"],
    ],
    [
      "elements that are the same but for what is ignored, one of them gone",
      {
        l: [
          { id: 1, v: "a" },
          { id: 2, v: "b" },
          { id: 3, v: "c" },
        ],
      },
      {
        l: [
          { id: 7, v: "a" },
          { id: 8, v: "c" },
        ],
      },
      { ignore: [at("/l/*/id")] },
      ["/l/1"],
    ],
    ["an ignored element more", { l: [1] }, { l: [1, 2] }, { ignore: [at("/l/*")] }, []],
    ["another order", { l: [1, 2, 3] }, { l: [3, 1, 2] }, { match: { [at("/l")]: { unordered: true } } }, []],
    ["another order where it counts", { l: [1, 2, 3] }, { l: [3, 1, 2] }, {}, ["/l"]],
    [
      "without order, one of equal ones more",
      { l: [1, 2, 1] },
      { l: [1, 2, 1, 1] },
      { match: { [at("/l")]: { unordered: true } } },
      ["/l/3"],
    ],
    [
      "without order, and in each something that is ignored",
      {
        l: [
          { k: "a", t: 1 },
          { k: "b", t: 2 },
        ],
      },
      {
        l: [
          { k: "b", t: 3 },
          { k: "a", t: 4 },
        ],
      },
      { ignore: [at("/l/*/t")], match: { [at("/l")]: { unordered: true } } },
      [],
    ],
    [
      "without order, one changed inside",
      {
        l: [
          { k: "a", v: 1 },
          { k: "b", v: 2 },
        ],
      },
      {
        l: [
          { k: "b", v: 2 },
          { k: "a", v: 5 },
        ],
      },
      { match: { [at("/l")]: { unordered: true } } },
      ["/l/1/v"],
    ],
    [
      "a function of two values",
      { a: " x" },
      { a: "x" },
      { match: { [at("/a")]: (x, y) => `${x}`.trim() === `${y}`.trim() } },
      [],
    ],
    ["a function that says no", { a: "y" }, { a: "x" }, { match: { [at("/a")]: () => false } }, ["/a"]],
    ["a function of whole results", { a: 1 }, { a: 2 }, () => true, []],
    ["a function of whole results that says no", { a: 1 }, { a: 2 }, () => false, ["/a"]],
  ])("%s", async (_, old, fresh, is, places) => {
    expect(await placesOf(old, fresh, rule(is))).toEqual(places);
  });

  test("a function gets the new result first, as the one that is asked about", async () => {
    const seen: unknown[] = [];
    const own = ownOf(rule((...both) => seen.push(...both) > 0));
    await changeLines(call({ a: "old" }), call({ a: "new" }), { own });
    expect(seen).toEqual([{ a: "new" }, { a: "old" }]);
  });

  test("JSON in a text is looked into", async () => {
    const text = (value: object) => call({ content: [{ type: "text", text: JSON.stringify(value) }] });
    const own = ownOf(rule({ ignore: ["/content/0/text/at"] }));
    const lines = await changeLines(text({ at: 1, v: 1 }), text({ at: 2, v: 2 }), { own });
    expect(lines).toEqual(["risky answer-value-changed tools/call t /content/0/text/v"]);
  });

  test("errors: code, message and data", async () => {
    const failing = (code: number, message: string, data: object) =>
      call(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message, data } }));
    const [old, fresh] = [
      failing(-1, "after 3 ms", { trace: "a", n: 1 }),
      failing(-2, "after 4 ms", { trace: "b", n: 1 }),
    ];
    const own = ownOf(
      rule({ ignore: ["/data/trace"], match: { "/message": { pattern: "^after \\d+ ms$" } } }),
    );
    expect(await changeLines(old, fresh, { own })).toEqual(["risky error-code-changed tools/call t /code"]);
    expect(await changeLines(old, fresh, { own: ownOf(rule(() => true)) })).toEqual([]);
    expect(await changeLines(old, call({}), { own: ownOf(rule(() => true)) })).toEqual([
      "compatible error-became-result tools/call t",
    ]);
  });

  test("tool errors", async () => {
    const failing = (text: string) => call({ isError: true, content: [{ type: "text", text }] });
    const own = ownOf(rule({ ignore: ["/content/0/text"] }));
    expect(await changeLines(failing("a"), failing("b"), { own })).toEqual([]);
    expect(await changeLines(failing("a"), failing("b"))).toHaveLength(1);
  });

  test("numbers that JavaScript cannot hold", async () => {
    const big = (last: number, x: number) =>
      call(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n":900719925474099${last},"x":${x}}}}`);
    const ignoring = { own: ownOf(rule({ ignore: [at("/n")] })) };
    expect(await changeLines(big(3, 1), big(5, 1))).toHaveLength(1);
    expect(await changeLines(big(3, 1), big(5, 1), ignoring)).toEqual([]);
    expect(await changeLines(big(3, 1), big(5, 2), ignoring)).toHaveLength(1);
  });

  test("what the server asks and tells meanwhile", async () => {
    const session = (prompt: string, uri: string, at: string) =>
      recorded([
        client(request(1, "tools/call", { name: "t" })),
        server(notice("notifications/resources/updated", { uri, at })),
        server(request(1, "elicitation/create", { message: prompt, at })),
        client(result(1, {})),
        server(result(1, {})),
      ]);
    const [old, fresh] = [session("Sure?", "a:b", "9:00"), session("Sure?", "a:b", "9:01")];
    const rules: MatchRules = {
      "elicitation/create": { ignore: ["/at"] },
      "notifications/resources/updated": { match: { "/at": { pattern: "^\\d:\\d\\d$" } } },
    };
    expect(await changeLines(old, fresh)).toHaveLength(2);
    expect(await changeLines(old, fresh, { own: ownOf(rules) })).toEqual([]);
    expect(await changeLines(old, session("Really?", "a:c", "9:01"), { own: ownOf(rules) })).toEqual([
      "risky server-request-changed tools/call t /message",
      "risky notification-changed session",
    ]);
  });

  test("a notification that a rule compares", async () => {
    const told = (size: number) =>
      recorded([
        client(request(1, "tools/call", { name: "t" })),
        server(result(1, {})),
        server(notice("notifications/custom", { size })),
      ]);
    const own = () => ownOf({ "notifications/custom": { match: { "/size": { tolerance: 1 } } } });
    expect(await changeLines(told(3), told(4), { own: own() })).toEqual([]);
    expect(await changeLines(told(3), told(5), { own: own() })).toEqual([
      "risky notification-changed session",
    ]);
  });

  test("rules of other methods and tools do not count; those of the method do", async () => {
    const [old, fresh] = [structured({ a: 1 }), structured({ a: 2 })];
    const ignoring = { ignore: [at("/a")] };
    for (const [name, left] of [
      ["tools/call", 0],
      ["tools/call u", 1],
      ["resources/read", 1],
    ] as const) {
      expect(await changeLines(old, fresh, { own: ownOf({ [name]: ignoring }) }), name).toHaveLength(left);
    }
  });

  test("a function that fails names its rule", async () => {
    const own = ownOf(rule({ match: { [at("/a")]: () => "yes" as never } }));
    await expect(changeLines(structured({ a: 1 }), structured({ a: 2 }), { own })).rejects.toThrow(
      'mcp-vcr.config.yaml: the matching function of "tools/call t" answered yes',
    );
  });
});

describe("rules that are for nothing", () => {
  const notesOf = async (rules: MatchRules) => {
    const own = ownOf(rules);
    await changeLines(structured({ a: 1 }), call(JSON.stringify(error(1, -1))), { own });
    return own.notes();
  };

  test("are told of, with what was meant", async () => {
    const of = "mcp-vcr.config.yaml: drift.match";
    expect(await notesOf({ "prompts/get hello": {}, "tools/call tt": {} })).toEqual([
      `${of}["prompts/get hello"] is for nothing that was compared.`,
      `${of}["tools/call tt"] is for nothing that was compared; did you mean "tools/call t"?`,
    ]);
    expect(await notesOf({ "tools/cal": {} })).toEqual([
      `${of}["tools/cal"] is for nothing that was compared; did you mean "tools/call"?`,
    ]);
  });

  test("so are places that stand further in", async () => {
    expect(await notesOf({ "tools/call t": { ignore: ["/a", "/structuredContent/a", "/b"] } })).toEqual([
      'mcp-vcr.config.yaml: drift.match["tools/call t"]: nothing that was compared is at /a; did you mean "/structuredContent/a"?',
    ]);
  });

  test("what was left out is not taken for misspelt", async () => {
    const own = ownOf({ "tools/call u": {} });
    own.leaveOut("tools/call", { name: "u", arguments: {} });
    await changeLines(structured({ a: 1 }), structured({ a: 1 }), { own });
    expect(own.notes()).toEqual([
      'mcp-vcr.config.yaml: drift.match["tools/call u"] is for what was not asked again, and therefore not compared.',
    ]);
  });

  test("not where a cassette was passed by", async () => {
    const own = ownOf({ "tools/call u": {} });
    own.pass();
    expect(own.notes()).toEqual([]);
  });
});
