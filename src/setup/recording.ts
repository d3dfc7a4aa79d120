import { shellQuote } from "../replay/miss.ts";
import type { KnownServer } from "./client-config.ts";
import { EXAMPLE } from "./example-test.ts";
import { MANAGERS, type PackageManager } from "./project.ts";

/** Of package.json: records a server without a client. */
export const SCRIPT = "record";

/** A known server, and what its recording is called. */
export interface Recordable extends KnownServer {
  /** A path from the project's folder. */
  readonly cassette: string;
  /** Whether credentials stand in its command or URL. */
  readonly isSecret: boolean;
}

/** Each server with a cassette of its own, called after it. */
export function recordables(
  servers: readonly KnownServer[],
  isSecret: (server: KnownServer) => boolean,
): readonly Recordable[] {
  const taken = new Set([EXAMPLE]);
  return servers.map((server) => {
    const plain = server.name.replace(/[^\w.]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "server";
    let name = plain;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${plain}-${n}`;
    taken.add(name.toLowerCase());
    return { ...server, cassette: `cassettes/${name}.yaml`, isSecret: isSecret(server) };
  });
}

/** The script that records a server without a client, or why there can be none. */
export function recordScript(server: Recordable): { readonly command: string } | { readonly why: string } {
  if (server.isSecret) return { why: "credentials stand in its command or URL" };
  if (server.headers.length > 0) return { why: `it is asked with headers (${server.headers.join(", ")})` };
  const target = "url" in server.reach ? ["--url", server.reach.url] : ["--", ...server.reach.command];
  const words = ["mcp-vcr", "record", "--drive", "auto", "-o", server.cassette, ...target].map(scriptWord);
  const odd = words.indexOf(undefined);
  return odd < 0
    ? { command: words.join(" ") }
    : { why: 'it holds one of " $ % ! ` \\, which scripts on some systems read otherwise' };
}

/** A word as a POSIX shell and cmd.exe read it alike; undefined where they do not. */
function scriptWord(word: string): string | undefined {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return /["$%!`\\\p{Cc}]/u.test(word) ? undefined : `"${word}"`;
}

export interface Place {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly manager: PackageManager;
}

/** What a client's configuration is to say in place of what it says, so that a server is recorded. */
export function clientLines(server: Recordable, place: Place): string {
  return "url" in server.reach
    ? urlLines(server, server.reach.url, place)
    : commandLines(server, server.reach.command, place);
}

function commandLines(
  { name, file, cassette, isSecret }: Recordable,
  command: readonly string[],
  { root, manager }: Place,
): string {
  const [program, ...args] = MANAGERS[manager].start;
  const before = [...args, "mcp-vcr", "record", "-o", `${root}/${cassette}`, "--"].map(quoted).join(", ");
  // What is secret is not shown once more.
  const own = isSecret ? `${quoted(command[0])}, …its args as they are` : command.map(quoted).join(", ");
  return `Record "${name}" with its client: until that is done, let ${file} say
  "command": ${quoted(program)},
  "args": [${before}, ${own}]`;
}

/** Where a recorder listens for clients. */
const LISTEN = "127.0.0.1:8080";

function urlLines(
  { name, file, member, cassette, isSecret }: Recordable,
  url: string,
  { manager }: Place,
): string {
  const path = isSecret ? "/…its path as it is" : url.replace(/^https?:[/]*[^/?#]*/, "");
  return `Record "${name}" with its client: start
  ${MANAGERS[manager].run} mcp-vcr record -o ${cassette} --url ${isSecret ? "URL" : shellQuote(url)} --listen ${LISTEN}
and until that is done, let ${file} say
  "${member}": ${quoted(`http://${LISTEN}${path}`)}`;
}

function quoted(word = ""): string {
  return JSON.stringify(word);
}
