import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { client, closed, httpTape, notice, request, result, server, tape } from "../../cases/tape.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};
const told = (id: unknown, method: string) => notice(method, { _meta: { [SUBSCRIPTION]: id } });
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const CHANGED = "notifications/tools/list_changed";

describe("subscriptions/listen", () => {
  const listen = (id: unknown, more = {}) =>
    request(id as number, "subscriptions/listen", { toolsListChanged: true, ...more, ...META });
  const install = (id: unknown) => request(id as number, "tools/call", { name: "install", ...META });
  const entries = [
    client(listen(1)),
    server(told(1, ACKNOWLEDGED)),
    client(install(2)),
    server(told(1, CHANGED)),
    server(result(2, "ok")),
  ];
  const stop = [client(request(3, "tools/call", { name: "stop", ...META })), server(result(3, "bye"))];
  const askStop = request(30, "tools/call", { name: "stop", ...META });

  test.each(["l", 40, 0, "9007199254740993"])("under the live id %s, where the change came", (id) => {
    const live = tape(entries).connect();
    expect(live.say(listen(id))).toEqual([told(id, ACKNOWLEDGED)]);
    expect(live.act(install(5))).toMatchObject([
      { type: "send", on: JSON.stringify(id), stream: "own" },
      { type: "outcome", on: "5" },
    ]);
    expect(live.say(install(6))).toEqual([told(id, CHANGED), result(6, "ok")]);
  });

  test("nobody hears who does not listen, listens for something else, or has stopped", () => {
    const recorded = tape([
      ...entries,
      client(listen(9, { promptsListChanged: true })),
      server(told(9, ACKNOWLEDGED)),
    ]);
    expect(recorded.connect().say(install(5))).toEqual([result(5, "ok")]);
    const other = recorded.connect();
    other.say(listen("p", { promptsListChanged: true }));
    expect(other.say(install(5))).toEqual([result(5, "ok")]);
    const stopped = recorded.connect();
    stopped.say(listen("l"));
    stopped.say(notice("notifications/cancelled", { requestId: "l" }));
    expect(stopped.say(install(5))).toEqual([result(5, "ok")]);
  });

  test("who listens for the same hears it too, where the recording had not come to them yet", () => {
    const later = [
      client(install(3)),
      server(told(1, CHANGED)),
      server(result(3, "ok")),
      client(listen(4)),
      server(told(4, ACKNOWLEDGED)),
      client(install(5)),
      server(told(1, CHANGED)),
      server(told(4, CHANGED)),
      server(result(5, "ok")),
    ];
    const live = tape([...entries, ...later]).connect();
    live.say(listen("a"));
    live.say(install(50));
    live.say(listen("d"));
    expect(live.say(install(51))).toEqual([told("a", CHANGED), told("d", CHANGED), result(51, "ok")]);
    expect(live.say(install(52))).toEqual([told("a", CHANGED), told("d", CHANGED), result(52, "ok")]);
    live.say(listen("e"));
    live.say(listen("f"));
    const all = ["a", "d", "e", "f"].map((id) => told(id, CHANGED));
    expect(live.say(install(53))).toEqual([...all, result(53, "ok")]);
  });

  test("but not who was recorded as open, and was not told", () => {
    const deaf = [client(listen(4)), server(told(4, ACKNOWLEDGED))];
    const [first, acknowledged, ...rest] = entries as [Entry, Entry, ...Entry[]];
    const live = tape([first, acknowledged, ...deaf, ...rest]).connect();
    live.say(listen("a"));
    live.say(listen("d"));
    expect(live.say(install(51))).toEqual([told("a", CHANGED), result(51, "ok")]);
  });

  test("what several listeners elsewhere hear follows what was done last, each time", () => {
    const at = (session: number) => ({ session });
    const live = httpTape([
      client(listen(1), at(2)),
      server(told(1, ACKNOWLEDGED), { ...at(2), on: { id: "1" } }),
      ...[4, 5].flatMap((id) => [
        client(install(id), at(1)),
        server(result(id, `ok ${id}`), { ...at(1), on: { id: String(id) } }),
        server(told(1, CHANGED), { ...at(2), on: { id: "1" } }),
      ]),
    ]).connect();
    live.say(listen("l"));
    for (const id of [4, 5]) {
      expect(live.say(install(id))).toEqual([result(id, `ok ${id}`), told("l", CHANGED)]);
    }
  });

  test("nor who stopped as the recorded client did", () => {
    const live = tape([
      ...entries,
      client(notice("notifications/cancelled", { requestId: 1 })),
      client(install(4)),
      server(told(1, CHANGED)),
      server(result(4, "ok again")),
    ]).connect();
    live.say(listen("l"));
    expect(live.say(install(5))).toHaveLength(2);
    expect(live.say(notice("notifications/cancelled", { requestId: "l" }))).toEqual([]);
    expect(live.say(install(6))).toEqual([result(6, "ok again")]);
  });

  test.each<[string, Entry, unknown[]]>([
    [
      "a result",
      server({ jsonrpc: "2.0", id: 1, result: { _meta: { [SUBSCRIPTION]: 1 } } }),
      [result("l", { _meta: { [SUBSCRIPTION]: "l" } })],
    ],
    [
      "a cancellation",
      server(notice("notifications/cancelled", { requestId: 1 })),
      [notice("notifications/cancelled", { requestId: "l" })],
    ],
    ["the end of its stream", closed("server", { reason: "end" }, { on: { id: "1" } }), []],
  ])("is ended by %s when that came, and no earlier", (_name, end, said) => {
    const live = tape([...entries, ...stop, end]).connect();
    expect(live.say(listen("l"))).toHaveLength(1);
    expect(live.say(install(5))).toHaveLength(2);
    expect(live.say(askStop)).toEqual([result(30, "bye"), ...said]);
    if (said.length === 0) expect(live.say(install(6))).toEqual([result(6, "ok")]);
  });

  test("its refusal comes at once", () => {
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } };
    const live = tape([client(listen(1)), server(refusal)]).connect();
    expect(live.say(listen("l"))).toEqual([{ ...refusal, id: "l" }]);
  });
});

test("where nothing told clients apart, those of one name are one, whatever connections it was recorded on", () => {
  const ask = (id: number) => {
    const clientInfo = { name: "c", version: "1" };
    const _meta = { ...META._meta, "io.modelcontextprotocol/clientInfo": clientInfo };
    return request(id, "tools/call", { name: "count", _meta });
  };
  const asked = (id: number, session: number) => [
    client(ask(id), { session }),
    server(result(id, id), { session, on: { id: String(id) } }),
  ];
  const live = httpTape([...asked(1, 2), ...asked(2, 1), ...asked(3, 2)]).connect();
  const answers = [7, 8, 9, 10].map((id) => live.say(ask(id)));
  expect(answers).toEqual([[result(7, 1)], [result(8, 2)], [result(9, 3)], [result(10, 3)]]);
});

describe("input rounds", () => {
  const call = (more = {}) => request(1, "tools/call", { name: "delete", ...META, ...more });
  const retry = (action: string, requestState = "s1") =>
    call({ requestState, inputResponses: { sure: { action } } });
  const required = (requestState: string) => ({
    resultType: "input_required",
    inputRequests: { sure: { method: "elicitation/create", params: {} } },
    requestState,
  });
  const round = (asked: unknown, answer: unknown) => [
    client(asked as Record<string, unknown>),
    server(result(1, answer)),
  ];

  const once = () => tape([...round(call(), required("s1")), ...round(retry("accept"), "gone")]);

  test("answered as recorded", () => {
    const recorded = once();
    const live = recorded.connect();
    expect(live.say(call())).toEqual([result(1, required("s1"))]);
    expect(live.say(retry("accept"))).toEqual([result(1, "gone")]);
    expect(recorded.player.report().differentAnswers).toEqual([]);
  });

  test("answered otherwise: reported", () => {
    const recorded = once();
    const live = recorded.connect();
    live.say(call());
    expect(live.say(retry("decline"))).toEqual([result(1, "gone")]);
    expect(recorded.player.report().differentAnswers).toEqual([
      {
        label: "tools/call delete",
        recorded: { sure: { action: "accept" } },
        live: { sure: { action: "decline" } },
      },
    ]);
  });

  test("with a state that was never given: a miss", () => {
    const [answer] = once().connect().say(retry("accept", "forged"));
    expect(answer.error.data.nearest.differences).toEqual([
      { pointer: "/requestState", kind: "changed", before: "s1", after: "forged" },
    ]);
  });

  test("of several recorded branches the one with the same input", () => {
    const recorded = tape([
      ...round(call(), required("s1")),
      ...round(retry("accept"), "gone"),
      ...round(call(), required("s1")),
      ...round(retry("decline"), "kept"),
      ...round(call(), required("s1")),
      ...round(retry("accept"), "gone again"),
    ]);
    const live = recorded.connect();
    const answers = ["decline", "accept", "accept"].map((action) => live.say(retry(action))[0].result);
    expect(answers).toEqual(["kept", "gone", "gone again"]);
    expect(recorded.player.report()).toMatchObject({ differentAnswers: [], repeats: [] });
  });
});

test("over HTTP a dropped stream cancels", () => {
  const on = { on: { id: "1" } };
  const headers = { "mcp-method": "slow", "mcp-protocol-version": "2026-07-28" };
  const live = httpTape([
    client(request(1, "slow", META), { http: { method: "POST", headers } }),
    server(notice("notifications/message", {}), { ...on, http: { status: 200 } }),
    closed("client", { reason: "aborted" }, on),
  ]).connect({ carriesStatus: true });
  expect(live.act(request(9, "slow", META))).toMatchObject([{ type: "send", on: "9" }]);
  live.session.drop("9");
  expect(live.actions()).toEqual([]);
});
