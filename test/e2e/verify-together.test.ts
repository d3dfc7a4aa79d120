import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { start } from "./support/program.ts";
import { ruled, verify } from "./support/verify.ts";
import { record } from "./support/walk.ts";

const annotations = { readOnlyHint: true };
const TOOLS = ["pin", "board"].map((name) => ({ name, inputSchema: { type: "object" }, annotations }));
const OPENED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "board", version: "1" },
};

/** A server with one board for all of its sessions, and how many of them are open. */
async function board(): Promise<string> {
  const pinned: string[] = [];
  const open = new Set<string>();
  let sessions = 0;
  const call = ({ name, arguments: given }: { name: string; arguments: { note: string } }) => {
    if (name === "pin") pinned.push(given.note);
    return { content: [{ type: "text", text: `${pinned.join(", ")} of ${open.size}` }] };
  };
  const server = createServer(async (incoming, response: ServerResponse) => {
    const session = String(incoming.headers["mcp-session-id"]);
    if (incoming.method === "DELETE") return void response.writeHead(open.delete(session) ? 200 : 404).end();
    if (incoming.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
    if (id === undefined) return void response.writeHead(202).end();
    const opened = method === "initialize" ? `s${++sessions}` : undefined;
    if (opened) open.add(opened);
    response.writeHead(200, {
      "content-type": "application/json",
      ...(opened && { "mcp-session-id": opened }),
    });
    const result = opened ? OPENED : method === "tools/list" ? { tools: TOOLS } : call(params);
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test("clients that shared what a server holds: an unchanged server shows no difference, and --update changes nothing", async () => {
  const file = join(tempFolder(), "board.yaml");
  const recorder = start(record(file, { url: await board() }));
  const url = await recorder.url();
  const [ada, bob, cyd] = [new HttpTalk(url), new HttpTalk(url), new HttpTalk(url)];
  await ada.initialize();
  await ada.ask("tools/list");
  await ada.call("pin", { note: "milk" });
  await bob.initialize();
  await bob.call("board");
  await bob.call("pin", { note: "bread" });
  await ada.call("board");
  await ada.call("pin", { note: "tea" });
  await cyd.initialize();
  await Promise.all([bob.call("board"), ada.call("board"), cyd.call("board")]);
  await bob.end();
  await ada.call("board");
  await recorder.stop();
  const text = readFileSync(file, "utf8");
  expect(text).toContain("milk, bread, tea of 2");
  const verified = await verify(file, [await board()]);
  expect({ rules: ruled(verified), code: verified.code }).toEqual({ rules: [], code: 0 });
  expect(verified.compared.exchanges).toBe(9);
  expect((await verify(file, [await board()], "--update")).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(text);
});
