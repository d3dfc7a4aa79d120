import { describe, expect, test } from "vitest";
import { client, notice, request, result, server, tape } from "../../cases/tape.ts";

const cancel = (requestId: unknown) => notice("notifications/cancelled", { requestId });

describe("a request that was cancelled in the recording", () => {
  test("gets no answer until the live client cancels, and none then", () => {
    const live = tape([
      client(request(1, "slow", { _meta: { progressToken: 1 } })),
      server(notice("notifications/progress", { progressToken: 1, progress: 1 })),
      client(cancel(1)),
      client(request(2, "next")),
      server(result(2, {})),
    ]).connect();
    const asked = request("a", "slow", { _meta: { progressToken: "p" } });
    expect(live.say(asked)).toEqual([notice("notifications/progress", { progressToken: "p", progress: 1 })]);
    expect(live.say(request(3, "next"))).toEqual([result(3, {})]);
    expect(live.say(cancel("a"))).toEqual([]);
    expect(live.say(cancel("a"))).toEqual([]);
  });

  test("and answered all the same is answered after the live cancellation", () => {
    const live = tape([client(request(1, "slow")), client(cancel(1)), server(result(1, "late"))]).connect();
    expect(live.say(request(8, "slow"))).toEqual([]);
    expect(live.say(cancel(1))).toEqual([]);
    expect(live.say(cancel("8"))).toEqual([]);
    expect(live.say(cancel(8))).toEqual([result(8, "late")]);
    expect(live.say(cancel(8))).toEqual([]);
  });

  test("while it asked: what was not reached is passed over", () => {
    const live = tape([
      client(request(1, "slow")),
      server(request(0, "roots/list")),
      client(result(0, {})),
      server(request(1, "elicitation/create")),
      client(cancel(1)),
      server(notice("notifications/cancelled", { requestId: 1 })),
    ]).connect();
    expect(live.say(request(5, "slow"))).toEqual([request(0, "roots/list")]);
    // The second question was never asked of this client, so it is not taken back either.
    expect(live.say(cancel(5))).toEqual([]);
    expect(live.say(result(0, {}))).toEqual([]);
  });
});

describe("a live cancellation", () => {
  const asking = () =>
    tape([
      client(request(1, "ask")),
      server(request(0, "elicitation/create")),
      client(result(0, {})),
      server(result(1, "done")),
      server(notice("notifications/message", { data: "after" })),
      client(request(2, "plain")),
      server(result(2, {})),
    ]);

  test("stops an exchange in flight, and nothing more is sent for it", () => {
    const live = asking().connect();
    live.say(request(4, "ask"));
    expect(live.say(cancel(4))).toEqual([]);
    expect(live.say(result(0, {}))).toEqual([]);
    expect(live.say(cancel(4))).toEqual([]);
    expect(live.say(request(5, "plain"))).toEqual([result(5, {})]);
  });

  test.each([77, "4", null, undefined, 5])("of %s, which is not in flight, does nothing", (id) => {
    const live = asking().connect();
    live.say(request(5, "plain"));
    live.say(request(4, "ask"));
    expect(live.say(cancel(id))).toEqual([]);
    expect(live.say(result(0, {}))).toEqual([
      result(4, "done"),
      notice("notifications/message", { data: "after" }),
    ]);
  });

  test("the id may be in another spelling", () => {
    const live = asking().connect();
    live.say('{"id":"\\u00e9","method":"ask"}');
    live.say(cancel("é"));
    expect(live.say(result(0, {}))).toEqual([]);
  });

  test("of a request with the same id as one of the server", () => {
    const live = asking().connect();
    expect(live.say(request(0, "ask"))).toEqual([request(0, "elicitation/create")]);
    expect(live.say(cancel(0))).toEqual([]);
    expect(live.say(result(0, {}))).toEqual([]);
  });

  test("too late brings what a recorded one too late brought, whatever its id", () => {
    const log = notice("notifications/message", { data: "too late" });
    const live = tape([
      client(request(1, "a")),
      server(result(1, {})),
      client(notice("notifications/cancelled", { requestId: 1, reason: "timeout" })),
      server(log),
    ]).connect();
    live.say(request(900, "a"));
    expect(live.say(cancel(900))).toEqual([log]);
  });

  test("the stream dropped is the same, where the door says so", () => {
    const live = asking().connect();
    live.say(request(4, "ask"));
    live.session.drop("4");
    live.session.drop("77");
    expect(live.say(result(0, {}))).toEqual([]);
  });

  test("a repeat of the request is an exchange of its own", () => {
    const live = asking().connect();
    live.say(request(4, "ask"));
    live.say(cancel(4));
    expect(live.say(request(4, "ask"))).toEqual([request(1, "elicitation/create")]);
    expect(live.say(result(0, {}))).toEqual([]);
    expect(live.say(result(1, {}))[0]).toEqual(result(4, "done"));
  });
});
