/**
 * A client made with @modelcontextprotocol/client 2.x that asks a weather server a few things and prints a line for
 * each thing it sees:
 *
 *   node client.mjs COMMAND…
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const say = (what, text) => console.log(`${what.padEnd(20)} ${text.replaceAll("\n", " / ")}`);
const textOf = (result) => `${result.isError ? "failed: " : ""}${result.content[0].text}`;

const [command, ...args] = process.argv.slice(2);
const client = new Client(
  { name: "tour", version: "1.0.0" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
client.setRequestHandler("elicitation/create", ({ params }) => {
  say("  it asks", params.message);
  return { action: "accept", content: { city: "Lisbon" } };
});

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
const { tools } = await client.listTools();
say("tools", tools.map((tool) => tool.name).join(", "));
for (const city of ["Oslo", "Nairobi", "Atlantis"]) {
  say(`forecast ${city}`, textOf(await client.callTool({ name: "forecast", arguments: { city } })));
}
const onprogress = ({ progress, total, message }) => say("  progress", `${progress}/${total} ${message}`);
say("compare", textOf(await client.callTool({ name: "compare", arguments: {} }, { onprogress })));
say("here", textOf(await client.callTool({ name: "here", arguments: {} })));
await client.callTool({ name: "reboot", arguments: {} }).then(
  (result) => say("reboot", textOf(result)),
  (error) => say("reboot", `error ${error.code}: ${error.message}`),
);
const { contents } = await client.readResource({ uri: "weather://stations" });
say("weather://stations", contents[0].text);
await client.close();
