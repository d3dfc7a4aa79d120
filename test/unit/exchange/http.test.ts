import { describe, expect, test } from "vitest";
import { client, closed, notice, outline, request, result, server } from "../../cases/tape.ts";

const POST = { http: { method: "POST", path: "/mcp" } };
const GET = { http: { method: "GET", path: "/mcp" } };
const on = (id: string) => ({ on: { id } });
const status = (code: number) => ({ http: { status: code } });
const ACCEPTED = server(undefined, { on: "post", ...status(202) });
const http = (entries: Parameters<typeof outline>[0]) => outline(entries, false);

describe("HTTP answers", () => {
  test("without a message are statuses of their request", () => {
    expect(
      http([
        client(request(0, "initialize"), POST),
        server("Unauthorized", { ...on("0"), ...status(401) }),
        client(request(0, "initialize"), POST),
        server(result(0, {}), { ...on("0"), ...status(200) }),
        client(request(1, "tools/list"), POST),
        server(undefined, { ...on("1"), ...status(503) }),
      ]),
    ).toEqual(["0 initialize: status 1", "2 initialize: outcome 3", "4 tools/list: status 5"]);
  });

  test("with an error that names no request are statuses too", () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}';
    expect(
      http([
        client(request(1, "a"), POST),
        server(body, { ...on("1"), ...status(400) }),
        client(request(2, "b"), POST),
        server('{"error":"invalid_token"}', { ...on("2"), ...status(401) }),
      ]),
    ).toEqual(["0 a: status 1", "2 b: status 3"]);
  });

  test("to POSTs without a request come in their order, whatever those held", () => {
    const refused = server('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', {
      on: "post",
      ...status(400),
    });
    expect(
      http([
        client([notice("a"), notice("b")], POST),
        ACCEPTED,
        client(undefined, POST),
        server(undefined, { on: "post", ...status(400) }),
        client(result(9, {}), POST),
        ACCEPTED,
        client(notice("c"), POST),
        server("no", { on: "post", ...status(403) }),
        client([notice("d"), request(1, "e")], POST),
        server(result(1, {}), { ...on("1"), ...status(200) }),
        client("{nope", POST),
        refused,
      ]),
    ).toEqual([
      "0.0 a:",
      "0.1 b:",
      "6 c: status 7",
      "8.0 d:",
      "8.1 e: outcome 9",
      "10 malformed: outcome 11",
    ]);
  });

  test("that never came do not shift the others", () => {
    expect(
      http([
        client(notice("a"), POST),
        closed("client", { reason: "aborted" }, { on: "post" }),
        client('{"half', { ...POST, on: "post", closed: { reason: "aborted" } }),
        closed("client", { reason: "aborted" }, { on: "post" }),
        client(notice("b"), POST),
        server("no", { on: "post", ...status(403) }),
      ]),
    ).toEqual(["0 a:", "4 b: status 5"]);
  });

  test("a stream that merely opened, and noise on it, answer nothing", () => {
    const stream = { http: { status: 200, headers: { "content-type": "text/event-stream" } } };
    expect(
      http([
        client(request(1, "a"), POST),
        server(undefined, { ...on("1"), ...stream }),
        client(request(2, "b"), POST),
        server("hello", { ...on("2"), ...stream }),
        server("again", { ...on("2"), event: { name: "ping" } }),
        server(result(2, {}), on("2")),
        server(result(1, {}), on("1")),
      ]),
    ).toEqual(["0 a: outcome 6", "2 b: outcome 5"]);
  });
});

describe("event streams", () => {
  test("are primed, end and are resumed", () => {
    const stream = { ...on("1"), http: { status: 200, headers: { "content-type": "text/event-stream" } } };
    expect(
      http([
        client(request(1, "a"), POST),
        server(undefined, { ...stream, event: { id: "e0" } }),
        server("", { ...on("1"), event: { id: "e1", retry: 10 } }),
        closed("server", { reason: "end" }, on("1")),
        client(undefined, { ...GET, ...on("1") }),
        server(result(1, {}), { ...on("1"), event: { id: "e2" } }),
      ]),
    ).toEqual(["0 a: event 1, event 2, end 3, resume 4, outcome 5"]);
  });

  test("priming of the standalone stream belongs to nobody", () => {
    expect(
      http([
        client(undefined, GET),
        server(undefined, { on: "get", ...status(200), event: { id: "g0" } }),
        server(undefined, { on: "get", event: { id: "g1" } }),
        client(request(1, "a"), POST),
        server(result(1, {}), { ...on("1"), ...status(200) }),
      ]),
    ).toEqual(["3 a: outcome 4"]);
  });

  test("a client that drops one and comes back did not cancel, however often", () => {
    const drop = closed("client", { reason: "aborted" }, on("1"));
    const back = client(undefined, { ...GET, ...on("1") });
    expect(
      http([client(request(1, "a"), POST), drop, back, drop, back, server(result(1, {}), on("1"))]),
    ).toEqual(["0 a: end 1, resume 2, end 3, resume 4, outcome 5"]);
    expect(http([client(request(1, "a"), POST), drop])).toEqual(["0 a: cancel 1"]);
  });

  test("what comes on one is its request's, what comes on the standalone one follows", () => {
    const log = notice("notifications/message", { data: 1 });
    expect(
      http([
        client(request(1, "a"), POST),
        client(request(2, "b"), POST),
        server(log, { ...on("1"), ...status(200) }),
        server(log, { on: "get" }),
        server(result(2, {}), { ...on("2"), ...status(200) }),
        server(log, { on: "get" }),
        server(result(1, {}), on("1")),
      ]),
    ).toEqual(["0 a: send 2, send 3 (standalone), outcome 6", "1 b: outcome 4, send 5 (standalone)"]);
  });

  test("the pair of 2024-11-05 carries everything on its one stream", () => {
    const get = { on: "get" } as const;
    expect(
      http([
        client(undefined, GET),
        server("/messages?sessionId=1", { ...get, ...status(200), event: { name: "endpoint" } }),
        client(request(0, "initialize"), POST),
        server("Accepted", { ...on("0"), ...status(202) }),
        server(result(0, {}), get),
        client(request(1, "a"), POST),
        server("Accepted", { ...on("1"), ...status(202) }),
        server(request(0, "roots/list"), get),
        client(result(0, {}), POST),
        server("Accepted", { on: "post", ...status(202) }),
        server(result(1, {}), get),
      ]),
    ).toEqual(["2 initialize: outcome 4", "5 a: ask 7, reply 8, outcome 10"]);
  });
});

describe("subscriptions/listen", () => {
  const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
  const told = (id: number, method: string) => server(notice(method, { _meta: { [SUBSCRIPTION]: id } }));
  const listen = client(request(7, "subscriptions/listen", { toolsListChanged: true }));
  const acknowledged = told(7, "notifications/subscriptions/acknowledged");
  const changed = told(7, "notifications/tools/list_changed");

  test("its acknowledgement is its own, what it brings comes where it came", () => {
    expect(
      outline([
        listen,
        client(request(8, "tools/call")),
        acknowledged,
        changed,
        server(result(8, {})),
        changed,
      ]),
    ).toEqual([
      "0 subscriptions/listen: send 2 (listener 0)",
      "1 tools/call: send 3 (listener 0), outcome 4, send 5 (listener 0)",
    ]);
  });

  test.each([
    ["a result", server(result(7, { _meta: { [SUBSCRIPTION]: 7 } })), "outcome"],
    ["a cancellation", server(notice("notifications/cancelled", { requestId: 7 })), "send"],
    ["the end of its stream", closed("server", { reason: "end" }, on("7")), "end"],
  ])("it is ended by %s, where that came", (_name, end, role) => {
    expect(outline([listen, acknowledged, client(request(8, "a")), server(result(8, {})), end])).toEqual([
      "0 subscriptions/listen: send 1 (listener 0)",
      `2 a: outcome 3, ${role} 4 (listener 0)`,
    ]);
  });

  test("its refusal is its own, whatever was asked meanwhile", () => {
    const refusal = server({ jsonrpc: "2.0", id: 7, error: { code: -32601, message: "no" } });
    expect(outline([listen, client(request(8, "a")), refusal, server(result(8, {}))])).toEqual([
      "0 subscriptions/listen: outcome 2",
      "1 a: outcome 3",
    ]);
  });

  test("once cancelled, what crosses is still the listener's", () => {
    expect(
      outline([
        listen,
        acknowledged,
        client(notice("notifications/cancelled", { requestId: 7 })),
        client(request(8, "a")),
        changed,
        server(result(8, {})),
      ]),
    ).toEqual([
      "0 subscriptions/listen: send 1 (listener 0), cancel 2",
      "3 a: send 4 (listener 0), outcome 5",
    ]);
  });

  test("after the client is gone its end reaches nobody", () => {
    const bye = server(result(7, {}));
    expect(outline([listen, acknowledged, closed("client", { reason: "eof" }), bye])).toEqual([
      "0 subscriptions/listen: send 1 (listener 0)",
    ]);
  });
});

describe("in the modern era a closed stream cancels, and no notification does", () => {
  const META = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
  const ask = (id: string, method: string) => client(request(id, method, META), POST);
  const told = (id: string, method: string) =>
    notice(method, { _meta: { "io.modelcontextprotocol/subscriptionId": id } });
  const LISTEN = [
    ask("l", "subscriptions/listen"),
    server(told("l", "notifications/subscriptions/acknowledged"), { ...on('"l"'), ...status(200) }),
  ] as const;
  const forged = { requestId: "l" };

  test.each([
    ["its body", notice("notifications/cancelled", { ...forged, ...META }), POST],
    [
      "its header",
      notice("notifications/cancelled", forged),
      { http: { method: "POST", headers: { "mcp-protocol-version": "2026-07-28" } } },
    ],
  ])("the era being told by %s", (_where, cancelled, post) => {
    const [listen, acknowledged] = LISTEN;
    const touched = [
      ask("t", "touch"),
      client(cancelled, post),
      server(told("l", "notifications/resources/updated"), on('"l"')),
      server(result("t", {}), { ...on('"t"'), ...status(200) }),
      closed("client", { reason: "aborted" }, on('"l"')),
    ];
    expect(http([listen, client(cancelled, post), acknowledged, ...touched])).toEqual([
      "0 subscriptions/listen: send 2 (listener 0), cancel 7",
      "1 notifications/cancelled:",
      "3 touch: send 5 (listener 0), outcome 6",
      "4 notifications/cancelled:",
    ]);
  });
});
