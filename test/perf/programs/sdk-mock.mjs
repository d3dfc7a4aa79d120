// The mock one writes by hand with the official SDK. Its answers come from a `.jsonl` cassette, looked up by arguments.
// Usage: node sdk-mock.mjs serve FILE [--listen 127.0.0.1:0]
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const file = process.argv[3];
const answers = await readAnswers(file);
if (process.argv.includes("--listen")) listen();
else await mock().connect(new StdioServerTransport());

async function readAnswers(path) {
  const asked = new Map();
  const found = new Map();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { from, message } = JSON.parse(line);
    if (message?.method === "tools/call") asked.set(message.id, keyOf(message.params.arguments));
    else if (from === "server" && asked.has(message.id)) found.set(asked.get(message.id), message.result);
  }
  return found;
}

function keyOf({ city, day }) {
  return `${city} ${day}`;
}

function mock() {
  const server = new McpServer({ name: "mock", version: "1.0.0" });
  server.registerTool("forecast", { inputSchema: { city: z.string(), day: z.number() } }, (args) => {
    const answer = answers.get(keyOf(args));
    if (!answer) throw new Error(`no answer for ${keyOf(args)}`);
    return answer;
  });
  return server;
}

function listen() {
  const transports = new Map();
  const server = createServer(async (req, res) => {
    let transport = transports.get(req.headers["mcp-session-id"]);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => transports.set(id, transport),
      });
      await mock().connect(transport);
    }
    await transport.handleRequest(req, res);
  });
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` })}\n`);
  });
}
