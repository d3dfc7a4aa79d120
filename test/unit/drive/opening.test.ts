import { describe, expect, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import type { Era } from "../../../src/protocol/revisions.ts";
import { follow, methodsOf, planOf, type Server, serverOf } from "./support.ts";

const NOTHING = planOf({ kind: "wait", ms: 1 });

const unsupported = (...supported: string[]) => ({
  error: { code: -32022, message: "Unsupported protocol version", data: { supported, requested: "x" } },
});
const OLD = ["initialize", "notifications/initialized", "(standalone)"];

interface Row {
  readonly name: string;
  readonly server: Server;
  readonly era?: Era;
  readonly sent: readonly string[];
}

const ROWS: readonly Row[] = [
  { name: "a modern server", server: serverOf("modern"), sent: ["server/discover"] },
  { name: "a modern server, as asked", server: serverOf("modern"), era: "modern", sent: ["server/discover"] },
  { name: "a legacy server", server: serverOf("legacy"), sent: ["server/discover", ...OLD] },
  { name: "a legacy server, as asked", server: serverOf("legacy"), era: "legacy", sent: OLD },
  {
    name: "a legacy server that ignores what it does not know",
    server: serverOf("legacy", { "server/discover": () => ({}) }),
    sent: ["server/discover", ...OLD],
  },
  {
    name: "a legacy server with an error of its own",
    server: serverOf("legacy", {
      "server/discover": () => ({ error: { code: -32000, message: "not yet" } }),
    }),
    sent: ["server/discover", ...OLD],
  },
  {
    name: "a server of both eras whose modern versions are others",
    server: serverOf("legacy", { "server/discover": () => unsupported("2027-01-01", "2025-11-25") }),
    sent: ["server/discover", ...OLD],
  },
  {
    name: "a modern server that wants a capability before it tells",
    server: serverOf("modern", {
      "server/discover": () => ({ error: { code: -32021, message: "sampling needed" } }),
    }),
    sent: ["server/discover"],
  },
];

describe("a conversation is opened in the era that the server speaks", () => {
  test.each(ROWS)("$name", ({ server, era, sent }) => {
    const ended = follow({ plan: NOTHING, server, era });
    expect(ended.error).toBeUndefined();
    expect(methodsOf(ended.sent)).toEqual(sent);
    expect(ended.end?.opened.era).toBe(sent.includes("initialize") ? "legacy" : "modern");
  });

  test("every modern request carries the era's _meta, and a legacy one nothing", () => {
    const server = serverOf("modern", { "tools/list": () => ({ result: { tools: [] } }) });
    const { sent } = follow({ plan: planOf({ kind: "list", list: "tools" }), server });
    for (const { params } of sent) {
      expect(params?._meta).toEqual({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      });
    }
    const old = follow({
      plan: planOf({ kind: "list", list: "tools" }),
      server: serverOf("legacy"),
      era: "legacy",
    });
    expect(old.sent.at(-1)).toEqual({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  });

  test("the version that the server chose is the one in the headers", () => {
    const server = serverOf("legacy", {
      initialize: () => ({ result: { protocolVersion: "2025-06-18", capabilities: {} } }),
    });
    const { headers } = follow({
      plan: planOf({ kind: "list", list: "tools" }),
      server,
      era: "legacy",
      door: "http",
    });
    expect(headers).toEqual([
      {},
      { "mcp-protocol-version": "2025-06-18" },
      { "mcp-protocol-version": "2025-06-18" },
    ]);
  });
});

describe("a conversation that cannot be opened says why", () => {
  test.each([
    [
      "initialize fails",
      serverOf("legacy", { initialize: () => ({ error: { code: -32603, message: "no" } }) }),
      /initialize: error -32603: no/,
    ],
    [
      "initialize is not answered",
      serverOf("legacy", { initialize: () => ({}) }),
      /initialize: no answer within 60000 ms/,
    ],
    [
      "a version of no era",
      serverOf("legacy", { initialize: () => ({ result: { protocolVersion: "draft" } }) }),
      /protocol version "draft"/,
    ],
    [
      "other modern versions alone",
      serverOf("legacy", { "server/discover": () => unsupported("2027-01-01") }),
      /-32022/,
    ],
  ])("%s", (_name, server, message) => {
    const { error } = follow({ plan: NOTHING, server });
    expect(error).toBeInstanceOf(VcrError);
    expect((error as VcrError).code).toBe("server-failed");
    expect((error as VcrError).message).toMatch(message);
  });

  test("a legacy server that was asked to be modern", () => {
    const { error } = follow({ plan: NOTHING, server: serverOf("legacy"), era: "modern" });
    expect((error as VcrError).hint).toMatch(/--era legacy/);
  });

  test("a modern server that was asked to be a legacy one", () => {
    const server = serverOf("modern", { initialize: () => unsupported("2026-07-28") });
    expect((follow({ plan: NOTHING, server, era: "legacy" }).error as VcrError).hint).toMatch(/--era modern/);
  });

  test("neither initialize nor the probe is ever cancelled", () => {
    const { sent } = follow({ plan: NOTHING, server: () => {} });
    expect(methodsOf(sent)).toEqual(["server/discover", "initialize"]);
  });
});
