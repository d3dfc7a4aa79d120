import { placeIn } from "../cassette/fault.ts";
import { jsonFault } from "../protocol/json-fault.ts";
import { isObject } from "./manifest.ts";
import type { Folder } from "./project.ts";
import { withoutComments } from "./without-comments.ts";

/** How a client reaches a server. */
export type Reach = { readonly command: readonly string[] } | { readonly url: string };

/** A server that a client of this project knows. */
export interface KnownServer {
  readonly name: string;
  /** The client's configuration that names it. */
  readonly file: string;
  /** The member that its command or URL stands in. */
  readonly member: string;
  readonly reach: Reach;
  /** Names of its environment variables; their values are none of our business. */
  readonly env: readonly string[];
  /** Names of headers that go along with every request to its URL. */
  readonly headers: readonly string[];
}

export interface KnownServers {
  readonly servers: readonly KnownServer[];
  /** What was not understood, as sentences. */
  readonly notices: readonly string[];
}

/** Where clients have their servers in a project, and the member of the file in which. */
const FILES: readonly (readonly [file: string, member: string])[] = [
  [".mcp.json", "mcpServers"],
  ["mcp.json", "mcpServers"],
  [".cursor/mcp.json", "mcpServers"],
  [".vscode/mcp.json", "servers"],
  [".gemini/settings.json", "mcpServers"],
  [".roo/mcp.json", "mcpServers"],
  [".kiro/settings/mcp.json", "mcpServers"],
  ["claude_desktop_config.json", "mcpServers"],
];

/** Members that hold a URL, by client. */
const URLS = ["url", "httpUrl", "serverUrl"];

/** Servers in the configuration files of MCP clients; of those that are the same in several files the first. */
export function knownServers(folder: Folder): KnownServers {
  const all = FILES.map(([file, member]) => {
    const text = folder.text(file);
    return text === undefined ? { servers: [], notices: [] } : readClientConfig({ file, member }, text);
  });
  const servers = new Map<string, KnownServer>();
  for (const server of all.flatMap((each) => each.servers)) {
    const same = JSON.stringify([server.name, server.reach]);
    if (!servers.has(same)) servers.set(same, server);
  }
  return { servers: [...servers.values()], notices: all.flatMap(({ notices }) => notices) };
}

function readClientConfig(
  where: { readonly file: string; readonly member: string },
  text: string,
): KnownServers {
  const { file } = where;
  const plain = withoutComments(text.replace(/^\ufeff/, ""));
  const fault = jsonFault(plain);
  if (fault) {
    const { line, column } = placeIn(plain, fault.offset, { file });
    const place = `${file}:${line}:${column}`;
    return {
      servers: [],
      notices: [`${place}: no valid JSON: ${fault.expected} was expected here; its servers are left out`],
    };
  }
  const value: unknown = JSON.parse(plain);
  const others = where.member === "servers" ? ["mcpServers"] : ["servers"];
  const member = [where.member, ...others].find((key) => isObject(value) && isObject(value[key]));
  if (member === undefined) return { servers: [], notices: [] };
  const listed = (value as Record<string, Readonly<Record<string, unknown>>>)[member] ?? {};
  const read = Object.entries(listed).map(([name, entry]) => readServer({ name, file }, entry));
  return {
    servers: read.filter((each) => typeof each !== "string"),
    notices: read.filter((each) => typeof each === "string" && each !== "") as string[],
  };
}

interface Named {
  readonly name: string;
  readonly file: string;
}

/** One server, or why it is left out; an empty text for one that is behind this program already. */
function readServer({ name, file }: Named, entry: unknown): KnownServer | string {
  const reached = isObject(entry) ? reachOf(entry) : "is no object";
  if (typeof reached === "string")
    return reached && `${file}: the server ${JSON.stringify(name)} ${reached}; it is left out`;
  const { env, headers } = entry as Readonly<Record<string, unknown>>;
  return { name, file, env: keysOf(env), headers: keysOf(headers), ...reached };
}

function reachOf(entry: Readonly<Record<string, unknown>>): Pick<KnownServer, "member" | "reach"> | string {
  const { command, args = [] } = entry;
  if (typeof command === "string" && command !== "") {
    if (!Array.isArray(args) || args.some((arg) => typeof arg !== "string"))
      return "has args that are no list of texts";
    const words = [command, ...(args as string[])];
    return words.some((word) => OURSELVES.test(word)) ? "" : { member: "command", reach: { command: words } };
  }
  for (const member of URLS) {
    const url = entry[member];
    if (typeof url !== "string") continue;
    if (url.includes("${")) return "has a URL with variables, which its client alone knows";
    const isWhole = /^https?:/.test(url) && URL.canParse(url);
    return isWhole ? { member, reach: { url } } : "has a URL that is no whole one of http or https";
  }
  return "has neither a command nor a URL";
}

const OURSELVES = /(^|[\\/])mcp-vcr(@[\w.-]+)?(\.cmd)?$/;

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
