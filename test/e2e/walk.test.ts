import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { fixture, NODE, run, start } from "./support/program.ts";
import {
  type Client,
  clientTransport,
  type Door,
  type Era,
  everyday,
  LISTEN,
  PATIENCE_MS,
  record,
  recordingUrl,
  serve,
  walk,
  walkServed,
} from "./support/walk.ts";

/** The published clients see the same whether the server, the recorder or the replay is on the other side. */

interface Row {
  readonly name: string;
  readonly client: Client;
  readonly door: Door;
  readonly codec: "yaml" | "jsonl";
}

const SDK_1: Client = { sdk: "1", era: "legacy" };
const SDK_2: Client = { sdk: "2", era: "legacy" };
const MODERN: Client = { sdk: "2", era: "modern" };

const ROWS: readonly Row[] = [
  { name: "SDK 1, stdio", client: SDK_1, door: "stdio", codec: "yaml" },
  { name: "SDK 1, HTTP with SSE", client: SDK_1, door: "http", codec: "jsonl" },
  { name: "SDK 1, HTTP with JSON", client: SDK_1, door: "json", codec: "yaml" },
  { name: "SDK 1, HTTP+SSE pair", client: SDK_1, door: "sse", codec: "jsonl" },
  { name: "SDK 2, legacy, stdio", client: SDK_2, door: "stdio", codec: "jsonl" },
  { name: "SDK 2, legacy, HTTP with SSE", client: SDK_2, door: "http", codec: "yaml" },
  { name: "SDK 2, legacy, HTTP with JSON", client: SDK_2, door: "json", codec: "jsonl" },
  { name: "SDK 2, legacy, HTTP+SSE pair", client: SDK_2, door: "sse", codec: "yaml" },
  { name: "SDK 2, modern, stdio", client: MODERN, door: "stdio", codec: "yaml" },
  { name: "SDK 2, modern, HTTP with SSE", client: MODERN, door: "http", codec: "yaml" },
  { name: "SDK 2, modern, HTTP with JSON", client: MODERN, door: "json", codec: "jsonl" },
];

/** The lines of a walk straight to the server, and of one through the recorder; both are gone when this returns. */
async function walkBoth(
  client: Client,
  { door, file }: { door: Door; file: string },
): Promise<readonly [direct: string, recorded: string]> {
  if (door === "stdio") {
    const program = everyday(client.era, door);
    return [await walk(client, { program }), await walk(client, { program: record(file, program) })];
  }
  const transport = clientTransport(door);
  return recordingUrl(client.era, { door, file }, async (url, server) => [
    await walk(client, { url: server, transport }),
    await walk(client, { url, transport }),
  ]);
}

/** What any transport shows in an era; the first row of the era writes it. */
const shown = new Map<Era, string>();

describe("the walk prints the same lines directly, through record, and from serve", () => {
  test.each(ROWS)("$name, .$codec", { timeout: PATIENCE_MS }, async ({ client, door, codec }) => {
    const file = join(tempFolder(), `walk.${codec}`);
    const [direct, recorded] = await walkBoth(client, { door, file });
    if (!shown.has(client.era)) shown.set(client.era, direct);
    expect(direct).toBe(shown.get(client.era));
    expect(recorded).toBe(direct);
    expect((await readCassette(file)).truncated).toEqual([]);
    expect(await walkServed(client, { door, file })).toBe(direct);
    // Whatever it was recorded over.
    expect(await walkServed(client, { door: door === "stdio" ? "http" : "stdio", file })).toBe(direct);
  });
});

const RAW_STDIO = fixture("clients/raw-stdio.mjs");
const RAW_HTTP = fixture("clients/raw-http.mjs");
const EXACT = '"big":9007199254740993,"one":1.0,"small":1e-7';

describe("numbers JavaScript cannot hold stay as they were written, directly, through record, and from serve", () => {
  const ROWS: readonly [Era, "yaml" | "jsonl"][] = [
    ["legacy", "yaml"],
    ["modern", "jsonl"],
  ];

  test.each(ROWS)("stdio, %s, .%s", { timeout: PATIENCE_MS }, async (era, codec) => {
    const file = join(tempFolder(), `exact.${codec}`);
    const talkTo = async (program: readonly string[]) => {
      const { stdout, stderr, code } = await run([RAW_STDIO, "--era", era, "--", NODE, ...program]);
      expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
      return stdout.toString();
    };
    const direct = await talkTo(everyday(era, "stdio"));
    expect(direct).toContain(EXACT);
    expect(await talkTo(record(file, everyday(era, "stdio")))).toBe(direct);
    expect(await talkTo(serve(file))).toBe(direct);
  });

  test.each([
    ["legacy", "http", "jsonl"],
    ["legacy", "json", "yaml"],
    ["modern", "http", "yaml"],
    ["modern", "json", "jsonl"],
  ] as const)("HTTP, %s, %s, .%s", { timeout: PATIENCE_MS }, async (era, door, codec) => {
    const file = join(tempFolder(), `exact.${codec}`);
    const talkTo = async (url: string) => {
      const { stdout, stderr, code } = await run([RAW_HTTP, "--era", era, "--url", url]);
      expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
      return stdout.toString();
    };
    const server = start(everyday(era, door));
    const direct = await talkTo(await server.url());
    expect(direct).toContain(EXACT);
    const recorder = start(record(file, { url: await server.url() }));
    expect(await talkTo(await recorder.url())).toBe(direct);
    await recorder.stop();
    await server.stop();
    const replay = start(serve(file, ...LISTEN));
    expect(await talkTo(await replay.url())).toBe(direct);
    expect((await replay.stop()).code).toBe(0);
  });
});
