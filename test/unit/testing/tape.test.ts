import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  SSEClientTransport as Sse2,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { type Tape, useCassette } from "../../../src/index.ts";
import { hashOf } from "../../../src/run/redaction.ts";
import { MATCHERS } from "../../../src/testing/expect/matchers.ts";
import { LEGACY, LISTENING, tapeOf } from "./support.ts";

const ME = { name: "test", version: "1" };
const COUNT = { name: "count", arguments: {} };
const text = (answer: unknown) => (answer as { content: { text: string }[] }).content[0]?.text;

/** Each door of a tape to a client of either SDK: connects one, which counts with progress. */
const DOORS: Readonly<Record<string, (tape: Tape) => Promise<Client1 | Client2>>> = {
  "transport(), SDK 1.x": async (tape) => {
    const client = new Client1(ME);
    await client.connect(tape.transport());
    return client;
  },
  "transport(), SDK 2.x": async (tape) => {
    const client = new Client2(ME);
    await client.connect(tape.transport());
    return client;
  },
  "fetch, SDK 1.x": async ({ fetch }) => {
    const client = new Client1(ME);
    const transport = new Http1(new URL("https://weather.example/mcp"), { fetch });
    await client.connect(transport as Parameters<Client1["connect"]>[0]);
    return client;
  },
  "fetch, SDK 2.x": async ({ fetch }) => {
    const client = new Client2(ME);
    await client.connect(new Http2(new URL("https://weather.example/mcp"), { fetch }));
    return client;
  },
  "fetch, SDK 2.x over the HTTP+SSE pair": async ({ fetch }) => {
    const client = new Client2(ME);
    await client.connect(new Sse2(new URL("https://weather.example/sse"), { fetch }));
    return client;
  },
  "url, SDK 2.x": async (tape) => {
    const client = new Client2(ME);
    await client.connect(new Http2(new URL(await tape.url)));
    return client;
  },
  "command and args, SDK 1.x": async ({ command, args }) => {
    const client = new Client1(ME);
    await client.connect(new Stdio1({ command, args }));
    return client;
  },
};

describe.each(Object.keys(DOORS))("%s", (door) => {
  test("answers, and tells what was received, missed and left over", async () => {
    const tape = await tapeOf(LEGACY);
    const client = (await DOORS[door]?.(tape)) as Client1;
    const progress: number[] = [];
    const onprogress = ({ progress: seen }: { progress: number }) => void progress.push(seen);
    // SDK 1.x takes a result schema before the options.
    const options = client instanceof Client1 ? [undefined, { onprogress }] : [{ onprogress }];
    const answer = await (client.callTool as (...all: unknown[]) => unknown)(COUNT, ...options);
    expect(text(answer)).toBe("one");
    // Over pipes and sockets the SDKs lose progress that a busy machine hands them together with the answer.
    if (door.startsWith("transport")) expect(progress).toEqual([1]);
    await expect(client.callTool({ name: "other" })).rejects.toThrow("No recorded exchange answers");
    expect(tape.misses.map(({ label }) => label)).toEqual(["tools/call other"]);
    expect(tape.received.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "tools/call",
    ]);
    expect(tape.received[3]?.params).toMatchObject({ name: "other" });
    expect(tape.unused).toEqual([{ label: "tools/call count", asked: COUNT }]);
    expect(tape.report()).toMatchObject({ hits: 2, misses: tape.misses, unused: tape.unused });
    await client.close();
  });
});

test("every client starts afresh", async () => {
  const tape = await tapeOf(LEGACY);
  const counted = [];
  for (const _ of [1, 2]) {
    const client = new Client1(ME);
    await client.connect(tape.transport());
    for (const __ of [1, 2]) counted.push(text(await client.callTool(COUNT)));
  }
  expect(counted).toEqual(["one", "two", "one", "two"]);
});

describe("reset", () => {
  test("is a tape just opened, and closes what was connected", async () => {
    const tape = await tapeOf(LEGACY);
    const url = await tape.url;
    const { args } = tape;
    const client = new Client1(ME);
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    await client.connect(tape.transport());
    await client.callTool({ name: "other" }).catch(() => undefined);
    tape.reset();
    await closed;
    expect([tape.received, tape.misses, tape.report().hits]).toEqual([[], [], 0]);
    expect([await tape.url, tape.args]).toEqual([url, args]);
    for (const door of ["url, SDK 2.x", "command and args, SDK 1.x"]) {
      const next = (await DOORS[door]?.(tape)) as Client1;
      expect(text(await next.callTool(COUNT))).toBe("one");
      await next.close();
    }
  });

  test("takes nothing back of what went wrong before", async () => {
    const tape = await tapeOf(LEGACY, { strict: true });
    const client = new Client1(ME);
    await client.connect(tape.transport());
    for (const _ of [1, 2, 3]) await client.callTool(COUNT).catch(() => undefined);
    await client.callTool({ name: "other" }).catch(() => undefined);
    tape.reset();
    expect(() => tape.check()).toThrow(/asked once more[\s\S]*answers tools\/call other/);
    tape.reset();
    expect(() => tape.check()).toThrow(/answers tools\/call other/);
    await tape.close();
    expect(() => tape.check()).toThrow(/answers tools\/call other/);
  });

  test("takes nothing back of a miss that was under way", async () => {
    const tape = await tapeOf(LISTENING);
    const { _meta } = JSON.parse(LISTENING[1] as string).message.params;
    const asked = tape.fetch("http://x/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/list",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } }),
    });
    tape.reset();
    await asked.catch(() => undefined);
    expect(tape.misses).toEqual([]);
    expect(() => tape.check()).toThrow(/answers tools\/list/);
  });
});

test("a subscription of the modern era ends with the tape, although it belongs to no session", async () => {
  const tape = await tapeOf(LISTENING);
  const { message } = JSON.parse(LISTENING[1] as string);
  const stream = await tape.fetch("http://x/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
    body: JSON.stringify(message),
  });
  const reading = stream.text();
  tape.reset();
  await expect(reading).rejects.toThrow("was closed or reset");
});

describe("close", () => {
  test("ends every connection and listens no more", async () => {
    const tape = await tapeOf(LEGACY);
    const url = new URL(await tape.url);
    const child = spawn(tape.command, tape.args);
    const stream = await tape.fetch("http://x/sse");
    const client = new Client1(ME);
    await client.connect(tape.transport());
    await tape.close();
    expect(client.transport).toBeUndefined();
    await expect(stream.text()).rejects.toThrow("was closed or reset");
    // As a client whose server died.
    expect(await once(child, "exit")).toEqual([1, null]);
    const [refused] = await once(connect(Number(url.port), url.hostname), "error");
    expect(refused).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("leaves what was received to be read, and nothing else to be done", async () => {
    const tape = await tapeOf(LEGACY);
    const client = new Client1(ME);
    await client.connect(tape.transport());
    const { command, args } = tape;
    await tape.close();
    await tape.close();
    expect(tape.received).toHaveLength(2);
    for (const use of [() => tape.transport(), () => tape.url, () => tape.args, () => tape.reset()]) {
      expect(use).toThrow(/the tape of .*session.jsonl is closed/);
    }
    await expect(tape.fetch("http://x/mcp")).rejects.toThrow("closed");
    const late = spawn(command, args);
    expect(await once(late, "exit")).toEqual([1, null]);
  });

  test("of many leaves nothing open in the process", async () => {
    const before = process.getActiveResourcesInfo().sort();
    for (let count = 0; count < 50; count++) {
      const tape = await tapeOf(LEGACY);
      await tape.transport().start();
      await tape.fetch("http://x/sse");
      if (count % 10 === 0) expect([await tape.url, tape.args]).toHaveLength(2);
      await tape.close();
    }
    expect(process.getActiveResourcesInfo().sort()).toEqual(before);
  });

  test("comes with `await using`", async () => {
    const tape = await tapeOf(LEGACY);
    await tape[Symbol.asyncDispose]();
    expect(() => tape.transport()).toThrow("closed");
  });
});

test("an aborted fetch ends its stream, and the mock knows", async () => {
  const tape = await tapeOf(LEGACY);
  const controller = new AbortController();
  const stream = await tape.fetch("http://x/sse", { signal: controller.signal });
  const reading = stream.text();
  controller.abort();
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  const already = tape.fetch("http://x/mcp", { signal: AbortSignal.abort() });
  await expect(already).rejects.toMatchObject({ name: "AbortError" });
});

test("strict makes one request too many a miss", async () => {
  const tape = await tapeOf(LEGACY, { strict: true });
  const client = new Client1(ME);
  await client.connect(tape.transport());
  for (const _ of [1, 2]) await client.callTool(COUNT);
  await expect(client.callTool(COUNT)).rejects.toThrow("asked once more");
  expect(tape.misses).toMatchObject([{ reason: "exhausted" }]);
});

test("what was redacted in the recording, by rules of one's own too, is asked for as it is live", async () => {
  const placeholder = `[redacted:${hashOf("a secret dossier")}]`;
  const [header = "", ...rest] = LEGACY;
  const lines = [
    header.replace('"source"', '"redacted":["keys","key:dossier"],"source"'),
    ...rest.map((line) => line.replace('"arguments":{}', `"arguments":{"dossier":"${placeholder}"}`)),
  ];
  const tape = await tapeOf(lines);
  const client = new Client1(ME);
  await client.connect(tape.transport());
  const answer = await client.callTool({ name: "count", arguments: { dossier: "a secret dossier" } });
  expect([text(answer), tape.misses]).toEqual(["one", []]);
  // What matchers print shows it as a miss would.
  const wanted = { arguments: { dossier: "a secret dossier", city: /^O/ } };
  expect(MATCHERS.toHaveReceived(tape, "tools/call", { arguments: { dossier: /^a secret/ } }).pass).toBe(
    true,
  );
  const { pass, message, ...sides } = MATCHERS.toHaveReceived(tape, "tools/call", wanted);
  expect(pass).toBe(false);
  expect(message()).toContain('differs at /arguments/city: expected "/^O/", received without');
  expect(message()).toContain(placeholder);
  expect(message() + JSON.stringify(sides)).not.toContain("a secret dossier");
});

test("cassettes of this repository are opened by their names", async () => {
  const tape = await useCassette("weather");
  expect(tape.file).toMatch(/cassettes.weather\.yaml$/);
  const client = new Client2(ME, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(tape.transport());
  const answer = await client.callTool({ name: "forecast", arguments: { city: "Oslo" } });
  expect(text(answer)).toContain("3 °C, rain");
  await tape.close();
});

describe("a request that no server takes fails the test, although its client keeps it to itself", () => {
  const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "count", arguments: {} } };
  const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  test.each<[string, string, RequestInit, told: RegExp | undefined]>([
    [
      "a path that is another's",
      "/nowhere",
      {},
      /^tools\/call count was refused by HTTP 404: it was sent to \/nowhere/,
    ],
    ["no session", "/mcp", {}, /^tools\/call count was refused by HTTP 400: .*Mcp-Session-Id/],
    [
      "what it does not accept",
      "/mcp",
      { headers: { ...HEADERS, accept: "text/plain" } },
      /^tools\/call count was refused by HTTP 406/,
    ],
    [
      "a stranger's page",
      "/mcp",
      { headers: { ...HEADERS, origin: "https://evil.example" } },
      /^tools\/call count was refused by HTTP 403/,
    ],
    ["no message", "/mcp", { body: "{" }, /^What is no JSON-RPC message was refused/],
    ["not a registration", "/register", { body: '{"client_name":"me"}' }, undefined],
    [
      "not a version that it asks about",
      "/mcp",
      { headers: { ...HEADERS, "mcp-protocol-version": "2020-01-01" } },
      undefined,
    ],
    ["not a probe", "/mcp", { body: JSON.stringify({ ...CALL, method: "server/discover" }) }, undefined],
    ["not a stream that there is none of", "/mcp", { method: "GET", body: null }, undefined],
    [
      "not a look for metadata",
      "/.well-known/oauth-protected-resource",
      { method: "GET", body: null },
      undefined,
    ],
  ])("%s", async (_what, path, init, told) => {
    const tape = await tapeOf(LEGACY);
    const url = new URL(path, await tape.url);
    await fetch(url, { method: "POST", headers: HEADERS, body: JSON.stringify(CALL), ...init });
    if (told === undefined) return expect(() => tape.check()).not.toThrow();
    expect(() => tape.check()).toThrow(
      expect.objectContaining({ message: expect.stringMatching(told) as string }) as Error,
    );
  });

  test("garbage over stdio", async () => {
    const tape = await tapeOf(LEGACY);
    const child = spawn(tape.command, tape.args);
    child.stdin.end("hello\n");
    await once(child, "exit");
    expect(() => tape.check()).toThrow("What is no JSON-RPC message was refused");
  });
});
