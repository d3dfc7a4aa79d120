// An MCP server over Streamable HTTP without any SDK. Answers as JSON, or with `--sse` as an event stream.
import { createServer } from "node:http";
import { headFor, INITIALIZE_RESULT, tailFor } from "./answers.mjs";

const sse = process.argv.includes("--sse");

const server = createServer((req, res) => {
  if (req.method !== "POST") return void res.writeHead(405).end();
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => answer(JSON.parse(Buffer.concat(chunks).toString()), res));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` })}\n`);
});

function answer({ id, method, params }, res) {
  if (id === undefined) return void res.writeHead(202).end();
  const tail =
    method === "initialize"
      ? Buffer.from(`,"result":${JSON.stringify(INITIALIZE_RESULT)}}`)
      : tailFor(params.arguments.size);
  const message = Buffer.concat([Buffer.from(headFor(id)), tail]);
  if (sse) {
    res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    res.end(Buffer.concat([Buffer.from("event: message\ndata: "), message, Buffer.from("\n\n")]));
  } else {
    res.writeHead(200, { "content-type": "application/json", "content-length": message.length });
    res.end(message);
  }
}
