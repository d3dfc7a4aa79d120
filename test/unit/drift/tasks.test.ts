import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { changeLines, recorded } from "../../cases/drift.ts";
import { client, request, result, server } from "../../cases/tape.ts";

const started = (id: number, name: string, taskId: string): Entry[] => [
  client(request(id, "tools/call", { name, task: {} })),
  server(result(id, { task: { taskId, status: "working" } })),
];
const fetched = (id: number, taskId: string, text: string, more: object = {}): Entry[] => [
  client(request(id, "tasks/result", { taskId, ...more })),
  server(result(id, { content: [{ type: "text", text }] })),
];
const polled = (id: number, taskId: string, status = "working", more: object = {}): Entry[] => [
  client(request(id, "tasks/get", { taskId, ...more })),
  server(result(id, { taskId, status })),
];
const WITH_TOKEN = { _meta: { progressToken: 7 } };

const changes = (old: readonly Entry[], fresh: readonly Entry[]) =>
  changeLines(recorded(old), recorded(fresh));

describe("a request about a task is about that task, with a progress token or without", () => {
  const tasks = (...more: Entry[][]) => [
    ...started(1, "a", "aaa"),
    ...started(2, "b", "bbb"),
    ...more.flat(),
  ];
  const old = tasks(fetched(3, "aaa", "A"), fetched(4, "bbb", "B", WITH_TOKEN));

  test("asked in another order", async () => {
    const fresh = tasks(fetched(3, "bbb", "B", WITH_TOKEN), fetched(4, "aaa", "A"));
    expect(await changes(old, fresh)).toEqual([]);
    expect(await changes(fresh, old)).toEqual([]);
  });

  test("answered with the other's result", async () => {
    const fresh = tasks(fetched(3, "bbb", "A", WITH_TOKEN), fetched(4, "aaa", "B"));
    expect(await changes(old, fresh)).toEqual([
      "risky answer-text-changed tasks/result /content/0/text",
      "risky answer-text-changed tasks/result /content/0/text",
    ]);
  });

  test("polled more often", async () => {
    const once = [...polled(1, "aaa"), ...polled(2, "bbb", "working", WITH_TOKEN)];
    const often = [...polled(3, "aaa"), ...once];
    expect(await changes(often, once)).toEqual([]);
    expect(await changes(once, often)).toEqual([]);
  });
});
