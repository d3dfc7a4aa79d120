import { expect } from "vitest";
import { CLI, fixture, NODE, run, start } from "./program.ts";

export type Era = "legacy" | "modern";
export type ClientTransport = "stdio" | "http" | "sse";

/** How a server is reached: `json` is HTTP with JSON bodies where an answer is alone, `http` HTTP with SSE answers. */
export type Door = "stdio" | "http" | "json" | "sse";

const EVERYDAY = fixture("servers/everyday.mjs");
const WALK = fixture("clients/walk.mjs");
const WALK_TOGETHER = fixture("../e2e/support/walk-together.mjs");
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
  readonly flags?: readonly string[];
}

/** Walks the target with a client of its own and answers what it printed; the walk must have gone well. */
export async function walk({ sdk, era, flags = [] }: Client, target: Target): Promise<string> {
  const way =
    "program" in target
      ? ["--", NODE, ...target.program]
      : ["--transport", target.transport, "--url", target.url];
  const ended = await run([WALK, "--sdk", sdk, "--era", era, ...flags, ...way]);
  const lines = ended.stdout.toString();
  expect({ stderr: ended.stderr, code: ended.code }).toEqual({ stderr: "", code: 0 });
  expect(lines.split("\n").length).toBeGreaterThan(100);
  return lines;
}

/** One of several clients that walk at once in one process; see walk-together.mjs. */
export interface Walker extends Client {
  readonly clientName?: string;
  readonly user?: string;
  readonly order?: number;
  readonly ids?: string;
  /** Scenes to leave out. */
  readonly skip?: readonly string[];
}

/** Walks a URL with several clients at once in one process; answers what each printed. */
export async function walkTogether(url: string, clients: readonly Walker[]): Promise<string[]> {
  const ended = await run([WALK_TOGETHER, url, JSON.stringify(clients)]);
  expect({ stderr: ended.stderr, code: ended.code }).toEqual({ stderr: "", code: 0 });
  return JSON.parse(ended.stdout.toString()) as string[];
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
  client: Client,
  { door, file }: { door: Door; file: string },
): Promise<string> {
  if (door === "stdio") return walk(client, { program: record(file, everyday(client.era, door)) });
  return recordingUrl(client.era, { door, file }, (url) =>
    walk(client, { url, transport: clientTransport(door) }),
  );
}

/** Runs clients against a recorder in front of the everyday server; both have ended when this returns. */
export async function recordingUrl<T>(
  era: Era,
  { door, file }: { door: Door; file: string },
  clients: (url: string) => Promise<T>,
): Promise<T> {
  const server = start(everyday(era, door));
  const recorder = start(record(file, { url: await server.url() }));
  const result = await clients(await recorder.url());
  const { code, stderr } = await recorder.stop();
  // On a busy machine it may be far behind at the end, and says how far it is.
  const told = stderr.replace(/^mcp-vcr: .*: writing the recording, \d+ %\n/gm, "");
  expect({ code, told }).toEqual({ code: 0, told: "" });
  await server.stop();
  return result;
}

/** Walks what `serve` makes of a cassette; it must have answered everything from it. */
export async function walkServed(
  client: Client,
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
