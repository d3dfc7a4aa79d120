import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ruled, verify } from "./support/verify.ts";

const TOOL = { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
const DATA = { content: [{ type: "text", text: "data" }] };
const OPENED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "s", version: "1" },
};
const RESULTS: Readonly<Record<string, object>> = {
  initialize: OPENED,
  "tools/list": { tools: [TOOL] },
  "tools/call": DATA,
};

/** A server that forgets its session at the first call of a tool. */
async function forgetful(): Promise<string> {
  let sessions = 0;
  let known = "";
  const server = createServer(async (incoming, response: ServerResponse) => {
    if (incoming.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
    const opens = method === "initialize";
    if (opens) known = `s${++sessions}`;
    if (method === "tools/call" && sessions === 1) known = "";
    if (!opens && incoming.headers["mcp-session-id"] !== known) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, {
      "content-type": "application/json",
      ...(opens && { "mcp-session-id": known }),
    });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: RESULTS[method] }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test("a lost session is opened anew, which is told, and no difference", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-vcr-lost-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.jsonl");
  const asked = ["initialize", "notifications/initialized", "tools/list", "tools/call", "tools/call"];
  const params: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
    "tools/call": { name: "read", arguments: {} },
  };
  const source = { transport: "stdio", command: ["server"] };
  const header = { "mcp-vcr": 1, recorded: "2026-01-01T00:00:00.000Z", recorder: "mcp-vcr/0.1.0", source };
  const entries = asked.flatMap((method, id): object[] => {
    const message = { jsonrpc: "2.0", method, ...(params[method] && { params: params[method] }) };
    if (method.startsWith("notifications/")) return [{ from: "client", message }];
    return [
      { from: "client", message: { id, ...message } },
      { from: "server", message: { jsonrpc: "2.0", id, result: RESULTS[method] } },
    ];
  });
  const timed = entries.map((entry, at) => ({ at, ...entry }));
  const text = `${[header, ...timed].map((line) => JSON.stringify(line)).join("\n")}\n`;
  writeFileSync(file, text);
  const verified = await verify(file, [await forgetful()], "--update");
  expect(ruled(verified)).toEqual(["info transport-changed"]);
  expect(verified.compared.exchanges).toBe(2);
  expect(verified.notes).toEqual([
    "the server lost the session; opened a new one, and asked again what it had not answered",
  ]);
  expect(verified.stderr).toContain("was not brought up to date: the server lost the session");
  expect(readFileSync(file, "utf8")).toBe(text);
});
