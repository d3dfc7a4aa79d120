import { describe, expect, test } from "vitest";
import { defineScenario, defineTool } from "../../../src/scenario/define-scenario.ts";
import { Bench, type Json, load, modern, textIn } from "./support.ts";

const TEXT = `scenario: 1
server: { name: s, version: "1", description: d }
tools:
  - { name: a, replies: [{ steps: [{ show: { tools: [b] } }, { update: "w://x" }], text: a }] }
  - { name: b, hidden: true, replies: [{ text: b }] }
  - { name: c, unlisted: true, replies: [{ text: c }] }
resources: [{ uri: "w://x", mimeType: text/plain, replies: [{ text: x }] }]
templates:
  - uriTemplate: w://{id}/{part}
    complete: { id: [oslo, OTTAWA, rome], part: [{ when: { id: oslo }, values: [north] }, { values: [all] }] }
    replies: [{ text: "\${args.id}:\${args.part}" }]
`;

const names = (answer: Json) => ((answer.result as Json).tools as { name: string }[]).map(({ name }) => name);
const methods = (bench: Bench) =>
  bench.sent.flatMap(({ message }) => (message.method === undefined ? [] : [message.method]));

describe("changes", () => {
  test("a legacy client is told of its lists, and of resources it subscribed to", async () => {
    const bench = await Bench.of(TEXT);
    bench.initialize();
    expect(names(bench.ask("tools/list"))).toEqual(["a"]);
    expect(textIn(bench.call("c"))).toBe("c");
    expect(bench.call("b").error).toMatchObject({ code: -32010 });
    bench.call("a");
    expect(methods(bench)).toEqual(["notifications/tools/list_changed"]);
    expect(bench.sent.find(({ message }) => message.method)?.on).toBe("standalone");
    expect(names(bench.ask("tools/list"))).toEqual(["a", "b"]);
    expect(textIn(bench.call("b"))).toBe("b");
    bench.ask("resources/subscribe", { uri: "w://x" });
    bench.call("a");
    expect(bench.sent.map(({ message }) => message.params)).toContainEqual({ uri: "w://x" });
    bench.ask("resources/unsubscribe", { uri: "w://x" });
    bench.call("a");
    expect(methods(bench)).toEqual(["notifications/tools/list_changed", "notifications/resources/updated"]);
  });

  test("a modern client is told of what it listens to, by the id of its listening, until it ends that", async () => {
    const bench = await Bench.of(TEXT);
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ["w://x"],
    };
    const [acknowledged] = bench.request("subscriptions/listen", { notifications, ...modern() }, "l");
    const _meta = { "io.modelcontextprotocol/subscriptionId": "l" };
    expect(acknowledged).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { _meta, notifications: { toolsListChanged: true, resourceSubscriptions: ["w://x"] } },
    });
    bench.ask("tools/call", { name: "a", ...modern() });
    const told = bench.sent.filter(({ message }) => message.method?.toString().match(/changed|updated/));
    expect(told).toEqual([
      {
        on: '"l"',
        message: { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: { _meta } },
      },
      {
        on: '"l"',
        message: {
          jsonrpc: "2.0",
          method: "notifications/resources/updated",
          params: { _meta, uri: "w://x" },
        },
      },
    ]);
    bench.send({ method: "notifications/cancelled", params: { requestId: "l" } });
    const count = bench.sent.length;
    bench.ask("tools/call", { name: "a", ...modern() });
    expect(bench.sent).toHaveLength(count + 1);
  });

  test("happen at their time, again and again, or after so many requests", async () => {
    const bench = await Bench.of(`scenario: 1
state: { n: 0 }
tools: [{ name: a, replies: [{ text: "\${state.n}" }] }, { name: b, hidden: true }]
resources: [{ uri: "w://x" }]
timeline:
  - { at: 3s, set: { n: 1 } }
  - { every: 2500ms, update: "w://x" }
  - { after: { method: tools/call, name: a, times: 2 }, show: { tools: [b] }, notify: { method: notifications/custom, params: { a: 1 } } }
`);
    bench.initialize();
    bench.ask("resources/subscribe", { uri: "w://x" });
    expect(textIn(bench.call("a"))).toBe("0");
    bench.time.pass(100);
    expect(textIn(bench.call("a"))).toBe("1");
    bench.time.pass(2000);
    expect(methods(bench).sort()).toEqual([
      "notifications/custom",
      "notifications/resources/updated",
      "notifications/resources/updated",
      "notifications/tools/list_changed",
    ]);
    bench.server.close();
    expect(bench.time.running).toBe(0);
  });
});

test("an event that lacks a value is a miss, told once, and ends nothing", async () => {
  const bench = await Bench.of(`scenario: 1
tools: [{ name: a, replies: [{ set: { user: x }, text: done }] }]
timeline:
  - { every: 1s, notify: { method: notifications/custom, params: { user: "\${state.user}" } } }
`);
  bench.initialize();
  bench.time.pass(2000);
  expect(bench.misses).toMatchObject([
    {
      reason: "unfit",
      label: "timeline every",
      why: expect.stringContaining("s.yaml:4 refers to ${state.user}"),
    },
  ]);
  bench.call("a");
  bench.time.pass(1000);
  expect(bench.sent.at(-1)?.message).toMatchObject({ method: "notifications/custom", params: { user: "x" } });
  bench.server.close();
});

describe("resources and completion", () => {
  test.each<[string, unknown]>([
    ["w://x", [{ uri: "w://x", mimeType: "text/plain", text: "x" }]],
    ["w://oslo/no%20rth", [{ uri: "w://oslo/no%20rth", text: "oslo:no rth" }]],
  ])("%s", async (uri, contents) => {
    const bench = await Bench.of(TEXT);
    bench.initialize();
    expect(bench.ask("resources/read", { uri }).result).toEqual({ contents });
  });

  test("one that is not there is refused as the revision says", async () => {
    const bench = await Bench.of(`${TEXT}unknown: refuse\n`);
    bench.initialize();
    expect(bench.ask("resources/read", { uri: "w://y" }).error).toMatchObject({ code: -32002 });
    expect(bench.ask("resources/read", { uri: "w://y", ...modern() }).error).toMatchObject({ code: -32602 });
  });

  test("arguments are completed by what begins so, and by what is given already", async () => {
    const bench = await Bench.of(TEXT);
    bench.initialize();
    const complete = (name: string, value: string, id = "oslo") =>
      bench.ask("completion/complete", {
        ref: { type: "ref/resource", uri: "w://{id}/{part}" },
        argument: { name, value },
        context: { arguments: { id } },
      }).result;
    expect(complete("id", "o")).toEqual({
      completion: { values: ["oslo", "OTTAWA"], total: 2, hasMore: false },
    });
    expect(complete("part", "")).toMatchObject({ completion: { values: ["north"] } });
    expect(complete("part", "", "rome")).toMatchObject({ completion: { values: ["all"] } });
  });
});

describe("the opening", () => {
  test.each([
    ["2025-06-18", "2025-06-18"],
    ["2099-01-01", "2025-11-25"],
  ])("asked for %s, %s is spoken", async (asked, spoken) => {
    const bench = await Bench.of(TEXT);
    expect(bench.initialize(asked).result).toMatchObject({ protocolVersion: spoken });
  });

  test("a server of the modern era alone names what it speaks", async () => {
    const bench = await Bench.of(`${TEXT}revisions: [2026-07-28]\n`);
    expect(bench.initialize().error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: "2025-11-25" },
    });
    expect(bench.ask("tools/list").error).toMatchObject({ code: -32602 });
  });

  test("a server of the legacy era alone knows no discovery", async () => {
    const bench = await Bench.of(`${TEXT}revisions: [2025-06-18]\n`);
    expect(bench.ask("server/discover", modern()).error).toMatchObject({ code: -32601 });
  });

  test.each<[string, Json, number]>([
    ["another version", { "io.modelcontextprotocol/protocolVersion": "2030-01-01" }, -32022],
    ["no capabilities", { "io.modelcontextprotocol/clientCapabilities": undefined }, -32602],
  ])("a modern request with %s is refused", async (_, meta, code) => {
    const bench = await Bench.of(TEXT);
    expect(bench.ask("tools/list", { _meta: { ...modern()._meta, ...meta } }).error).toMatchObject({ code });
  });

  test("what a capability was taken from is not there", async () => {
    const bench = await Bench.of(`${TEXT}capabilities: { tools: null, prompts: { listChanged: true } }\n`);
    const { capabilities } = bench.initialize().result as { capabilities: Json };
    expect(capabilities).toEqual({
      resources: { subscribe: true },
      prompts: { listChanged: true },
      completions: {},
    });
    expect(bench.ask("tools/list").error).toMatchObject({ code: -32601 });
    expect(bench.misses).toEqual([]);
  });
});

describe("a scenario that extends another", () => {
  const BASE = `scenario: 1
server: { name: base, version: "1" }
tools:
  - { name: a, description: A, replies: [{ text: base a }] }
  - { name: b, replies: [{ text: base b }] }
  - { name: c }
`;

  test("says again what is other, tool by tool and member by member", async () => {
    const own = `scenario: 1
extends: base.yaml
without: { tools: [c] }
tools:
  - { name: a, replies: [{ text: own a }] }
  - { name: d, replies: [{ text: own d }] }
`;
    const bench = new Bench(await load({ "own.yaml": own, "base.yaml": BASE }));
    expect(bench.initialize().result).toMatchObject({ serverInfo: { name: "base" } });
    expect(names(bench.ask("tools/list"))).toEqual(["a", "b", "d"]);
    expect((bench.ask("tools/list").result as { tools: Json[] }).tools[0]?.description).toBe("A");
    expect(["a", "b", "d"].map((name) => textIn(bench.call(name)))).toEqual(["own a", "base b", "own d"]);
  });
});

describe("a scenario that is a program", () => {
  const scenario = defineScenario({
    scenario: 1,
    tools: [
      defineTool<{ a: number; b: number }>({
        name: "sum",
        inputSchema: {
          type: "object",
          required: ["a", "b"],
          properties: { a: { type: "number" }, b: { type: "number" } },
        },
        replies: [
          {
            when: { a: 0 },
            handler: async ({ args, nth }) => ({ text: `${args.b} (${nth})`, set: { seen: args.b } }),
          },
          {
            when: { a: 13 },
            handler: () => {
              throw new Error("bad luck");
            },
          },
          { when: { a: 14 }, handler: () => ({ txt: "x" }) as never },
          { handler: ({ args, era }) => ({ log: { data: era }, text: String(args.a + args.b) }) },
        ],
      }),
    ],
  });

  test("answers by its functions, later too", async () => {
    const bench = await Bench.of(scenario);
    bench.initialize();
    expect(textIn(bench.call("sum", { a: 2, b: 3 }))).toBe("5");
    expect(methods(bench)).toEqual(["notifications/message"]);
    bench.request("tools/call", { name: "sum", arguments: { a: 0, b: 9 } }, "later");
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(textIn(bench.answerTo("later"))).toBe("9 (1)");
    expect(bench.server.world.state).toEqual({ seen: 9 });
  });

  test.each([
    [13, "bad luck"],
    [14, 'txt: what a handler returns for a tool\'s reply has no "txt" (did you mean text?)'],
  ])("and what they do wrong is a miss", async (a, why) => {
    const bench = await Bench.of(scenario);
    bench.initialize();
    bench.call("sum", { a, b: 0 });
    expect(bench.misses[0]).toMatchObject({ reason: "unfit", why: expect.stringContaining(why) });
  });
});
