import { describe, expect, test } from "vitest";
import { client, error, httpTape, notice, request, result, server, tape } from "../../cases/tape.ts";

const ELICIT = { message: "Sure?" };
const accept = { action: "accept", content: { sure: true } };

describe("requests of the server", () => {
  const recorded = () =>
    tape([
      client(request(1, "tools/call", { name: "delete" })),
      server(`{"jsonrpc":"2.0","id":"s-17","method":"elicitation/create","params":{"message":"Sure?"}}`),
      client(result("s-17", accept)),
      server(notice("notifications/message", { data: "deleting" })),
      server(result(1, "gone")),
    ]);
  const call = (id: number) => request(id, "tools/call", { name: "delete" });

  test("bear fresh ids, and the exchange waits for its reply", () => {
    const live = recorded().connect();
    expect(live.say(call(40))).toEqual([request(0, "elicitation/create", ELICIT)]);
    expect(live.say(notice("notifications/x"))).toEqual([]);
    // Another id, an id of another type, an answer to nothing.
    expect(live.say(result(7, accept))).toEqual([]);
    expect(live.say(result("0", accept))).toEqual([]);
    expect(live.say(result(0, accept))).toEqual([
      notice("notifications/message", { data: "deleting" }),
      result(40, "gone"),
    ]);
    // A second answer is nobody's.
    expect(live.say(result(0, accept))).toEqual([]);
    expect(live.say(call(41))).toEqual([request(1, "elicitation/create", ELICIT)]);
  });

  test("an equal answer is no difference, whatever its spelling and metadata", () => {
    const tapes = recorded();
    const live = tapes.connect();
    live.say(call(1));
    live.say('{"result":{"_meta":{"traceparent":"x"},"content":{"sure":true},"action":"accept"},"id":0}');
    expect(tapes.player.report().differentAnswers).toEqual([]);
  });

  test.each([
    ["another result", result(0, { action: "decline" }), { action: "decline" }],
    ["an error", error(0, -32601, "no"), { error: { code: -32601, message: "no" } }],
  ])("%s is reported, and fails in strict mode", (_name, answer, live) => {
    for (const strict of [false, true]) {
      const tapes = tape(
        [
          client(call(1)),
          server(request(3, "elicitation/create", ELICIT)),
          client(result(3, accept)),
          server(result(1, "gone")),
        ],
        { strict },
      );
      const one = tapes.connect();
      one.say(call(1));
      expect(one.say(answer)).toEqual([result(1, "gone")]);
      expect(tapes.player.report().differentAnswers).toEqual([
        { label: "tools/call delete", recorded: accept, live },
      ]);
      expect(tapes.player.failed).toBe(strict);
    }
  });

  test("numbers that JavaScript cannot hold make a difference", () => {
    const tapes = tape([
      client(request(1, "a")),
      server(request(3, "sampling/createMessage")),
      client('{"id":3,"result":{"n":9007199254740993}}'),
      server(result(1, {})),
    ]);
    const live = tapes.connect();
    live.say(request(1, "a"));
    live.say('{"id":0,"result":{"n":9007199254740992}}');
    expect(tapes.player.report().differentAnswers).toHaveLength(1);
  });

  test("several at once, answered in any order", () => {
    const live = tape([
      client(request(1, "a")),
      server(request(10, "roots/list")),
      server(request(11, "sampling/createMessage")),
      client(result(10, "r")),
      client(result(11, "s")),
      server(result(1, "ok")),
    ]).connect();
    expect(live.say(request(1, "a"))).toEqual([
      request(0, "roots/list"),
      request(1, "sampling/createMessage"),
    ]);
    expect(live.say(result(1, "s"))).toEqual([]);
    expect(live.say(result(0, "r"))).toEqual([result(1, "ok")]);
  });

  test("upon initialized, they come upon initialized", () => {
    const live = tape([
      client(request(0, "initialize")),
      server(result(0, {})),
      client(notice("notifications/initialized")),
      client(request(1, "tools/list")),
      server(request(0, "roots/list")),
      server(result(1, "tools")),
      client(result(0, { roots: [] })),
      server(notice("notifications/message", { data: "got roots" })),
    ]).connect();
    live.say(request(0, "initialize"));
    expect(live.say(notice("notifications/initialized"))).toEqual([request(0, "roots/list")]);
    expect(live.say(request(1, "tools/list"))).toEqual([result(1, "tools")]);
    expect(live.say(result(0, { roots: [] }))).toEqual([
      notice("notifications/message", { data: "got roots" }),
    ]);
  });

  test("parallel exchanges on one stream each wait for their own", () => {
    const live = tape([
      client(request(1, "a")),
      client(request(2, "b")),
      server(request(0, "ask/a")),
      server(request(1, "ask/b")),
      client(result(0, "to a")),
      client(result(1, "to b")),
      server(result(1, "a")),
      server(result(2, "b")),
    ]).connect();
    expect(live.say(request("b", "b"))).toEqual([request(0, "ask/b")]);
    expect(live.say(request("a", "a"))).toEqual([request(1, "ask/a")]);
    expect(live.say(result(1, "to a"))).toEqual([result("a", "a")]);
    expect(live.say(result(0, "to b"))).toEqual([result("b", "b")]);
  });

  test("taken back: under the live id, and nothing waits", () => {
    const entries = [
      client(request(1, "a")),
      server(request("s", "elicitation/create")),
      server(notice("notifications/cancelled", { requestId: "s", reason: "late" })),
      client(result("s", accept)),
      server(result(1, "ok")),
      server(notice("notifications/cancelled", { requestId: 0 })),
    ];
    expect(tape(entries).connect().say(request(5, "a"))).toEqual([
      request(0, "elicitation/create"),
      notice("notifications/cancelled", { requestId: 0, reason: "late" }),
      result(5, "ok"),
    ]);
  });

  test("on the standalone stream they hold no answer back, and are compared all the same", () => {
    const post = { http: { method: "POST" } };
    const tapes = httpTape([
      client(request(1, "a"), post),
      server(request(0, "roots/list"), { on: "get" }),
      client(result(0, "recorded"), post),
      server(undefined, { on: "post", http: { status: 202 } }),
      server(result(1, {}), { on: { id: "1" }, http: { status: 200 } }),
    ]);
    const live = tapes.connect({ carriesStatus: true });
    expect(live.act(request(9, "a"))).toMatchObject([
      { type: "send", stream: "standalone" },
      { type: "outcome", on: "9" },
    ]);
    live.say(result(0, "live"));
    expect(tapes.player.report().differentAnswers).toEqual([
      { label: "a", recorded: "recorded", live: "live" },
    ]);
  });
});

test("a reply recorded before its question is waited for after it", () => {
  const recorded = tape([
    client(request(1, "a")),
    client(result("q", "yes")),
    server(request("q", "elicitation/create")),
    server(result(1, "done")),
  ]);
  const live = recorded.connect();
  const [asked] = live.say(request(5, "a"));
  expect(asked.method).toBe("elicitation/create");
  expect(live.say(result(asked.id, "yes"))).toEqual([result(5, "done")]);
  expect(recorded.player.report().differentAnswers).toEqual([]);
});
