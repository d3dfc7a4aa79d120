import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./cassette.ts";
import type { Sdk } from "./sdk.ts";
import type { Era } from "./walk.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "recorded", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const HEADER = {
  "mcp-vcr": 1,
  recorded: "2026-11-30T09:00:00.000Z",
  recorder: "mcp-vcr/0.1.0",
  source: { transport: "stdio", command: ["node", "server.js"] },
};

const OPENING: Readonly<Record<Era, readonly [method: string, params: object, result: object]>> = {
  legacy: [
    "initialize",
    {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "recorded", version: "1" },
    },
    {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "server", version: "1" },
    },
  ],
  modern: [
    "server/discover",
    { _meta: META },
    {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "server", version: "1" } },
    },
  ],
};

/** A cassette of a server whose tools answer "fine", each called once. */
export function cassetteOf(era: Era, tools: readonly string[]): string {
  const isModern = era === "modern";
  const [method, params, result] = OPENING[era];
  const calls = tools.flatMap((name, index) => {
    const id = index + 1;
    const content = [{ type: "text", text: "fine" }];
    return [
      [
        "client",
        { id, method: "tools/call", params: { name, arguments: {}, ...(isModern ? { _meta: META } : {}) } },
      ],
      ["server", { id, result: { ...(isModern ? { resultType: "complete" } : {}), content } }],
    ];
  });
  const messages = [
    ["client", { id: 0, method, params }],
    ["server", { id: 0, result }],
    ...(isModern ? [] : [["client", { method: "notifications/initialized" }]]),
    ...calls,
  ] as [string, object][];
  const lines = messages.map(([from, message], at) => ({
    at,
    from,
    message: { jsonrpc: "2.0", ...message },
  }));
  const file = join(tempFolder(), `${era}.jsonl`);
  writeFileSync(file, [HEADER, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** A faults file. */
export function faultsFile(faults: readonly object[]): string {
  const file = join(tempFolder(), "faults.yaml");
  writeFileSync(file, JSON.stringify({ faults }));
  return file;
}

interface CallOptions {
  /** Milliseconds after which the client gives up. */
  readonly patience?: number | undefined;
  /** Milliseconds after which its user does. */
  readonly abortAfter?: number | undefined;
}

/** What becomes of a tool call for its client, in a line. */
export async function outcomeOf(
  sdk: Sdk,
  name: string,
  { patience, abortAfter }: CallOptions = {},
): Promise<string> {
  const controller = new AbortController();
  if (abortAfter !== undefined) setTimeout(() => controller.abort(new Error("given up")), abortAfter);
  const options = { signal: controller.signal, timeout: patience ?? 20_000 };
  return sdk.request("tools/call", { name, arguments: {} }, options).then(textOf, errorText);
}

function textOf({ content, isError }: Awaited<ReturnType<Sdk["request"]>>): string {
  const text = content.map((item) => item.text).join(" ");
  const said = text.length > 100 ? `${text.length} characters` : text;
  return isError ? `tool error: ${said}` : said;
}

function errorText(error: Error & { code?: unknown }): string {
  const { message, code } = error;
  if (/timed out/i.test(message)) return "timed out";
  if (/given up/.test(message)) return "given up";
  if (/connection closed/i.test(message)) return "connection closed";
  return `${code === undefined ? "" : `${code} `}${message}`;
}

/** What a client is told besides, shortened to what all Node versions say. */
export function complaintsOf({ client }: Sdk): string[] {
  const complaints: string[] = [];
  (client as { onerror?: (error: Error) => void }).onerror = ({ message }) => {
    complaints.push(message);
  };
  return complaints;
}
