import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { jsonlCodec } from "../../../src/cassette/jsonl/codec.ts";
import { Faults } from "../../../src/faults/faults.ts";
import { readFaults } from "../../../src/faults/read-faults.ts";
import { CassetteBytes } from "../../../src/replay/cassette-bytes.ts";
import { Player } from "../../../src/replay/player.ts";
import type { PlayerOptions } from "../../../src/replay/playing.ts";
import { Recording } from "../../../src/replay/recording.ts";
import { serveStdio } from "../../../src/run/serve-stdio.ts";
import { bytesOf } from "../../cases/tape.ts";

const HEADER =
  '{"mcp-vcr":1,"recorded":"2026-11-30T09:00:00.000Z","recorder":"mcp-vcr/0.1.0","source":{"transport":"stdio","command":["node","server.js"]}}';

const asked = (id: number, n: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t","arguments":{"n":${n}}}}`;
const answered = (id: number, n: number) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"n":${n}}}`;

/** What a client reads that asks for calls 1, 2, 3 of a recording of these, all at once. */
async function replies(options: Partial<PlayerOptions>): Promise<string[]> {
  const lines = [1, 2, 3].flatMap((n) => [
    `{"at":${n},"from":"client","message":${asked(n, n)}}`,
    `{"at":${n},"from":"server","message":${answered(n, n)}}`,
  ]);
  const bytes = bytesOf([HEADER, ...lines, ""].join("\n"));
  const source = new CassetteBytes({ file: "a.jsonl", bytes, codec: jsonlCodec, onTruncated: () => {} });
  const player = new Player(new Recording(source), { cassette: "a.jsonl", ...options });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveStdio({ stdin, stdout }, player, new Promise(() => {}));
  stdin.end([1, 2, 3].map((n) => `${asked(n + 10, n)}\n`).join(""));
  await served;
  return String(stdout.read()).trim().split("\n");
}

test("answers bear the live ids", async () => {
  expect(await replies({})).toEqual([answered(11, 1), answered(12, 2), answered(13, 3)]);
});

test("an answer that is held back is not written over by those which overtake it", async () => {
  const text = "faults:\n  - { on: { method: tools/call, nth: 1 }, do: { delay: 20ms } }\n";
  const between = new Faults(readFaults({ file: "f.yaml", text }));
  expect(await replies({ between })).toEqual([answered(12, 2), answered(13, 3), answered(11, 1)]);
});
