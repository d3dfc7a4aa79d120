import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { tempFolder } from "./cassette.ts";
import { CLI, fixture, NODE, start } from "./program.ts";

export type Era = "legacy" | "modern";
export type ClientTransport = "stdio" | "http" | "sse";

/** How a server is reached: `json` is HTTP with JSON bodies where an answer is alone, `http` HTTP with SSE answers. */
export type Door = "stdio" | "http" | "json" | "sse";

const EVERYDAY = fixture("servers/everyday.mjs");
/** A walk is over long before, on a machine that does nothing else. */
export const PATIENCE_MS = 180_000;

export const clientTransport = (door: Door): ClientTransport => (door === "json" ? "http" : door);

/** Arguments that start the everyday server behind a door. */
export function everyday(era: Era, door: Door): string[] {
  const transport = ["--transport", clientTransport(door)];
  return [EVERYDAY, "--era", era, ...transport, ...(door === "json" ? ["--json"] : [])];
}

/** What a walk connects to: a Node program over stdio, or a URL. */
export type Target =
  | { readonly program: readonly string[] }
  | { readonly url: string; readonly transport: ClientTransport };

export interface Client {
  readonly sdk: "1" | "2";
  readonly era: Era;
}

/** A client that walks, and how: see clients/walk.mjs. */
export interface Walker extends Client {
  readonly clientName?: string;
  readonly user?: string;
  /** A seed. */
  readonly order?: number;
  readonly ids?: string;
  /** Scenes. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly siblingProbe?: boolean;
}

type Connected = Walker & {
  readonly transport: ClientTransport;
  readonly command?: readonly string[];
  readonly url?: string;
  /** Where what a program says on its stderr goes. */
  readonly stderr?: number;
};

/** Loads the SDKs, which not every test needs. */
async function play(...clients: readonly Connected[]): Promise<string[]> {
  const { walkTogether } = await import(fixture("clients/walk/play.mjs"));
  return walkTogether(clients);
}

/** Walks the target with a client in this process, and answers what it saw; the walk must have gone well. */
export async function walk(walker: Walker, target: Target): Promise<string> {
  const { lines, stderr } = await walkHearing(walker, target);
  expect(stderr).toBe("");
  if (walker.only === undefined) expect(lines.split("\n").length).toBeGreaterThan(100);
  return lines;
}

/** What a client saw, and what the target said on its stderr where the client started it. */
export interface Heard {
  readonly lines: string;
  readonly stderr: string;
}

/** The same, and what the target says. */
export function walkHearing(walker: Walker, target: Target): Promise<Heard> {
  return hearing(target, async (way) => {
    const [lines = ""] = await play({ ...walker, transport: "stdio", ...way });
    return lines;
  });
}

/** A client in this process asks what a cassette of this repository holds: see clients/ask.mjs. */
export async function ask(name: string, target: Target, era?: Era): Promise<Heard> {
  const { ask: asks } = await import(fixture("clients/ask/play.mjs"));
  return hearing(target, (way) => asks(name, { ...way, ...(era && { era }) }));
}

/** How a client connects: to a URL, or to a command whose stderr goes to a file descriptor. */
type Way = Partial<Pick<Connected, "url" | "command" | "stderr">>;

async function hearing(target: Target, client: (way: Way) => Promise<string>): Promise<Heard> {
  if ("url" in target) return { lines: await client(target), stderr: "" };
  const file = join(tempFolder(), "stderr");
  const stderr = openSync(file, "w");
  const said = () => readFileSync(file, "utf8");
  try {
    return { lines: await client({ command: [NODE, ...target.program], stderr }), stderr: said() };
  } catch (cause) {
    throw new Error(`The client failed. The program said: ${said()}`, { cause });
  } finally {
    closeSync(stderr);
  }
}

/** Walks a URL with several clients at once; answers what each saw. */
export function walkTogether(url: string, walkers: readonly Walker[]): Promise<string[]> {
  return play(...walkers.map((walker) => ({ ...walker, url, transport: "http" as const })));
}

/** Arguments that record: `server` is a Node program to start, or a URL. */
export function record(
  file: string,
  server: readonly string[] | { readonly url: string },
  ...flags: string[]
): string[] {
  const source = "url" in server ? ["--url", server.url] : ["--", NODE, ...server];
  return [CLI, "record", "-o", file, ...flags, ...source];
}

export const serve = (file: string, ...flags: string[]): string[] => [CLI, "serve", file, ...flags];

export const LISTEN = ["--listen", "127.0.0.1:0"] as const;

/**
 * Walks a server through the recorder, and answers what was printed. When this returns, recorder and server are gone.
 */
export async function walkRecorded(
  client: Walker,
  { door, file }: { door: Door; file: string },
): Promise<string> {
  if (door === "stdio") return walk(client, { program: record(file, everyday(client.era, door)) });
  return recordingUrl(client.era, { door, file }, (url) =>
    walk(client, { url, transport: clientTransport(door) }),
  );
}

/**
 * Runs clients against a recorder in front of the everyday server, which they are told of too; both have ended when this
 * returns.
 */
export async function recordingUrl<T>(
  era: Era,
  { door, file }: { door: Door; file: string },
  clients: (url: string, server: string) => Promise<T>,
): Promise<T> {
  const server = start(everyday(era, door));
  const url = await server.url();
  const recorder = start(record(file, { url }));
  const result = await clients(await recorder.url(), url);
  const { code, stderr } = await recorder.stop();
  // On a busy machine it may be far behind at the end, and says how far it is.
  const told = stderr.replace(/^mcp-vcr: .*: writing the recording, \d+ %\n/gm, "");
  expect({ code, told }).toEqual({ code: 0, told: "" });
  await server.stop();
  return result;
}

/** Walks what `serve` makes of a cassette; it must have answered everything from it. */
export async function walkServed(
  client: Walker,
  { door, file }: { door: Door; file: string },
): Promise<string> {
  if (door === "stdio") return walk(client, { program: serve(file) });
  return servingUrl(file, (url) => walk(client, { url, transport: clientTransport(door) }));
}

/** Runs clients against `serve --listen`, which must have had an answer for all they asked. */
export async function servingUrl<T>(file: string, clients: (url: string) => Promise<T>): Promise<T> {
  const server = start(serve(file, ...LISTEN));
  const result = await clients(await server.url());
  const { code, stderr } = await server.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return result;
}
