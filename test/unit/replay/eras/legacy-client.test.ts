import { describe, expect, test } from "vitest";
import { ERA_ROWS } from "../../../../src/replay/eras/rows.ts";
import { client, error, notice, request, result, server, tape } from "../../../cases/tape.ts";
import { ALL, initialize, meta, modern, named, PREFIX, SERVER } from "./support.ts";

const whole = (id: unknown, body: object) =>
  result(id as number, { resultType: "complete", ...body, ...named });
const call = (id: number, name: string, more: object = {}) => modern(id, "tools/call", { name, ...more });
const legacyCall = (id: number, name: string, more: object = {}) =>
  request(id, "tools/call", { name, ...more });
const discovered = (capabilities: object = { tools: { listChanged: true }, logging: {} }) => [
  client(modern("d", "server/discover")),
  server(
    whole("d", {
      supportedVersions: ["2026-07-28"],
      capabilities,
      instructions: "Ask.",
      ttlMs: 0,
      cacheScope: "private",
    }),
  ),
];

describe("initialize", () => {
  const recorded = () =>
    tape([...discovered({ tools: {}, extensions: { x: {} } }), client(call(1, "a")), server(whole(1, {}))]);

  test.each([
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
  ])("is made of server/discover; %s is answered %s", (asked, protocolVersion) => {
    expect(recorded().connect().say(initialize(ALL, asked))).toEqual([
      result(90, { protocolVersion, capabilities: { tools: {} }, serverInfo: SERVER, instructions: "Ask." }),
    ]);
  });

  test("counts what was recorded as used", () => {
    const tapes = recorded();
    const live = tapes.connect();
    live.say(initialize());
    live.say(legacyCall(1, "a"));
    expect(tapes.player.report()).toMatchObject({ hits: 2, misses: [], unused: [] });
  });

  test("without server/discover is made of what results and requests show", () => {
    const entries = [
      client(call(1, "a")),
      server(whole(1, {})),
      client(modern(2, "prompts/list")),
      server(error(2, -32601, "no")),
    ];
    expect(tape(entries).connect().say(initialize())).toMatchObject([
      { result: { capabilities: { tools: {} }, serverInfo: SERVER } },
    ]);
  });

  test("is a miss that says so where nothing names the server", () => {
    const recorded = tape([client(call(1, "a")), server(result(1, { resultType: "complete" }))]);
    expect(recorded.connect().say(initialize())[0].error.data).toMatchObject({
      reason: "era",
      untranslatable: { feature: "initialize", why: expect.stringContaining("must name the server") },
    });
  });

  test("a handshake that was recorded is answered as it was, whatever version is asked for", () => {
    const own = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: SERVER };
    const live = tape([client(initialize()), server(result(90, own))]).connect();
    for (const version of ["2024-11-05", "2025-11-25"]) {
      expect(live.say(initialize(ALL, version))).toEqual([result(90, own)]);
    }
  });
});

describe("results", () => {
  test.each([
    [
      "tools/call",
      '{"resultType":"complete", "content" : [], "n": 1.0,"_meta":{"INFO":{"name":"w"},"a":1}}',
      '{"content" : [], "n": 1.0,"_meta":{"a":1}}',
    ],
    ["tools/call", '{"content":[],"_meta":{"INFO":{"name":"w"}},"resultType":"complete"}', '{"content":[]}'],
    ["tools/list", '{"tools":[],"ttlMs":3,"cacheScope":"public","resultType":"complete"}', '{"tools":[]}'],
    ["tools/call", '{"ttlMs":3,"_meta":{},"resultType":"complete"}', '{"ttlMs":3}'],
    [
      "tools/list",
      '{"tools":[{"name":"a","outputSchema":{"type":"array"}},{"outputSchema":{"type":"object"}}]}',
      '{"tools":[{"name":"a"},{"outputSchema":{"type":"object"}}]}',
    ],
  ])("of %s lose what the modern era adds, and stay exact otherwise", (method, recorded, expected) => {
    const text = recorded.replace("INFO", `${PREFIX}serverInfo`);
    const entries = [
      client(modern(1, method, { name: "a" })),
      server(`{"id":1, "result":${text}, "jsonrpc":"2.0"}`),
    ];
    expect(
      tape(entries)
        .connect()
        .texts(request(7, method, { name: "a" })),
    ).toEqual([`{"id":7, "result":${expected}, "jsonrpc":"2.0"}`]);
  });

  test.each<[string, string, object, number]>([
    ["a resource that is not there", "resources/read", { data: { uri: "u" } }, -32002],
    ["other invalid params", "resources/read", { data: { uri: "other" } }, -32602],
    ["invalid params of other methods", "tools/call", { data: { uri: "u" } }, -32602],
  ])("%s: %s", (_name, method, more, code) => {
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no", ...more } };
    const live = tape([client(modern(1, method, { uri: "u" })), server(refusal)]).connect();
    expect(live.say(request(4, method, { uri: "u" }))).toEqual([
      { ...refusal, id: 4, error: { ...refusal.error, code } },
    ]);
  });

  test.each<[string, object, string]>([
    [
      "structured content that is no object",
      whole(1, { structuredContent: [1] }),
      "structuredContent that is no object",
    ],
    ["a task", result(1, { resultType: "task", taskId: "t" }), "tasks"],
    ["a type of an extension", result(1, { resultType: "x/partial" }), 'resultType "x/partial"'],
    ["an error of the modern era alone", error(1, -32021, "no"), "error -32021"],
  ])("%s is a miss that names it", (_name, answer, feature) => {
    const recorded = tape([client(call(1, "a")), server(answer as { id: 1 })]);
    const [said] = recorded.connect().say(legacyCall(1, "a"));
    expect(said.error.data).toMatchObject({ reason: "era", untranslatable: { feature } });
    expect(recorded.player.failed).toBe(true);
  });

  test("what was not recorded is a miss like any other, with the nearest request", () => {
    const recorded = tape([client(call(1, "a", { arguments: { n: 1 } })), server(whole(1, {}))]);
    expect(recorded.connect().say(legacyCall(1, "a", { arguments: { n: 2 } }))[0].error.data).toMatchObject({
      reason: "unrecorded",
      nearest: { differences: [{ pointer: "/arguments/n", before: 1, after: 2 }] },
    });
  });

  test("a request without params is the same as one with metadata alone", () => {
    const live = tape([client(modern(1, "tools/list")), server(whole(1, { tools: [] }))]).connect();
    expect(live.say('{"jsonrpc":"2.0","id":5,"method":"tools/list"}')).toEqual([result(5, { tools: [] })]);
  });
});

test.each(ERA_ROWS.filter(({ legacy }) => typeof legacy === "object").map(({ method }) => method))(
  "%s of a legacy client is a miss that says why",
  (method) => {
    const recorded = tape([client(call(1, "a")), server(whole(1, {}))]);
    const [said] = recorded.connect().say(request(1, method, {}));
    expect(said.error.data).toMatchObject({ reason: "era", untranslatable: { feature: method } });
  },
);

test("a call as a task is a miss that names it", () => {
  const recorded = tape([client(call(1, "a")), server(whole(1, {}))]);
  const [said] = recorded.connect().say(legacyCall(1, "a", { task: { ttl: 1 } }));
  expect(said.error.data.untranslatable).toMatchObject({ feature: "tasks" });
});

test("ping and logging/setLevel are answered, and the level holds", () => {
  const log = (level: string) => notice("notifications/message", { level, data: level });
  const recorded = tape([
    client(call(1, "a")),
    server(log("info")),
    server(log("error")),
    server(whole(1, {})),
  ]);
  const live = recorded.connect();
  expect(live.say(request("p", "ping"))).toEqual([result("p", {})]);
  expect(live.say(legacyCall(1, "a"))).toEqual([log("info"), log("error"), result(1, {})]);
  expect(live.say(request(2, "logging/setLevel", { level: "warning" }))).toEqual([result(2, {})]);
  expect(live.say(legacyCall(3, "a"))).toEqual([log("error"), result(3, {})]);
});

describe("input rounds", () => {
  const form = { message: "Who?", requestedSchema: { type: "object", properties: {} } };
  const ada = { action: "accept", content: { name: "Ada" } };
  const required = (id: number, inputRequests: object | undefined, requestState?: string) =>
    result(id, {
      resultType: "input_required",
      ...(inputRequests && { inputRequests }),
      ...(requestState && { requestState }),
      ...named,
    });
  const entries = [
    client(call(1, "hello")),
    server(required(1, { who: { method: "elicitation/create", params: form } }, "s1")),
    client(call(2, "hello", { inputResponses: { who: ada }, requestState: "s1" })),
    server(whole(2, { text: "Hello Ada" })),
  ];

  test("are requests of the server, and the answer follows the client's", () => {
    const recorded = tape(entries);
    const live = recorded.connect();
    live.say(initialize());
    expect(live.act(legacyCall(7, "hello"))).toMatchObject([{ type: "send", on: "7", stream: "own" }]);
    expect(live.say(result(0, ada))).toEqual([result(7, { text: "Hello Ada" })]);
    expect(recorded.player.report()).toMatchObject({ misses: [], differentAnswers: [] });
  });

  test("answered otherwise are reported", () => {
    const recorded = tape(entries);
    const live = recorded.connect();
    live.say(initialize());
    expect(live.say(legacyCall(7, "hello"))).toEqual([request(0, "elicitation/create", form)]);
    expect(live.say(result(0, { action: "decline" }))).toEqual([result(7, { text: "Hello Ada" })]);
    expect(recorded.player.report().differentAnswers).toEqual([
      { label: "tools/call hello", recorded: { who: ada }, live: { who: { action: "decline" } } },
    ]);
  });

  test("with several requests wait for all answers; one round may follow another, or ask nothing", () => {
    const live = tape([
      client(call(1, "plan")),
      server(
        required(1, { a: { method: "roots/list" }, b: { method: "sampling/createMessage", params: {} } }),
      ),
      client(call(2, "plan", { inputResponses: { b: { model: "m" }, a: { roots: [] } } })),
      server(required(2, undefined, "wait")),
      client(call(3, "plan", { requestState: "wait" })),
      server(required(3, { c: { method: "elicitation/create", params: form } }, "s2")),
      client(call(4, "plan", { inputResponses: { c: ada }, requestState: "s2" })),
      server(whole(4, { done: true })),
    ]).connect();
    live.say(initialize());
    expect(live.say(legacyCall(7, "plan"))).toEqual([
      { jsonrpc: "2.0", id: 0, method: "roots/list" },
      request(1, "sampling/createMessage", {}),
    ]);
    expect(live.say(result(1, { model: "m" }))).toEqual([]);
    expect(live.say(result(0, { roots: [] }))).toEqual([request(2, "elicitation/create", form)]);
    expect(live.say(result(2, ada))).toEqual([result(7, { done: true })]);
  });

  test.each<[string, object, object, string]>([
    ["roots", { method: "roots/list" }, { sampling: {} }, "2025-11-25"],
    ["sampling", { method: "sampling/createMessage", params: {} }, {}, "2025-11-25"],
    ["forms", { method: "elicitation/create", params: form }, { elicitation: { url: {} } }, "2025-11-25"],
    ["forms", { method: "elicitation/create", params: form }, ALL, "2025-03-26"],
    ["URLs", { method: "elicitation/create", params: { mode: "url" } }, ALL, "2025-06-18"],
    ["tools", { method: "sampling/createMessage", params: { tools: [] } }, ALL, "2025-06-18"],
    ["what no legacy server asks", { method: "else/ask" }, ALL, "2025-11-25"],
  ])(
    "a client that cannot be asked for %s gets a miss that says so: %j",
    (_name, input, capabilities, version) => {
      const recorded = tape([client(call(1, "hello")), server(required(1, { a: input }))]);
      const live = recorded.connect();
      live.say(initialize(capabilities, version));
      const { method } = input as { method: string };
      const [{ error: miss }] = live.say(legacyCall(7, "hello"));
      expect(miss.data).toMatchObject({
        reason: "era",
        untranslatable: { feature: expect.stringContaining(method) },
      });
    },
  );

  test("for a URL bear an id, as legacy ones do", () => {
    const url = { mode: "url", url: "https://x.example/", message: "Go" };
    const live = tape([
      client(call(1, "hello")),
      server(required(1, { a: { method: "elicitation/create", params: url } })),
    ]).connect();
    live.say(initialize());
    const [{ params }] = live.say(legacyCall(7, "hello"));
    expect(params).toEqual({ ...url, elicitationId: expect.stringMatching(/^mcp-vcr-/) });
  });

  test("answered with an error are a miss", () => {
    const live = tape(entries).connect();
    live.say(initialize());
    live.say(legacyCall(7, "hello"));
    const [said] = live.say(error(0, -1, "rejected"));
    expect(said).toMatchObject({ id: 7, error: { data: { reason: "era" } } });
  });

  test("given up get nothing more", () => {
    const live = tape(entries).connect();
    live.say(initialize());
    live.say(legacyCall(7, "hello"));
    expect(live.say(notice("notifications/cancelled", { requestId: 7 }))).toEqual([]);
    expect(live.say(result(0, ada))).toEqual([]);
  });
});

describe("subscriptions", () => {
  const SUBSCRIPTION = `${PREFIX}subscriptionId`;
  const listen = (id: number, notifications: object, name = "t") => {
    const info = { [`${PREFIX}clientInfo`]: { name, version: "1" } };
    return [
      client(modern(id, "subscriptions/listen", { notifications }, info)),
      server(
        notice("notifications/subscriptions/acknowledged", { _meta: { [SUBSCRIPTION]: id }, notifications }),
      ),
    ];
  };
  const told = (id: number, method: string, more = {}) =>
    server(notice(method, { _meta: { [SUBSCRIPTION]: id }, ...more }));
  const TOOLS = "notifications/tools/list_changed";
  const UPDATED = "notifications/resources/updated";
  const entries = [
    ...discovered({ tools: {} }),
    ...listen(1, { toolsListChanged: true, resourceSubscriptions: ["u"] }),
    ...listen(2, { toolsListChanged: true }),
    client(call(3, "install")),
    told(1, TOOLS),
    told(2, TOOLS),
    told(1, UPDATED, { uri: "u" }),
    server(whole(3, {})),
  ];
  const install = legacyCall(9, "install");
  const opened = (initialized = true) => {
    const recorded = tape(entries);
    const live = recorded.connect();
    const [{ result: welcome }] = live.say(initialize());
    if (initialized) live.say(notice("notifications/initialized"));
    return { recorded, live, welcome };
  };

  test("a change is told without asking, once, and belongs to no request", () => {
    const { recorded, live, welcome } = opened();
    expect(welcome.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true },
    });
    expect(live.act(install)).toMatchObject([
      { type: "send", on: undefined, stream: "standalone" },
      { type: "outcome", on: "9" },
    ]);
    expect(opened(false).live.say(install)).toEqual([notice(TOOLS, {}), result(9, {})]);
    expect(recorded.player.report()).toMatchObject({ misses: [], unused: [] });
  });

  test("of a resource is told to who subscribed, as long as it is", () => {
    const { live } = opened();
    expect(live.say(request(5, "resources/subscribe", { uri: "u" }))).toEqual([result(5, {})]);
    expect(live.say(install)).toEqual([notice(TOOLS, {}), notice(UPDATED, { uri: "u" }), result(9, {})]);
    expect(live.say(request(6, "resources/unsubscribe", { uri: "u" }))).toEqual([result(6, {})]);
  });

  test("to a resource that no recorded listen names is a miss", () => {
    const [said] = opened().live.say(request(5, "resources/subscribe", { uri: "v" }));
    expect(said.error.data.untranslatable).toMatchObject({ feature: "resources/subscribe" });
  });

  test("of several recorded clients only those of one are opened", () => {
    const recorded = tape([
      ...discovered(),
      ...listen(1, { toolsListChanged: true }, "ada"),
      ...listen(2, { toolsListChanged: true, resourceSubscriptions: ["u"] }, "l"),
      client(call(3, "install")),
      told(2, TOOLS),
      server(whole(3, {})),
    ]);
    const live = recorded.connect();
    live.say(initialize());
    expect(live.say(install)).toEqual([notice(TOOLS, {}), result(9, {})]);
    expect(recorded.player.report().unused).toHaveLength(1);
  });
});

test("in a recording of both eras each client is answered from its own, and from the other where only that has it", () => {
  const entries = [
    client(initialize()),
    server(result(90, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: SERVER })),
    client(legacyCall(1, "both")),
    server(result(1, { era: "legacy" })),
    client(call(2, "both")),
    server(whole(2, { era: "modern" })),
    client(call(3, "new")),
    server(whole(3, { era: "modern" })),
  ];
  const live = tape(entries).connect();
  expect(live.say(legacyCall(1, "both"))).toEqual([result(1, { era: "legacy" })]);
  expect(live.say(call(2, "both"))).toEqual([whole(2, { era: "modern" })]);
  expect(live.say(legacyCall(3, "new"))).toEqual([result(3, { era: "modern" })]);
  expect(live.say(legacyCall(4, "none"))[0].error.data.reason).toBe("unrecorded");
  expect(live.say(request(5, "tools/call", { name: "none", ...meta() }))[0].error.data.reason).toBe(
    "unrecorded",
  );
});
