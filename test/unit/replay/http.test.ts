import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { client, closed, httpTape, notice, request, result, server, textOf } from "../../cases/tape.ts";

const post = (headers: Record<string, string> = {}) => ({ http: { method: "POST", path: "/mcp", headers } });
const on = (id: string) => ({ on: { id } });
const status = (code: number, headers?: Record<string, string>) => ({
  http: { status: code, ...(headers && { headers }) },
});
const HTTP_DOOR = { carriesStatus: true };

describe("statuses", () => {
  const challenge = { "www-authenticate": "Bearer" };
  const recorded = () =>
    httpTape([
      client(request(0, "initialize"), post()),
      server("Unauthorized", { ...on("0"), ...status(401, challenge) }),
      client(request(0, "initialize"), post({ authorization: "Bearer a" })),
      server(result(0, "for a"), { ...on("0"), ...status(200) }),
      client(request(0, "initialize"), post({ authorization: "Bearer b" })),
      server(result(0, "for b"), { ...on("0"), ...status(200) }),
    ]);
  const unauthorized = { type: "status", on: "7", http: { status: 401, headers: challenge } };

  test("401 without credentials, the answer with them, whose they are", () => {
    const live = recorded().connect(HTTP_DOOR);
    const [refused] = live.act(request(7, "initialize"));
    expect(refused).toMatchObject(unauthorized);
    expect(refused?.type === "status" && refused.body && textOf(refused.body)).toBe("Unauthorized");
    expect(live.say(request(7, "initialize"), { authorization: "Bearer b" })).toEqual([result(7, "for b")]);
    expect(live.say(request(7, "initialize"), { authorization: "Bearer a" })).toEqual([result(7, "for a")]);
    expect(live.say(request(7, "initialize"), { authorization: "Bearer x" })).toEqual([result(7, "for a")]);
    expect(live.act(request(7, "initialize"))).toMatchObject([unauthorized]);
  });

  test("credentials do not matter where the recording always showed the same", () => {
    const live = httpTape([
      client(request(1, "a"), post({ authorization: "Bearer a" })),
      server(result(1, 1), { ...on("1"), ...status(200) }),
      client(request(1, "a"), post({ authorization: "Bearer a" })),
      server(result(1, 2), { ...on("1"), ...status(200) }),
    ]).connect(HTTP_DOOR);
    expect([live.say(request(1, "a")), live.say(request(1, "a"), { authorization: "x" })]).toEqual([
      [result(1, 1)],
      [result(1, 2)],
    ]);
  });

  test("a door that carries none passes them over, and misses what is nothing else", () => {
    expect(recorded().connect().say(request(7, "initialize"))).toEqual([result(7, "for a")]);
    const only = httpTape([
      client(request(1, "a"), post()),
      server(undefined, { ...on("1"), ...status(503) }),
      client(notice("n"), post()),
      server("no", { on: "post", ...status(400) }),
    ]);
    expect(only.connect(HTTP_DOOR).act(request(2, "a"))).toMatchObject([{ type: "status", on: "2" }]);
    expect(only.connect().say(notice("n"))).toEqual([]);
    expect(only.player.failed).toBe(false);
    expect(only.connect().say(request(2, "a"))[0].error.data).toMatchObject({ reason: "status", label: "a" });
    expect(only.player.report()).toMatchObject({ hits: 1 });
  });

  test("4xx with a body that names no request", () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}';
    const recorded = httpTape([
      client(request(1, "a"), post()),
      server(body, { ...on("1"), ...status(400, { "content-type": "application/json" }) }),
    ]);
    const [action] = recorded.connect(HTTP_DOOR).act(request(2, "a"));
    expect(action).toMatchObject({ type: "status", on: "2", http: { status: 400 } });
    expect(action?.type === "status" && action.body && textOf(action.body)).toBe(body);
    expect(recorded.connect().say(request(2, "a"))[0]).toMatchObject({ id: 2, error: { code: -32010 } });
  });

  test("an error that names its request is a message on every door", () => {
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } };
    const recorded = httpTape([
      client(request(1, "a"), post()),
      server(refusal, { ...on("1"), ...status(404) }),
    ]);
    expect(recorded.connect(HTTP_DOOR).act(request(2, "a"))).toMatchObject([
      { type: "outcome", http: { status: 404 } },
    ]);
    expect(recorded.connect().say(request(2, "a"))).toEqual([{ ...refusal, id: 2 }]);
  });
});

describe("improper requests", () => {
  const META = {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const call = request(1, "tools/call", { name: "a", ...META });
  const proper = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "a" };
  const mismatch = (id: unknown) => ({ jsonrpc: "2.0", id, error: { code: -32020, message: "mismatch" } });
  const refused = [
    client(call, post({ ...proper, "mcp-name": "b" })),
    server(mismatch(1), { ...on("1"), ...status(400) }),
  ];
  const answered = [client(call, post(proper)), server(result(1, "ok"), { ...on("1"), ...status(200) })];
  const flawed = { flaws: ["mcp-name"] };

  test("a recorded refusal is never served to a proper request, and the other way round", () => {
    const live = httpTape([...refused, ...answered]).connect(HTTP_DOOR);
    expect(live.say(call)).toEqual([result(1, "ok")]);
    expect(live.say(call, flawed)).toEqual([mismatch(1)]);
    expect(live.taken).toBe(true);
  });

  test("one that was not recorded so is the door's to refuse, and no miss", () => {
    const recorded = httpTape(answered);
    const live = recorded.connect(HTTP_DOOR);
    for (const said of [call, [call], notice("n"), result(0, {})]) {
      expect(live.act(said, flawed)).toEqual([]);
      expect(live.taken).toBe(false);
    }
    expect(recorded.player.failed).toBe(false);
  });

  test("a proper one recorded improperly alone is a miss, which does not call that the nearest", () => {
    const recorded = httpTape(refused);
    const [answer] = recorded.connect(HTTP_DOOR).say(call);
    expect(answer.error.data).toMatchObject({ reason: "unrecorded", recorded: 0 });
    expect(answer.error.data.nearest).toBeUndefined();
  });

  test("what only the refusal shows to be improper", () => {
    const refusedForParam = [client(call, post(proper)), server(mismatch(1), { ...on("1"), ...status(400) })];
    const live = httpTape([...refusedForParam, ...answered, ...refused]).connect(HTTP_DOOR);
    expect(live.say(call)).toEqual([result(1, "ok")]);
    expect(live.say(call, { flaws: ["mcp-param"] })).toEqual([mismatch(1)]);
    // Improper in itself and refused: that is one flaw, not two.
    expect(live.say(call, flawed)).toEqual([mismatch(1)]);
  });

  test("a session that was over is no recording of the request", () => {
    const list = request(1, "tools/list");
    const gone = { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } };
    const entries = [
      client(list, post({ "mcp-session-id": "unknown" })),
      server(gone, { ...on("1"), ...status(404) }),
      client(list, post({ "mcp-session-id": "1" })),
      server(result(1, "tools"), { ...on("1"), ...status(200) }),
    ];
    expect(httpTape(entries).connect(HTTP_DOOR).say(list)).toEqual([result(1, "tools")]);
  });

  test("a notification is as proper as its request", () => {
    const log = notice("notifications/message", { data: "heard" });
    const live = httpTape([
      client(notice("n"), post({ accept: "text/html" })),
      server("Not Acceptable", { on: "post", ...status(406) }),
      client(notice("n"), post()),
      server(undefined, { on: "post", ...status(202) }),
      server(log, { on: "get" }),
    ]).connect(HTTP_DOOR);
    expect(live.act(notice("n"), { flaws: ["accept"] })).toMatchObject([{ type: "status" }]);
    expect(live.say(notice("n"))).toEqual([log]);
  });
});

describe("event streams", () => {
  const stream = { http: { status: 200, headers: { "content-type": "text/event-stream" } } };
  const entries: Entry[] = [
    client(request(1, "a"), post()),
    server(undefined, { ...on("1"), ...stream, event: { id: "e0", retry: 10 } }),
    server(notice("notifications/message", {}), { ...on("1"), event: { id: "e1" } }),
    closed("server", { reason: "end" }, on("1")),
    client(undefined, { ...on("1"), http: { method: "GET", headers: { "last-event-id": "e1" } } }),
    server(result(1, "ok"), { ...on("1"), event: { id: "e2" } }),
  ];

  test("are primed, end, and go on when the client comes back", () => {
    const live = httpTape(entries).connect(HTTP_DOOR);
    expect(live.act(request("x", "a"))).toMatchObject([
      { type: "event", on: '"x"', event: { id: "e0", retry: 10 } },
      { type: "send", on: '"x"', stream: "own", event: { id: "e1" } },
      { type: "end", on: '"x"' },
    ]);
    live.session.resume("77");
    expect(live.actions()).toEqual([]);
    live.session.resume('"x"');
    expect(live.actions()).toMatchObject([{ type: "outcome", on: '"x"', event: { id: "e2" } }]);
    live.session.resume('"x"');
    expect(live.actions()).toEqual([]);
  });

  test("a door without streams resumes while the end is being told", () => {
    const recorded = httpTape(entries);
    const said: string[] = [];
    const session = recorded.player.connect({
      carriesStatus: false,
      timer: (_ms, then) => {
        then();
        return () => undefined;
      },
      act: (action) => {
        said.push(action.type);
        if (action.type === "end" && action.on !== undefined) session.resume(action.on);
      },
    });
    session.receive(recorded.recording.at({ entry: 0, item: -1 }).message);
    expect(said).toEqual(["event", "send", "end", "outcome"]);
  });
});

describe("a crash", () => {
  test("comes where it came, after what was said before it", () => {
    const live = httpTape(
      [client(request(1, "a")), server(notice("notifications/message", {})), closed("server", { exit: 3 })],
      { header: { recorded: "", recorder: "", source: { transport: "stdio", command: ["x"] } } },
    ).connect();
    expect(live.act(request(5, "a"))).toMatchObject([
      { type: "send" },
      { type: "crash", closed: { exit: 3 } },
    ]);
    expect(live.say(notice("notifications/cancelled", { requestId: 5 }))).toEqual([]);
  });
});
