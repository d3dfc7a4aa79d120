import { afterEach, describe, expect, test, vi } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { type JsonRpcMessage, MemoryTransport } from "../../../src/transport/memory.ts";
import { client, closed, notice, request, result, server, type TapeOptions, tape } from "../../cases/tape.ts";

/** A transport that is started, and what came over it. */
async function connected(entries: readonly Entry[], options?: TapeOptions) {
  const { player } = tape(entries, options);
  const got: unknown[] = [];
  const ended: string[] = [];
  const transport = new MemoryTransport(player, () => ended.push("told"));
  transport.onmessage = (message) => got.push(message);
  transport.onclose = () => ended.push("closed");
  transport.onerror = (error) => ended.push(error.message);
  await transport.start();
  return {
    player,
    transport,
    got,
    ended,
    send: (message: object) => transport.send(message as JsonRpcMessage),
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const WALK = [client(request(1, "tools/list")), server(result(1, { tools: [] }))];
const CALL = { name: "count", _meta: { progressToken: 7 } };
const PROGRESS = [
  client(request(2, "tools/call", CALL)),
  server(notice("notifications/progress", { progressToken: 7, progress: 1 })),
  server(result(2, { content: [] })),
];

test("an answer comes under the live id, after the request was sent", async () => {
  const { send, got } = await connected(WALK);
  const sending = send(request("x", "tools/list"));
  expect(got).toEqual([]);
  await sending;
  await turn();
  expect(got).toEqual([result("x", { tools: [] })]);
});

test("a miss is an error on the wire, and in the report", async () => {
  const { send, got, player } = await connected(WALK);
  await send(request(1, "tools/call", { name: "x" }));
  await turn();
  expect(got).toMatchObject([{ id: 1, error: { code: -32010, data: { reason: "unrecorded" } } }]);
  expect(player.report().misses).toHaveLength(1);
});

test("numbers that JavaScript cannot hold come as JSON.parse gives them", async () => {
  const { send, got } = await connected([
    client(request(1, "tools/list")),
    server('{"jsonrpc":"2.0","id":1,"result":{"big":9007199254740993,"one":1.0}}'),
  ]);
  await send(request(1, "tools/list"));
  await turn();
  expect(got).toEqual([result(1, { big: 9007199254740992, one: 1 })]);
});

describe("with a test's fake timers", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("an outcome after progress comes all the same, a turn later", async () => {
    vi.useFakeTimers();
    const { send, got } = await connected(PROGRESS);
    await send(request(5, "tools/call", { ...CALL, _meta: { progressToken: "t" } }));
    await vi.waitFor(() => expect(got).toHaveLength(2), { interval: 1 });
    expect(got).toEqual([
      notice("notifications/progress", { progressToken: "t", progress: 1 }),
      result(5, { content: [] }),
    ]);
  });
});

test("an outcome is kept apart from the notification before it", async () => {
  const { send, got } = await connected(PROGRESS);
  await send(request(5, "tools/call", CALL));
  await Promise.resolve();
  expect(got).toHaveLength(1);
  await turn();
  expect(got).toHaveLength(2);
});

describe("closing", () => {
  test("is told once, and nothing comes after it", async () => {
    const { transport, send, got, ended } = await connected(WALK);
    const sending = send(request(1, "tools/list"));
    await transport.close();
    await transport.close();
    await sending;
    await turn();
    expect(got).toEqual([]);
    expect(ended).toEqual(["told", "closed"]);
    await expect(send(request(2, "tools/list"))).rejects.toThrow("closed");
  });

  test("takes what a client listens for along: the next one hears of changes", async () => {
    const META = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const listen = (id: number) =>
      request(id, "subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: META });
    const SUBSCRIPTION = { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } };
    const first = await connected([
      client(listen(1)),
      server(notice("notifications/subscriptions/acknowledged", SUBSCRIPTION)),
      client(request(2, "tools/call", { name: "announce", _meta: META })),
      server(notice("notifications/tools/list_changed", SUBSCRIPTION)),
      server(result(2, { resultType: "complete", content: [] })),
    ]);
    await first.send(listen(1));
    await first.transport.close();
    const heard: JsonRpcMessage[] = [];
    const second = new MemoryTransport(first.player, () => {});
    second.onmessage = (message) => heard.push(message);
    await second.start();
    await second.send(request(2, "tools/call", { name: "announce", _meta: META }) as JsonRpcMessage);
    await turn();
    // Nobody listens, so nobody is told, and nothing fails.
    expect(heard.map(({ method, id }) => method ?? id)).toEqual([2]);
    expect(first.player.failed).toBe(false);
  });

  test("a recorded death of the server closes the connection", async () => {
    const { send, ended } = await connected([
      client(request(1, "tools/call", { name: "die" })),
      closed("server", { exit: 3 }),
    ]);
    await send(request(1, "tools/call", { name: "die" }));
    await turn();
    expect(ended).toEqual(["told", "closed"]);
  });
});

describe("wrong use", () => {
  test("is told: before the start, and a second start", async () => {
    const transport = new MemoryTransport(tape(WALK).player, () => {});
    await expect(transport.send({ jsonrpc: "2.0", method: "x" })).rejects.toThrow("not started");
    await transport.start();
    await expect(transport.start()).rejects.toThrow("take a new one for every client");
    await transport.close();
    await expect(transport.start()).rejects.toThrow("closed");
  });

  test("a client's handler that throws is told so", async () => {
    const { transport, send, ended } = await connected(WALK);
    transport.onmessage = () => {
      throw new Error("no");
    };
    await send(request(1, "tools/list"));
    await turn();
    expect(ended).toEqual(["no"]);
  });
});
