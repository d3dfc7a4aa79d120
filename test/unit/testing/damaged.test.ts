import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { codecFor } from "../../../src/cassette/codecs.ts";
import { type Tape, useCassette } from "../../../src/index.ts";
import { folderOf, LEGACY, tapeOf } from "./support.ts";

/** A cassette that somebody cut fails the test that opens it or comes to what is missing, and keeps nobody waiting. */

const DOORS = {
  "transport()": (tape: Tape) => tape.transport(),
  url: async (tape: Tape) => new StreamableHTTPClientTransport(new URL(await tape.url)),
  "command and args": ({ command, args }: Tape) => new StdioClientTransport({ command, args }),
};

/** As a YAML cassette, with what is cut off its end. */
async function yamlOf(lines: readonly string[], cut: number): Promise<string[]> {
  const decoder = (await codecFor("a.jsonl")).decoder("a.jsonl");
  const entries = [
    ...decoder.push(new TextEncoder().encode(`${lines.join("\n")}\n`)),
    ...decoder.end().entries,
  ];
  const codec = await codecFor("a.yaml");
  let text = "";
  const sink = {
    text: (more: string) => (text += more),
    bytes: (more: Uint8Array) => (text += new TextDecoder().decode(more)),
  };
  if (decoder.header) codec.header(decoder.header, sink);
  const encoder = codec.encoder();
  for (const { entry } of entries) encoder.encode(entry, sink);
  sink.bytes(codec.terminator);
  return text.slice(0, text.length - cut).split("\n");
}

beforeEach(() => {
  vi.stubEnv("CI", "true");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test.each([
  ["weather.yaml", "without its last line", () => yamlOf(LEGACY, 5)],
  ["weather.yaml", "cut off", () => yamlOf(LEGACY, 60)],
  ["weather.jsonl", "cut off", async () => [...LEGACY.slice(0, -1), '{"at":7,"fr']],
] as const)("%s %s is told when it is opened: file, line, and what to do", async (name, _how, lines) => {
  const folder = folderOf({});
  writeFileSync(join(folder, name), (await lines()).join("\n"));
  await expect(useCassette("weather", { folder, config: false })).rejects.toMatchObject({
    code: "cassette-invalid",
    message: expect.stringMatching(
      new RegExp(`^${join(folder, name)}:\\d+: the last entry is cut off \\(`),
    ) as string,
    hint: expect.stringContaining("To record anew, delete the file.") as string,
  });
});

describe.each(Object.entries(DOORS))("a request whose answer is gone, by %s", (_door, open) => {
  test("is a miss that names its place", async () => {
    const lines = [...LEGACY.slice(0, 8), LEGACY[8]?.replace('"id":2', '"id":3') ?? ""];
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const tape = await tapeOf(lines, { config: false });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(await open(tape));
    const call = () => client.callTool({ name: "count", arguments: {} });
    expect(await call()).toMatchObject({ content: [{ text: "one" }] });
    await expect(call()).rejects.toThrow("tools/call count was recorded without an answer.");
    await client.close();
    expect(tape.misses).toMatchObject([{ reason: "unanswered", label: "tools/call count" }]);
    expect(() => tape.check()).toThrow(
      /It is at .*session\.jsonl:8, and its answer is missing\.\nPut it back, or delete that entry and record anew\./,
    );
  });
});

test("where the answer bears another id, that is pointed at", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const lines = [...LEGACY.slice(0, 6), LEGACY[6]?.replace('"id":1', '"id":"1"') ?? ""];
  const tape = await tapeOf(lines, { config: false });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(tape.transport());
  await expect(client.callTool({ name: "count", arguments: {} })).rejects.toThrow(
    /session\.jsonl:5, and its answer is missing\. .*session\.jsonl:7 may be meant to be it, but answers nothing\./,
  );
});
