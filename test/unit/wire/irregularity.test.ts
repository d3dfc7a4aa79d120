import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/protocol/message.ts";
import { META } from "../../../src/protocol/revisions.ts";
import { isOwnHost, isOwnOrigin } from "../../../src/wire/hosts.ts";
import {
  type Irregularity,
  irregularities,
  type RequestFacts,
  refusalOf,
} from "../../../src/wire/irregularity.ts";
import { keptHeaders, withExpectedHeaders } from "../../../src/wire/kept-headers.ts";

const VERSION = "2026-07-28";
const meta = (version: string = VERSION): JsonObject => ({
  [META.protocolVersion]: version,
  [META.clientCapabilities]: {},
});
const BASE = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  host: "127.0.0.1:3000",
};

interface Change {
  readonly headers?: Record<string, string | undefined>;
  readonly params?: JsonObject;
  readonly facts?: Partial<RequestFacts>;
}

function withHeaders(...layers: (Record<string, string | undefined> | undefined)[]): Record<string, string> {
  const entries = Object.entries(Object.assign({}, ...layers) as Record<string, string | undefined>);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function modern(method: string, { headers, params, facts }: Change = {}): RequestFacts {
  return {
    httpMethod: "POST",
    era: "modern",
    ownHosts: [],
    headers: withHeaders(BASE, { "mcp-protocol-version": VERSION, "mcp-method": method }, headers),
    message: { kind: "request", method, params: { _meta: meta(), ...params } },
    ...facts,
  };
}

function legacy(method: string, { headers, params, facts }: Change = {}): RequestFacts {
  return {
    httpMethod: "POST",
    era: "legacy",
    ownHosts: [],
    headers: withHeaders(BASE, headers),
    message: { kind: "request", method, params: params ?? {} },
    ...facts,
  };
}

const call = (name: string, headers?: Record<string, string | undefined>): RequestFacts =>
  modern("tools/call", { headers: { "mcp-name": name, ...headers }, params: { name, arguments: {} } });

/** Names after the conformance suite's scenarios where one of them asks for it. */
const CASES: readonly [string, RequestFacts, Irregularity[]][] = [
  ["modern: a proper list", modern("tools/list"), []],
  ["modern: a proper call", call("forecast"), []],
  ["modern: white space around Mcp-Name", call("forecast", { "mcp-name": "  forecast  " }), []],
  ["modern: Mcp-Name in base64", call("天気", { "mcp-name": "=?base64?5aSp5rCX?=" }), []],
  [
    "modern: wrong Mcp-Method",
    modern("tools/list", { headers: { "mcp-method": "prompts/list" } }),
    ["mcp-method"],
  ],
  [
    "modern: Mcp-Method in capitals",
    modern("tools/list", { headers: { "mcp-method": "TOOLS/LIST" } }),
    ["mcp-method"],
  ],
  ["modern: no Mcp-Method", modern("tools/list", { headers: { "mcp-method": undefined } }), ["mcp-method"]],
  ["modern: wrong Mcp-Name", call("forecast", { "mcp-name": "wrong" }), ["mcp-name"]],
  ["modern: no Mcp-Name", call("forecast", { "mcp-name": undefined }), ["mcp-name"]],
  ["modern: Mcp-Name in broken base64", call("forecast", { "mcp-name": "=?base64?SGVsbG8?=" }), ["mcp-name"]],
  [
    "modern: a proper read",
    modern("resources/read", { headers: { "mcp-name": "file:///x" }, params: { uri: "file:///x" } }),
    [],
  ],
  [
    "modern: wrong Mcp-Name of tasks/get",
    modern("tasks/get", { headers: { "mcp-name": "other" }, params: { taskId: "t" } }),
    ["mcp-name"],
  ],
  ["modern: no name at all is for the params' schema", modern("tools/call"), []],
  [
    "modern: no _meta",
    modern("tools/list", { facts: { message: { kind: "request", method: "tools/list" } } }),
    ["meta"],
  ],
  [
    "modern: _meta without version",
    modern("tools/list", { params: { _meta: { [META.clientCapabilities]: {} } } }),
    ["meta"],
  ],
  [
    "modern: _meta without capabilities",
    modern("tools/list", { params: { _meta: { [META.protocolVersion]: VERSION } } }),
    ["meta"],
  ],
  [
    "modern: unsupported version",
    modern("server/discover", {
      headers: { "mcp-protocol-version": "v999.0.0" },
      params: { _meta: meta("v999.0.0") },
    }),
    ["protocol-version"],
  ],
  [
    "modern: header and body name different versions",
    modern("server/discover", { params: { _meta: meta("v999.0.0") } }),
    ["protocol-version-mismatch", "protocol-version"],
  ],
  [
    "modern: no version header",
    modern("tools/list", { headers: { "mcp-protocol-version": undefined } }),
    ["protocol-version-mismatch"],
  ],
  [
    "modern: a notification needs no headers",
    modern("notifications/cancelled", {
      headers: { "mcp-protocol-version": undefined, "mcp-method": undefined },
      facts: { message: { kind: "notification", method: "notifications/cancelled" } },
    }),
    [],
  ],
  [
    "modern: a notification with a wrong one",
    modern("notifications/cancelled", {
      headers: { "mcp-method": "tools/list" },
      facts: { message: { kind: "notification", method: "notifications/cancelled" } },
    }),
    ["mcp-method"],
  ],
  [
    "modern: a response",
    modern("x", { facts: { message: { kind: "response", method: undefined } } }),
    ["message"],
  ],
  ["modern: a batch", modern("x", { facts: { message: { kind: "batch", method: undefined } } }), ["message"]],
  [
    "modern: Mcp-Param absent",
    { ...call("sql"), inputSchema: regionSchema(), message: sqlCall("us") },
    ["mcp-param"],
  ],
  [
    "modern: Mcp-Param right",
    { ...call("sql", { "mcp-param-region": "us" }), inputSchema: regionSchema(), message: sqlCall("us") },
    [],
  ],
  ["modern: Mcp-Param unchecked without a schema", { ...call("sql"), message: sqlCall("us") }, []],
  ["foreign Host", modern("tools/list", { headers: { host: "evil.example.com" } }), ["host"]],
  ["foreign Origin", modern("tools/list", { headers: { origin: "http://evil.example.com" } }), ["origin"]],
  [
    "own Host and Origin",
    modern("tools/list", {
      headers: { host: "box:80", origin: "http://box" },
      facts: { ownHosts: ["box:80"] },
    }),
    [],
  ],
  [
    "a foreign Host over the old transport",
    legacy("initialize", { headers: { host: "evil.example.com" } }),
    ["host"],
  ],
  ["text", legacy("ping", { headers: { "content-type": "text/plain" } }), ["content-type"]],
  ["no Accept", legacy("ping", { headers: { accept: undefined } }), ["accept"]],
  ["JSON alone accepted", legacy("ping", { headers: { accept: "application/json" } }), ["accept"]],
  [
    "no Accept in the old pair",
    legacy("ping", { headers: { accept: undefined }, facts: { http: "http+sse" } }),
    [],
  ],
  [
    "GET without event-stream",
    { httpMethod: "GET", era: "legacy", ownHosts: [], headers: { accept: "application/json" } },
    ["accept"],
  ],
  ["GET", { httpMethod: "GET", era: "legacy", ownHosts: [], headers: { accept: "text/event-stream" } }, []],
  ["DELETE", { httpMethod: "DELETE", era: "legacy", ownHosts: [], headers: {} }, []],
  ["legacy: no version header", legacy("tools/list"), []],
  [
    "legacy: a version header",
    legacy("tools/list", { headers: { "mcp-protocol-version": "2025-06-18" } }),
    [],
  ],
  ["legacy: the preview", legacy("tools/list", { headers: { "mcp-protocol-version": "2024-10-07" } }), []],
  [
    "legacy: an unknown version",
    legacy("tools/list", { headers: { "mcp-protocol-version": "bogus" } }),
    ["protocol-version"],
  ],
  [
    "legacy: a version the door does not serve",
    legacy("tools/list", {
      headers: { "mcp-protocol-version": "2025-06-18" },
      facts: { versions: ["2025-11-25"] },
    }),
    ["protocol-version"],
  ],
  [
    "legacy: initialize negotiates in its body",
    legacy("initialize", { headers: { "mcp-protocol-version": "bogus" } }),
    [],
  ],
  [
    "legacy: initialize with a modern header",
    legacy("initialize", { headers: { "mcp-protocol-version": VERSION } }),
    ["protocol-version-mismatch"],
  ],
  [
    "legacy: modern headers mean nothing",
    legacy("tools/list", { headers: { "mcp-method": "x", "mcp-name": "y" } }),
    [],
  ],
  [
    "everything at once, in the order of refusal",
    call("forecast", {
      host: "evil",
      origin: "null",
      "content-type": "text/plain",
      accept: "text/html",
      "mcp-method": "x",
      "mcp-name": "y",
      "mcp-protocol-version": "2025-11-25",
    }),
    ["host", "origin", "content-type", "accept", "protocol-version-mismatch", "mcp-method", "mcp-name"],
  ],
];

function regionSchema(): JsonObject {
  return { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };
}

function sqlCall(region: string): NonNullable<RequestFacts["message"]> {
  return {
    kind: "request",
    method: "tools/call",
    params: { _meta: meta(), name: "sql", arguments: { region } },
  };
}

test.each(CASES)("%s", (_name, facts, expected) => {
  expect(irregularities(facts)).toEqual(expected);
});

test.each(CASES)("the same from what a recording keeps: %s", (_name, facts, expected) => {
  const context = {
    httpMethod: facts.httpMethod,
    http: facts.http,
    foreignHost: !isOwnHost(facts.headers.host, facts.ownHosts),
    foreignOrigin: !isOwnOrigin(facts.headers.origin, facts.ownHosts),
  };
  const kept = keptHeaders("client", Object.entries(facts.headers), context);
  expect(irregularities({ ...facts, headers: withExpectedHeaders(kept, context) })).toEqual(expected);
});

describe("refusalOf", () => {
  test.each<[RequestFacts, Irregularity, number, number]>([
    [modern("tools/list", { headers: { host: "evil" } }), "host", 403, -32000],
    [modern("tools/list", { headers: { origin: "null" } }), "origin", 403, -32000],
    [legacy("ping", { headers: { "content-type": undefined } }), "content-type", 415, -32000],
    [legacy("ping", { headers: { accept: undefined } }), "accept", 406, -32000],
    [modern("x", { facts: { message: { kind: "response", method: undefined } } }), "message", 400, -32600],
    [modern("tools/list", { params: { _meta: {} } }), "meta", 400, -32602],
    [
      modern("tools/list", { headers: { "mcp-protocol-version": undefined } }),
      "protocol-version-mismatch",
      400,
      -32020,
    ],
    [modern("tools/list", { headers: { "mcp-method": "x" } }), "mcp-method", 400, -32020],
    [legacy("tools/list", { headers: { "mcp-protocol-version": "x" } }), "protocol-version", 400, -32000],
    [call("a", { "mcp-name": "b" }), "mcp-name", 400, -32020],
    [{ ...call("sql"), inputSchema: regionSchema(), message: sqlCall("us") }, "mcp-param", 400, -32020],
  ])("%#: %s", (facts, irregularity, status, code) => {
    expect(refusalOf(irregularity, facts)).toMatchObject({ status, code });
    expect(refusalOf(irregularity, facts)?.message).not.toBe("");
  });

  test("names supported versions and the one requested", () => {
    const facts = modern("server/discover", { params: { _meta: meta("v999.0.0") } });
    expect(refusalOf("protocol-version", facts)).toEqual({
      status: 400,
      code: -32022,
      message: "Bad Request: Unsupported protocol version: v999.0.0 (supported versions: 2026-07-28)",
      data: { supported: ["2026-07-28"], requested: "v999.0.0" },
    });
  });

  test("tells both sides of a mismatch", () => {
    expect(refusalOf("mcp-name", call("foo", { "mcp-name": "bar" }))?.message).toBe(
      'Bad Request: the request headers and body disagree: the body\'s params.name is "foo", Mcp-Name is "bar"',
    );
  });

  test("has nothing to say about a proper request", () => {
    expect(refusalOf("accept", modern("tools/list"))).toBeUndefined();
  });
});

test("any headers and any body are judged, never thrown at", () => {
  const facts = fc.record({
    httpMethod: fc.constantFrom("POST", "GET", "DELETE"),
    era: fc.constantFrom("legacy" as const, "modern" as const),
    ownHosts: fc.array(fc.string(), { maxLength: 2 }),
    headers: fc.dictionary(
      fc.constantFrom("accept", "host", "origin", "mcp-name", "mcp-method", "mcp-param-a", "content-type"),
      fc.string({ unit: "binary" }),
    ),
    message: fc.record({
      kind: fc.constantFrom("request" as const, "notification" as const),
      method: fc.constantFrom("tools/call", "initialize", "__proto__", "toString"),
      params: fc.jsonValue() as fc.Arbitrary<JsonObject>,
    }),
    inputSchema: fc.jsonValue() as fc.Arbitrary<JsonObject>,
  });
  fc.assert(
    fc.property(facts, (request) => {
      const found = irregularities(request);
      for (const name of found) expect(refusalOf(name, request)?.status).toBeGreaterThanOrEqual(400);
      expect(irregularities(request)).toEqual(found);
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: 300 },
  );
});
