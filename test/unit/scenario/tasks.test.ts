import { describe, expect, test } from "vitest";
import { Bench, type Json, modern, textIn } from "./support.ts";

const TEXT = `scenario: 1
pageSize: 1
tasks: { pollInterval: 1s }
tools:
  - name: report
    execution: { taskSupport: optional }
    inputSchema: { type: object, properties: { bad: { type: integer }, seconds: { type: integer } } }
    replies:
      - when: { seconds: { any: true } }
        delay: "\${args.seconds}s"
        text: late
      - task: { ttl: 5s, message: "begun by \${client.name}", _meta: { note: hello } }
        steps:
          - progress: { progress: 1, total: 2 }
          - log: { data: working }
          - status: half way
          - delay: 2s
          - set: { made: true }
        set: { made: "yes" }
        text: made
  - name: breaks
    execution: { taskSupport: optional }
    replies: [{ error: { code: -32603, message: it broke } }]
  - name: fails
    execution: { taskSupport: optional }
    replies: [{ toolError: it failed }]
  - name: hangs
    execution: { taskSupport: required }
    replies: [{ hang: true }]
  - name: asks
    execution: { taskSupport: optional }
    replies:
      - ask:
          city: { elicit: { message: Where?, requestedSchema: { type: object, properties: { city: { type: string } } } } }
          plan: { sample: { messages: [{ role: user, content: { type: text, text: Plan } }], maxTokens: 10 } }
        text: "\${answers.city.content.city}: \${answers.plan.content.text}"
  - name: once
    execution: { taskSupport: optional }
    replies:
      - sequence: [{ task: false, text: at once }, { text: by way of a task }]
  - name: never
    replies: [{ text: never a task }]
`;

const ABLE = { elicitation: { form: {} }, sampling: {} };
const EXTENSION = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const MODERN = modern({ ...ABLE, ...EXTENSION });
const SAMPLED = { role: "assistant", model: "m", content: { type: "text", text: "walk" } };
const related = (taskId: unknown) => ({ "io.modelcontextprotocol/related-task": { taskId } });

async function legacy(text = TEXT, version = "2025-11-25"): Promise<Bench> {
  const bench = await Bench.of(text);
  bench.initialize(version, ABLE);
  return bench;
}

const begin = (bench: Bench, name: string, params: Json = {}): Json =>
  bench.request("tools/call", { name, ...params }, name)[0] as Json;
const taskIn = (answer: Json) => (answer.result as { task: Json }).task;
const methodsSent = (bench: Bench, from: number) =>
  bench.sent.slice(from).flatMap(({ message }) => (message.method === undefined ? [] : [message.method]));

describe("a task of 2025-11-25", () => {
  test("is what a client asks for, and is looked at until it has a result", async () => {
    const bench = await legacy();
    const params = { task: { ttl: 60_000 }, _meta: { progressToken: "p" } };
    const answer = begin(bench, "report", params);
    const task = taskIn(answer);
    expect(answer.result).toEqual({
      task: {
        taskId: expect.any(String),
        status: "working",
        statusMessage: "begun by test",
        createdAt: "2026-01-01T00:00:01.000Z",
        lastUpdatedAt: "2026-01-01T00:00:01.000Z",
        ttl: 5000,
        pollInterval: 1000,
      },
      _meta: { note: "hello" },
    });
    const { taskId } = task;
    expect(bench.sent.slice(-3).map(({ on, message }) => [on, message.method, message.params])).toEqual([
      [
        "standalone",
        "notifications/progress",
        { progressToken: "p", progress: 1, total: 2, _meta: related(taskId) },
      ],
      ["standalone", "notifications/message", { level: "info", data: "working", _meta: related(taskId) }],
      ["standalone", "notifications/tasks/status", { ...task, statusMessage: "half way" }],
    ]);
    expect(bench.request("tasks/get", { taskId })[0]?.result).toEqual({ ...task, statusMessage: "half way" });
    bench.request("tasks/result", { taskId }, "r");
    bench.time.pass(2000);
    expect(bench.answerTo("r").result).toEqual({
      content: [{ type: "text", text: "made" }],
      _meta: related(taskId),
    });
    const after = bench.request("tasks/get", { taskId })[0]?.result;
    expect(after).toMatchObject({ status: "completed", lastUpdatedAt: "2026-01-01T00:00:03.000Z" });
    expect(textIn(bench.ask("tasks/result", { taskId }))).toBe("made");
    // It is kept so long, and no longer.
    bench.time.pass(3500);
    expect(bench.ask("tasks/get", { taskId }).error).toMatchObject({ code: -32602 });
  });

  test("fails with what its request would have failed with", async () => {
    const bench = await legacy();
    for (const [name, message] of [
      ["breaks", "it broke"],
      ["fails", "it failed"],
    ] as const) {
      const { taskId } = taskIn(begin(bench, name, { task: {} }));
      expect(bench.ask("tasks/get", { taskId }).result).toMatchObject({
        status: "failed",
        statusMessage: message,
      });
      expect(JSON.stringify(bench.ask("tasks/result", { taskId }))).toContain(message);
    }
    expect(bench.answerTo("breaks").error).toBeUndefined();
  });

  test("fails where the arguments are refused, for the model to read", async () => {
    const bench = await legacy();
    const { taskId } = taskIn(begin(bench, "report", { arguments: { bad: "x" }, task: {} }));
    expect(bench.ask("tasks/result", { taskId }).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("/bad must be integer") }],
    });
  });

  test("asks who waits for its result, one thing after the other", async () => {
    const bench = await legacy();
    const { taskId } = taskIn(begin(bench, "asks", { task: {} }));
    expect(bench.ask("tasks/get", { taskId }).result).toMatchObject({ status: "input_required" });
    const [elicit] = bench.request("tasks/result", { taskId }, "r") as [Json];
    expect(bench.sent.at(-1)?.on).toBe('"r"');
    expect(elicit).toMatchObject({ method: "elicitation/create", params: { _meta: related(taskId) } });
    bench.send({ id: elicit.id, result: { action: "accept", content: { city: "Oslo" } } });
    const sample = bench.sent.at(-1)?.message as Json;
    expect([bench.sent.at(-1)?.on, sample.method]).toEqual(['"r"', "sampling/createMessage"]);
    bench.send({ id: sample.id, result: SAMPLED });
    expect(textIn(bench.answerTo("r"))).toBe("Oslo: walk");
    expect(bench.ask("tasks/get", { taskId }).result).toMatchObject({ status: "completed" });
  });

  test("is cancelled, and whoever waits for it told so; but not twice, and not when it is over", async () => {
    const bench = await legacy();
    const { taskId } = taskIn(begin(bench, "hangs", { task: {} }));
    bench.request("tasks/result", { taskId }, "r");
    // That its request is given up does not matter any more, nor that one for its result is.
    bench.send({ method: "notifications/cancelled", params: { requestId: "hangs" } });
    bench.request("tasks/result", { taskId }, "given up");
    bench.send({ method: "notifications/cancelled", params: { requestId: "given up" } });
    expect(bench.ask("tasks/cancel", { taskId }).result).toMatchObject({ taskId, status: "cancelled" });
    expect(bench.answerTo("r").error).toMatchObject({ code: -32603 });
    expect(() => bench.answerTo("given up")).toThrow("0 answers");
    expect(bench.ask("tasks/cancel", { taskId }).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("already in terminal status"),
    });
    const over = taskIn(begin(bench, "fails", { task: {} }));
    expect(bench.ask("tasks/cancel", { taskId: over.taskId }).error).toMatchObject({ code: -32602 });
  });

  test("stands in a list, page by page", async () => {
    const bench = await legacy();
    const ids = ["fails", "breaks", "fails"].map(
      (name, index) =>
        taskIn(bench.request("tools/call", { name, task: {} }, `${name}${index}`)[0] as Json).taskId,
    );
    const seen: unknown[] = [];
    for (let params: Json = {}, more = true; more; ) {
      const { tasks, nextCursor } = bench.ask("tasks/list", params).result as {
        tasks: Json[];
        nextCursor?: string;
      };
      seen.push(...tasks.map((task) => task.taskId));
      more = nextCursor !== undefined;
      params = { cursor: nextCursor };
    }
    expect(seen).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    expect(bench.ask("tasks/list", { cursor: "nonsense" }).error).toMatchObject({ code: -32602 });
  });

  test("is not what a client gets unasked, nor of a tool that has none, and must be where it must", async () => {
    const bench = await legacy();
    expect(textIn(begin(bench, "never"))).toBe("never a task");
    expect(begin(bench, "never", { task: {} }).error).toMatchObject({ code: -32601 });
    expect(begin(bench, "hangs").error).toMatchObject({ code: -32601 });
    expect(textIn(bench.ask("tools/call", { name: "report", arguments: { seconds: 1 } }))).toBe("late");
    // What is answered at once where the server decides is a task all the same where the client does.
    expect(taskIn(begin(bench, "once", { task: {} }))).toMatchObject({ status: "working" });
  });

  test("is told of where tools are listed, and in what the server can do", async () => {
    const bench = await Bench.of(TEXT);
    const { capabilities } = bench.initialize().result as { capabilities: Json };
    expect(capabilities.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const [tool] = (bench.ask("tools/list").result as { tools: Json[] }).tools as [Json];
    expect(tool.execution).toEqual({ taskSupport: "optional" });
  });

  test("is said of the server in the manner of each revision, whoever says it", async () => {
    const both = "{ tasks: { list: {} }, extensions: { 'x/y': {} }, completions: {} }";
    const bench = await Bench.of(`${TEXT}capabilities: ${both}\n`);
    const able = (version: string) =>
      Object.keys((bench.initialize(version).result as { capabilities: Json }).capabilities);
    expect(able("2025-11-25")).toEqual(expect.arrayContaining(["tasks", "completions"]));
    expect(able("2025-11-25")).not.toContain("extensions");
    expect(able("2024-11-05")).toEqual(["tools", "logging"]);
    const { capabilities } = bench.ask("server/discover", modern()).result as { capabilities: Json };
    expect(capabilities).not.toHaveProperty("tasks");
    expect(Object.keys(capabilities.extensions as Json)).toEqual(["io.modelcontextprotocol/tasks", "x/y"]);
  });

  test("is nothing that earlier revisions have", async () => {
    const bench = await legacy(TEXT, "2025-06-18");
    const [tool] = (bench.ask("tools/list").result as { tools: Json[] }).tools as [Json];
    expect(tool.execution).toBeUndefined();
    expect(textIn(bench.ask("tools/call", { name: "fails", task: {} }))).toBe("it failed");
    expect(begin(bench, "hangs", { task: {} }).error).toMatchObject({
      code: -32601,
      message: expect.stringContaining("which 2025-06-18 does not have"),
    });
    expect(bench.ask("tasks/get", { taskId: "t" }).error).toMatchObject({ code: -32601 });
  });

  test("is looked at by nobody where the server does not say that it has tasks", async () => {
    const bench = await legacy(`${TEXT}capabilities: { tasks: null }\n`);
    expect(textIn(bench.ask("tools/call", { name: "fails", task: {} }))).toBe("it failed");
    expect(bench.ask("tasks/list").error).toMatchObject({ code: -32601 });
  });

  test("tells nobody unasked where that is not wanted", async () => {
    const bench = await legacy(TEXT.replace("pollInterval: 1s", "pollInterval: 1s, notify: false"));
    const from = bench.sent.length;
    begin(bench, "fails", { task: {} });
    expect(methodsSent(bench, from)).toEqual([]);
  });
});

describe("a task of 2026-07-28", () => {
  test("is the server's to decide, for a client that declares the extension", async () => {
    const bench = await Bench.of(TEXT);
    const { result } = begin(bench, "report", { ...MODERN, task: { ttl: 1 } });
    expect(result).toMatchObject({
      resultType: "task",
      status: "working",
      ttlMs: 5000,
      pollIntervalMs: 1000,
    });
    expect(result).not.toHaveProperty("task");
    const { taskId } = result as Json;
    bench.time.pass(2000);
    expect(bench.request("tasks/get", { taskId, ...MODERN })[0]?.result).toMatchObject({
      resultType: "complete",
      status: "completed",
      statusMessage: "half way",
      result: { content: [{ text: "made" }] },
    });
    // Neither progress nor log lines: what is told is there to be fetched.
    expect(methodsSent(bench, 0)).toEqual([]);
    expect(textIn(begin(bench, "fails", modern(ABLE)))).toBe("it failed");
    expect(begin(bench, "hangs", modern(ABLE)).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: EXTENSION },
    });
    expect(bench.ask("tasks/get", { taskId, ...modern(ABLE) }).error).toMatchObject({ code: -32021 });
    expect(textIn(begin(bench, "once", MODERN))).toBe("at once");
    expect(begin(bench, "once", MODERN).result).toMatchObject({ resultType: "task" });
  });

  test("fails by an error of the protocol alone", async () => {
    const bench = await Bench.of(TEXT);
    const detail = (name: string) => {
      const { taskId } = begin(bench, name, MODERN).result as Json;
      return bench.ask("tasks/get", { taskId, ...MODERN }).result;
    };
    expect(detail("breaks")).toMatchObject({
      status: "failed",
      error: { code: -32603, message: "it broke" },
    });
    expect(detail("fails")).toMatchObject({ status: "completed", result: { isError: true } });
  });

  test("is asked for what it wants, and answered, bit by bit", async () => {
    const bench = await Bench.of(TEXT);
    const { taskId } = begin(bench, "asks", MODERN).result as Json;
    const wanted = () => {
      const { status, inputRequests } = bench.ask("tasks/get", { taskId, ...MODERN }).result as Json;
      return [status, Object.keys((inputRequests as Json | undefined) ?? {})];
    };
    const update = (inputResponses: unknown) =>
      bench.ask("tasks/update", { taskId, inputResponses, ...MODERN });
    expect(wanted()).toEqual(["input_required", ["city", "plan"]]);
    expect(update({ city: 5 }).error).toMatchObject({ code: -32602 });
    expect(update(undefined).error).toMatchObject({ code: -32602 });
    expect(update({ unasked: {} }).result).toMatchObject({ resultType: "complete" });
    expect(update({ city: { action: "accept", content: { city: "Oslo" } } }).result).not.toHaveProperty(
      "status",
    );
    expect(wanted()).toEqual(["input_required", ["plan"]]);
    update({ plan: SAMPLED, city: { action: "decline" } });
    expect(bench.ask("tasks/get", { taskId, ...MODERN }).result).toMatchObject({
      status: "completed",
      result: { content: [{ text: "Oslo: walk" }] },
    });
    expect(update({ plan: SAMPLED }).result).toBeDefined();
  });

  test("begins where that is written, after what the client is asked before", async () => {
    const bench = await Bench.of(`scenario: 1
tools:
  - name: both
    execution: { taskSupport: required }
    replies:
      - ask: { roots: { roots: {} } }
        replies: [{ task: {}, text: "\${answers.roots.roots}" }]
`);
    const meta = modern({ roots: {}, ...EXTENSION });
    const first = bench.ask("tools/call", { name: "both", ...meta }).result as Json;
    expect(first.resultType).toBe("input_required");
    const again = { requestState: first.requestState, inputResponses: { roots: { roots: [] } } };
    const second = bench.ask("tools/call", { name: "both", ...again, ...meta }).result as Json;
    expect(second.resultType).toBe("task");
    expect(bench.ask("tasks/get", { taskId: second.taskId, ...meta }).result).toMatchObject({
      result: { content: [{ text: "[]" }] },
    });
  });

  test("is told of to who listens to it", async () => {
    const bench = await Bench.of(TEXT);
    const { taskId } = begin(bench, "report", MODERN).result as Json;
    const notifications = { taskIds: [taskId, "unknown"] };
    const listen = { notifications, ...MODERN };
    expect(bench.request("subscriptions/listen", listen, "s")[0]?.params).toMatchObject({
      notifications: { taskIds: [taskId] },
    });
    bench.time.pass(2000);
    expect(bench.sent.at(-1)).toMatchObject({
      on: '"s"',
      message: { method: "notifications/tasks", params: { taskId, status: "completed", result: {} } },
    });
    const refused = bench.ask("subscriptions/listen", { notifications, ...modern() });
    expect(refused.error).toMatchObject({ code: -32021 });
  });

  test("is cancelled with a word, as often as one likes", async () => {
    const bench = await Bench.of(TEXT);
    const { taskId } = begin(bench, "hangs", MODERN).result as Json;
    for (let i = 0; i < 2; i++) {
      const { result } = bench.ask("tasks/cancel", { taskId, ...MODERN }) as { result: Json };
      expect([result.resultType, result.status]).toEqual(["complete", undefined]);
    }
    expect(bench.ask("tasks/get", { taskId, ...MODERN }).result).toMatchObject({ status: "cancelled" });
    expect(bench.ask("tasks/cancel", { taskId: "t", ...MODERN }).error).toMatchObject({ code: -32602 });
    for (const method of ["tasks/list", "tasks/result"])
      expect(bench.ask(method, { taskId, ...MODERN }).error).toMatchObject({ code: -32601 });
  });
});

test("a delay can be what the request says; what is no time is a miss", async () => {
  const bench = await legacy();
  bench.request("tools/call", { name: "report", arguments: { seconds: 2 } }, "a");
  bench.time.pass(1999);
  expect(() => bench.answerTo("a")).toThrow("0 answers");
  bench.time.pass(1);
  expect(textIn(bench.answerTo("a"))).toBe("late");
  const answer = bench.ask("tools/call", { name: "report", arguments: { seconds: -2 } });
  expect(answer.error).toMatchObject({
    message: expect.stringContaining('waits for "-2s", which is no time'),
  });
});
