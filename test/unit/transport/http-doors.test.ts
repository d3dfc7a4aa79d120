import { describe, expect, test } from "vitest";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import { Player } from "../../../src/replay/player.ts";
import { Recording } from "../../../src/replay/recording.ts";
import { fetchDoor } from "../../../src/transport/fetch-door.ts";
import { HttpDoors } from "../../../src/transport/http-doors.ts";
import type { AnswerStyle } from "../../../src/transport/http-streams.ts";
import {
  client,
  error,
  HTTP,
  MemorySource,
  notice,
  request,
  result,
  STDIO,
  server,
} from "../../cases/tape.ts";

const INITIALIZE = request(0, "initialize", { protocolVersion: "2025-11-25" });
const ANSWER = result(0, { protocolVersion: "2025-11-25" });
const LIST = [client(request(1, "tools/list")), server(result(1, { tools: [] }))];
const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Served {
  readonly header?: Header;
  readonly answers?: AnswerStyle;
}

function doorsOf(entries: readonly Entry[], { header = STDIO, answers }: Served = {}) {
  const player = new Player(new Recording(new MemorySource(entries, header)), { cassette: "a.yaml" });
  let ids = 0;
  const doors = new HttpDoors(player, { ownHosts: [], newSessionId: () => `s-${++ids}`, answers });
  const post = (path: string, said: unknown, headers: Record<string, string> = {}) =>
    fetchDoor(
      doors,
      new Request(`http://127.0.0.1:1${path}`, {
        method: "POST",
        body: JSON.stringify(said),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
    );
  const get = (path: string) =>
    fetchDoor(doors, new Request(`http://127.0.0.1:1${path}`, { headers: { accept: "text/event-stream" } }));
  return { doors, player, post, get };
}

/** The next events of a stream, as text. */
function reading(response: Response): () => Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  return async () => new TextDecoder().decode((await reader.read()).value);
}

const OVER_STDIO = [client(INITIALIZE), server(ANSWER), ...LIST];
const PAIR = [
  client(undefined, { http: { method: "GET", path: "/events" } }),
  server(undefined, { on: "get", http: { status: 200, headers: { "content-type": "text/event-stream" } } }),
  server("/post?id=1", { on: "get", event: { name: "endpoint" } }),
  client(INITIALIZE, { http: { method: "POST", path: "/post" } }),
  server(ANSWER, { on: { id: "0" } }),
];

describe("a cassette recorded over stdio", () => {
  test("answers at /mcp, and the older pair at /sse", async () => {
    const { doors, post, get, player } = doorsOf(OVER_STDIO);
    expect(doors.path).toBe("/mcp");
    expect(await (await post("/mcp", INITIALIZE)).json()).toEqual(ANSWER);
    const next = reading(await get("/sse"));
    const endpoint = /data: (.*)/.exec(await next())?.[1] as string;
    expect((await post(endpoint, INITIALIZE)).status).toBe(202);
    expect(await next()).toContain('"protocolVersion":"2025-11-25"');
    expect(player.report()).toMatchObject({ hits: 2, misses: [] });
  });

  test("closing ends the streams of both", async () => {
    const { doors, post, get } = doorsOf(OVER_STDIO);
    const opened = await post("/mcp", INITIALIZE);
    const id = opened.headers.get("mcp-session-id") ?? "";
    const standalone = await fetchDoor(
      doors,
      new Request("http://127.0.0.1:1/mcp", {
        headers: { accept: "text/event-stream", "mcp-session-id": id },
      }),
    );
    const pair = await get("/sse");
    doors.close();
    expect(await standalone.text()).toBe("");
    expect(await pair.text()).toContain("event: endpoint");
  });
});

describe("a cassette recorded over the pair", () => {
  test("answers where it was, and Streamable HTTP at /mcp, with sessions", async () => {
    const { doors, post, get } = doorsOf(PAIR, { header: HTTP });
    expect(doors.path).toBe("/events");
    expect(await reading(await get("/events"))()).toContain("event: endpoint");
    const opened = await post("/mcp", INITIALIZE);
    expect(opened.headers.get("mcp-session-id")).toBe("s-2");
    expect(await opened.json()).toEqual(ANSWER);
  });

  test("gives Streamable HTTP nothing at the pair's own paths", async () => {
    const { post } = doorsOf(PAIR, { header: HTTP });
    expect((await post("/events", INITIALIZE)).status).toBe(405);
    expect((await post("/post", INITIALIZE)).status).toBe(404);
  });
});

test("what was recorded at the pair's paths comes first", async () => {
  const at = { http: { method: "POST", path: "/sse" } };
  const { doors, post, get } = doorsOf(
    [client(INITIALIZE, at), server(ANSWER, { on: { id: "0" }, http: { status: 200 } })],
    { header: HTTP },
  );
  expect(doors.path).toBe("/sse");
  expect((await post("/sse", INITIALIZE)).status).toBe(200);
  expect((await get("/sse")).status).toBe(405);
});

describe("an answer that stands alone", () => {
  const asSse = { status: 200, headers: { "content-type": "text/event-stream" } };
  const CASES: readonly (readonly [string, Partial<Entry>, AnswerStyle | undefined, string])[] = [
    ["recorded over stdio", {}, undefined, "application/json"],
    ["recorded over stdio", {}, "sse", "text/event-stream"],
    ["recorded as a stream", { http: asSse, on: { id: "0" } }, undefined, "text/event-stream"],
    ["recorded as a stream", { http: asSse, on: { id: "0" } }, "json", "application/json"],
  ];

  test.each(CASES)("%s, %o, asked for %s: %s", async (_how, facts, answers, type) => {
    const opening = facts.http ? { http: { method: "POST", path: "/mcp" } } : {};
    const { post } = doorsOf([client(INITIALIZE, opening), server(ANSWER, facts)], {
      ...(facts.http ? { header: HTTP } : {}),
      ...(answers ? { answers } : {}),
    });
    const answer = await post("/mcp", INITIALIZE);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(await answer.text()).toContain(JSON.stringify(ANSWER));
  });

  test("has a status of its own, and stays JSON", async () => {
    const unknown = request(0, "no/such", { _meta: MODERN_META });
    const { post } = doorsOf([client(unknown), server(error(0, -32601))], { answers: "sse" });
    const answer = await post("/mcp", unknown, {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "no/such",
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json"]);
  });

  test("with something before it is a stream, whatever is asked for", async () => {
    const call = request(1, "tools/call", { name: "log" });
    const log = notice("notifications/message", { level: "info", data: "x" });
    const { post } = doorsOf(
      [client(INITIALIZE), server(ANSWER), client(call), server(log), server(result(1, {}))],
      { answers: "json" },
    );
    const opened = await post("/mcp", INITIALIZE);
    const answer = await post("/mcp", call, {
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(await answer.text()).toContain("notifications/message");
  });
});

describe("streams", () => {
  test("tell proxies on the way to hand events on", async () => {
    const { post, get } = doorsOf(OVER_STDIO, { answers: "sse" });
    for (const stream of [await post("/mcp", INITIALIZE), await get("/sse")]) {
      expect(stream.headers.get("x-accel-buffering")).toBe("no");
      await stream.body?.cancel();
    }
  });
});
