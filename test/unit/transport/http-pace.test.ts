import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { Player } from "../../../src/replay/player.ts";
import { Recording } from "../../../src/replay/recording.ts";
import { fetchDoor } from "../../../src/transport/fetch-door.ts";
import { HttpDoor } from "../../../src/transport/http-door.ts";
import { client, closed, HTTP, MemorySource, notice, request, result, server } from "../../cases/tape.ts";

/** At a pace, what kind of response a request gets is known only when its time has come. */

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const headersOf = (method: string) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(method === "tools/call" ? { "mcp-name": "slow" } : {}),
});
const call = (id: number) =>
  request(id, "tools/call", { name: "slow", _meta: { ...META, progressToken: id } });
const list = (id: number, cursor: string) => request(id, "tools/list", { cursor, _meta: META });
const posted = (at: number, method = "tools/list") => ({
  at,
  http: { method: "POST", path: "/mcp", headers: headersOf(method) },
});

const LISTS = [
  client(list(1, "json"), posted(0)),
  server(result(1, { tools: [] }), { at: 5_000, on: { id: "1" }, http: { status: 200 } }),
  client(list(2, "refused"), posted(6_000)),
  server(undefined, { at: 8_000, on: { id: "2" }, http: { status: 429, headers: { "retry-after": "1" } } }),
];

function open(entries: readonly Entry[] = LISTS) {
  const player = new Player(new Recording(new MemorySource(entries, HTTP)), {
    cassette: "a.yaml",
    pace: { factor: 1, max: Number.POSITIVE_INFINITY },
  });
  const door = new HttpDoor(player, { path: "/mcp", ownHosts: [], newSessionId: () => "unused" });
  const ask = (message: { readonly method: string }, signal?: AbortSignal) =>
    fetchDoor(
      door,
      new Request("http://127.0.0.1:1/mcp", {
        method: "POST",
        headers: {
          ...headersOf(message.method),
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        body: JSON.stringify(message),
        ...(signal ? { signal } : {}),
      }),
    );
  return { door, player, ask };
}

/** The status of a response, once it is there. */
async function statusAfter(ms: number, response: Promise<Response>): Promise<number | undefined> {
  let status: number | undefined;
  void response.then((each) => {
    status = each.status;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return status;
}

test("an answer recorded as JSON is JSON, when its time has come", async () => {
  const { ask } = open();
  const answer = ask(list(10, "json"));
  expect(await statusAfter(4_999, answer)).toBeUndefined();
  expect(await statusAfter(1, answer)).toBe(200);
  const { headers } = await answer;
  expect(headers.get("content-type")).toBe("application/json");
  expect(await (await answer).json()).toMatchObject({ id: 10, result: { tools: [] } });
});

test("a refusal is a refusal, when its time has come", async () => {
  const { ask } = open();
  const answer = ask(list(10, "refused"));
  expect(await statusAfter(1_999, answer)).toBeUndefined();
  expect(await statusAfter(1, answer)).toBe(429);
  expect((await answer).headers.get("retry-after")).toBe("1");
});

test("a client of the modern era that goes away before the response begins has cancelled", async () => {
  const { ask, player } = open();
  const controller = new AbortController();
  const answer = ask(list(10, "json"), controller.signal);
  expect(await statusAfter(1_000, answer)).toBeUndefined();
  controller.abort();
  await answer;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(player.report()).toMatchObject({
    cancelled: [{ label: "tools/list", recorded: false, unsent: 1 }],
    hits: 1,
  });
});

test("a response begins when nothing more comes by itself, though nothing came", async () => {
  const { ask } = open([
    client(call(1), posted(0, "tools/call")),
    server(notice("notifications/progress", { progressToken: 1, progress: 1 }), {
      at: 1_000,
      on: { id: "1" },
    }),
    closed("client", { reason: "aborted" }, { at: 2_000, on: { id: "1" } }),
  ]);
  // Without a token there is no progress to tell of.
  const answer = ask(request(10, "tools/call", { name: "slow", _meta: META }));
  expect(await statusAfter(999, answer)).toBeUndefined();
  expect(await statusAfter(1, answer)).toBe(200);
  expect((await answer).headers.get("content-type")).toBe("text/event-stream");
});

test("a door that is closed keeps nothing running", async () => {
  const { door, ask } = open();
  void ask(list(10, "json"));
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(1);
  door.close();
  expect(vi.getTimerCount()).toBe(0);
});
