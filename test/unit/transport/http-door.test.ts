import { describe, expect, test } from "vitest";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import { Player } from "../../../src/replay/player.ts";
import { Recording } from "../../../src/replay/recording.ts";
import { fetchDoor } from "../../../src/transport/fetch-door.ts";
import { HttpDoor } from "../../../src/transport/http-door.ts";
import {
  client,
  closed,
  error,
  HTTP,
  MemorySource,
  notice,
  request,
  result,
  STDIO,
  server,
} from "../../cases/tape.ts";

const BOTH = "application/json, text/event-stream";
const OPEN = [
  client(request(0, "initialize", { protocolVersion: "2025-11-25" })),
  server(result(0, { protocolVersion: "2025-11-25" })),
  client(notice("notifications/initialized")),
];

function doorOf(entries: readonly Entry[], header: Header = STDIO, onNotice?: (notice: string) => void) {
  const recording = new Recording(new MemorySource(entries, header));
  const player = new Player(recording, { cassette: "a.yaml", onNotice });
  let sessions = 0;
  const door = new HttpDoor(player, {
    path: "/mcp",
    ownHosts: [],
    newSessionId: () => `session-${++sessions}`,
  });
  const send = (init: RequestInit & { path?: string; connection?: object }) =>
    fetchDoor(door, new Request(`http://127.0.0.1:1${init.path ?? "/mcp"}`, init), init.connection);
  const post = (said: unknown, headers: Record<string, string> = {}, connection?: object) =>
    send({
      method: "POST",
      body: JSON.stringify(said),
      headers: { "content-type": "application/json", accept: BOTH, ...headers },
      ...(connection ? { connection } : {}),
    });
  const open = async () => {
    const opened = await post(request(7, "initialize", { protocolVersion: "2025-11-25" }));
    return { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  };
  return { door, player, send, post, open };
}

describe("a legacy recording", () => {
  const { send, post, open, player } = doorOf([
    ...OPEN,
    client(request(1, "tools/list")),
    server(result(1, { tools: [] })),
    client(request(2, "tools/call", { name: "slow", _meta: { progressToken: 2 } })),
    server(notice("notifications/progress", { progressToken: 2, progress: 1 })),
    server(result(2, { content: [] })),
    client(request(3, "tools/call", { name: "nothing" })),
    server(error(3, -32601, "no such method")),
  ]);

  test("mints a session at initialize, and answers as JSON what is one message", async () => {
    const opened = await post(request("a", "initialize", { protocolVersion: "2025-11-25" }));
    expect(opened.status).toBe(200);
    expect(opened.headers.get("mcp-session-id")).toMatch(/^session-/);
    expect(await opened.json()).toMatchObject({ id: "a", result: { protocolVersion: "2025-11-25" } });
    expect((await post(notice("notifications/initialized"), await open())).status).toBe(202);
  });

  test("answers as a stream what is more", async () => {
    const called = await post(
      request(5, "tools/call", { name: "slow", _meta: { progressToken: "t" } }),
      await open(),
    );
    expect(called.headers.get("content-type")).toBe("text/event-stream");
    const events = (await called.text()).trim().split("\n\n");
    expect(events).toHaveLength(2);
    expect(events[0]).toContain('"progressToken":"t"');
    expect(events[1]).toContain('"id":5');
  });

  test("an error of a legacy server is no HTTP error", async () => {
    expect((await post(request(1, "tools/call", { name: "nothing" }), await open())).status).toBe(200);
  });

  test("a batch is answered as one", async () => {
    const answered = await post([request(1, "tools/list"), request(2, "ping")], await open());
    expect(((await answered.json()) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
  });

  test.each([
    ["without a session", {}, 400],
    ["in an unknown session", { "mcp-session-id": "x" }, 404],
  ])("a request %s is refused, and is no miss", async (_what, headers, status) => {
    const misses = player.report().misses.length;
    expect((await post(request(1, "tools/list"), headers)).status).toBe(status);
    expect(player.report().misses).toHaveLength(misses);
  });

  test.each([
    ["accept", { accept: "application/json" }, 406],
    ["content-type", { "content-type": "text/plain" }, 415],
    ["protocol-version", { "mcp-protocol-version": "1999-01-01" }, 400],
  ])("an improper %s header is refused", async (_name, header, status) => {
    expect((await post(request(1, "tools/list"), { ...(await open()), ...header })).status).toBe(status);
  });

  test("a session ends with DELETE", async () => {
    const headers = await open();
    expect((await send({ method: "DELETE", headers })).status).toBe(200);
    expect((await post(request(1, "tools/list"), headers)).status).toBe(404);
    expect((await send({ method: "DELETE", headers })).status).toBe(404);
  });

  test("there is one standalone stream for a session", async () => {
    const headers = { ...(await open()), accept: "text/event-stream" };
    const first = await send({ method: "GET", headers });
    expect(first.status).toBe(200);
    expect((await send({ method: "GET", headers })).status).toBe(409);
    await first.body?.cancel();
    expect((await send({ method: "GET", headers })).status).toBe(200);
  });

  test("other paths and methods are not there, and no misses", async () => {
    expect((await send({ path: "/.well-known/oauth-protected-resource" })).status).toBe(404);
    expect((await send({ method: "PUT", body: "x" })).status).toBe(405);
  });

  test("text that is no message gets a JSON-RPC error", async () => {
    const answered = await send({
      method: "POST",
      body: "{",
      headers: { "content-type": "application/json", accept: BOTH },
    });
    expect(answered.status).toBe(400);
    expect(await answered.json()).toMatchObject({ error: { code: -32700 } });
  });
});

test("a message on the standalone stream waits for a client that is about to open it", async () => {
  const { send, post, open } = doorOf([
    ...OPEN,
    client(request(1, "tools/call", { name: "announce" })),
    server(result(1, {})),
    server(notice("notifications/tools/list_changed")),
  ]);
  const headers = await open();
  await post(request(1, "tools/call", { name: "announce" }), headers);
  const stream = await send({ method: "GET", headers: { ...headers, accept: "text/event-stream" } });
  const { value } = (await stream.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain("notifications/tools/list_changed");
});

describe("a modern recording", () => {
  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const ask = (id: number | string, method: string, params: object = {}) =>
    request(id, method, { ...params, _meta: META });
  const headers = (method: string, name?: string) => ({
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  });
  const { send, post } = doorOf([
    client(ask(0, "unknown/method")),
    server(error(0, -32601, "Method not found")),
  ]);
  test("has no sessions, no GET and no DELETE; an unknown method is a 404", async () => {
    expect((await send({ method: "GET", headers: { accept: "text/event-stream" } })).status).toBe(405);
    expect((await send({ method: "DELETE" })).status).toBe(405);
    const answer = await post(ask(1, "unknown/method"), headers("unknown/method"));
    expect(answer.status).toBe(404);
    expect(answer.headers.get("mcp-session-id")).toBeNull();
  });

  test.each([
    ["never/heard", 404],
    ["logging/setLevel", 404],
    ["tools/list", 200],
  ])("a miss for %s is a %d", async (method, status) => {
    const answer = await post(ask(1, method), headers(method));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code: -32010, data: { method } } });
  });

  test("a header that contradicts the body is refused", async () => {
    const answer = await post(ask(1, "tools/call", { name: "poll" }), headers("tools/list"));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32020 } });
  });
});

describe("across the eras", () => {
  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const modernHeaders = (method: string, name?: string) => ({
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  });
  const modern = (id: number, method: string, params: object = {}) =>
    request(id, method, { ...params, _meta: META });
  const legacyTape = () =>
    doorOf([
      ...OPEN,
      client(request(1, "tools/call", { name: "ask" })),
      server(request(5, "elicitation/create", { message: "Who?" })),
      client(result(5, { action: "accept" })),
      server(result(1, { done: true })),
      client(request(2, "no/such")),
      server(error(2, -32601, "Method not found")),
      client(request(3, "hold", { a: 1, _meta: { progressToken: 3 } })),
      server(notice("notifications/progress", { progressToken: 3, progress: 1 })),
    ]);

  test("a modern client of a legacy recording has no session, and its rounds any connection", async () => {
    const { post, player } = legacyTape();
    const ask = (id: number, more: object) =>
      post(modern(id, "tools/call", { name: "ask", ...more }), modernHeaders("tools/call", "ask"), {});
    const first = await ask(1, {});
    expect(first.headers.get("mcp-session-id")).toBeNull();
    const { result: round } = (await first.json()) as { result: { requestState: string } };
    const inputResponses = { "elicitation-1": { action: "accept" } };
    const retry = await ask(2, { requestState: round.requestState, inputResponses });
    expect(await retry.json()).toMatchObject({ id: 2, result: { resultType: "complete", done: true } });
    expect(player.report().misses).toEqual([]);
  });

  test("statuses are those of the modern transport", async () => {
    const { post } = legacyTape();
    expect((await post(modern(1, "no/such"), modernHeaders("no/such"))).status).toBe(404);
    const _meta = { ...META, "io.modelcontextprotocol/clientCapabilities": {} };
    const lacking = request(2, "tools/call", { name: "ask", _meta });
    const refused = await post(lacking, modernHeaders("tools/call", "ask"));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: -32021 } });
  });

  test.each(["GET", "DELETE"])("%s of a modern client is a 405", async (method) => {
    const modernGet = { "mcp-protocol-version": "2026-07-28", accept: "text/event-stream" };
    expect((await legacyTape().send({ method, headers: modernGet })).status).toBe(405);
  });

  test("a modern client that closes a response stream has cancelled", async () => {
    const { post } = legacyTape();
    const held = await post(
      request(4, "hold", { a: 1, _meta: { ...META, progressToken: 4 } }),
      modernHeaders("hold"),
    );
    expect(held.headers.get("content-type")).toBe("text/event-stream");
    await held.body?.cancel();
    const again = await post(modern(4, "no/such"), modernHeaders("no/such"));
    expect(again.status).toBe(404);
  });

  test("a legacy client of a modern recording gets a session, and its streams", async () => {
    const subscription = (id: number) => ({ _meta: { "io.modelcontextprotocol/subscriptionId": id } });
    const serverInfo = { _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } } };
    const filter = { notifications: { toolsListChanged: true } };
    const { send, post, player } = doorOf([
      client(modern(1, "subscriptions/listen", filter)),
      server(notice("notifications/subscriptions/acknowledged", { ...filter, ...subscription(1) })),
      client(modern(2, "tools/call", { name: "install" })),
      server(notice("notifications/tools/list_changed", subscription(1))),
      server(result(2, { resultType: "complete", ...serverInfo })),
    ]);
    expect((await send({ method: "GET", headers: { accept: "text/event-stream" } })).status).toBe(405);
    const opened = await post(
      request(7, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "l" },
      }),
    );
    expect(await opened.json()).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    expect(session["mcp-session-id"]).toBe("session-1");
    expect((await post(notice("notifications/initialized"), session)).status).toBe(202);
    const stream = await send({ method: "GET", headers: { accept: "text/event-stream", ...session } });
    const called = await post(request(8, "tools/call", { name: "install" }), session);
    expect(await called.json()).toMatchObject({ id: 8, result: {} });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain("notifications/tools/list_changed");
    expect((await send({ method: "DELETE", headers: session })).status).toBe(200);
    expect((await post(request(9, "tools/call", { name: "install" }), session)).status).toBe(404);
    expect(player.report().misses).toEqual([]);
  });
});

test("of events that a recording sent once and the mock twice, a client comes back to the one it saw last", async () => {
  const on = { on: { id: "1" } };
  const stream = { http: { status: 200, headers: { "content-type": "text/event-stream" } } };
  const { send, post, open } = doorOf(
    [
      client(request(0, "initialize"), { http: { method: "POST", path: "/mcp" } }),
      server(result(0, {}), { on: { id: "0" }, http: { status: 200, headers: { "mcp-session-id": "1" } } }),
      client(request(1, "slow"), { http: { method: "POST", headers: { "mcp-session-id": "1" } } }),
      server(undefined, { ...on, ...stream, event: { id: "e1" } }),
      closed("server", { reason: "end" }, on),
      client(undefined, { ...on, http: { method: "GET", headers: { "last-event-id": "e1" } } }),
      server(result(1, { done: true }), { ...on, event: { id: "e2" } }),
    ],
    HTTP,
  );
  const session = await open();
  for (const id of [11, 12]) {
    const primed = await post(request(id, "slow"), session);
    expect(await primed.text()).toContain("id: e1");
    const back = await send({
      method: "GET",
      headers: { accept: "text/event-stream", "last-event-id": "e1", ...session },
    });
    expect(await back.text()).toContain(`"id":${id}`);
  }
});

test("a client that comes back to an event nobody sent is told so, and to one of its standalone stream is let in", async () => {
  const http = { method: "POST", path: "/mcp", headers: {} };
  const { send, post, open } = doorOf(
    [
      client(request(0, "initialize"), { http }),
      server(result(0, {}), { on: { id: "0" }, http: { status: 200, headers: { "mcp-session-id": "1" } } }),
      client(request(1, "tools/list"), { http: { ...http, headers: { "mcp-session-id": "1" } } }),
      server(result(1, { tools: [] }), { on: { id: "1" }, http: { status: 200 } }),
      server(notice("notifications/tools/list_changed"), { on: "get", event: { id: "alone-1" } }),
    ],
    HTTP,
  );
  const session = await open();
  const back = (id: string) =>
    send({ method: "GET", headers: { accept: "text/event-stream", "last-event-id": id, ...session } });
  await post(request(7, "tools/list"), session);
  const alone = await send({ method: "GET", headers: { accept: "text/event-stream", ...session } });
  const reader = (alone.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain("id: alone-1");
  await reader.cancel();
  const unknown = await back("never-sent");
  expect([unknown.status, await unknown.text()]).toEqual([
    400,
    expect.stringContaining("Unknown Last-Event-ID"),
  ]);
  const again = await back("alone-1");
  expect(again.status).toBe(200);
  await again.body?.cancel();
});

test("of a 401 and an answer, a client gets what was recorded for the credentials it shows", async () => {
  const http = { method: "POST", path: "/mcp", headers: {} };
  const shown = { ...http, headers: { authorization: "Bearer good" } };
  const { post } = doorOf(
    [
      client(request(0, "tools/list"), { http }),
      server(undefined, {
        on: { id: "0" },
        http: { status: 401, headers: { "www-authenticate": "Bearer" } },
      }),
      client(request(0, "tools/list"), { http: shown }),
      server(result(0, { tools: [] }), { on: { id: "0" }, http: { status: 200 } }),
    ],
    HTTP,
  );
  const refused = await post(request(1, "tools/list"));
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  expect((await post(request(2, "tools/list"), { authorization: "Bearer good" })).status).toBe(200);
});

test("a redirect leads to where it led, and a path nobody recorded is told of", async () => {
  const notices: string[] = [];
  const at = (path: string) => ({ http: { method: "POST", path } });
  const { send, post } = doorOf(
    [
      client(request(0, "tools/list"), at("/mcp")),
      server(undefined, { on: { id: "0" }, http: { status: 307, headers: { location: "/mcp/" } } }),
      client(request(0, "tools/list"), at("/mcp/")),
      server(result(0, { tools: [] }), { on: { id: "0" }, http: { status: 200 } }),
    ],
    HTTP,
    (notice) => notices.push(notice),
  );
  const first = await post(request(1, "tools/list"));
  expect(first.status).toBe(307);
  const headers = { "content-type": "application/json", accept: BOTH };
  const body = JSON.stringify(request(1, "tools/list"));
  const path = first.headers.get("location") ?? "";
  expect(await (await send({ method: "POST", path, headers, body })).json()).toMatchObject({ id: 1 });
  expect((await send({ method: "POST", path: "/mpc", headers, body })).status).toBe(404);
  expect((await send({ path: "/.well-known/oauth-protected-resource" })).status).toBe(404);
  expect(notices).toEqual(["A client asks at /mpc, but the cassette answers at /mcp: 404."]);
});

test("a recording without session ids is served without", async () => {
  const { post } = doorOf(
    [
      client(request(0, "initialize", { protocolVersion: "2025-11-25" }), {
        http: { method: "POST", path: "/mcp" },
      }),
      server(result(0, { protocolVersion: "2025-11-25" }), { on: { id: "0" }, http: { status: 200 } }),
    ],
    HTTP,
  );
  const opened = await post(request(1, "initialize", { protocolVersion: "2025-11-25" }));
  expect(opened.status).toBe(200);
  expect(opened.headers.get("mcp-session-id")).toBeNull();
});

test("clients without session ids are told apart by their connections and by counting ids", async () => {
  const http = { method: "POST", path: "/mcp", headers: {} };
  const said = (id: number, answer: string) => [
    client(request(id, "tools/call", { name: "poll" }), { http }),
    server(result(id, answer), { on: { id: String(id) }, http: { status: 200 } }),
  ];
  const { post } = doorOf(
    [
      client(request(0, "initialize"), { http }),
      server(result(0, {}), { on: { id: "0" }, http: { status: 200 } }),
      ...said(1, "working"),
      ...said(2, "done"),
    ],
    HTTP,
  );
  const opened = async (id: number | string, connection: object) => {
    await post(request(id, "initialize", { clientInfo: { name: String(id) } }), {}, connection);
    return connection;
  };
  const polled = async (id: number | string, connection: object) => {
    const answer = await post(request(id, "tools/call", { name: "poll" }), {}, connection);
    return ((await answer.json()) as { result: string }).result;
  };
  const [one, two] = [await opened(100, {}), await opened("x0", {})];
  expect(await polled(101, one)).toBe("working");
  expect(await polled("x1", two)).toBe("working");
  expect(await polled(102, {})).toBe("done");
  expect(await polled("x2", {})).toBe("done");
  expect(await polled(101, await opened(100, {}))).toBe("working");
});
