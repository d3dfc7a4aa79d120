import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type CassetteOptions, useCassette } from "../../../../src/index.ts";
import { mcpHandlers } from "../../../../src/testing/msw.ts";
import { folderOf, LEGACY } from "../support.ts";

beforeEach(() => {
  vi.stubEnv("CI", "");
  vi.stubEnv("MCP_VCR_MODE", "");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const REQUEST = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "forecast" } };
const ANSWER = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "rain" }] } };

/** A session with a server over HTTP that gives no session ids, and what it listed. */
const SESSIONLESS = [
  `{"mcp-vcr":1,"recorded":"x","recorder":"x","source":{"transport":"http","url":"http://real.example/mcp"}}`,
  `{"at":0,"from":"client","http":{"method":"POST","path":"/mcp"},"message":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}`,
  `{"at":1,"from":"server","on":1,"http":{"status":200,"headers":{"content-type":"application/json"}},"message":{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}}`,
];

interface Real {
  readonly url: string;
  readonly asked: IncomingHttpHeaders[];
}

/** A real server, that answers every request the same. */
async function real(answer: (response: ServerResponse) => void = answerJson): Promise<Real> {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked };
}

function answerJson(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANSWER));
}

function answerZipped(response: ServerResponse): void {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  response.writeHead(200, headers).end(gzipSync(JSON.stringify(ANSWER)));
}

/** A tape at the URL of the real server, and msw before that. */
async function remote({ url, ...options }: CassetteOptions & { readonly url: string }) {
  const tape = await useCassette("session", { server: url, ...options });
  const server = setupServer(...mcpHandlers(url, tape));
  server.listen({ onUnhandledRequest: "error" });
  const close = async () => {
    server.close();
    await tape.close();
  };
  onTestFinished(close);
  return { tape, close };
}

const ask = ({ url }: { readonly url: string }, init: RequestInit = {}) =>
  fetch(url, { method: "POST", headers: HEADERS, body: JSON.stringify(REQUEST), ...init });

const cassetteIn = (folder: string) => readFileSync(join(folder, "session.yaml"), "utf8");

describe("where there is no cassette", () => {
  test("what the real server answers is recorded, and is what is served from then on", async () => {
    const server = await real();
    const folder = folderOf({});
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const { tape, close } = await remote({ url: server.url, folder });
    expect(await (await ask(server)).json()).toEqual(ANSWER);
    expect([tape.received, tape.misses, tape.unused]).toEqual([[REQUEST], [], []]);
    expect(tape.report()).toMatchObject({ "mcp-vcr-report": 1, hits: 0 });
    tape.reset();
    expect(tape.received).toEqual([]);
    await close();
    expect(cassetteIn(folder)).toContain(`source: { transport: http, url: ${server.url} }`);
    expect(existsSync(join(folder, "session.yaml.lock"))).toBe(false);
    expect(said.mock.calls.flat()).toEqual([
      `mcp-vcr: 1 request was asked of the real server (${server.url}), and recorded in ${join(folder, "session.yaml")}\n`,
    ]);
    await remote({ url: server.url, folder });
    expect(await (await ask(server)).json()).toEqual(ANSWER);
    expect(server.asked).toHaveLength(1);
  });

  test("the real server sees what the client sent and no sign of msw, and credentials are not written", async () => {
    const server = await real();
    const folder = folderOf({});
    const { close } = await remote({ url: server.url, folder });
    await (await ask(server, { headers: { ...HEADERS, authorization: "Bearer abcdefgh12345678" } })).text();
    await close();
    expect(server.asked[0]).toMatchObject({ ...HEADERS, authorization: "Bearer abcdefgh12345678" });
    expect(cassetteIn(folder)).not.toContain("abcdefgh12345678");
  });

  test("a coded body is recorded, and handed on, as what it holds", async () => {
    const server = await real(answerZipped);
    const folder = folderOf({});
    const { close } = await remote({ url: server.url, folder });
    const response = await ask(server);
    expect(response.headers.has("content-encoding")).toBe(false);
    expect(await response.json()).toEqual(ANSWER);
    await close();
    expect(cassetteIn(folder)).toContain("text: rain");
  });

  test("a client that leaves is recorded as one that did, and the real server is left too", async () => {
    let left = false;
    const server = await real((response) => {
      response.on("close", () => {
        left = true;
      });
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    });
    const folder = folderOf({});
    const { close } = await remote({ url: server.url, folder });
    const leaving = new AbortController();
    await ask(server, { signal: leaving.signal });
    leaving.abort();
    await expect.poll(() => left).toBe(true);
    await close();
    expect(cassetteIn(folder)).toContain("reason: aborted");
  });

  test("what is under way when the tape is closed is broken off", async () => {
    const server = await real((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": waiting\n\n");
    });
    const folder = folderOf({});
    const { close } = await remote({ url: server.url, folder });
    const reading = (await ask(server)).text();
    const broken = expect(reading).rejects.toThrow();
    await close();
    await broken;
    expect(cassetteIn(folder)).toContain("name: forecast");
  });

  test("a server that cannot be reached fails the fetch, and leaves no cassette", async () => {
    const folder = folderOf({});
    const server = { url: "http://127.0.0.1:9/mcp" };
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { tape, close } = await remote({ ...server, folder });
    await expect(ask(server)).rejects.toThrow(TypeError);
    await close();
    expect(() => tape.check()).toThrow(
      "tools/call forecast was not answered: the real server (http://127.0.0.1:9/mcp) could not be reached",
    );
    expect(existsSync(join(folder, "session.yaml"))).toBe(false);
    expect(said.mock.calls.join("")).toContain("nothing recorded, since the server said nothing");
    said.mockRestore();
  });
});

describe("a real server that fails its client while it is recorded fails the test", () => {
  const json = { "content-type": "application/json" };
  const failure = (message: string) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32603, message } });

  test.each<[string, (response: ServerResponse) => void, reason: string | undefined]>([
    ["by its status", (response) => response.writeHead(500).end("oh no"), "answered HTTP 500"],
    ["by one without a body", (response) => response.writeHead(503).end(), "answered HTTP 503"],
    ["by hanging up", (response) => response.destroy(), "could not be reached"],
    [
      "in the middle of its answer",
      (response) => {
        response.writeHead(200, { ...json, "content-length": 100 }).write('{"jsonrpc"');
        setTimeout(() => response.destroy(), 20);
      },
      "broke its answer off",
    ],
    ["not by an error", (response) => response.writeHead(200, json).end(failure("no")), undefined],
    ["not by one with a status", (response) => response.writeHead(500, json).end(failure("no")), undefined],
    ["not by what it does not want", (response) => response.writeHead(404).end(), undefined],
  ])("%s", async (_how, answer, reason) => {
    const server = await real(answer);
    const { tape, close } = await remote({ url: server.url, folder: folderOf({}) });
    await ask(server)
      .then((response) => response.text())
      .catch(() => undefined);
    await close();
    if (reason === undefined) return expect(() => tape.check()).not.toThrow();
    expect(() => tape.check()).toThrow(
      `tools/call forecast was not answered: the real server (${server.url}) ${reason}`,
    );
  });
});

describe("where there is a cassette", () => {
  test.each(["replay", "once"] as const)("mode %s asks the real server nothing", async (mode) => {
    const server = await real();
    const { tape } = await remote({ url: server.url, folder: folderOf({ "session.jsonl": LEGACY }), mode });
    expect(await (await ask(server)).json()).toMatchObject({ error: { code: -32000 } });
    expect([server.asked.length, tape.received.length]).toEqual([0, 0]);
  });

  test("mode append asks it what is not recorded, past the handlers", async () => {
    const server = await real();
    const folder = folderOf({ "session.jsonl": SESSIONLESS });
    const { tape, close } = await remote({ url: server.url, folder, mode: "append" });
    expect(await (await ask(server)).json()).toEqual(ANSWER);
    await close();
    expect(tape.report().forwarded).toMatchObject([{ label: "tools/call forecast", appended: true }]);
    expect(readFileSync(join(folder, "session.jsonl"), "utf8")).toContain('"text":"rain"');
  });
});

describe("what is wrong is told", () => {
  test("handlers elsewhere than the server that is recorded", async () => {
    const tape = await useCassette("session", { server: "http://x.example/mcp", folder: folderOf({}) });
    onTestFinished(() => tape.close());
    expect(() => mcpHandlers("http://y.example/mcp", tape)).toThrow(
      "the tape is recorded from http://x.example/mcp, and the handlers stand at http://y.example/mcp",
    );
  });

  test("faults over what is still to be recorded", async () => {
    const url = "http://x.example/mcp";
    const tape = await useCassette("session", { server: url, folder: folderOf({}), faults: "flaky" });
    onTestFinished(() => tape.close());
    expect(() => mcpHandlers(url, tape)).toThrow("session.yaml is still to be recorded, and faults lie over");
  });

  test("a cassette that cannot be written fails the request, and the test", async () => {
    const server = await real();
    const folder = folderOf({});
    const { tape } = await remote({ url: server.url, folder });
    writeFileSync(join(folder, "session.yaml.lock"), `${process.pid}\n`);
    vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    expect((await ask(server)).status).toBe(500);
    expect(() => tape.check()).toThrow("session.yaml does not hold what was asked: ");
  });
});
