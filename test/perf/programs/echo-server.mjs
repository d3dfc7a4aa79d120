// An MCP server over stdio without any SDK: `echo` answers with as many bytes as asked for, `flood` sends
// notifications of 64 KiB until so many bytes are out, each only when the one before is taken.
import { headFor, INITIALIZE_RESULT, tailFor } from "./answers.mjs";

const FLOOD_LINE = `${JSON.stringify({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level: "info", data: "wind and rain ".repeat(4681) },
})}\n`;

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
});

function answer({ id, method, params }) {
  if (id === undefined) return;
  if (method === "initialize") send(id, Buffer.from(`,"result":${JSON.stringify(INITIALIZE_RESULT)}}`));
  else if (params.name === "flood") flood(params.arguments.bytes).then(() => send(id, tailFor(200)));
  else send(id, tailFor(params.arguments.size));
}

function send(id, tail) {
  process.stdout.write(Buffer.concat([Buffer.from(headFor(id)), tail, Buffer.from("\n")]));
}

async function flood(bytes) {
  for (let sent = 0; sent < bytes; sent += FLOOD_LINE.length) {
    await new Promise((resolve) => process.stdout.write(FLOOD_LINE, resolve));
  }
}
