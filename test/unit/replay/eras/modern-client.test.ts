import { describe, expect, test } from "vitest";
import { ERA_ROWS } from "../../../../src/replay/eras/rows.ts";
import { conforming } from "../../../cases/report-schema.ts";
import {
  client,
  error,
  httpTape,
  notice,
  request,
  result,
  server,
  tape,
  textsOf,
} from "../../../cases/tape.ts";
import { meta, modern, named, opening, PREFIX, SERVER } from "./support.ts";

const call = (id: number, name: string, more: object = {}) => request(id, "tools/call", { name, ...more });
const whole = (id: unknown, body: object) =>
  result(id as number, { resultType: "complete", ...body, ...named });
const hints = { ttlMs: 0, cacheScope: "private" };

describe("server/discover", () => {
  test("is made of the recorded handshake, whose pieces stay exact", () => {
    const recorded = tape([
      client(request(0, "initialize", {})),
      server(
        '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged": true},"tasks":{"list":{}},"x":1.0},"serverInfo":{"name":"\\u0077"},"instructions":"a\\/b"}}',
      ),
    ]);
    expect(recorded.connect().texts(modern("d", "server/discover"))).toEqual([
      `{"jsonrpc":"2.0","id":"d","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged": true},"x":1.0},"instructions":"a\\/b","resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"${PREFIX}serverInfo":{"name":"\\u0077"}}}}`,
    ]);
    expect(recorded.player.report()).toMatchObject({ hits: 0, misses: [], unused: [] });
    expect(recorded.player.tally.probed).toBe(true);
  });

  test("that was recorded is answered as it was", () => {
    const probe = modern(1, "server/discover");
    const recorded = tape([client(probe), server(error(1, -32601, "Method not found")), ...opening()]);
    expect(recorded.connect().say(probe)).toEqual([error(1, -32601, "Method not found")]);
  });

  test("without what makes a request modern is unknown to a legacy server", () => {
    const live = tape(opening()).connect();
    expect(live.say(request(1, "server/discover"))).toEqual([error(1, -32601, "Method not found")]);
  });

  test("without a recorded handshake is a miss that says so", () => {
    const recorded = tape([client(request(0, "initialize", {})), server(error(0, -32603, "down"))]);
    const [answer] = recorded.connect().say(modern(1, "server/discover"));
    expect(answer.error.data).toMatchObject({
      reason: "era",
      untranslatable: { feature: "server/discover", why: expect.stringContaining("not recorded") },
    });
  });
});

describe("what the modern era does not have", () => {
  test.each(["ping", "logging/setLevel", "initialize", "resources/unsubscribe", "tasks/list"])(
    "%s is a miss that no recording could mend, and does not say one could",
    (method) => {
      const recorded = tape([...opening(), client(request(1, method, {})), server(result(1, {}))]);
      const [answer] = recorded.connect().say(modern(1, method));
      expect(answer.error.data).toMatchObject({ reason: "era", untranslatable: { feature: method } });
      expect(answer.error.data).not.toHaveProperty("fix");
      expect(answer.error.message).not.toContain("Record it");
      conforming(recorded.player.report());
    },
  );

  test("is not what it has and the recording lacks", () => {
    const recorded = tape([client(request(0, "initialize", {})), server(error(0, -32603, "down"))]);
    const [answer] = recorded.connect().say(modern(1, "server/discover"));
    expect(answer.error.message).toContain("Record it:  npx mcp-vcr record");
  });
});

describe("what every modern server refuses", () => {
  const live = () => tape([...opening(), client(call(1, "a")), server(result(1, {}))]).connect();

  test("a version it does not know", () => {
    const asked = request(1, "tools/call", {
      name: "a",
      ...meta({ [`${PREFIX}protocolVersion`]: "2030-01-01" }),
    });
    expect(live().say(asked)).toMatchObject([
      { error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2030-01-01" } } },
    ]);
  });

  test("a request that does not say what its client can", () => {
    const asked = request(1, "tools/call", {
      name: "a",
      _meta: { [`${PREFIX}protocolVersion`]: "2026-07-28" },
    });
    expect(live().say(asked)).toMatchObject([{ error: { code: -32602 } }]);
  });
});

describe("results", () => {
  test.each([
    [
      "tools/call",
      '{ "content" : [] , "n": 1.0}',
      '{ "resultType":"complete",META,"content" : [] , "n": 1.0}',
    ],
    [
      "tools/list",
      '{"tools":[]}',
      '{"resultType":"complete","ttlMs":0,"cacheScope":"private",META,"tools":[]}',
    ],
    ["prompts/get", '{"_meta":{"a":1}}', '{"resultType":"complete","_meta":{INFO,"a":1}}'],
    ["resources/read", '{"ttlMs":7}', '{"resultType":"complete","cacheScope":"private",META,"ttlMs":7}'],
    ["custom/ask", "{}", '{"resultType":"complete",META}'],
  ])("of %s gain what the modern era demands, and stay exact otherwise", (method, recorded, expected) => {
    const info = `"${PREFIX}serverInfo":${JSON.stringify(SERVER)}`;
    const entries = [
      ...opening(),
      client(request(1, method, { name: "a" })),
      server(`{"id":1, "result":${recorded}, "jsonrpc":"2.0"}`),
    ];
    const said = tape(entries)
      .connect()
      .texts(modern(7, method, { name: "a" }));
    const text = expected.replace("META", `"_meta":{${info}}`).replace("INFO", info);
    expect(said).toEqual([`{"id":7, "result":${text}, "jsonrpc":"2.0"}`]);
  });

  test.each([
    [-32002, -32602],
    [-32602, -32602],
    [-32601, -32601],
    [-32000, -32000],
    [7, 7],
  ])("an error %d is %d", (recorded, code) => {
    const entries = [
      ...opening(),
      client(request(1, "resources/read", { uri: "u" })),
      server(error(1, recorded, "no")),
    ];
    expect(
      tape(entries)
        .connect()
        .say(modern(3, "resources/read", { uri: "u" })),
    ).toEqual([error(3, code, "no")]);
  });

  test.each<[string, object, string]>([
    ["an error that means something else now", error(1, -32021, "mine"), "error -32021"],
    ["a type that a legacy server invented", result(1, { resultType: "partial" }), 'resultType "partial"'],
    ["a task", result(1, { task: { taskId: "t" } }), "tasks"],
  ])("%s is a miss that names it", (_name, answer, feature) => {
    const recorded = tape([...opening(), client(call(1, "a")), server(answer as { id: 1 })]);
    const [said] = recorded.connect().say(modern(1, "tools/call", { name: "a" }));
    expect(said.error.data).toMatchObject({ reason: "era", untranslatable: { feature } });
    expect(recorded.player.failed).toBe(true);
  });

  test("what was not recorded is a miss like any other, with the nearest request", () => {
    const recorded = tape([
      ...opening(),
      client(call(1, "a", { arguments: { n: 1 } })),
      server(result(1, {})),
    ]);
    const [said] = recorded.connect().say(modern(1, "tools/call", { name: "a", arguments: { n: 2 } }));
    expect(said.error.data).toMatchObject({
      reason: "unrecorded",
      nearest: { differences: [{ pointer: "/arguments/n", before: 1, after: 2 }] },
    });
  });

  test("of equal questions come in their order", () => {
    const twice = [1, 2].flatMap((n) => [client(call(n, "a")), server(result(n, { n }))]);
    const live = tape([...opening(), ...twice]).connect();
    const ask = () => live.say(modern(1, "tools/call", { name: "a" }))[0].result.n;
    expect([ask(), ask(), ask()]).toEqual([1, 2, 2]);
  });
});

test.each(ERA_ROWS.filter(({ modern: way }) => typeof way === "object").map(({ method }) => method))(
  "%s of a modern client is a miss that says why",
  (method) => {
    const recorded = tape([...opening(), client(request(1, method, {})), server(result(1, {}))]);
    const [said] = recorded.connect().say(modern(1, method));
    expect(said.error.data).toMatchObject({ reason: "era", untranslatable: { feature: method } });
    expect(said.error.message).toContain(`${method} is not translated, since `);
  },
);

describe("requests of the server", () => {
  const form = { message: "Who?", requestedSchema: { type: "object", properties: {} } };
  const ada = { action: "accept", content: { name: "Ada" } };
  const asked = [
    ...opening(),
    client(call(1, "hello")),
    server(request(5, "elicitation/create", form)),
    client(result(5, ada)),
    server(result(1, { content: [{ type: "text", text: "Hello Ada" }] })),
  ];
  const hello = (id: number, more: object = {}) => modern(id, "tools/call", { name: "hello", ...more });
  const STATE = "mcp-vcr 2.-1 at 1";

  test("are an input round, and the retry gets what followed", () => {
    const recorded = tape(asked);
    const live = recorded.connect();
    expect(live.say(hello(7))).toEqual([
      result(7, {
        resultType: "input_required",
        inputRequests: { "elicitation-1": { method: "elicitation/create", params: form } },
        requestState: STATE,
        ...named,
      }),
    ]);
    const retry = hello(8, { requestState: STATE, inputResponses: { "elicitation-1": ada } });
    expect(live.say(retry)).toEqual([whole(8, { content: [{ type: "text", text: "Hello Ada" }] })]);
    expect(recorded.player.report()).toMatchObject({
      hits: 1,
      misses: [],
      differentAnswers: [],
      repeats: [],
    });
  });

  test("can be answered on any connection, more than once, with a report of what is answered otherwise", () => {
    const recorded = tape(asked);
    recorded.connect().say(hello(7));
    for (const action of ["decline", "accept"]) {
      const answer = action === "accept" ? ada : { action };
      const retry = hello(1, { requestState: STATE, inputResponses: { "elicitation-1": answer } });
      expect(recorded.connect().say(retry)).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
    }
    expect(recorded.player.report().differentAnswers).toEqual([
      { label: "tools/call hello", recorded: ada, live: { action: "decline" } },
    ]);
  });

  test("that are left unanswered are asked again", () => {
    const live = tape(asked).connect();
    const [first] = live.say(hello(7));
    const [again] = live.say(hello(8, { requestState: STATE, inputResponses: { other: ada } }));
    expect(again.result).toEqual(first.result);
  });

  test.each([
    ["of another request", "bye", STATE],
    ["that was never given", "hello", "forged"],
    ["of no such exchange", "hello", "mcp-vcr 999.-1 at 1"],
    ["behind the end", "hello", "mcp-vcr 2.-1 at 99"],
  ])("a state %s is a miss", (_name, name, requestState) => {
    const recorded = tape([...asked, client(call(2, "bye")), server(result(2, {}))]);
    const retry = modern(1, "tools/call", { name, requestState, inputResponses: { "elicitation-1": ada } });
    expect(recorded.connect().say(retry)[0].error.data).toMatchObject({
      reason: "era",
      untranslatable: { feature: "requestState" },
    });
  });

  test("several at once are one round, one after the other several", () => {
    const live = tape([
      ...opening(),
      client(call(1, "plan")),
      server(request(5, "roots/list")),
      server(request(6, "sampling/createMessage", { messages: [] })),
      client(result(6, { model: "m" })),
      client(result(5, { roots: [] })),
      server(request(7, "roots/list", {})),
      client(result(7, { roots: [] })),
      server(result(1, { done: true })),
    ]).connect();
    const plan = (id: number, more: object = {}) => modern(id, "tools/call", { name: "plan", ...more });
    const [one] = live.say(plan(1));
    expect(one.result.inputRequests).toEqual({
      "roots-1": { method: "roots/list" },
      "sampling-1": { method: "sampling/createMessage", params: { messages: [] } },
    });
    const inputs = { "roots-1": { roots: [] }, "sampling-1": { model: "m" } };
    const [two] = live.say(plan(2, { requestState: one.result.requestState, inputResponses: inputs }));
    expect(two.result.inputRequests).toEqual({ "roots-2": { method: "roots/list", params: {} } });
    const last = { requestState: two.result.requestState, inputResponses: { "roots-2": { roots: [] } } };
    expect(live.say(plan(3, last))).toEqual([whole(3, { done: true })]);
  });

  test.each<[string, object, object, object]>([
    ["elicitation/create", form, { roots: {} }, { elicitation: { form: {} } }],
    ["elicitation/create", form, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ["elicitation/create", { mode: "url", url: "u" }, { elicitation: {} }, { elicitation: { url: {} } }],
    ["sampling/createMessage", {}, {}, { sampling: {} }],
    ["sampling/createMessage", { tools: [] }, { sampling: {} }, { sampling: { tools: {} } }],
    ["roots/list", {}, {}, { roots: {} }],
  ])("%s %j needs what a client with %j lacks", (method, params, capabilities, requiredCapabilities) => {
    const live = tape([
      ...opening(),
      client(call(1, "hello")),
      server(request(5, method, params)),
      client(result(5, {})),
      server(result(1, {})),
    ]).connect();
    const ask = request(7, "tools/call", { name: "hello", ...meta({}, capabilities) });
    expect(live.say(ask)).toMatchObject([{ id: 7, error: { code: -32021, data: { requiredCapabilities } } }]);
    expect(live.say(hello(8))).toMatchObject([{ id: 8, result: { resultType: "input_required" } }]);
  });

  test("that a client cannot answer use up no recording, and are told of", () => {
    const twice = [1, 2].flatMap((n) => [
      client(call(n, "hello")),
      server(request(n + 10, "elicitation/create", form)),
      client(result(n + 10, ada)),
      server(result(n, { n })),
    ]);
    const recorded = tape([...opening(), ...twice], { strict: true });
    const live = recorded.connect();
    const incapable = request(6, "tools/call", { name: "hello", ...meta({}, {}) });
    expect(live.say(incapable)).toMatchObject([{ error: { code: -32021 } }]);
    expect(live.say(incapable)).toMatchObject([{ error: { code: -32021 } }]);
    const untranslatable = { feature: "elicitation/create", why: expect.stringContaining("declare") };
    const miss = { reason: "era", untranslatable, recorded: 2, used: 0 };
    expect(recorded.player.report()).toMatchObject({
      hits: 0,
      misses: [miss, miss],
      repeats: [],
      unused: [{ label: "tools/call hello" }, { label: "tools/call hello" }],
    });
    const answers = [1, 2].map((n) => {
      const [{ result: round }] = live.say(hello(7));
      const retry = { requestState: round.requestState, inputResponses: { "elicitation-1": ada } };
      expect(live.say(hello(8, retry))).toEqual([whole(8, { n })]);
      return n;
    });
    expect(answers).toEqual([1, 2]);
    expect(recorded.player.report().hits).toBe(2);
  });

  test("an empty elicitation capability stands for forms", () => {
    const ask = request(7, "tools/call", { name: "hello", ...meta({}, { elicitation: {} }) });
    expect(tape(asked).connect().say(ask)).toMatchObject([{ result: { resultType: "input_required" } }]);
  });

  test("on the standalone stream of a request are waited for too", () => {
    const on = { on: { id: "1" } };
    const recorded = httpTape([
      ...opening(),
      client(call(1, "hello"), { http: { method: "POST" } }),
      server(request(5, "elicitation/create", form), { on: "get" }),
      client(result(5, ada), { http: { method: "POST" } }),
      server(result(1, { done: true }), on),
    ]);
    const live = recorded.connect({ carriesStatus: true });
    const [{ result: round }] = live.say(hello(7));
    expect(round).toMatchObject({ resultType: "input_required" });
    const retry = hello(8, { requestState: round.requestState, inputResponses: { "elicitation-1": ada } });
    expect(live.say(retry)).toEqual([whole(8, { done: true })]);
  });

  test("where the modern era has no place for them are answered as recorded, which is told", () => {
    const notices: string[] = [];
    const recorded = tape(
      [
        ...opening(),
        client(request(1, "tools/list")),
        server(request(5, "roots/list")),
        client(result(5, { roots: [] })),
        server(result(1, { tools: [] })),
      ],
      { onNotice: (notice) => notices.push(notice) },
    );
    expect(recorded.connect().say(modern(2, "tools/list"))).toEqual([whole(2, { ...hints, tools: [] })]);
    expect(notices).toEqual([
      expect.stringContaining("During tools/list the recorded server asked roots/list"),
    ]);
  });

  test("come apart from progress before them, on which a client would lose that; given up meanwhile, not at all", () => {
    const waiting: (() => void)[] = [];
    const timer = (_ms: number, then: () => void) => {
      waiting.push(then);
      return () => waiting.splice(waiting.indexOf(then), 1);
    };
    const token = { _meta: { progressToken: 1 } };
    const recorded = tape([
      ...opening(),
      client(call(1, "hello", token)),
      server(notice("notifications/progress", { progressToken: 1, progress: 1 })),
      server(request(5, "elicitation/create", form)),
      client(result(5, ada)),
      server(result(1, {})),
    ]);
    const live = recorded.connect({ timer });
    const progressed = (id: number) => modern(id, "tools/call", { name: "hello" }, { progressToken: id });
    expect(live.say(progressed(7))).toHaveLength(1);
    expect(live.session.isPausing("7")).toBe(true);
    waiting.shift()?.();
    expect(textsOf(live.actions())).toHaveLength(1);
    live.say(progressed(8));
    live.say(notice("notifications/cancelled", { requestId: 8 }));
    expect(waiting).toEqual([]);
    live.say(progressed(9));
    live.session.flush();
    expect(textsOf(live.actions())).toEqual([expect.stringContaining('"id":9')]);
  });

  test("a ping among them reaches nobody", () => {
    const live = tape([
      ...opening(),
      client(call(1, "hello")),
      server(request(4, "ping")),
      server(request(5, "elicitation/create", form)),
      client(result(5, ada)),
      client(result(4, {})),
      server(result(1, { done: true })),
    ]).connect();
    const [round] = live.say(hello(7));
    expect(Object.keys(round.result.inputRequests)).toEqual(["elicitation-1"]);
    const { requestState } = round.result;
    const retry = hello(8, { requestState, inputResponses: { "elicitation-1": ada } });
    expect(live.say(retry)).toEqual([whole(8, { done: true })]);
  });

  test("that the server took back are not asked", () => {
    const live = tape([
      ...opening(),
      client(call(1, "hello")),
      server(request(5, "elicitation/create", form)),
      server(notice("notifications/cancelled", { requestId: 5 })),
      server(result(1, { done: true })),
    ]).connect();
    expect(live.say(hello(7))).toEqual([whole(7, { done: true })]);
  });

  test("for a URL lose the id that the modern era has no use for", () => {
    const url = { mode: "url", elicitationId: "e", url: "https://x.example/", message: "Go" };
    const live = tape([
      ...opening(),
      client(call(1, "hello")),
      server(request(5, "elicitation/create", url)),
      client(result(5, { action: "accept" })),
      server(notice("notifications/elicitation/complete", { elicitationId: "e" })),
      server(result(1, {})),
    ]).connect();
    const [round] = live.say(hello(7));
    const { elicitationId: _gone, ...params } = url;
    expect(round.result.inputRequests["elicitation-1"].params).toEqual(params);
    const { requestState } = round.result;
    const retry = hello(8, { requestState, inputResponses: { "elicitation-1": { action: "accept" } } });
    expect(live.say(retry)).toEqual([whole(8, {})]);
  });

  test("an error -32042 is a round too, after which the question is asked anew", () => {
    const elicitations = [{ mode: "url", elicitationId: "e", url: "https://x.example/", message: "Go" }];
    const required = {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32042, message: "first", data: { elicitations } },
    };
    const first = [...opening(), client(call(1, "hello")), server(required)];
    const live = tape([...first, client(call(2, "hello")), server(result(2, { done: true }))]).connect();
    const [round] = live.say(hello(7));
    expect(round.result).toMatchObject({
      resultType: "input_required",
      inputRequests: {
        "elicitation-1": { method: "elicitation/create", params: { mode: "url", url: "https://x.example/" } },
      },
    });
    const { requestState } = round.result;
    const retry = hello(8, { requestState, inputResponses: { "elicitation-1": { action: "accept" } } });
    expect(live.say(retry)).toEqual([whole(8, { done: true })]);

    const once = tape(first).connect();
    once.say(hello(7));
    expect(once.say(retry)[0].error.data.untranslatable).toMatchObject({ feature: "error -32042" });
  });

  test("as a task are a miss", () => {
    const live = tape([
      ...opening(),
      client(call(1, "hello")),
      server(request(5, "elicitation/create", { ...form, task: { ttl: 1 } })),
      client(result(5, {})),
      server(result(1, {})),
    ]).connect();
    expect(live.say(hello(7))[0].error.data.untranslatable).toMatchObject({ feature: "tasks" });
  });
});

describe("notifications", () => {
  const progress = (progressToken: unknown) =>
    notice("notifications/progress", { progressToken, progress: 1 });
  const log = (level: string) => notice("notifications/message", { level, data: level });
  const recorded = tape([
    ...opening(),
    client(call(1, "a", { _meta: { progressToken: 1 } })),
    server(progress(1)),
    server(log("debug")),
    server(log("warning")),
    server(log("error")),
    server(result(1, {})),
    server(log("emergency")),
  ]);

  test("progress bears the live token, and log lines come as severe as was asked for, before the answer", () => {
    const token = { progressToken: "t" };
    const level = { [`${PREFIX}logLevel`]: "warning" };
    const say = (more: object) => recorded.connect().say(modern(1, "tools/call", { name: "a" }, more));
    expect(say({ ...token, ...level })).toEqual([progress("t"), log("warning"), log("error"), whole(1, {})]);
    expect(say(token)).toEqual([progress("t"), whole(1, {})]);
    expect(say({})).toEqual([whole(1, {})]);
  });

  test("nothing comes after a request was given up", () => {
    const live = tape([
      ...opening(),
      client(call(1, "a", { _meta: { progressToken: 1 } })),
      server(progress(1)),
      client(notice("notifications/cancelled", { requestId: 1 })),
      server(result(1, { late: true })),
    ]).connect();
    expect(live.say(modern(4, "tools/call", { name: "a" }, { progressToken: 4 }))).toEqual([progress(4)]);
    expect(live.say(notice("notifications/cancelled", { requestId: 4 }))).toEqual([]);
  });
});

describe("subscriptions/listen", () => {
  const tools = notice("notifications/tools/list_changed");
  const updated = notice("notifications/resources/updated", { uri: "u" });
  const capabilities = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } };
  const entries = [
    ...opening(capabilities),
    client(request(1, "resources/subscribe", { uri: "u" })),
    server(result(1, {})),
    client(call(2, "install")),
    server(tools),
    server(updated),
    server(result(2, {})),
    client(request(3, "resources/unsubscribe", { uri: "u" })),
    server(result(3, {})),
  ];
  const listen = (id: unknown, notifications: object, more: object = {}) =>
    modern(id, "subscriptions/listen", { notifications }, more);
  const under = (id: unknown) => ({ _meta: { [`${PREFIX}subscriptionId`]: id } });
  const acknowledged = (id: unknown, notifications: object) =>
    notice("notifications/subscriptions/acknowledged", { ...under(id), notifications });
  const install = modern(9, "tools/call", { name: "install" });

  test("is acknowledged as far as the recorded server announces, and hears what it announced", () => {
    const recorded = tape(entries);
    const live = recorded.connect();
    const all = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["u"] };
    expect(live.act(listen("l", all))).toMatchObject([{ type: "send", on: '"l"', stream: "own" }]);
    expect(recorded.connect().say(listen("m", all))).toEqual([
      acknowledged("m", { toolsListChanged: true, resourceSubscriptions: ["u"] }),
    ]);
    expect(live.say(install)).toEqual([
      { ...tools, params: under("l") },
      { ...updated, params: { ...under("l"), uri: "u" } },
      whole(9, {}),
    ]);
    live.say(notice("notifications/cancelled", { requestId: "l" }));
    expect(live.say(install)).toEqual([whole(9, {})]);
    expect(recorded.player.report()).toMatchObject({ misses: [], unused: [] });
  });

  test("hears only what it listens for, and nobody who does not hears anything", () => {
    const recorded = tape(entries);
    expect(recorded.connect().say(install)).toEqual([whole(9, {})]);
    const live = recorded.connect();
    live.say(listen(1, { toolsListChanged: true }));
    live.say(listen(2, { toolsListChanged: true, resourceSubscriptions: [] }));
    expect(live.say(install)).toEqual([
      { ...tools, params: under(1) },
      { ...tools, params: under(2) },
      whole(9, {}),
    ]);
  });

  test("hears on another connection what its client does there, and nothing of what others do", () => {
    const recorded = tape(entries);
    const [ada, bob] = [recorded.player.welcome(), recorded.player.welcome()];
    const listener = recorded.connect({ visitors: [ada] });
    listener.say(listen(1, { toolsListChanged: true, resourceSubscriptions: ["u"] }));
    recorded.connect({ visitors: [bob] }).say(install);
    expect(listener.actions()).toEqual([]);
    recorded.connect({ visitors: [ada] }).say(install);
    expect(listener.actions()).toMatchObject([
      { type: "send", on: "1" },
      { type: "send", on: "1" },
    ]);
    // Listening again asks for no subscription once more.
    recorded.connect({ visitors: [ada] }).say(listen(2, { resourceSubscriptions: ["u"] }));
    expect(recorded.player.report()).toMatchObject({ misses: [], repeats: [] });
  });

  test("for a resource that nobody subscribed to is a miss", () => {
    const recorded = tape(entries);
    const [said] = recorded.connect().say(listen(1, { resourceSubscriptions: ["v"] }));
    expect(said).toMatchObject({
      id: 1,
      error: {
        data: {
          reason: "era",
          label: "subscriptions/listen",
          untranslatable: { feature: "subscriptions/listen", why: "no recorded resources/subscribe names v" },
          fix: expect.stringContaining("mcp-vcr record"),
        },
      },
    });
    const { misses } = conforming(recorded.player.report());
    expect(misses.map(({ method }) => method)).toEqual(["subscriptions/listen"]);
  });

  test("ends gracefully with the mock", () => {
    const recorded = tape(entries);
    const live = recorded.connect();
    live.say(listen("l", { toolsListChanged: true }));
    recorded.player.end();
    expect(live.actions()).toMatchObject([{ type: "outcome", on: '"l"' }]);
    expect(live.say(install)).toEqual([whole(9, {})]);
  });
});
