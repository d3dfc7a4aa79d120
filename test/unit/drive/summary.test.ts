import { expect, test } from "vitest";
import { DriveReport } from "../../../src/drive/report.ts";
import { AUTO } from "../../../src/drive/step.ts";
import { summaryOf } from "../../../src/drive/summary.ts";
import { follow, planOf, serverOf } from "./support.ts";

const names = (...all: string[]) => all.map((name) => ({ name }));

test("a summary says what was asked, what failed, what was left out and why", () => {
  const place = { file: "calls.yaml", line: 3, column: 5 };
  let page = 0;
  const server = serverOf("legacy", {
    initialize: () => ({
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, prompts: {} },
        serverInfo: { name: "shop", version: "2" },
      },
    }),
    "tools/list": () => ({
      result: { tools: names(...(page++ === 0 ? ["a", "b", "c"] : ["d", "e", "f"])), nextCursor: "x" },
    }),
    "prompts/list": () => ({ result: { prompts: names("greet") } }),
    "prompts/get": () => ({ result: {} }),
    "tools/call": () => ({
      result: { isError: true, content: [{ type: "text", text: "no \u001b[31msuch\nthing" }] },
    }),
  });
  const plan = planOf({ kind: "auto" }, { doing: { kind: "call", name: "buy" }, expect: "result", place });
  const { report, end } = follow({ plan, server, era: "legacy" });
  if (!end) throw new Error("it did not end");
  expect(summaryOf({ file: "a.yaml", report, end }).split("\n")).toEqual([
    "a.yaml: recorded 5 requests to shop 2 (2025-11-25)",
    "  tools/list    2 pages, 6 tools",
    "  prompts/list  1 page, 1 prompt",
    "  prompts/get   1 answer",
    "  tools/call    1 without success",
    "  tools/call buy: tool error: no \ufffd[31msuch",
    "left out: resources/list: the server does not declare resources",
    "left out: resources/templates/list: the server does not declare resources",
    "left out: tools/call a, b, c, d, e, and 1 more: not annotated readOnlyHint: true",
    'note: tools/list: the cursor "x" came twice: the pages go in a circle, and were left after 2',
    "failed: calls.yaml:3: call buy: expected a result, got tool error: no \ufffd[31msuch",
  ]);
});

test("a drive that was cut off says so", () => {
  const { report, end } = follow({
    plan: AUTO,
    server: serverOf("legacy"),
    era: "legacy",
    goneAt: "tools/list",
  });
  if (!end) throw new Error("it did not end");
  expect(summaryOf({ file: "a.yaml", report, end }).split("\n").at(-1)).toBe(
    "not driven to its end: the server is gone",
  );
});

test("what was listed twice counts once", () => {
  const report = new DriveReport();
  const page = (...all: string[]) => ({
    method: "tools/list",
    label: "tools/list",
    outcome: { kind: "result", result: {} } as const,
    listed: { item: "tool", names: all },
  });
  report.driven.push(page("a", "b"), page("a", "b", "c"));
  const opened = { era: "legacy", version: "2025-11-25", capabilities: {}, mirrors: false } as const;
  const end = { opened: { ...opened, server: undefined }, cut: undefined };
  expect(summaryOf({ file: "a.yaml", report, end })).toContain("  tools/list  2 pages, 3 tools");
});
