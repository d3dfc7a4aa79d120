import { describe, expect, test } from "vitest";
import { client, error, notice, request, result, server, tape } from "../../cases/tape.ts";

const IDS = ["0", '""', "null", "1", '"1"', "-7", "9007199254740993", "1e3", '"\\u00e9"', '"a \\"b\\""'];

describe("arguments left out, as an empty object or not at all", () => {
  const asked = (way: string, id: number) => ({
    ...request(id, "tools/call", { name: "b", ...(way === "empty" ? { arguments: {} } : {}) }),
  });
  const answers = (ways: readonly string[], ask: readonly string[]) => {
    const live = tape(
      ways.flatMap((way, id) => [client(asked(way, id)), server(result(id, `${way} ${id}`))]),
    );
    const connection = live.connect();
    return ask.map((way) => connection.say(asked(way, 7))[0].result);
  };

  test.each([
    [
      ["empty", "absent"],
      ["absent", "empty"],
      ["absent 1", "empty 0"],
    ],
    [
      ["empty", "absent", "empty"],
      ["empty", "empty", "absent"],
      ["empty 0", "empty 2", "absent 1"],
    ],
    [["empty"], ["absent"], ["empty 0"]],
    [
      ["absent", "absent"],
      ["empty", "absent"],
      ["absent 0", "absent 1"],
    ],
  ])("recorded %j, asked %j", (ways, ask, expected) => {
    expect(answers(ways, ask)).toEqual(expected);
  });
});

describe("ids", () => {
  const recorded = tape([
    client(request(5, "tools/list")),
    server('{ "result": {"n": 1.0, "big": 9007199254740993}, "id" : 5, "jsonrpc": "2.0" }'),
    client(request(6, "tools/call", { name: "a" })),
    server(error(6, -32602, "unknown tool")),
  ]);

  test.each(IDS)("%s comes back exactly, the rest as it was recorded", (id) => {
    const live = recorded.connect();
    expect(live.texts(`{"jsonrpc":"2.0","id": ${id} ,"method":"tools/list"}`)).toEqual([
      `{ "result": {"n": 1.0, "big": 9007199254740993}, "id" : ${id}, "jsonrpc": "2.0" }`,
    ]);
    expect(live.texts(`{"id":${id},"method":"tools/call","params":{"name":"a"}}`)).toEqual([
      `{"jsonrpc":"2.0","id":${id},"error":{"code":-32602,"message":"unknown tool"}}`,
    ]);
  });

  test.each(IDS)("%s comes back in a miss", (id) => {
    const [answer] = recorded.connect().texts(`{"id":${id},"method":"tools/call","params":{"name":"b"}}`);
    expect(answer).toContain(`"id":${JSON.stringify(JSON.parse(id)) === id ? id : ""}`);
    expect(JSON.parse(answer as string)).toMatchObject({ id: JSON.parse(id), error: { code: -32010 } });
  });

  test("two requests in flight under numbers and strings that look alike", () => {
    const both = tape([
      client(request(1, "a")),
      client(request(2, "b")),
      server(request(0, "roots/list")),
      client(result(0, {})),
      server(result(2, "b")),
      server(result(1, "a")),
    ]).connect();
    expect(both.say(request("1", "b"))).toEqual([request(0, "roots/list")]);
    expect(both.say(request(1, "a"))).toEqual([result(1, "a")]);
    expect(both.say(result(0, {}))).toEqual([result("1", "b")]);
  });

  test("a request with id null was answered as that", () => {
    const live = tape([client(request(null, "a")), server(result(null, 1))]).connect();
    expect(live.say(request(3, "a"))).toEqual([result(3, 1)]);
  });
});

describe("progress", () => {
  const progress = (token: unknown) =>
    notice("notifications/progress", { progressToken: token, progress: 1 });
  const recorded = tape([
    client(request(1, "tools/call", { name: "a", _meta: { progressToken: 1 } })),
    server(progress(1)),
    server(result(1, {})),
    client(request(2, "tools/call", { name: "b" })),
    server(result(2, {})),
  ]);
  const call = (name: string, token?: string) =>
    `{"id":9,"method":"tools/call","params":{"name":"${name}"${token ? `,"_meta":{"progressToken":${token}}` : ""}}}`;

  test.each(["7", '"t"', "0", '""', "9007199254740993"])(
    "bears the live token %s, before the result",
    (token) => {
      expect(recorded.connect().texts(call("a", token))).toEqual([
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`,
        '{"jsonrpc":"2.0","id":9,"result":{}}',
      ]);
    },
  );

  test("is not lost on a client that asks with and without token in another order", () => {
    const call = (id: number, meta = {}) => request(id, "tools/call", { name: "a", ...meta });
    const token = { _meta: { progressToken: 1 } };
    const mixed = (second: unknown) =>
      tape([
        ...[client(call(1, token)), server(progress(1)), server(result(1, "same"))],
        ...[client(call(2)), server(result(2, second))],
      ]).connect();
    const live = mixed("same");
    expect(live.say(call(1))).toEqual([result(1, "same")]);
    expect(live.say(call(1, token))).toEqual([progress(1), result(1, "same")]);
    // Where the answers differ, their order counts.
    const other = mixed("another");
    expect(other.say(call(1))).toEqual([result(1, "same")]);
    expect(other.say(call(1, token))).toEqual([result(1, "another")]);
  });

  test("reaches no client that gave no token, and is not invented for one that did", () => {
    expect(recorded.connect().say(call("a"))).toEqual([result(9, {})]);
    expect(recorded.connect().say(call("b", "1"))).toEqual([result(9, {})]);
  });
});

describe("notifications", () => {
  const log = (data: number) => notice("notifications/message", { level: "info", data });

  test("stay inside, after and outside the exchanges they were recorded with", () => {
    const live = tape([
      client(request(1, "initialize", { clientInfo: { name: "t", version: "1" } })),
      server(log(1)),
      server(result(1, {})),
      server(log(2)),
      client(notice("notifications/initialized")),
      server(log(3)),
    ]).connect();
    expect(live.say(request(0, "initialize"))).toEqual([log(1), result(0, {}), log(2)]);
    expect(live.say(notice("notifications/initialized"))).toEqual([log(3)]);
  });

  test("those that were not recorded ask for nothing and are no miss", () => {
    const recorded = tape([client(request(1, "a")), server(result(1, {}))]);
    expect(recorded.connect().say(notice("notifications/roots/list_changed"))).toEqual([]);
    expect(recorded.player.failed).toBe(false);
  });

  test("resource updates reach subscribers, as long as they are", () => {
    const updated = notice("notifications/resources/updated", { uri: "file:///x" });
    const recorded = tape([
      client(request(1, "resources/subscribe", { uri: "file:///x" })),
      server(result(1, {})),
      client(request(2, "tools/call", { name: "touch" })),
      server(updated),
      server(result(2, {})),
      client(request(3, "resources/unsubscribe", { uri: "file:///x" })),
      server(result(3, {})),
    ]);
    const touch = request(4, "tools/call", { name: "touch" });
    expect(recorded.connect().say(touch)).toEqual([result(4, {})]);
    const subscriber = recorded.connect();
    // The same resource in another spelling.
    subscriber.say('{"id":1,"method":"resources/subscribe","params":{"uri":"file:\\/\\/\\/x"}}');
    expect(subscriber.say(touch)).toEqual([updated, result(4, {})]);
    subscriber.say(request(5, "resources/unsubscribe", { uri: "file:///x" }));
    expect(subscriber.say(touch)).toEqual([result(4, {})]);
  });
});

describe("frames that are no single message", () => {
  const recorded = tape([
    client([request(1, "a"), notice("n"), request(2, "b")]),
    server([result(2, "b"), result(1, "a")]),
    client("[]"),
    server('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty"}}'),
    client("{nope"),
    server('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"cannot read {nope"}}'),
  ]);

  test("a batch is answered one by one, in its order", () => {
    expect(recorded.connect().say([request("x", "b"), request("y", "a")])).toEqual([
      result("x", "b"),
      result("y", "a"),
    ]);
    expect(recorded.connect().say(request(4, "b"))).toEqual([result(4, "b")]);
  });

  test("what was malformed is answered as recorded, else as JSON-RPC says", () => {
    const live = recorded.connect();
    expect(live.say("[]")).toMatchObject([{ id: null, error: { message: "empty" } }]);
    expect(live.say("{nope")).toMatchObject([{ id: null, error: { message: "cannot read {nope" } }]);
    expect(live.say("{else")).toEqual([error(null, -32700, "Parse error")]);
    expect(live.say("[[]]")).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(live.say('{"id":1}')).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(recorded.player.failed).toBe(false);
  });
});

describe("repeats", () => {
  const entries = ["queued", "running", "done"].flatMap((state, id) => [
    client(request(id, "tasks/get", { taskId: "t" })),
    server(result(id, state)),
  ]);
  const poll = request(1, "tasks/get", { taskId: "t" });

  test("the n-th gets the n-th, after the last the last again, noted in the report", () => {
    const recorded = tape(entries);
    const live = recorded.connect();
    const states = Array.from({ length: 5 }, () => live.say(poll)[0].result);
    expect(states).toEqual(["queued", "running", "done", "done", "done"]);
    expect(recorded.player.report()).toMatchObject({
      hits: 5,
      repeats: [{ label: "tasks/get", times: 2 }],
      misses: [],
    });
    expect(recorded.player.failed).toBe(false);
  });

  test("with strict, once more is a miss", () => {
    const recorded = tape(entries, { strict: true });
    const live = recorded.connect();
    for (let i = 0; i < 3; i++) live.say(poll);
    const [answer] = live.say(poll);
    expect(answer.error).toMatchObject({ code: -32010, data: { reason: "exhausted", recorded: 3, used: 3 } });
    expect(answer.error.message).toContain(
      "tasks/get was recorded 3 times, and is asked once more (--strict)",
    );
    expect(recorded.player.failed).toBe(true);
  });

  test("each client starts afresh", () => {
    const recorded = tape(entries, { strict: true });
    for (let i = 0; i < 3; i++) {
      const live = recorded.connect();
      expect(live.say(poll)[0].result).toBe("queued");
      expect(live.say(poll)[0].result).toBe("running");
    }
    expect(recorded.player.report()).toMatchObject({ sessions: 3, hits: 6, repeats: [] });
  });
});

describe("probes", () => {
  const legacy = () => tape([client(request(0, "initialize")), server(result(0, {}))], { strict: true });
  const modernMeta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };

  test("ping is answered, however often, recorded or not", () => {
    const recorded = tape(
      [
        client(request(0, "initialize")),
        server(result(0, {})),
        client(request(1, "ping")),
        server(result(1, { as: "recorded" })),
      ],
      { strict: true },
    );
    const live = recorded.connect();
    expect(live.say(request(9, "ping"))).toEqual([result(9, { as: "recorded" })]);
    expect(live.say(request(9, "ping"))).toEqual([result(9, {})]);
    expect(legacy().connect().say(request("p", "ping"))).toEqual([result("p", {})]);
    expect(recorded.player.report()).toMatchObject({ misses: [], repeats: [] });
  });

  test("server/discover is answered as it was recorded, however often, whatever else the recording holds", () => {
    const probe = request(1, "server/discover", modernMeta);
    const recorded = tape(
      [
        client(probe),
        server(error(1, -32601, "Method not found")),
        client(request(0, "initialize")),
        server(result(0, {})),
      ],
      { strict: true },
    );
    const live = recorded.connect();
    for (let count = 0; count < 2; count++) {
      expect(live.say(probe)).toEqual([error(1, -32601, "Method not found")]);
    }
    expect(live.say(request(0, "initialize"))).toEqual([result(0, {})]);
    expect(recorded.player.report()).toMatchObject({ misses: [], repeats: [] });
    expect(recorded.player.failed).toBe(false);
  });
});
