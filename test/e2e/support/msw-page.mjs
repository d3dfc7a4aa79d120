/** A page whose clients speak with a remote server that is a cassette: what they saw is `window.seen`. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { mcpHandlers, useCassette } from "mcp-vcr/msw/browser";
import { setupWorker } from "msw/browser";

const URL_ = "https://weather.example/mcp";
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function look() {
  const tape = await useCassette("/cassettes/weather.yaml");
  const worker = setupWorker(...mcpHandlers(URL_, tape));
  await worker.start({ quiet: true, onUnhandledRequest: "bypass" });
  const options = {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  };
  const client = new Client({ name: "page", version: "1" }, options);
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { city: "Lisbon" } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(URL_)));
  const texts = [];
  const call = async (name, given, more) => {
    const { content } = await client.callTool({ name, arguments: given }, more);
    texts.push(content[0].text);
  };
  const progress = [];
  await call("forecast", { city: "Oslo" });
  await call("compare", {}, { onprogress: (each) => progress.push(each.progress) });
  await call("here", {});
  await client.close();
  const plain = await fetch(URL_, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "forecast",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "forecast", arguments: { city: "Bergen" }, _meta: MODERN },
    }),
  });
  const other = await (await fetch("/other")).text();
  const seen = {
    texts,
    progress,
    other,
    plain: await plain.text(),
    received: tape.received.length,
    misses: tape.misses,
  };
  worker.stop();
  return seen;
}

window.seen = look().catch((error) => ({ failed: String(error.stack) }));
