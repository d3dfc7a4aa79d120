// So many tests of a client, one after the other, each with a server of its own within the process.
// Usage: node tapes.mjs KIND COUNT LIBRARY CASSETTE. KIND: cassette, mock, or sdk, a server written with the SDK.
// Prints one line of JSON: milliseconds for each test, and of these for the server's opening and closing.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { argumentsOf } from "../cassette.mjs";
import { percentile } from "../stats.mjs";

const [kind, count, library, cassette] = process.argv.slice(2);
const { mockServer, useCassette } = await import(library);

const SIDES = {
  cassette: async () => {
    const tape = await useCassette(cassette, { config: false });
    return { transport: tape.transport(), close: () => tape.close() };
  },
  mock: async () => {
    const mock = await mockServer();
    const inputSchema = {
      type: "object",
      properties: { city: { type: "string" }, day: { type: "number" } },
      required: ["city", "day"],
    };
    mock.tool("forecast", { inputSchema }).reply("Light wind");
    return { transport: mock.transport(), close: () => mock.close() };
  },
  sdk: async () => {
    const server = new McpServer({ name: "mock", version: "1.0.0" });
    server.registerTool("forecast", { inputSchema: { city: z.string(), day: z.number() } }, () => ({
      content: [{ type: "text", text: "Light wind" }],
    }));
    const [transport, own] = InMemoryTransport.createLinkedPair();
    await server.connect(own);
    return { transport, close: () => server.close() };
  },
};

const all = [];
const own = [];
for (let index = 0; index < Number(count); index++) {
  const began = performance.now();
  const { transport, close } = await SIDES[kind]();
  const opened = performance.now();
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  const { content } = await client.callTool({ name: "forecast", arguments: argumentsOf(0) });
  if (!content[0].text.includes("Light wind")) throw new Error(`test ${index} was told ${content[0].text}`);
  await client.close();
  const closing = performance.now();
  await close();
  const over = performance.now();
  all.push(over - began);
  own.push(opened - began + over - closing);
}
const median = (values) => percentile(values, 0.5);
process.stdout.write(`${JSON.stringify({ test: median(all), own: median(own), first: all[0] })}\n`);
