import { describe, expect, test } from "vitest";
import { client, closed, error, httpTape, notice, request, result, server, tape } from "../../cases/tape.ts";

/** What a recording does not say must not be made up, and what it leaves open must not stay unsaid. */

test("a request's method without an id is answered by nothing", () => {
  const live = tape([client(request(2, "tools/list", {})), server(result(2, { tools: [] }))]).connect();
  expect(live.act(notice("tools/list", {}))).toEqual([]);
});

test("an unsupported version does not take the answer of a supported one, nor the other way round", () => {
  const ask = (id: number, version: string) =>
    request(id, "tools/call", { name: "x", _meta: { "io.modelcontextprotocol/protocolVersion": version } });
  const live = tape([
    client(ask(1, "2099-01-01")),
    server(error(1, -32022)),
    client(ask(2, "2026-07-28")),
    server(result(2, {})),
  ]).connect();
  expect(live.say(ask(7, "2026-07-28"))).toEqual([result(7, {})]);
  expect(live.say(ask(8, "2099-01-01"))).toEqual([error(8, -32022)]);
});

test("a refused log level is refused, an accepted one accepted", () => {
  const live = tape([
    client(request(1, "logging/setLevel", { level: "bogus" })),
    server(error(1, -32602)),
    client(request(2, "logging/setLevel", { level: "info" })),
    server(result(2, {})),
  ]).connect();
  expect(live.say(request(3, "logging/setLevel", { level: "info" }))).toEqual([result(3, {})]);
  expect(live.say(request(4, "logging/setLevel", { level: "bogus" }))).toEqual([error(4, -32602)]);
});

test("what followed an answer comes once, and not again with every repeat", () => {
  const live = tape([
    client(request(1, "tools/list")),
    server(result(1, { tools: [] })),
    server(notice("notifications/tools/list_changed")),
    server(request(0, "roots/list")),
    client(result(0, { roots: [] })),
  ]).connect();
  expect(live.say(request(1, "tools/list"))).toHaveLength(3);
  expect(live.say(request(2, "tools/list"))).toEqual([result(2, { tools: [] })]);
  expect(live.say(request(3, "tools/list"))).toEqual([result(3, { tools: [] })]);
});

test("a subscriber hears of every change, repeated or not", () => {
  const updated = notice("notifications/resources/updated", { uri: "a://b" });
  const live = tape([
    client(request(1, "resources/subscribe", { uri: "a://b" })),
    server(result(1, {})),
    client(request(2, "tools/call", { name: "touch" })),
    server(result(2, {})),
    server(updated),
  ]).connect();
  live.say(request(1, "resources/subscribe", { uri: "a://b" }));
  expect(live.say(request(2, "tools/call", { name: "touch" }))).toContainEqual(updated);
  expect(live.say(request(3, "tools/call", { name: "touch" }))).toContainEqual(updated);
});

describe("an answer in a recording that answers nothing is told of, with its place", () => {
  const ask = client(request(1, "a"));
  const none = "no request before it on its connection has that id";
  test.each([
    ["before its request", [server(result(1, {})), ask], 1, "1", none, true],
    [
      "with the id as text",
      [ask, server(result("1", {}))],
      2,
      '"1"',
      "line 1 asks under id 1, which is another",
      true,
    ],
    [
      "a second one",
      [ask, server(result(1, {})), server(result(1, {}))],
      3,
      "1",
      "the request of line 1 has its answer already",
      false,
    ],
    ["to a request that is not there", [server(result(7, {})), ask], 1, "7", none, false],
    ["on another connection", [ask, server(result(1, {}), { session: 2 })], 2, "1", none, false],
  ])("%s", (_what, entries, line, id, why, isMeant) => {
    const notices: string[] = [];
    const recorded = tape(entries, { onNotice: (text) => notices.push(text) });
    recorded.recording.readAll();
    const [stray, ...others] = notices.splice(0);
    expect(stray).toMatch(
      `weather.yaml:${line}: the answer with id ${id} answers nothing: ${why}. It is not served.\n  `,
    );
    expect(others).toEqual([]);
    recorded.connect().act(request(5, "a"));
    const pointed = notices.some((text) => text.includes(`\n  weather.yaml:${line} may be meant`));
    expect(pointed).toBe(isMeant);
  });

  test("an answer that crosses with its cancellation is none", () => {
    const notices: string[] = [];
    const cancel = client(notice("notifications/cancelled", { requestId: 1 }));
    tape([client(request(1, "a")), cancel, server(result(1, {}))], {
      onNotice: (text) => notices.push(text),
    }).recording.readAll();
    expect(notices).toEqual([]);
  });
});

describe("a request that was recorded without an answer", () => {
  test("leaves the client waiting, says so, and fails the run when strict", () => {
    const notices: string[] = [];
    const recorded = tape([client(request(1, "tools/call", { name: "slow" }))], {
      strict: true,
      onNotice: (text) => notices.push(text),
    });
    expect(recorded.connect().act(request(5, "tools/call", { name: "slow" }))).toEqual([]);
    expect(notices).toEqual(["tools/call slow was recorded without an answer, so the client gets none."]);
    expect(recorded.player.failed).toBe(true);
    expect(recorded.player.report().unanswered).toEqual([
      { label: "tools/call slow", asked: { name: "slow" } },
    ]);
  });

  test("is not one that was cancelled, or that a crash cut off", () => {
    const notices: string[] = [];
    const onNotice = (text: string) => notices.push(text);
    const cancelled = tape(
      [client(request(1, "a")), client(notice("notifications/cancelled", { requestId: 1 }))],
      { onNotice },
    );
    cancelled.connect().act(request(5, "a"));
    const crashed = tape([client(request(1, "a")), closed("server", { exit: 7 })], { onNotice });
    expect(crashed.connect().act(request(5, "a"))).toMatchObject([{ type: "crash", closed: { exit: 7 } }]);
    expect(notices).toEqual([]);
  });

  test("a server that fails after its client is gone crashed; one that just ends did not", () => {
    const ended = (exit: number) =>
      tape([
        client(request(1, "a")),
        closed("client", { reason: "eof" }),
        closed("server", { exit }),
      ]).connect();
    expect(ended(7).act(request(5, "a"))).toMatchObject([{ type: "crash" }]);
    expect(ended(0).act(request(5, "a"))).toEqual([]);
  });
});

test("a connection that broke breaks again, on its own stream", () => {
  const live = httpTape([
    client(request(1, "a"), { http: { method: "POST", path: "/mcp" } }),
    closed("server", { reason: "reset" }, { on: { id: "1" } }),
  ]).connect({ carriesStatus: true });
  expect(live.act(request(5, "a"))).toMatchObject([{ type: "crash", on: "5", closed: { reason: "reset" } }]);
});

test("an answer that is not the recorded one is told of at once", () => {
  const notices: string[] = [];
  const live = tape(
    [
      client(request(1, "tools/call", { name: "ask" })),
      server(request(0, "elicitation/create", { message: "?" })),
      client(result(0, { action: "accept" })),
      server(result(1, {})),
    ],
    { onNotice: (text) => notices.push(text) },
  ).connect();
  live.say(request(1, "tools/call", { name: "ask" }));
  live.say(result(0, { action: "decline" }));
  expect(notices.join()).toContain("During tools/call ask the client answers otherwise than recorded");
  expect(notices.join()).toContain('{"action":"decline"}');
});
