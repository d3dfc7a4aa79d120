import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/protocol/message.ts";
import { decodeHeaderValue, paramHeaderFault, paramHeaders } from "../../../src/wire/param-headers.ts";

describe("decodeHeaderValue", () => {
  test.each<[string, string | undefined]>([
    ["us-west1", "us-west1"],
    ["  padded ", "padded"],
    ["=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"],
    ["=?base64?IHBhZGRlZCA=?=", " padded "],
    ["=?base64?bGluZTEKbGluZTI=?=", "line1\nline2"],
    ["=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="],
    ["=?base64??=", ""],
    ["=?base64?SGVsbG8?=", undefined],
    ["=?base64?SGVs!!!bG8=?=", undefined],
    ["=?base64?//79?=", undefined],
    ["SGVsbG8=", "SGVsbG8="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="],
    ["caf\u00e9", undefined],
  ])("%j is %j", (header, value) => {
    expect(decodeHeaderValue(header)).toBe(value);
  });
});

const schema = (properties: JsonObject, rest: JsonObject = {}): JsonValue => ({
  type: "object",
  properties,
  ...rest,
});

describe("paramHeaders", () => {
  test("finds annotations at any depth of properties", () => {
    const found = paramHeaders(
      schema({
        region: { type: "string", "x-mcp-header": "Region" },
        limits: schema({ rows: { type: "integer", "x-mcp-header": "Rows" } }) as JsonObject,
        query: { type: "string" },
      }),
    );
    expect(found).toEqual([
      { header: "mcp-param-region", path: ["region"], numeric: false },
      { header: "mcp-param-rows", path: ["limits", "rows"], numeric: true },
    ]);
  });

  test("takes a property that is called x-mcp-header for a property, and examples for data", () => {
    const property = { type: "string", examples: [{ "x-mcp-header": "A" }] };
    expect(paramHeaders(schema({ "x-mcp-header": property }))).toEqual([]);
  });

  const annotated = { type: "string", "x-mcp-header": "A" };
  test.each<[string, JsonValue]>([
    ["at the root", { ...annotated }],
    ["under items", schema({ list: { type: "array", items: annotated } })],
    ["under anyOf", schema({ a: { anyOf: [annotated] } })],
    ["under $defs", schema({}, { $defs: { a: annotated } })],
    ["of an object", schema({ a: { type: "object", "x-mcp-header": "A" } })],
    ["without a type", schema({ a: { "x-mcp-header": "A" } })],
    ["that is empty", schema({ a: { type: "string", "x-mcp-header": "" } })],
    ["that is no token", schema({ a: { type: "string", "x-mcp-header": "a b" } })],
    ["that is no string", schema({ a: { type: "string", "x-mcp-header": 1 } })],
    ["twice but for case", schema({ a: annotated, b: { type: "string", "x-mcp-header": "a" } })],
  ])("knows none in a schema with an annotation %s", (_name, value) => {
    expect(paramHeaders(value)).toBeUndefined();
  });
});

describe("paramHeaderFault", () => {
  const tool = schema({
    region: { type: "string", "x-mcp-header": "Region" },
    rows: { type: "integer", "x-mcp-header": "Rows" },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
  });

  test.each<[JsonValue | undefined, Record<string, string>]>([
    [{ region: "us" }, { "mcp-param-region": "us" }],
    [{ region: "us" }, { "mcp-param-region": " us " }],
    [{ region: "é" }, { "mcp-param-region": "=?base64?w6k=?=" }],
    [{ rows: 42 }, { "mcp-param-rows": "42.0" }],
    [{ dry: true }, { "mcp-param-dry": "true" }],
    [{ region: null }, {}],
    [{}, { "mcp-param-region": "ignored" }],
    [undefined, {}],
    [{ region: { not: "a primitive" } }, {}],
  ])("%j is mirrored by %j", (args, headers) => {
    expect(paramHeaderFault(tool, args, headers)).toBeUndefined();
  });

  test.each<[JsonValue, Record<string, string>, RegExp]>([
    [{ region: "us" }, {}, /absent/],
    [{ region: "us" }, { "mcp-param-region": "US" }, /"US".*"us"/],
    [{ region: "us" }, { "mcp-param-region": "=?base64?dXM?=" }, /invalid characters/],
    [{ region: "42" }, { "mcp-param-region": "42.0" }, /"42.0"/],
    [{ rows: 42 }, { "mcp-param-rows": "43" }, /42/],
    [{ rows: 26 }, { "mcp-param-rows": "0x1a" }, /26/],
    [{ dry: true }, { "mcp-param-dry": "True" }, /true/],
  ])("%j is not mirrored by %j", (args, headers, reason) => {
    expect(paramHeaderFault(tool, args, headers)).toMatch(reason);
  });

  test("expects nothing of a tool whose annotations are invalid", () => {
    const invalid = schema({ a: { type: "array", "x-mcp-header": "A" } });
    expect(paramHeaderFault(invalid, { a: "x" }, {})).toBeUndefined();
  });
});
