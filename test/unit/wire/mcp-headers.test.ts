import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/protocol/message.ts";
import type { Era } from "../../../src/protocol/revisions.ts";
import { encodeHeaderValue, mcpHeaders } from "../../../src/wire/mcp-headers.ts";
import { decodeHeaderValue, paramHeaderFault } from "../../../src/wire/param-headers.ts";

const of = (era: Era, method: string | undefined, params?: JsonValue, inputSchema?: JsonValue) =>
  mcpHeaders({ era, version: era === "modern" ? "2026-07-28" : "2025-11-25", method, params, inputSchema });

const OLD = { "mcp-protocol-version": "2025-11-25" };
const NEW = { "mcp-protocol-version": "2026-07-28" };

describe("the headers that mirror a message", () => {
  test.each([
    ["legacy", "initialize", {}, {}],
    ["legacy", "tools/call", { name: "t" }, OLD],
    ["legacy", undefined, undefined, OLD],
    ["modern", "tools/list", undefined, { ...NEW, "mcp-method": "tools/list" }],
    ["modern", "tools/call", { name: "t" }, { ...NEW, "mcp-method": "tools/call", "mcp-name": "t" }],
    [
      "modern",
      "resources/read",
      { uri: "u:1" },
      { ...NEW, "mcp-method": "resources/read", "mcp-name": "u:1" },
    ],
    [
      "modern",
      "prompts/get",
      { name: "å" },
      { ...NEW, "mcp-method": "prompts/get", "mcp-name": "=?base64?w6U=?=" },
    ],
    ["modern", "tasks/get", { taskId: "7" }, { ...NEW, "mcp-method": "tasks/get", "mcp-name": "7" }],
    ["modern", "tools/call", { name: 7 }, { ...NEW, "mcp-method": "tools/call" }],
  ] as const)("%s %s %j", (era, method, params, headers) => {
    expect(of(era, method, params)).toEqual(headers);
  });

  test("arguments are mirrored as the tool's schema says, and what is absent is not", () => {
    const property = (type: string, header: string) => ({ type, "x-mcp-header": header });
    const inputSchema = {
      type: "object",
      properties: {
        a: property("string", "A"),
        n: property("integer", "N"),
        b: property("boolean", "B"),
        gone: property("string", "Gone"),
        none: property("string", "None"),
        in: { type: "object", properties: { deep: property("string", "Deep") } },
      },
    };
    const args = { a: " x", n: 42, b: false, none: null, in: { deep: "y" }, other: 1 };
    const {
      "mcp-method": _m,
      "mcp-name": _n,
      "mcp-protocol-version": _v,
      ...mirrored
    } = of("modern", "tools/call", { name: "t", arguments: args }, inputSchema);
    expect(mirrored).toEqual({
      "mcp-param-a": "=?base64?IHg=?=",
      "mcp-param-n": "42",
      "mcp-param-b": "false",
      "mcp-param-deep": "y",
    });
    expect(paramHeaderFault(inputSchema, args, mirrored)).toBeUndefined();
  });
});

test("what is encoded is decoded to the same, and is fit for a header", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("=?base64?YQ==?=", "=?base64?x?=", " a "),
  );
  const property = fc.property(texts, (text) => {
    const value = encodeHeaderValue(text);
    expect(value).toMatch(/^[\t\x20-\x7e]*$/);
    expect(decodeHeaderValue(value)).toBe(text);
  });
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns: 500 });
});
