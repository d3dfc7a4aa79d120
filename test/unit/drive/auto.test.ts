import { describe, expect, test } from "vitest";
import { AUTO } from "../../../src/drive/step.ts";
import type { JsonObject, JsonValue } from "../../../src/protocol/message.ts";
import { follow, methodsOf, serverOf } from "./support.ts";

const listing = (lists: Readonly<Record<string, JsonValue[]>>) => ({
  "tools/list": () => ({ result: { tools: lists.tools ?? [] } }),
  "resources/list": () => ({ result: { resources: lists.resources ?? [] } }),
  "resources/templates/list": () => ({ result: { resourceTemplates: lists.templates ?? [] } }),
  "prompts/list": () => ({ result: { prompts: lists.prompts ?? [] } }),
});

function walk(lists: Readonly<Record<string, JsonValue[]>>, more = {}) {
  const server = serverOf("legacy", { ...listing(lists), ...more });
  const ended = follow({ plan: AUTO, server, era: "legacy" });
  expect(ended.error).toBeUndefined();
  const { report, sent } = ended;
  return {
    report,
    sent: sent.slice(3),
    leftOut: report.leftOut.map(({ name, reason }) => `${name}: ${reason}`),
  };
}

const LISTS = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
  ...more,
});

describe("auto", () => {
  test("lists everything first, and reads and gets what needs nothing", () => {
    const { sent, leftOut } = walk({
      resources: [{ uri: "u:1" }, { uri: "u:2" }, { uri: "u:1" }],
      prompts: [
        { name: "plain" },
        { name: "optional", arguments: [{ name: "a" }] },
        { name: "needy", arguments: [{ name: "a", required: true }, { name: "b" }] },
      ],
      templates: [{ uriTemplate: "u:{x}" }],
    });
    expect(sent.map(({ method, params }) => [method, params])).toEqual([
      ...LISTS.map((method) => [method, undefined]),
      ["resources/read", { uri: "u:1" }],
      ["resources/read", { uri: "u:2" }],
      ["prompts/get", { name: "plain" }],
      ["prompts/get", { name: "optional", arguments: {} }],
    ]);
    expect(leftOut).toEqual(["u:{x}: templates: what to fill in is not known", "needy: needs a"]);
  });

  test("notes a page that holds no list", () => {
    const { report } = walk({}, { "tools/list": () => ({ result: { tools: "x" } }) });
    expect(report.notes).toEqual([
      "tools/list: the result has no list of tools, which the protocol requires",
    ]);
  });

  test("calls tools that say they only read and need nothing, and no other", () => {
    const { sent, leftOut } = walk({
      tools: [
        tool("reads"),
        tool("needy", { inputSchema: { type: "object", required: ["a", "b"] } }),
        tool("silent", { annotations: {} }),
        tool("bare", { annotations: null }),
        tool("writes", { annotations: { readOnlyHint: false } }),
        tool("almost", { annotations: { readOnlyHint: "true" } }),
        tool("task", { execution: { taskSupport: "required" } }),
      ],
    });
    expect(sent.slice(LISTS.length).map(({ params }) => params)).toEqual([
      { name: "reads", arguments: {}, _meta: { progressToken: 6 } },
    ]);
    expect(leftOut).toEqual([
      "needy: needs a, b",
      ...["silent", "bare", "writes", "almost"].map((name) => `${name}: not annotated readOnlyHint: true`),
      "task: runs as a task only",
    ]);
  });

  test("asks for no list that the server does not declare", () => {
    const server = serverOf("legacy", listing({}), { tools: {} });
    const { report, sent } = follow({ plan: AUTO, server, era: "legacy" });
    expect(methodsOf(sent.slice(3))).toEqual(["tools/list"]);
    expect(report.leftOut.map(({ method }) => method)).toEqual(LISTS.slice(1));
  });

  test("drops tools over modern HTTP whose header annotations break the rules, and only there", () => {
    const broken = { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } };
    const server = serverOf("modern", listing({ tools: [tool("broken", { inputSchema: broken })] }), {
      tools: {},
    });
    const over = (door: "stdio" | "http") => follow({ plan: AUTO, server, era: "modern", door }).report;
    expect(over("http").leftOut.at(-1)?.reason).toMatch(/x-mcp-header/);
    expect(over("stdio").driven.at(-1)?.label).toBe("tools/call broken");
  });

  test("goes on after errors", () => {
    const fails = () => ({ error: { code: -32603, message: "no" } });
    const { report, sent } = walk(
      { resources: [{ uri: "u:1" }] },
      { "tools/list": fails, "resources/read": fails },
    );
    expect(methodsOf(sent)).toEqual([...LISTS, "resources/read"]);
    expect(report.failed).toEqual([]);
  });

  test("survives lists that hold what they should not", () => {
    const { report } = walk({
      tools: [null, 1, {}, tool("t")],
      prompts: ["p", { name: 7 }],
      resources: [[]],
    });
    expect(report.driven.map(({ label }) => label).slice(LISTS.length)).toEqual(["tools/call t"]);
  });
});
