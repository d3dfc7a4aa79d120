import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";

/** The real server of a test: a command over stdio, or the URL of an MCP endpoint. */
export type ServerOption = readonly string[] | string | URL;

const HINT =
  'Give its command as a list, server: ["node", "weather.js"], or its URL, server: "https://example.com/mcp".';

export const SERVER = {
  is: "a command as a list, or a URL",
  fits: (value: unknown) => Array.isArray(value) || typeof value === "string" || value instanceof URL,
};

/** @throws VcrError `usage` */
export function sourceOf(server: ServerOption): Source {
  if (typeof server === "string" || server instanceof URL)
    return { transport: "http", url: checkedUrl(server) };
  if (server.length > 0 && server.every((word) => typeof word === "string" && word !== "")) {
    return { transport: "stdio", command: server };
  }
  throw new VcrError("usage", `server: ${JSON.stringify(server)} is no command`, { hint: HINT });
}

function checkedUrl(server: string | URL): string {
  const text = String(server);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new VcrError("usage", `server: ${JSON.stringify(text)} is no http or https URL`, { hint: HINT });
  }
  if (url.username === "" && url.password === "") return text;
  throw new VcrError("usage", "server: the URL holds credentials, which would not reach the server", {
    hint: "Leave them out: what the client sends (its Authorization header, say) is passed on as it is.",
  });
}

/** As it is written in a test. */
export function writtenServer(source: Source): string {
  return JSON.stringify(source.transport === "stdio" ? source.command : source.url);
}
