/**
 * The server the official conformance suite is run against, directly and through a recording.
 * `node test/conformance/server.mjs [--port N]` serves every revision at /mcp of 127.0.0.1 and prints
 * `{"url":"http://127.0.0.1:N/mcp"}` when it is ready. SIGTERM ends it.
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { createFixtureServer } from "./fixture/fixture-server.mjs";
import { createLegacySessions, refuse } from "./fixture/legacy-sessions.mjs";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });

const isHostAllowed = localhostHostValidation();
const isOriginAllowed = localhostOriginValidation();
const legacy = createLegacySessions();
const modernHandler = createMcpHandler(() => createFixtureServer(() => modernHandler.notify), {
  legacy: "reject",
});
const modern = toNodeHandler(modernHandler);

async function handle(request, response) {
  if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
  if (new URL(request.url, "http://localhost").pathname !== "/mcp") {
    response.writeHead(404).end();
    return;
  }
  if (request.method !== "POST") return legacy(request, response);
  const probe = await toWebRequest(request);
  const body = await probe
    .clone()
    .json()
    .catch(() => undefined);
  if (body === undefined) return refuse(response, 400, -32700, "Parse error");
  const answer = (await isLegacyRequest(probe, body)) ? legacy : modern;
  await answer(request, response, body);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});

server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` }));
});

process.once("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
