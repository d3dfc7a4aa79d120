import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { client, closed, httpTape, notice, request, result, server, tape } from "../../cases/tape.ts";

const initialize = (name = "t") => request(0, "initialize", { clientInfo: { name } });
const call = (n: number) => request(1, "tools/call", { name: "n", arguments: { n } });

function longRecording(exchanges: number, opening: readonly Entry[]): Entry[] {
  const entries = [...opening, client(notice("notifications/initialized"))];
  for (let n = 0; n < exchanges; n++) entries.push(client(call(n)), server(result(1, n)));
  return entries;
}

describe("a long recording is read as it is needed", () => {
  const opening = [client(initialize()), server(result(0, "welcome"))];
  const SLICE = 2_000;

  test("initialize is answered before the rest is read", () => {
    const recorded = tape(longRecording(50_000, opening));
    expect(recorded.source.handedOut).toBe(0);
    expect(recorded.connect().say(initialize())).toEqual([result(0, "welcome")]);
    expect(recorded.source.handedOut).toBe(SLICE);
    // Another client of the same name needs no more.
    expect(recorded.connect().say(initialize())).toEqual([result(0, "welcome")]);
    expect(recorded.source.handedOut).toBe(SLICE);
    expect(recorded.recording.era).toBe("legacy");
    expect(recorded.source.handedOut).toBe(SLICE);
  });

  test("also with notifications before and after its answer", () => {
    const log = notice("notifications/message", { data: 1 });
    const recorded = tape(
      longRecording(10_000, [client(initialize()), server(log), server(result(0, "welcome")), server(log)]),
    );
    expect(recorded.connect().say(initialize())).toEqual([log, result(0, "welcome"), log]);
    expect(recorded.source.handedOut).toBe(SLICE);
  });

  test("not before all that follows its answer is read", () => {
    const log = notice("notifications/message", { data: 1 });
    const before = new Array<Entry>(SLICE - 2).fill(server(log));
    const recorded = tape(
      longRecording(10_000, [client(initialize()), ...before, server(result(0, "welcome")), server(log)]),
    );
    expect(recorded.connect().say(initialize()).slice(-2)).toEqual([result(0, "welcome"), log]);
    expect(recorded.source.handedOut).toBe(2 * SLICE);
  });

  test("not for a client of another name, who may be recorded further on", () => {
    const recorded = tape([
      ...longRecording(5_000, opening),
      client(initialize("late"), { session: 2 }),
      server(result(0, "late"), { session: 2 }),
    ]);
    expect(recorded.connect().say(initialize("late"))).toEqual([result(0, "late")]);
    expect(recorded.connect().say(initialize("nobody"))).toEqual([result(0, "welcome")]);
  });

  test("it is answered the same, however much is read already", () => {
    const entries = [
      ...longRecording(3_000, opening),
      ...[client(initialize(), { session: 2 }), server(result(0, "second"), { session: 2 })],
    ];
    const early = tape(entries);
    const late = tape(entries);
    late.recording.readAll();
    expect(early.connect().say(initialize())).toEqual(late.connect().say(initialize()));
  });

  test("everything else waits for the whole; then nothing is read again", () => {
    const recorded = tape(longRecording(20_000, opening));
    const live = recorded.connect();
    expect(live.say(call(19_999))).toEqual([result(1, 19_999)]);
    expect(recorded.source.handedOut).toBe(40_003);
    expect(recorded.recording.advance()).toBe(false);
    const before = recorded.source.lookUps;
    live.say(call(7));
    expect(recorded.source.lookUps - before).toBe(1);
  });
});

describe("what takes long when it is done naively", () => {
  test("one question 50,000 times", () => {
    const entries: Entry[] = [];
    for (let n = 0; n < 50_000; n++) entries.push(client(request(n, "poll")), server(result(n, n)));
    const live = tape(entries).connect();
    for (let n = 0; n < 50_000; n++) {
      const [answer] = live.texts('{"id":1,"method":"poll"}');
      if (answer !== `{"jsonrpc":"2.0","id":1,"result":${n}}`) throw new Error(`${n}: ${answer}`);
    }
  });

  test("50,000 notifications while two requests are open, and as many answers nobody asked for", () => {
    const log = server(notice("notifications/message", {}));
    const entries = [client(request(1, "a")), client(request(2, "b")), ...new Array(50_000).fill(log)];
    entries.push(server(result(1, {})), ...new Array(50_000).fill(server(result(1, {}))));
    expect(tape(entries).recording.exchanges.map(({ exchange }) => exchange.steps.length)).toEqual([
      1, 50_000,
    ]);
  });

  test("5,000 requests in flight, each asking", () => {
    const ids = Array.from({ length: 5_000 }, (_, id) => id);
    const entries = [
      ...ids.map((id) => client(request(id, "a", { id }))),
      ...ids.map((id) => server(request(id, "ask"))),
      ...ids.map((id) => client(result(id, {}))),
      ...ids.map((id) => server(result(id, {}))),
    ];
    const steps = tape(entries).recording.exchanges.map(({ exchange }) => exchange.steps.length);
    expect(new Set(steps)).toEqual(new Set([3]));
  });

  test("a batch of 5,000", () => {
    const batch = Array.from({ length: 5_000 }, (_, id) => request(id, "a", { id }));
    const recorded = tape([client(batch), server(batch.map(({ id }) => result(id, id)))]);
    expect(recorded.connect().say(batch)).toHaveLength(5_000);
  });

  test("20,000 equal questions that were all refused", () => {
    const on = { on: { id: "1" } };
    const http = { http: { method: "POST", headers: { "mcp-session-id": "1" } } };
    const gone = '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}';
    const entries: Entry[] = [];
    for (let n = 0; n < 20_000; n++)
      entries.push(client(request(1, "a"), http), server(gone, { ...on, http: { status: 404 } }));
    const recorded = httpTape([...entries, client(request(1, "a"), http), server(result(1, "ok"), on)]);
    expect(recorded.connect({ carriesStatus: true }).say(request(1, "a"))).toEqual([result(1, "ok")]);
  });

  test("200 misses against 20,000 recordings of the method", () => {
    const recorded = tape(longRecording(20_000, []));
    const live = recorded.connect();
    for (let n = 0; n < 200; n++) live.texts(request(1, "tools/call", { name: `other ${n % 7}` }));
    expect(recorded.player.report().misses).toHaveLength(200);
  });

  test("1,000 recorded connections that nothing tells apart", () => {
    const entries: Entry[] = [];
    for (let session = 1; session <= 1_000; session++) {
      entries.push(client(initialize(), { session }), server(result(0, session), { session }));
      for (let n = 0; n < 5; n++)
        entries.push(client(call(n), { session }), server(result(1, session), { session }));
    }
    const recorded = tape(entries);
    for (let i = 0; i < 200; i++) {
      const live = recorded.connect();
      expect(live.say(initialize())).toEqual([result(0, 1)]);
      for (let n = 0; n < 5; n++) expect(live.say(call(n))).toEqual([result(1, 1)]);
    }
  });
});

describe("what a recording tells of its server", () => {
  const post = { http: { method: "POST", path: "/mcp" } };

  test("path, sessions and the standalone stream", () => {
    const { recording } = httpTape([
      client(initialize(), post),
      server(result(0, {}), { on: { id: "0" }, http: { status: 200, headers: { "mcp-session-id": "1" } } }),
      client(undefined, { http: { method: "GET", path: "/mcp" } }),
      server("no", { on: "get", http: { status: 405 } }),
    ]);
    expect(recording.path).toBe("/mcp");
    expect(recording.sessionless).toBe(false);
    expect(recording.standaloneStatus).toBe(405);
    expect(recording.isPair).toBe(false);
  });

  test("without them", () => {
    const { recording } = httpTape([client(initialize(), { http: { method: "POST" } })]);
    expect([recording.path, recording.sessionless, recording.standaloneStatus]).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect(tape([]).recording.sessionless).toBe(false);
    expect(tape([]).recording.path).toBeUndefined();
  });

  test("the schemas of its tools, the last ones", () => {
    const list = (id: number, type: string) => [
      client(request(id, "tools/list")),
      server(result(id, { tools: [{ name: "a", inputSchema: { type } }, { name: "b" }, 7] })),
    ];
    const { recording } = tape([...list(1, "object"), ...list(2, "array"), client(request(3, "tools/list"))]);
    expect(recording.inputSchemaFor("tools/call", { name: "a" })).toEqual({ type: "array" });
    expect(recording.inputSchemaFor("tools/call", { name: "b" })).toBeUndefined();
    expect(recording.inputSchemaFor("prompts/get", { name: "a" })).toBeUndefined();
  });

  test("its eras", () => {
    const modern = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
    const both = tape([
      client(request(1, "server/discover", modern)),
      client(initialize()),
      client(request(2, "a", modern)),
    ]);
    expect(both.recording.era).toBe("legacy");
    expect([both.recording.speaks("legacy"), both.recording.speaks("modern")]).toEqual([true, true]);
    expect(tape([client(request(1, "a", modern))]).recording.era).toBe("modern");
    expect(tape([client(request(1, "a"))]).recording.era).toBeUndefined();
  });
});

test("two requests with one id at once are told of, with their lines", () => {
  const notices: string[] = [];
  const recorded = tape(
    [
      client(request(1, "a")),
      client(request(1, "b")),
      server(result(1, {})),
      // Asked again after it was answered or given up, an id is free.
      client(request(1, "a")),
      client(notice("notifications/cancelled", { requestId: 1 })),
      client(request(1, "a")),
    ],
    { onNotice: (notice) => notices.push(notice) },
  );
  recorded.recording.readAll();
  expect(notices).toEqual([
    "weather.yaml:2: the request with id 1 is asked while the one of line 1, with the same id, waits for its answer: " +
      "that one stays without.\n  Give one of the two, and its answer, another id.",
  ]);
});

test("a request that is sent again after its stream broke may keep its id", () => {
  const notices: string[] = [];
  const broken = closed("server", { reason: "reset" }, { on: { id: "1" } });
  const asked = client(request(1, "a"), { http: { method: "POST" } });
  httpTape([asked, broken, asked], {
    onNotice: (notice) => notices.push(notice),
  }).recording.readAll();
  expect(notices).toEqual([]);
});
