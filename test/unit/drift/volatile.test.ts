import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { changeLines, changesBetween, recorded } from "../../cases/drift.ts";
import { client, notice, request, result, server } from "../../cases/tape.ts";

const opened = (more: readonly Entry[]) =>
  recorded([
    client(request(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} })),
    server(
      result(0, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "s", version: "1" },
      }),
    ),
    ...more,
  ]);

const NOON = "2026-01-01T12:00:00Z";
const TASK = { taskId: "t1", status: "working", createdAt: NOON, lastUpdatedAt: NOON, ttl: 1 };
const polled = (task: object) =>
  opened([client(request(1, "tasks/get", { taskId: "t1" })), server(result(1, { ...TASK, ...task }))]);
const paged = (nextCursor: string | number) =>
  opened([
    client(request(1, "tools/list", {})),
    server(result(1, { tools: [], nextCursor })),
    client(request(2, "tools/list", { cursor: nextCursor })),
    server(result(2, { tools: [] })),
  ]);
const called = (...said: Entry[]) =>
  opened([client(request(1, "tools/call", { name: "a", _meta: { progressToken: 1 } })), ...said]);
const tasks = (...listed: object[]) =>
  opened([client(request(1, "tasks/list", {})), server(result(1, { tasks: listed }))]);

describe("what may be another value in every run may be of no other type", () => {
  test.each([
    ["a cursor", paged("abc"), paged(5), "breaking answer-breaks-protocol tools/list /nextCursor"],
    ["a task's id", polled({}), polled({ taskId: 5 }), "breaking answer-breaks-protocol tasks/get /taskId"],
    ["a time", polled({}), polled({ createdAt: 5 }), "breaking answer-breaks-protocol tasks/get /createdAt"],
    ["a limit", polled({}), polled({ ttl: "x" }), "breaking answer-breaks-protocol tasks/get /ttl"],
    ["an id that was none", polled({ taskId: 5 }), polled({}), "risky answer-type-changed tasks/get /taskId"],
    [
      "a span of time",
      polled({}),
      polled({ pollInterval: 1, ttl: null }),
      ["risky answer-type-changed tasks/get /ttl", "compatible answer-member-added tasks/get /pollInterval"],
    ],
    [
      "an id in a list of tasks",
      tasks({ ...TASK, status: "failed" }, { ...TASK, status: "completed" }, TASK),
      tasks({ ...TASK, status: "completed" }, { ...TASK, taskId: 5 }),
      [
        "risky answer-type-changed tasks/list /tasks/1/taskId",
        "risky answer-member-removed tasks/list /tasks/0",
      ],
    ],
  ])("%s", async (_, old, fresh, says) => {
    expect((await changeLines(old, fresh)).sort()).toEqual([says].flat().sort());
  });

  test("but ids of messages and tokens of progress may, and other values of the same type", async () => {
    const of = (id: string | number) =>
      opened([
        client(request(id, "tools/call", { name: "a", _meta: { progressToken: id } })),
        server(notice("notifications/progress", { progressToken: id, progress: 1 })),
        server(result(id, { content: [] })),
      ]);
    expect(await changeLines(of(7), of("seven"))).toEqual([]);
    expect(await changeLines(paged("abc"), paged("xyz"))).toEqual([]);
    expect(await changeLines(polled({}), polled({ createdAt: "2026-02-02T12:00:00Z", ttl: 9 }))).toEqual([]);
  });
});

const elicited = (message: string, elicitationId = "e-1") => [
  server(
    request(90, "elicitation/create", {
      mode: "url",
      message,
      elicitationId,
      url: `https://a.b/${elicitationId}`,
    }),
  ),
  client(result(90, { action: "accept" })),
  server(result(1, { content: [] })),
];
const refused = (message: string, elicitationId: string) =>
  server({
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: -32042,
      message: "first",
      data: { elicitations: [{ message, elicitationId, url: `https://a.b/${elicitationId}` }] },
    },
  });

describe("changes show what was sent", () => {
  test.each([
    ["types", polled({}), polled({ createdAt: 5 }), [NOON, 5]],
    [
      "a task that is no longer made",
      called(server(result(1, { task: TASK }))),
      called(server(result(1, {}))),
      [TASK],
    ],
    [
      "an answer that became an error",
      called(server(result(1, { task: TASK }))),
      called(refused("a", "e-2")),
      [{ task: TASK }, { code: -32042, message: "first", data: expect.objectContaining({}) }],
    ],
    [
      "the data of an error",
      called(refused("a", "e-1")),
      called(refused("b", "e-2")),
      ["a", "b"].map((message, index) => ({
        elicitations: [{ message, elicitationId: `e-${index + 1}`, url: `https://a.b/e-${index + 1}` }],
      })),
    ],
    [
      "a question that is no longer asked",
      called(...elicited("a")),
      called(server(result(1, { content: [] }))),
      [{ mode: "url", message: "a", elicitationId: "e-1", url: "https://a.b/e-1" }],
    ],
    [
      "a notification that says something else",
      opened([server(notice("notifications/tasks/status", TASK))]),
      opened([server(notice("notifications/tasks/status", { ...TASK, taskId: "t2", status: "failed" }))]),
      [TASK, { ...TASK, taskId: "t2", status: "failed" }],
    ],
  ] as const)("%s", async (_, old, fresh, shown) => {
    const changes = await changesBetween(old, fresh);
    const values = changes
      .flatMap(({ before, after }) => [before, after])
      .filter((each) => each !== undefined);
    expect(values).toEqual(expect.arrayContaining<unknown>([...shown]));
    expect(JSON.stringify(changes)).not.toContain("•");
  });

  test("however deep it is", async () => {
    const more = `"deep":${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const of = (text: string) =>
      called(server(`{"jsonrpc":"2.0","id":1,"result":{"task":${JSON.stringify(TASK)}${text}}}`));
    const [change] = await changesBetween(of(`,${more}`), of(""));
    expect(change?.rule).toBe("answer-member-removed");
  });
});
