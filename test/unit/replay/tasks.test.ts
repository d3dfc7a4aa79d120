import { expect, test } from "vitest";
import { client, notice, request, result, server, tape } from "../../cases/tape.ts";

const TASK = { taskId: "t-1", status: "working", createdAt: "2026-11-30T09:00:00Z", ttl: 60_000 };
const meta = (more: object = {}) => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  },
  ...more,
});

test("a task of 2025-11-25 is polled to its end, as often as it was", () => {
  const call = (id: number) => request(id, "tools/call", { name: "slow", task: { ttl: 60_000 } });
  const get = (id: number) => request(id, "tasks/get", { taskId: "t-1" });
  const done = { ...TASK, status: "completed" };
  const content = { content: [{ type: "text", text: "done" }] };
  const live = tape([
    client(request(0, "initialize", { protocolVersion: "2025-11-25" })),
    server(result(0, { protocolVersion: "2025-11-25" })),
    client(call(1)),
    server(result(1, { task: TASK })),
    client(get(2)),
    server(result(2, TASK)),
    client(get(3)),
    server(notice("notifications/tasks/status", done)),
    server(result(3, done)),
    client(request(4, "tasks/result", { taskId: "t-1" })),
    server(result(4, content)),
    client(request(5, "tasks/list")),
    server(result(5, { tasks: [done] })),
  ]).connect();
  live.say(request(0, "initialize", { protocolVersion: "2025-11-25" }));
  expect(live.say(call(10))).toEqual([result(10, { task: TASK })]);
  expect(live.say(get(11))).toEqual([result(11, TASK)]);
  expect(live.say(get(12))).toEqual([notice("notifications/tasks/status", done), result(12, done)]);
  // Once more than recorded: the last answer again, and what came with it.
  expect(live.say(get(13)).at(-1)).toEqual(result(13, done));
  expect(live.say(request(14, "tasks/result", { taskId: "t-1" }))).toEqual([result(14, content)]);
  expect(live.say(request(15, "tasks/list"))).toEqual([result(15, { tasks: [done] })]);
});

test("a task of the extension asks, is told, and is cancelled", () => {
  const call = (id: number) => request(id, "tools/call", meta({ name: "slow" }));
  const get = (id: number) => request(id, "tasks/get", meta({ taskId: "t-1" }));
  const update = (id: number) =>
    request(id, "tasks/update", meta({ taskId: "t-1", inputResponses: { name: { action: "decline" } } }));
  const cancel = (id: number) => request(id, "tasks/cancel", meta({ taskId: "t-1" }));
  const asks = { ...TASK, resultType: "complete", status: "input_required" };
  const acknowledged = { resultType: "complete" };
  const told = notice("notifications/tasks", { taskIds: ["t-1"] });
  const live = tape([
    client(call(1)),
    server(result(1, { resultType: "task", ...TASK })),
    client(get(2)),
    server(result(2, asks)),
    client(update(3)),
    server(told),
    server(result(3, acknowledged)),
    client(cancel(4)),
    server(result(4, acknowledged)),
    client(get(5)),
    server(result(5, { ...asks, status: "cancelled" })),
  ]).connect();
  expect(live.say(call(10))).toEqual([result(10, { resultType: "task", ...TASK })]);
  expect(live.say(get(11))).toEqual([result(11, asks)]);
  expect(live.say(update(12))).toEqual([told, result(12, acknowledged)]);
  expect(live.say(cancel(13))).toEqual([result(13, acknowledged)]);
  expect(live.say(get(14))).toEqual([result(14, { ...asks, status: "cancelled" })]);
});
