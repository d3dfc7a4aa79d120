import type { KnownServer } from "./client-config.ts";
import { EXAMPLE } from "./example-test.ts";
import { MANAGERS, type PackageManager } from "./project.ts";

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

/** What a client's configuration says in place of what it says now, so that a server is recorded. */
export function clientLines(server: Recordable, { root, manager }: Place): string {
  const cassette = `${root}/${server.cassette}`;
  const [program = "", ...args] = MANAGERS[manager].run;
  if ("url" in server.reach) return urlLines(server, server.reach.url, { root, manager });
  const before = [...args, "mcp-vcr", "record", "-o", cassette, "--"];
  const own = server.isSecret
    ? `${JSON.stringify(server.reach.command[0])}, …`
    : server.reach.command.map((word) => JSON.stringify(word)).join(", ");
  return `Record "${server.name}" with its client: in ${server.file} let it be, and its other members stay,
  "command": ${JSON.stringify(program)},
  "args": [${before.map((word) => JSON.stringify(word)).join(", ")}, ${own}]`;
}

export interface Place {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly manager: PackageManager;
}

const LISTEN = "127.0.0.1:8080";

function urlLines(
  { name, file, member, cassette, isSecret }: Recordable,
  url: string,
  { manager }: Place,
): string {
  const { pathname, search } = new URL(url);
  const run = MANAGERS[manager].run.join(" ");
  const shown = isSecret ? "URL" : url;
  return `Record "${name}" with its client: start
  ${run} mcp-vcr record -o ${cassette} --url ${shown} --listen ${LISTEN}
and in ${file} let it be, and its other members stay,
  "${member}": ${JSON.stringify(`http://${LISTEN}${pathname}${isSecret ? "" : search}`)}`;
}
