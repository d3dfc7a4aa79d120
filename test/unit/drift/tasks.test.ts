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

describe("a task that one recording alone asks about", () => {
  const polls = (...tasks: string[]) =>
    tasks.flatMap((task, index) => polled(index + 1, task, task === "bbb" ? "failed" : "working"));

  test.each([
    { name: "another one", more: ["aaa", "bbb"], less: ["aaa"] },
    { name: "where the other task is asked about as often", more: ["aaa", "bbb"], less: ["aaa", "aaa"] },
    {
      name: "where the other task is asked about more often",
      more: ["aaa", "bbb"],
      less: ["aaa", "aaa", "aaa"],
    },
  ])("$name", async ({ more, less }) => {
    expect(await changes(polls(...less), polls(...more))).toEqual(["info exchange-added tasks/get"]);
    expect(await changes(polls(...more), polls(...less))).toEqual(["risky exchange-missing tasks/get"]);
  });

  test("is the one that was started then, whatever stands where it stood", async () => {
    const both = [...started(1, "a", "aaa"), ...started(2, "b", "bbb")];
    const one = [...both, ...polled(3, "bbb", "failed"), ...polled(4, "aaa")];
    const other = [...both, ...polled(3, "aaa"), ...polled(4, "aaa")];
    expect(await changes(one, other)).toEqual(["risky exchange-missing tasks/get"]);
    expect(await changes(other, one)).toEqual(["info exchange-added tasks/get"]);
  });

  test("is no other where it is called otherwise", async () => {
    expect(await changes(polls("aaa", "aaa", "ccc"), polls("xxx", "yyy", "yyy"))).toEqual([]);
  });
});
