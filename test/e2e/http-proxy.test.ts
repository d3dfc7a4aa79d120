import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, McpServer as ModernServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import type { Seen } from "../../src/run/entry-sink.ts";
import { recordHttp } from "../../src/run/record-http.ts";

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

async function serve(path: string, handler: Handler): Promise<URL> {
  const server = createServer((incoming, outgoing) => void handler(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
}

/** A recorder before the server, and one line for each entry it wrote. */
async function record(upstream: URL) {
  const lines: string[] = [];
  const faults: unknown[] = [];
  const sink = { add: (seen: Seen) => lines.push(show(seen)), fail: (fault: unknown) => faults.push(fault) };
  const recording = await recordHttp({ upstream, listen: { host: "127.0.0.1", port: 0 }, sink });
  onTestFinished(async () => {
    await recording.close();
    expect(faults).toEqual([]);
  });
  return { ...recording, url: new URL(recording.url), lines };
}

/** `1 server on 2 [200] result 2`: session, side, stream, HTTP facts, event, message, ending. */
function show({ session, from, on, http, event, raw, closed }: Seen): string {
  const stream = typeof on === "object" ? `on ${on.id}` : on && `on ${on}`;
  const facts = http && `[${http.method ?? http.status}]`;
  const name = event && `(${Object.keys(event).join(" ")})`;
  const ending = closed && `closed ${closed.reason}`;
  const parts = [session, from, stream, facts, name, raw && showMessage(Buffer.from(raw).toString()), ending];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

function showMessage(text: string): string {
  if (!text.startsWith("{")) return text;
  const { id, method, error } = JSON.parse(text);
  return `${method ?? (error ? "error" : "result")}${id === undefined ? "" : ` ${JSON.stringify(id)}`}`;
}

function legacyServer(): McpServer {
  const server = new McpServer({ name: "test", version: "1" });
  const text = (text: string) => ({ content: [{ type: "text" as const, text }] });
  server.registerTool("add", { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) =>
    text(`${a + b}`),
  );
  server.registerTool("count", {}, async ({ sendNotification, _meta }) => {
    for (const progress of [1, 2]) {
      const progressToken = _meta?.progressToken as number;
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress } });
    }
    return text("counted");
  });
  server.registerTool(
    "hang",
    {},
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  );
  server.registerTool("drop", {}, async ({ closeSSEStream }) => {
    closeSSEStream?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return text("delivered late");
  });
  return server;
}

interface StreamableOptions {
  readonly json?: boolean;
  readonly eventStore?: EventStore;
}

/** Streamable HTTP with sessions. */
function streamable({ json = false, eventStore }: StreamableOptions = {}): Handler {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (incoming, outgoing) => {
    const id = incoming.headers["mcp-session-id"];
    let transport = sessions.get(String(id));
    if (!transport) {
      if (id !== undefined) return outgoing.writeHead(404).end();
      const opened = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        ...(eventStore && { eventStore, retryInterval: 10 }),
        onsessioninitialized: (sessionId) => void sessions.set(sessionId, opened),
      });
      await legacyServer().connect(opened as Parameters<McpServer["connect"]>[0]);
      transport = opened;
    }
    await transport.handleRequest(incoming, outgoing);
  };
}

/** The HTTP+SSE pair; `absolute` announces the endpoint with the server's origin. */
function pair(absolute: boolean): Handler {
  const transports = new Map<string, SSEServerTransport>();
  return async (incoming, outgoing) => {
    const url = new URL(incoming.url as string, `http://${incoming.headers.host}`);
    if (incoming.method === "POST") {
      return transports.get(String(url.searchParams.get("sessionId")))?.handlePostMessage(incoming, outgoing);
    }
    const transport = new SSEServerTransport(
      "/messages",
      absolute ? makeAbsolute(outgoing, url.origin) : outgoing,
    );
    transports.set(transport.sessionId, transport);
    await legacyServer().connect(transport);
  };
}

function makeAbsolute(outgoing: ServerResponse, origin: string): ServerResponse {
  const write = outgoing.write.bind(outgoing);
  outgoing.write = ((chunk: string) =>
    write(chunk.replace("data: /messages", `data: ${origin}/messages`))) as never;
  return outgoing;
}

const add = (client: Client, a: number, b: number) => client.callTool({ name: "add", arguments: { a, b } });
const text = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

async function connected(transport: unknown, name = "test"): Promise<Client> {
  const client = new Client({ name, version: "1" });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
}

/** The lines that say how the session's own GET stream fares race the others. */
const withoutGet = (lines: readonly string[]) => lines.filter((line) => !/on get|\[GET\]/.test(line));

describe.each([true, false])("Streamable HTTP with sessions, JSON answers: %s", (json) => {
  test("a client's session", async () => {
    const { url, lines, transport } = await record(await serve("/mcp", streamable({ json })));
    const link = new StreamableHTTPClientTransport(url);
    const client = await connected(link);
    const progress: number[] = [];
    expect(text(await add(client, 1, 2))).toBe("3");
    const onprogress = (p: { progress: number }) => void progress.push(p.progress);
    await client.callTool({ name: "count" }, undefined, { onprogress });
    await link.terminateSession();
    await client.close();
    expect(progress).toEqual(json ? [] : [1, 2]);
    expect(transport()).toBe("http");
    expect(withoutGet(lines)).toEqual([
      "1 client [POST] initialize 0",
      "1 server on 0 [200] result 0",
      "1 client [POST] notifications/initialized",
      "1 server on post [202]",
      "1 client [POST] tools/call 1",
      "1 server on 1 [200] result 1",
      "1 client [POST] tools/call 2",
      ...(json
        ? ["1 server on 2 [200] result 2"]
        : [
            "1 server on 2 [200] notifications/progress",
            "1 server on 2 notifications/progress",
            "1 server on 2 result 2",
          ]),
      "1 client [DELETE]",
      "1 server on delete [200]",
    ]);
    expect(lines).toContain("1 client [GET]");
  });

  test("parallel clients each have a lane, and cancellation reaches the server", async () => {
    const { url, lines } = await record(await serve("/mcp", streamable({ json })));
    const links = Array.from({ length: 5 }, () => new StreamableHTTPClientTransport(url));
    const clients = await Promise.all(links.map((link) => connected(link)));
    const sums = await Promise.all(clients.map((client, n) => add(client, n, 10)));
    expect(sums.map(text)).toEqual(["10", "11", "12", "13", "14"]);
    const abort = new AbortController();
    const hanging = (clients[0] as Client).callTool({ name: "hang" }, undefined, { signal: abort.signal });
    setTimeout(() => abort.abort("enough"), 30);
    await expect(hanging).rejects.toThrow();
    expect(text(await add(clients[0] as Client, 1, 1))).toBe("2");
    await Promise.all(clients.map((client) => client.close()));
    for (const session of [1, 2, 3, 4, 5]) {
      const own = withoutGet(lines).filter((line) => line.startsWith(`${session} `));
      expect(own.slice(0, 6)).toEqual([
        `${session} client [POST] initialize 0`,
        `${session} server on 0 [200] result 0`,
        `${session} client [POST] notifications/initialized`,
        `${session} server on post [202]`,
        `${session} client [POST] tools/call 1`,
        `${session} server on 1 [200] result 1`,
      ]);
    }
    expect(lines.filter((line) => line.includes("notifications/cancelled"))).toHaveLength(1);
  });
});

test("a stream that the server drops is resumed, and its answer belongs to its request", async () => {
  const events = new Map<string, { streamId: string; message: JSONRPCMessage }>();
  const eventStore: EventStore = {
    storeEvent: async (streamId, message) => {
      const id = `${streamId}_${events.size}`;
      events.set(id, { streamId, message });
      return id;
    },
    replayEventsAfter: async (lastId, { send }) => {
      const streamId = events.get(lastId)?.streamId as string;
      let after = false;
      for (const [id, event] of events) {
        if (after && event.streamId === streamId) await send(id, event.message);
        if (id === lastId) after = true;
      }
      return streamId;
    },
  };
  const { url, lines } = await record(await serve("/mcp", streamable({ eventStore })));
  const client = await connected(new StreamableHTTPClientTransport(url));
  expect(text(await client.callTool({ name: "drop" }))).toBe("delivered late");
  await client.close();
  const call = lines.filter((line) => / on 1\b|tools\/call/.test(line));
  expect(call.slice(0, 4)).toEqual([
    "1 client [POST] tools/call 1",
    "1 server on 1 [200] (id retry)",
    "1 server on 1 closed end",
    "1 client on 1 [GET]",
  ]);
  // A client may come back once more, before it has taken in that its answer is there.
  const last = call.findLast((line) => line.startsWith("1 server"));
  expect(last).toMatch(/^1 server on 1 (\[200\] )?\(id\) result 1$/);
});

describe.each([true, false])("the HTTP+SSE pair, endpoint absolute: %s", (absolute) => {
  test("a client's session", async () => {
    const { url, lines, transport } = await record(await serve("/sse", pair(absolute)));
    const client = await connected(new SSEClientTransport(url));
    expect(text(await add(client, 1, 2))).toBe("3");
    const other = await connected(new SSEClientTransport(url), "other");
    expect(text(await add(other, 2, 2))).toBe("4");
    await client.close();
    await other.close();
    expect(transport()).toBe("http+sse");
    const endpoint = `${absolute ? "http://127.0.0.1:PORT" : ""}/messages?sessionId=1`;
    const first = lines.map((line) => line.replace(/127.0.0.1:\d+/, "127.0.0.1:PORT"));
    expect(first.filter((line) => line.startsWith("1 ")).slice(0, 2)).toEqual([
      "1 client [GET]",
      `1 server on get [200] (name) ${endpoint}`,
    ]);
    for (const session of [1, 2]) {
      expect(lines).toContain(`${session} client [POST] tools/call 1`);
      expect(lines).toContain(`${session} server on 1 [202] Accepted`);
      expect(lines).toContain(`${session} server on get result 1`);
      await vi.waitFor(() => expect(lines).toContain(`${session} client on get closed aborted`));
    }
  });
});

describe("the modern era", () => {
  const modern = (): ModernServer => {
    const server = new ModernServer({ name: "test", version: "1" });
    server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
      content: [{ type: "text", text: `${a + b}` }],
    }));
    return server;
  };

  test.each(["json", "sse"] as const)(
    "clients of different names have lanes of their own (%s)",
    async (mode) => {
      const handler = createMcpHandler(modern, {
        legacy: "reject",
        responseMode: mode === "json" ? "auto" : "sse",
      });
      const { url, lines, transport } = await record(await serve("/mcp", toNodeHandler(handler) as Handler));
      for (const [index, name] of ["a", "b"].entries()) {
        const options = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
        const client = new ModernClient({ name, version: "1" }, options);
        await client.connect(new ModernTransport(url));
        const sum = await client.callTool({ name: "add", arguments: { a: index, b: 1 } });
        expect(text(sum)).toBe(`${index + 1}`);
        await client.close();
      }
      expect(transport()).toBe("http");
      for (const session of [1, 2]) {
        const own = lines.filter((line) => line.startsWith(`${session} `));
        expect(own.some((line) => /client \[POST\] tools\/call/.test(line))).toBe(true);
        expect(own.some((line) => /server on \d+ \[200\] result/.test(line))).toBe(true);
      }
      expect(lines.some((line) => line.startsWith("3 "))).toBe(false);
    },
  );
});
