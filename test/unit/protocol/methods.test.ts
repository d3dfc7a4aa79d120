import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/protocol/message.ts";
import { labelOf, METHODS, nameOf, senderOf } from "../../../src/protocol/methods.ts";
import { REVISIONS } from "../../../src/protocol/revisions.ts";

test("every method has one row, and its revisions exist", () => {
  const methods = METHODS.map(({ method }) => method);
  expect(new Set(methods).size).toBe(methods.length);
  const versions = REVISIONS.map(({ version }) => version);
  for (const row of METHODS) {
    expect(versions).toEqual(expect.arrayContaining([...row.revisions]));
    expect(row.kind).toBe(row.method.startsWith("notifications/") ? "notification" : "request");
  }
});

test.each([
  ["tools/call", "2026-07-28", "client"],
  ["ping", "2025-11-25", "both"],
  ["ping", "2026-07-28", undefined],
  ["sampling/createMessage", "2024-11-05", "server"],
  ["sampling/createMessage", "2026-07-28", undefined],
  ["elicitation/create", "2025-03-26", undefined],
  ["notifications/progress", "2025-11-25", "both"],
  ["notifications/progress", "2026-07-28", "server"],
  ["tasks/get", "2025-11-25", "both"],
  ["tasks/get", "2026-07-28", "client"],
  ["toString", "2026-07-28", undefined],
])("%s in %s is sent by %s", (method, version, sender) => {
  expect(senderOf(method, version)).toBe(sender);
});

test("a name is a string or none", () => {
  expect(nameOf("tasks/get", { taskId: "t" })).toBe("t");
  expect(nameOf("tools/call", { name: 7 })).toBeUndefined();
  expect(nameOf("tools/call", null)).toBeUndefined();
  expect(nameOf("tools/list", { name: "a" })).toBeUndefined();
});

describe("labelOf", () => {
  test.each<[string, JsonValue | undefined, string]>([
    ["tools/call", { name: "forecast", arguments: {} }, "tools/call forecast"],
    ["resources/read", { uri: "file:///x" }, "resources/read file:///x"],
    ["prompts/get", { name: "greet" }, "prompts/get greet"],
    ["notifications/resources/updated", { uri: "a:b" }, "notifications/resources/updated a:b"],
    ["tools/list", undefined, "tools/list"],
    ["tools/call", [], "tools/call"],
    ["tasks/get", { taskId: "c0ffee" }, "tasks/get"],
    ["own/method", { name: "x" }, "own/method"],
    ["tools/call", { name: "a\nb\u2028c\u0000d\u0085e" }, "tools/call a\ufffdb\ufffdc\ufffdd\ufffde"],
    ["tools/call", { name: "\ud800\u202e" }, "tools/call \ufffd\ufffd"],
    ["tools/call", { name: "x".repeat(60) }, `tools/call ${"x".repeat(60)}`],
    ["tools/call", { name: "x".repeat(61) }, `tools/call ${"x".repeat(59)}…`],
    ["tools/call", { name: "🙂".repeat(61) }, `tools/call ${"🙂".repeat(59)}…`],
    ["tools/call", { name: `x${"🙂".repeat(100)}` }, `tools/call x${"🙂".repeat(58)}…`],
    ["a\nb", undefined, "a\ufffdb"],
  ])("of %s %j is %j", (method, params, label) => {
    expect(labelOf(method, params)).toBe(label);
  });
});
