import { describe, expect, test } from "vitest";
import { readForeign } from "../../../src/convert/formats.ts";
import { readHar } from "../../../src/run/read-har.ts";
import { bytesOf } from "../cassette/support.ts";

function read(text: string): unknown {
  const foreign = readForeign(bytesOf(text), "a");
  return "har" in foreign ? readHar(foreign.har) : foreign.recording;
}

describe("refused, at its place, is", () => {
  const LINES = '{"type":"header","cassetteVersion":1}\n';
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["what is no recording", '{"a":1}', /^a: is no recording that convert knows$/],
    ["what is no JSON", "VCR", /^a: is no recording/],
    ["a list", "[]", /^a: is no recording/],
    ["an empty file", "", /^a: is no recording/],
    [
      "a recording without a member",
      '{"version":"1",\n "metadata":{},\n "interactions":[\n{"request":null}]}',
      /^a:4:1: request is missing$/,
    ],
    [
      "a member of the wrong kind",
      `${LINES}{"type":"raw","dir":"c2s","data":1}\n`,
      /^a:2:34: text is expected here$/,
    ],
    [
      "a time that is none",
      '{"format_version":1,"recorded_at":"","messages":[{"sender":"client","payload":{},"t_offset_ms":"1"}]}',
      /^a:1:96: a number/,
    ],
    [
      "a sender that is none",
      '{"format_version":1,"recorded_at":"","messages":[{"sender":"me","payload":{}}]}',
      /sender must be client or server/,
    ],
    [
      "a newer version of lines",
      '{"type":"header","cassetteVersion":3}\n',
      /^a:1:36: version 3 is not known; 1 and 2 are$/,
    ],
    [
      "a newer format",
      '{"format_version":4,"messages":[],"recorded_at":""}',
      /format 4 is not known; 1 to 3 are/,
    ],
    ["a broken line", `${LINES}{"type"\n`, /^a:2: no JSON object/],
    ["a HAR without MCP", '{"log":{"entries":[]}}', /no request in it posts a JSON-RPC message/],
  ];
  for (const [name, text, complaint] of cases) {
    test(name, () => expect(() => read(text)).toThrow(complaint));
  }
});

test("a recording of agent-vcr over SSE names no server, and requests of the server stay the server's", () => {
  const session = {
    initialize_request: { jsonrpc: "2.0", id: 0, method: "initialize" },
    initialize_response: { jsonrpc: "2.0", id: 0, result: {} },
    interactions: [
      {
        timestamp: "2026-01-01T00:00:01Z",
        request: { jsonrpc: "2.0", id: 1, method: "roots/list", params: null },
        response: { jsonrpc: "2.0", id: 1, result: null, error: { code: 1, message: "no", data: null } },
      },
    ],
  };
  const metadata = { recorded_at: "2026-01-01T00:00:00Z", transport: "sse" };
  const { entries, source } = read(JSON.stringify({ format_version: "1.0.0", metadata, session })) as {
    source: unknown;
    entries: { at: number; from: string; raw: Uint8Array }[];
  };
  expect(source).toEqual({ transport: "stdio", command: ["agent-vcr"] });
  expect(entries.slice(2).map(({ at, from, raw }) => [at, from, new TextDecoder().decode(raw)])).toEqual([
    [1000, "server", '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'],
    [1000, "client", '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no","data":null}}'],
  ]);
});
