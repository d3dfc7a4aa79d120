import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import type { Tape } from "../../../src/index.ts";
import { LEGACY, tapeOf } from "./support.ts";

/** What clients see that find out, each in its way, which era a recorded server speaks. */

const ME = { name: "test", version: "1" };
type Era = "legacy" | "modern";
type Door = "memory" | "url";

interface Client {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}
interface Connected {
  readonly client: Client;
  readonly era: Era | undefined;
}
type Connect = (tape: Tape, door: Door) => Promise<Connected>;

const sdk1: Connect = async (tape, door) => {
  const client = new Client1(ME);
  // Its own types do not fit themselves under exactOptionalPropertyTypes.
  const http = async () => new Http1(new URL(await tape.url)) as unknown as ReturnType<Tape["transport"]>;
  await client.connect(door === "memory" ? tape.transport() : await http());
  return { client, era: "legacy" };
};

const sdk2 =
  (mode: "legacy" | "auto" | { pin: string }): Connect =>
  async (tape, door) => {
    const client = new Client2(ME, { versionNegotiation: { mode } });
    await client.connect(door === "memory" ? tape.transport() : new Http2(new URL(await tape.url)));
    return { client, era: client.getProtocolEra() };
  };

const CLIENTS = {
  "SDK 1": sdk1,
  "SDK 2": sdk2("legacy"),
  "SDK 2, auto": sdk2("auto"),
  "SDK 2, pinned": sdk2({ pin: "2026-07-28" }),
};

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
const SERVER = '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}}';
const [HEADER = ""] = LEGACY;
const line = (from: "client" | "server", message: string, session: number) =>
  `{"at":1,"session":${session},"from":"${from}","message":{"jsonrpc":"2.0",${message}}}`;

const asksEra = (session: number) =>
  line("client", `"id":"d","method":"server/discover","params":{${META}}`, session);
const called = (session: number) => [
  line("client", `"id":"c","method":"tools/call","params":{"name":"count","arguments":{},${META}}`, session),
  line(
    "server",
    `"id":"c","result":{"content":[{"type":"text","text":"one"}],"resultType":"complete",${SERVER}}`,
    session,
  ),
];
const modern = (session: number) => [
  asksEra(session),
  line(
    "server",
    `"id":"d","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete","ttlMs":0,"cacheScope":"private",${SERVER}}`,
    session,
  ),
  ...called(session),
];
const refused = line("server", '"id":"d","error":{"code":-32601,"message":"Method not found"}', 1);
const inSession2 = LEGACY.slice(1).map((each) => each.replace("{", '{"session":2,'));

const CASSETTES = {
  "of the legacy era": LEGACY,
  "of the legacy era, whose server did not know the question": [HEADER, asksEra(1), refused, ...inSession2],
  "of the modern era": [HEADER, ...modern(1)],
  "of the modern era, whose client did not ask": [HEADER, ...called(1)],
  "of both eras": [HEADER, ...modern(1), ...inSession2],
};

/** What each client speaks then, in the order of CLIENTS; `away` where it goes. */
const SPOKEN: Readonly<Record<keyof typeof CASSETTES, readonly (Era | "away")[]>> = {
  "of the legacy era": ["legacy", "legacy", "modern", "modern"],
  "of the legacy era, whose server did not know the question": ["legacy", "legacy", "legacy", "away"],
  "of the modern era": ["legacy", "legacy", "modern", "modern"],
  "of the modern era, whose client did not ask": ["legacy", "legacy", "modern", "modern"],
  "of both eras": ["legacy", "legacy", "modern", "modern"],
};

const ROWS = Object.entries(SPOKEN).flatMap(([cassette, all]) =>
  Object.keys(CLIENTS).map((client, index) => [client, cassette, all[index]] as const),
);

describe.each(["memory", "url"] as const)("by %s", (door) => {
  test.each(ROWS)("%s and a cassette %s: %s", async (name, cassette, spoken) => {
    const tape = await tapeOf(CASSETTES[cassette as keyof typeof CASSETTES], { config: false });
    const connecting = CLIENTS[name as keyof typeof CLIENTS](tape, door);
    if (spoken === "away") {
      await expect(connecting).rejects.toThrow();
      expect(() => tape.check()).toThrow(/the server did not know it, which turns clients of 2026-07-28/);
      return;
    }
    const { client, era } = await connecting;
    expect(era).toBe(spoken);
    const answer = await client.callTool({ name: "count", arguments: {} });
    expect(answer).toMatchObject({ content: [{ text: "one" }] });
    expect(() => tape.check()).not.toThrow();
    await client.close();
  });
});
