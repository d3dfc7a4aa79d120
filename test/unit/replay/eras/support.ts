import { client, request, result, server } from "../../../cases/tape.ts";

export const PREFIX = "io.modelcontextprotocol/";
export const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** `_meta` of a modern request. */
export const meta = (more: object = {}, capabilities: object = ALL) => ({
  _meta: {
    [`${PREFIX}protocolVersion`]: "2026-07-28",
    [`${PREFIX}clientCapabilities`]: capabilities,
    ...more,
  },
});

/** A modern request. */
export const modern = (id: unknown, method: string, params: object = {}, more: object = {}) =>
  request(id as number, method, { ...params, ...meta(more) });

export const SERVER = { name: "weather", version: "1.4.0" };

/** A recorded handshake. */
export const opening = (capabilities: object = { tools: { listChanged: true }, logging: {} }) => [
  client(
    request(0, "initialize", { protocolVersion: "2025-11-25", clientInfo: { name: "t", version: "1" } }),
  ),
  server(
    result(0, { protocolVersion: "2025-11-25", capabilities, serverInfo: SERVER, instructions: "Ask." }),
  ),
];

/** What a legacy client opens with. */
export const initialize = (capabilities: object = ALL, protocolVersion = "2025-11-25") =>
  request(90, "initialize", { protocolVersion, capabilities, clientInfo: { name: "l", version: "1" } });

/** The `_meta` with which results of the modern era name their server. */
export const named = { _meta: { [`${PREFIX}serverInfo`]: SERVER } };
