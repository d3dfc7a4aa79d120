import nodeHttp from "node:http";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CassetteOptions } from "../../../../src/index.ts";
import { mcpHandlers } from "../../../../src/testing/msw.ts";
import { LEGACY, tapeOf } from "../support.ts";

const URL_ = "https://weather.example/mcp";
const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const INITIALIZE = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } },
};

const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MODERN_HEADERS = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "hang",
};
const HANG = { method: "tools/call", params: { name: "hang", _meta: MODERN_META } };

/** Of the modern era: a call that reports progress and hangs until its client leaves. */
const HANGING = [
  LEGACY[0] as string,
  JSON.stringify({ at: 0, from: "client", message: { jsonrpc: "2.0", id: "h", ...HANG } }),
  `{"at":1,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hanging"}}}`,
  `{"at":9,"from":"client","message":{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"h"}}}`,
];

/** The first exchange of `LEGACY`, over the HTTP+SSE pair. */
const PAIR = [
  `{"mcp-vcr":1,"recorded":"x","recorder":"x","source":{"transport":"http","url":"http://real.example/sse"}}`,
  `{"at":0,"from":"client","http":{"method":"GET","path":"/sse"}}`,
  `{"at":1,"from":"server","on":"get","http":{"status":200,"headers":{"content-type":"text/event-stream"}},"event":{"name":"endpoint"},"text":"/messages?sessionId=1"}`,
  (LEGACY[1] as string).replace(
    '"from":"client"',
    '"from":"client","http":{"method":"POST","path":"/messages?sessionId=1"}',
  ),
  `{"at":1,"from":"server","on":0,"http":{"status":202}}`,
  (LEGACY[2] as string).replace('"from":"server"', '"from":"server","on":"get"'),
];

type Handlers = Parameters<typeof setupServer>;

/** msw with these handlers; what none of them answers is told, and answered 599. */
function stand(...handlers: Handlers): string[] {
  const unhandled: string[] = [];
  const rest = http.all("*", ({ request: { method, url } }) => {
    unhandled.push(`${method} ${url}`);
    return new HttpResponse(null, { status: 599 });
  });
  const server = setupServer(...handlers, rest);
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(() => server.close());
  return unhandled;
}

type Options = CassetteOptions & { readonly url?: string };

/** A tape, and the handlers by which it stands at a URL. */
async function remote(lines: readonly string[], { url = URL_, ...options }: Options = {}) {
  const tape = await tapeOf(lines, options);
  return Object.assign(tape, { handlers: mcpHandlers(url, tape) });
}

let count = 0;

function ask(message: object, { url = URL_, headers = {}, ...init }: RequestInit & { url?: string } = {}) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++count, ...message });
  return fetch(url, { method: "POST", ...init, headers: { ...HEADERS, ...(headers as object) }, body });
}

const call = (init?: Parameters<typeof ask>[1]) =>
  ask({ method: "tools/call", params: { name: "count", arguments: {} } }, init);

async function opened(url = URL_): Promise<Record<string, string>> {
  const response = await ask(INITIALIZE, { url });
  expect(response.status).toBe(200);
  return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
}

describe("at the server's URL", () => {
  test("a session is opened, asked, listened to and ended, as over a network", async () => {
    const tape = await remote(LEGACY);
    expect(stand(...tape.handlers)).toEqual([]);
    const headers = await opened();
    expect(headers["mcp-session-id"]).not.toBe("");
    expect(await (await call({ headers })).text()).toContain('"one"');
    const stream = await fetch(URL_, { headers: { ...headers, accept: "text/event-stream" } });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    stream.body?.cancel();
    expect((await fetch(URL_, { method: "DELETE", headers })).status).toBe(200);
    expect((await call({ headers })).status).toBe(404);
    expect(tape.received.map(({ method }) => method)).toEqual(["initialize", "tools/call"]);
  });

  test("what was not recorded is a miss, told to the client and by the tape", async () => {
    const tape = await remote(LEGACY);
    stand(...tape.handlers);
    const headers = await opened();
    const response = await ask({ method: "tools/call", params: { name: "other" } }, { headers });
    expect(await response.json()).toMatchObject({ error: { code: -32010 } });
    expect(tape.misses.map(({ label }) => label)).toEqual(["tools/call other"]);
    tape.reset();
    expect([tape.misses, tape.received]).toEqual([[], []]);
  });

  test("its path is the user's to choose, and the port and further parameters of a query do not matter", async () => {
    const url = "http://localhost:4711/api/v1.0/mcp?key=a";
    const tape = await remote(LEGACY, { url });
    const unhandled = stand(...tape.handlers);
    await opened(`${url}&trace=1`);
    expect((await ask(INITIALIZE, { url: url.replace("key=a", "key=b") })).status).toBe(599);
    expect((await ask(INITIALIZE, { url: url.replace("v1.0", "v1x0") })).status).toBe(599);
    expect(unhandled).toHaveLength(2);
  });

  test("node:http reaches it too, with the Host header it sends, and an Origin", async () => {
    const url = "http://weather.example/mcp";
    const tape = await remote(LEGACY, { url });
    stand(...tape.handlers);
    const status = await new Promise((resolve, reject) => {
      const headers = { ...HEADERS, origin: "https://app.example" };
      const sent = nodeHttp.request(url, { method: "POST", headers }, (response) =>
        resolve(response.statusCode),
      );
      sent.on("error", reject);
      sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...INITIALIZE }));
    });
    expect(status).toBe(200);
  });

  test("the HTTP+SSE pair is a GET there, and a POST to where it says", async () => {
    const tape = await remote(PAIR, { url: "https://weather.example/api/events" });
    const unhandled = stand(...tape.handlers);
    const stream = await fetch("https://weather.example/api/events", {
      headers: { accept: "text/event-stream" },
    });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (!text.includes("\n\n")) text += new TextDecoder().decode((await reader.read()).value);
    const endpoint = /^data: (.*)$/m.exec(text)?.[1] ?? "";
    const url = new URL(endpoint, "https://weather.example").href;
    expect((await ask(INITIALIZE, { url })).status).toBe(202);
    while (!text.includes("serverInfo")) text += new TextDecoder().decode((await reader.read()).value);
    reader.cancel();
    expect(unhandled).toEqual([]);
  });

  test("where the recording breaks a connection, fetch fails as it would", async () => {
    const tape = await remote([...LEGACY.slice(0, 5), `{"at":4,"from":"server","closed":{"exit":1}}`]);
    stand(...tape.handlers);
    const headers = await opened();
    await expect(call({ headers })).rejects.toThrow(TypeError);
  });

  test("a client that goes away gives its request up, in the modern era", async () => {
    const tape = await remote(HANGING);
    stand(...tape.handlers);
    const leaving = new AbortController();
    const response = await ask(HANG, { headers: MODERN_HEADERS, signal: leaving.signal });
    expect(response.status).toBe(200);
    leaving.abort();
    await expect.poll(() => tape.report().cancelled).toHaveLength(1);
  });
});

describe("beside it", () => {
  test("all other requests go on to the handlers behind, also those for OAuth and of the same path elsewhere", async () => {
    const tape = await remote(LEGACY);
    const unhandled = stand(...tape.handlers);
    const others = [
      "https://weather.example/.well-known/oauth-protected-resource/mcp",
      "https://weather.example/mcp/more",
      "https://other.example/mcp",
      "http://weather.example/mcp",
      "https://weather.example:8443/mcp",
      "https://weatherxexample/mcp",
    ];
    for (const url of others) await fetch(url);
    expect(unhandled).toEqual(others.map((url) => `GET ${url}`));
  });

  test("handlers before it win, for good or for one test", async () => {
    const tape = await remote(LEGACY);
    const server = setupServer(...tape.handlers);
    server.listen({ onUnhandledRequest: "error" });
    onTestFinished(() => server.close());
    server.use(http.post(URL_, () => new HttpResponse(null, { status: 503 }), { once: true }));
    expect((await ask(INITIALIZE)).status).toBe(503);
    await opened();
  });

  test("several servers stand at once, on one origin and on others", async () => {
    const other = LEGACY.map((line) => line.replace('"name":"x"', '"name":"y"'));
    const urls = [URL_, "https://weather.example/other", "https://other.example/mcp"];
    const tapes = await Promise.all(
      [LEGACY, other, LEGACY].map((lines, i) => remote(lines, { url: urls[i] ?? "" })),
    );
    stand(...tapes.flatMap(({ handlers }) => handlers));
    const names = await Promise.all(
      urls.map(
        async (url) => /"serverInfo":\{"name":"(.)"/.exec(await (await ask(INITIALIZE, { url })).text())?.[1],
      ),
    );
    expect(names).toEqual(["x", "y", "x"]);
    expect(tapes.map(({ received }) => received.length)).toEqual([1, 1, 1]);
  });
});

describe("what is wrong is told", () => {
  test.each([
    [undefined, "undefined"],
    [Promise.resolve(), "a promise (await it)"],
    [{}, "an object"],
    ["weather", '"weather"'],
  ])("what is no tape: %s", (tape, told) => {
    expect(() => mcpHandlers("https://weather.example/mcp", tape as never)).toThrow(
      `mcpHandlers takes a tape, not ${told}`,
    );
  });

  test.each(["weather.example/mcp", "", "ftp://weather.example/mcp"])(
    "%j is no server's URL",
    async (url) => {
      await expect(remote(LEGACY, { url })).rejects.toMatchObject({
        code: "usage",
        message: `${JSON.stringify(url)} is no URL that an MCP server could have`,
      });
    },
  );

  test("a tape that is closed answers nothing quietly", async () => {
    const tape = await remote(LEGACY);
    stand(...tape.handlers);
    vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    await tape.close();
    const response = await ask(INITIALIZE);
    expect(response.status).toBe(500);
    expect(await response.text()).toMatch(/the tape of .*session\.jsonl is closed/);
  });
});
