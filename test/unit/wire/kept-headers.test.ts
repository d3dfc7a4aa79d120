import { describe, expect, test } from "vitest";
import { type HeaderContext, keptHeaders, withExpectedHeaders } from "../../../src/wire/kept-headers.ts";

type Pairs = [string, string][];
const PROPER: Pairs = [
  ["Accept", "application/json, text/event-stream"],
  ["Content-Type", "application/json"],
];

describe("of a client", () => {
  test.each<[string, Pairs, HeaderContext, Record<string, string> | undefined]>([
    ["nothing for a proper POST", PROPER, {}, undefined],
    ["nothing for a proper GET", [["accept", "text/event-stream"]], { httpMethod: "GET" }, undefined],
    ["nothing for a DELETE", [["accept", "*/*"]], { httpMethod: "DELETE" }, undefined],
    [
      "nothing of the old pair's Accept",
      [["content-type", "application/json"]],
      { http: "http+sse" },
      undefined,
    ],
    [
      "the protocol's headers by their lower-case names, sorted",
      [
        ...PROPER,
        ["Mcp-Param-Region", "us"],
        ["Mcp-Session-Id", "s"],
        ["MCP-Protocol-Version", "2025-11-25"],
        ["Mcp-Name", "a"],
        ["Mcp-Method", "tools/call"],
        ["Last-Event-ID", "7"],
        ["Authorization", "Bearer x"],
      ],
      {},
      {
        authorization: "Bearer x",
        "last-event-id": "7",
        "mcp-method": "tools/call",
        "mcp-name": "a",
        "mcp-param-region": "us",
        "mcp-protocol-version": "2025-11-25",
        "mcp-session-id": "s",
      },
    ],
    [
      "a wrong Accept",
      [
        ["accept", "application/json"],
        ["content-type", "application/json"],
      ],
      {},
      { accept: "application/json" },
    ],
    ["an absent Accept and Content-Type as empty", [], {}, { accept: "", "content-type": "" }],
    [
      "a wrong Content-Type",
      [
        ["accept", "*/*"],
        ["content-type", "text/plain"],
      ],
      {},
      { "content-type": "text/plain" },
    ],
    [
      "no Host and Origin of its own",
      [...PROPER, ["host", "localhost"], ["origin", "http://localhost"]],
      {},
      undefined,
    ],
    [
      "foreign Host and Origin",
      [...PROPER, ["host", "evil.example.com"], ["origin", "null"]],
      { foreignHost: true, foreignOrigin: true },
      { host: "evil.example.com", origin: "null" },
    ],
    [
      "no cookies, no agents",
      [...PROPER, ["cookie", "a=b"], ["user-agent", "x"], ["__proto__", "x"]],
      {},
      undefined,
    ],
    [
      "repeated headers as one",
      [...PROPER, ["mcp-name", "a"], ["Mcp-Name", "b"]],
      {},
      { "mcp-name": "a, b" },
    ],
  ])("keeps %s", (_name, headers, context, expected) => {
    expect(keptHeaders("client", headers, context)).toEqual(expected);
  });
});

describe("of a server", () => {
  test.each<[string, Pairs, Record<string, string> | undefined]>([
    [
      "the essence of Content-Type",
      [["Content-Type", "Application/JSON; charset=UTF-8"]],
      { "content-type": "application/json" },
    ],
    [
      "other parameters",
      [["content-type", "text/plain;charset=latin1"]],
      { "content-type": "text/plain; charset=latin1" },
    ],
    ["a Content-Type that is none", [["content-type", "json"]], { "content-type": "json" }],
    [
      "what tells a client what to do",
      [
        ["WWW-Authenticate", 'Bearer resource_metadata="http://a/"'],
        ["Retry-After", "5"],
        ["Location", "/b"],
        ["Mcp-Session-Id", "s"],
        ["Allow", "POST"],
        ["MCP-Protocol-Version", "2026-07-28"],
      ],
      {
        allow: "POST",
        location: "/b",
        "mcp-protocol-version": "2026-07-28",
        "mcp-session-id": "s",
        "retry-after": "5",
        "www-authenticate": 'Bearer resource_metadata="http://a/"',
      },
    ],
    [
      "nothing else",
      [
        ["set-cookie", "a=b"],
        ["date", "now"],
        ["cache-control", "no-cache"],
        ["accept", "x"],
      ],
      undefined,
    ],
  ])("keeps %s", (_name, headers, expected) => {
    expect(keptHeaders("server", headers)).toEqual(expected);
  });
});

test("what MCP expects is put back, what was kept stays", () => {
  expect(withExpectedHeaders(undefined)).toEqual({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  expect(withExpectedHeaders({ accept: "", "mcp-name": "a" })).toEqual({
    accept: "",
    "content-type": "application/json",
    "mcp-name": "a",
  });
  expect(withExpectedHeaders(undefined, { httpMethod: "GET" })).toEqual({ accept: "text/event-stream" });
  expect(withExpectedHeaders(undefined, { httpMethod: "DELETE" })).toEqual({});
  expect(withExpectedHeaders(undefined, { http: "http+sse" })).toEqual({
    "content-type": "application/json",
  });
});
