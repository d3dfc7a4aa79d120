import { describe, expect, test } from "vitest";
import { client, closed, error, notice, request, result, server } from "../../../cases/tape.ts";
import { askAgain, type LiveServer, methodsOf } from "./support.ts";

const call = (id: number, name = "t", more: object = {}) =>
  client(request(id, "tools/call", { name, arguments: {}, ...more }));
const ok = (id: number, value: object = {}) => server(result(id, value));

/** Answers each request by its method; what is not in the table by an empty result. */
const answering =
  (table: Readonly<Record<string, (params: never) => object>> = {}): LiveServer =>
  ({ id, method, params }, tell) => {
    if (id !== undefined && method !== undefined)
      tell({ id, result: table[method]?.(params as never) ?? {} });
  };

test("what a tool on a page that was not there is annotated with counts before it is called", async () => {
  const { sent } = await askAgain({
    entries: [
      client(request(1, "tools/list")),
      server(result(1, { tools: [{ name: "t" }] })),
      call(2),
      ok(2, {}),
    ],
    permission: false,
    server: ({ id, method, params }, tell) => {
      const page = params?.cursor
        ? { tools: [{ name: "t", annotations: { readOnlyHint: true } }] }
        : { tools: [], nextCursor: "2" };
      tell({ id, result: method === "tools/list" ? page : {} });
    },
  });
  expect(sent.map(({ method }) => method)).toEqual(["tools/list", "tools/list", "tools/call"]);
});

describe("names that the server mints", () => {
  test("cursors are followed", async () => {
    const { sent } = await askAgain({
      entries: [
        client(request("a", "tools/list")),
        server(result("a", { tools: [], nextCursor: "old" })),
        client(request("b", "tools/list", { cursor: "old" })),
        server(result("b", { tools: [] })),
      ],
      server: ({ id, params }, tell) =>
        tell({ id, result: { tools: [], ...(params?.cursor ? {} : { nextCursor: "new" }) } }),
    });
    expect(sent).toEqual([
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", id: 2, method: "tools/list", params: { cursor: "new" } },
    ]);
  });

  test("states and tasks are, too; progress tokens are the client's own", async () => {
    const { sent } = await askAgain({
      entries: [
        call(7, "t", { _meta: { progressToken: "p" } }),
        ok(7, { resultType: "input_required", requestState: "old", inputRequests: {} }),
        call(8, "t", { inputResponses: { k: {} }, requestState: "old" }),
        ok(8, { task: { taskId: "old task", status: "working" } }),
        client(request(9, "tasks/get", { taskId: "old task" })),
        ok(9, { taskId: "old task", status: "completed" }),
      ],
      server: ({ id, params, method }, tell) => {
        if (method === "tasks/get") return tell({ id, result: { taskId: "new task", status: "completed" } });
        const asks = params.requestState === undefined;
        const first = { resultType: "input_required", requestState: "new", inputRequests: {} };
        tell({ id, result: asks ? first : { task: { taskId: "new task", status: "working" } } });
      },
    });
    const [first, retry, get] = sent.map(({ params }) => params);
    expect(first._meta).toEqual({ progressToken: 1 });
    expect(retry.requestState).toBe("new");
    expect(get.taskId).toBe("new task");
  });

  test("what the server gives no occasion for is not asked, and is a difference", async () => {
    const { sent, report } = await askAgain({
      entries: [
        client(request(1, "tools/list")),
        ok(1, { tools: [], nextCursor: "old" }),
        client(request(2, "tools/list", { cursor: "old" })),
        ok(2, { tools: [] }),
        call(3),
        ok(3, { resultType: "input_required", inputRequests: { k: { method: "elicitation/create" } } }),
        call(4, "t", { inputResponses: { k: {} } }),
        ok(4),
      ],
      server: answering({ "tools/list": () => ({ tools: [] }), "tools/call": () => ({ content: [] }) }),
    });
    expect(sent).toHaveLength(2);
    expect(report.withheld).toEqual([]);
    expect([...report.leftOut]).toEqual([]);
  });

  test("a value that the client made up is sent as it is", async () => {
    const { sent } = await askAgain({
      entries: [client(request(1, "tools/list", { cursor: "nonsense" })), server(error(1, -32602))],
      server: answering(),
    });
    expect(sent[0].params).toEqual({ cursor: "nonsense" });
  });

  test("numbers that JavaScript cannot hold are sent exactly", async () => {
    const text =
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t","arguments":{"n":9007199254740993,"m":1.0}}}';
    const { texts } = await askAgain({ entries: [client(text), ok(5)], server: answering() });
    expect(texts[0]).toBe(text.replace('"id":5', '"id":1'));
  });
});

describe("order", () => {
  test("what was in flight at once is again, and the rest is not", async () => {
    const order: string[] = [];
    const asked: { id: number; name: string }[] = [];
    await askAgain({
      entries: [call(1, "a"), call(2, "b"), ok(2), ok(1), call(3, "c"), ok(3)],
      server: ({ id, params: { name } }, tell) => {
        order.push(`asked ${name}`);
        asked.push({ id, name });
        if (name === "a") return;
        for (const each of asked.splice(0)) {
          order.push(`answered ${each.name}`);
          tell({ id: each.id, result: {} });
        }
      },
    });
    expect(order).toEqual(["asked a", "asked b", "answered a", "answered b", "asked c", "answered c"]);
  });

  test("goes on when it has heard what it had heard", async () => {
    const updated = notice("notifications/resources/updated", { uri: "u:1" });
    const read = (id: number) => client(request(id, "resources/read", { uri: "u:1" }));
    const entries = [call(1), ok(1), server(updated), read(2), ok(2)];
    let told = false;
    const late: LiveServer = ({ id, method }, tell) => {
      if (method === "resources/read") expect(told).toBe(true);
      tell({ id, result: {} });
      if (method === "tools/call") {
        told = true;
        tell(updated);
      }
    };
    expect((await askAgain({ entries, server: late })).waited).toBe(0);
    const silent = await askAgain({ entries, server: answering() });
    expect(methodsOf(silent)).toEqual(["tools/call", "resources/read"]);
    expect(silent.waited).toBeGreaterThanOrEqual(1_000);
  });

  test("waits for what comes at last before it closes the connection", async () => {
    const changed = notice("notifications/tools/list_changed");
    const { waited } = await askAgain({ entries: [call(1), ok(1), server(changed)], server: answering() });
    expect(waited).toBeGreaterThanOrEqual(1_000);
  });
});

describe("cancellation", () => {
  const cancel = client(notice("notifications/cancelled", { requestId: 1, reason: "enough" }));
  const progress = (token: unknown) =>
    notice("notifications/progress", { progressToken: token, progress: 1 });
  const entries = [
    call(1, "t", { _meta: { progressToken: 7 } }),
    { ...server(progress(7)), at: 300 },
    { ...cancel, at: 800 },
    { ...call(2, "after"), at: 900 },
    ok(2),
  ];

  test("of what was cancelled, when it has said as much and as late", async () => {
    let heard = 0;
    const { sent, waited } = await askAgain({
      entries,
      server: ({ id, method, params }, tell) => {
        if (params.name === "t") tell(progress(params._meta.progressToken));
        else if (method === "tools/call") tell({ id, result: {} });
        heard++;
      },
    });
    expect(heard).toBe(3);
    expect(sent[1]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, reason: "enough" },
    });
    expect(waited).toBe(500);
  });

  test("not of what is answered now", async () => {
    const asked = await askAgain({ entries, server: answering() });
    expect(methodsOf(asked)).toEqual(["tools/call", "tools/call"]);
  });
});

describe("the server's own questions", () => {
  const elicit = (id: unknown, message: string) => request(id as number, "elicitation/create", { message });
  const entries = [
    call(1),
    server(elicit(90, "Who?")),
    client(result(90, { action: "accept", content: { name: "Ada" } })),
    server(elicit(91, "Where?")),
    client(error(91, -1, "not telling")),
    ok(1),
  ];
  const asking =
    (...messages: readonly string[]): LiveServer =>
    (sent, tell) => {
      const next = messages[Number(sent.id ?? -1) - (sent.method ? 1 : 499)];
      if (sent.method === "tools/call") tell(elicit(500, messages[0] as string));
      else if (next !== undefined) tell(elicit(Number(sent.id) + 1, next));
      else tell({ id: 1, result: {} });
    };

  test("are answered as recorded, whatever their ids and their order", async () => {
    const { sent } = await askAgain({ entries, server: asking("Where?", "Who?") });
    expect(sent.slice(1)).toEqual([
      { jsonrpc: "2.0", id: 500, error: { code: -1, message: "not telling" } },
      { jsonrpc: "2.0", id: 501, result: { action: "accept", content: { name: "Ada" } } },
    ]);
  });

  test("one that says something else gets the answer that is left, one too many the last again", async () => {
    const { sent } = await askAgain({ entries, server: asking("Who are you?", "Where?", "And when?") });
    const answers = sent.slice(1).map((each) => each.result?.content?.name ?? each.error.message);
    expect(answers).toEqual(["Ada", "not telling", "not telling"]);
  });

  test("of a kind that was never asked are refused, and told of", async () => {
    const { sent, report } = await askAgain({
      entries: [call(1), ok(1)],
      server: (message, tell) =>
        message.method ? tell(request(5, "roots/list")) : tell({ id: 1, result: {} }),
    });
    expect(sent[1]).toMatchObject({ id: 5, error: { code: -32601 } });
    expect(report.notes).toEqual([expect.stringContaining("roots/list")]);
  });
});

describe("what is left out", () => {
  const reasons = ({ report }: { report: { withheld: readonly object[] } }) => report.withheld;

  test("what was recorded without an answer, or holds a redacted secret", async () => {
    const asked = await askAgain({
      entries: [
        call(1, "t", { arguments: { key: "[redacted:1f2e3d4c]" } }),
        ok(1),
        call(2, "hung"),
        closed("client", { reason: "eof" }),
      ],
      server: answering(),
    });
    expect(asked.sent).toEqual([]);
    expect(reasons(asked)).toEqual([
      { subject: "tools/call t", reason: "holds a secret that was redacted" },
      { subject: "tools/call hung", reason: "recorded without an answer" },
    ]);
    expect([...asked.report.leftOut]).toEqual([0, 1, 2]);
  });

  test("tools that nobody allows, and what goes on with them", async () => {
    const asked: string[] = [];
    const tools = [
      { name: "reads", annotations: { readOnlyHint: true } },
      { name: "writes" },
      { name: "sends", annotations: { readOnlyHint: false } },
    ];
    const entries = [
      client(request(1, "tools/list")),
      ok(1, { tools: tools.map((tool) => ({ ...tool, annotations: { readOnlyHint: true } })) }),
      ...[call(2, "reads"), ok(2), call(3, "writes"), ok(3, { task: { taskId: "x", status: "working" } })],
      ...[client(request(4, "tasks/get", { taskId: "x" })), ok(4, { taskId: "x", status: "working" })],
      ...[call(5, "sends"), ok(5), call(6, "sends"), ok(6)],
    ];
    const table = { "tools/list": () => ({ tools }) };
    const permission = async (tool: string) => {
      asked.push(tool);
      return tool === "sends";
    };
    const again = await askAgain({ entries, server: answering(table), permission });
    expect(asked).toEqual(["writes", "sends"]);
    expect(again.sent.flatMap(({ params }) => params?.name ?? [])).toEqual(["reads", "sends", "sends"]);
    expect(reasons(again)).toEqual([
      { subject: "tools/call writes", reason: "not annotated readOnlyHint: true, and not allowed" },
      { subject: "tasks/get", reason: "goes on with what was not asked either" },
    ]);
    const none = await askAgain({ entries, server: answering(table), permission: false });
    expect(none.sent.flatMap(({ params }) => params?.name ?? [])).toEqual(["reads"]);
  });

  test("a tool that the server does not list now, unless it is allowed", async () => {
    const entries = [client(request(1, "tools/list")), ok(1, { tools: [] }), call(2, "gone"), ok(2)];
    const server = answering({ "tools/list": () => ({ tools: [{ name: "other" }] }) });
    expect(reasons(await askAgain({ entries, server, permission: false }))).toEqual([
      {
        subject: "tools/call gone",
        reason: "not among the tools that the server lists now, and not allowed",
      },
    ]);
    expect(reasons(await askAgain({ entries, server, permission: true }))).toEqual([]);
    const untold = await askAgain({ entries: entries.slice(2), server, permission: false });
    expect(reasons(untold)).toMatchObject([{ reason: "not annotated readOnlyHint: true, and not allowed" }]);
  });

  test("everything, where the connection does not open any more", async () => {
    const opening = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    const asked = await askAgain({
      entries: [
        client(request(1, "initialize", opening)),
        ok(1, { protocolVersion: "2025-11-25", capabilities: {} }),
        client(notice("notifications/initialized")),
        client(request(2, "tools/list")),
        ok(2, { tools: [] }),
      ],
      server: ({ id }, tell) => tell({ id, error: { code: -32603, message: "no" } }),
    });
    expect(methodsOf(asked)).toEqual(["initialize"]);
    expect(reasons(asked)).toEqual([{ subject: "tools/list", reason: "the connection could not be opened" }]);
  });
});

describe("more than was recorded", () => {
  test("pages that a list has more of are asked for, to its end", async () => {
    const { sent } = await askAgain({
      entries: [client(request(1, "tools/list", { _meta: { a: 1 } })), ok(1, { tools: [] })],
      server: ({ id, params }, tell) => {
        const page = Number(params.cursor ?? 0) + 1;
        tell({ id, result: { tools: [], ...(page < 3 ? { nextCursor: String(page) } : {}) } });
      },
    });
    expect(sent.map(({ params }) => params)).toEqual([
      { _meta: { a: 1 } },
      { cursor: "1", _meta: { a: 1 } },
      { cursor: "2", _meta: { a: 1 } },
    ]);
  });

  test("a task is asked for until it is as far as it was", async () => {
    const task = (status: string) => ({ taskId: "x", status, pollInterval: 100 });
    let polls = 0;
    const { waited } = await askAgain({
      entries: [
        call(1),
        ok(1, { task: task("working") }),
        client(request(2, "tasks/get", { taskId: "x" })),
        ok(2, task("completed")),
      ],
      server: ({ id, method }, tell) => {
        if (method === "tools/call") return tell({ id, result: { task: task("working") } });
        tell({ id, result: task(++polls < 4 ? "working" : "completed") });
      },
    });
    expect({ polls, waited }).toEqual({ polls: 4, waited: 300 });
  });

  test("a connection that was recorded without an opening is opened as another was", async () => {
    const opening = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    const asked = await askAgain({
      entries: [
        client(request(1, "initialize", opening)),
        ok(1, { protocolVersion: "2025-06-18", capabilities: {} }),
        client(notice("notifications/initialized")),
        { ...call(1, "appended"), session: 2 },
        { ...ok(1), session: 2 },
      ],
      server: answering({ initialize: () => ({ protocolVersion: "2025-06-18", capabilities: {} }) }),
    });
    const opened = ["initialize", "notifications/initialized"];
    expect(methodsOf(asked)).toEqual([...opened, ...opened, "tools/call"]);
    expect(asked.borrowed).toBe(1);
  });
});

describe("several connections", () => {
  const on = (session: number, id: number, name: string) =>
    client(request(id, "tools/call", { name, arguments: {} }), { session });
  const done = (session: number, id: number) => server(result(id, {}), { session });
  const namesOf = (asked: { readonly sent: readonly { readonly params?: { readonly name?: string } }[] }) =>
    asked.sent.map(({ params }) => params?.name);

  test("that were open at once are so again, each message in its place", async () => {
    const asked = await askAgain({
      entries: [
        on(1, 1, "a"),
        done(1, 1),
        on(2, 1, "b"),
        done(2, 1),
        on(1, 2, "c"),
        done(1, 2),
        on(2, 2, "d"),
        done(2, 2),
      ],
      server: answering(),
    });
    expect(namesOf(asked)).toEqual(["a", "b", "c", "d"]);
    expect(asked.connections).toEqual(["begin 1", "begin 2", "end 1", "end 2"]);
  });

  test("that came one after the other do so again", async () => {
    const asked = await askAgain({
      entries: [on(1, 1, "a"), done(1, 1), closed("server", { exit: 0 }), on(2, 1, "b"), done(2, 1)],
      server: answering(),
    });
    expect(asked.connections).toEqual(["begin 1", "end 1", "begin 2", "end 2"]);
  });

  test("what was in flight on both is so again, and one that ends in between ends there", async () => {
    const flying = new Set<string>();
    const together: string[][] = [];
    const asked = await askAgain({
      entries: [on(1, 1, "a"), on(2, 1, "b"), done(1, 1), done(2, 1), on(1, 2, "c"), done(1, 2)],
      server: ({ id, params }, tell) => {
        flying.add(params.name);
        together.push([...flying]);
        // Answers to both when both are there.
        if (params.name === "a") return;
        flying.clear();
        tell({ id, result: {} });
        if (params.name === "b") tell({ id: 1, result: {} }, 1);
      },
    });
    expect(together).toEqual([["a"], ["a", "b"], ["c"]]);
    expect(asked.connections).toEqual(["begin 1", "begin 2", "end 2", "end 1"]);
  });

  test("what one did and the other heard of is waited for on both, and given up on both", async () => {
    const entries = [
      on(1, 1, "watch"),
      done(1, 1),
      on(2, 1, "write"),
      done(2, 1),
      server(notice("notifications/resources/updated", { uri: "a:b" }), { session: 1 }),
      on(2, 2, "write again"),
      done(2, 2),
    ];
    const told: number[] = [];
    const late: LiveServer = ({ id, params }, tell) => {
      tell({ id, result: {} });
      if (params.name !== "write") return;
      told.push(1);
      tell({ method: "notifications/resources/updated", params: { uri: "a:b" } }, 1);
    };
    expect((await askAgain({ entries, server: late })).waited).toBe(0);
    expect(told).toHaveLength(1);
    const silent = await askAgain({ entries, server: answering() });
    expect(namesOf(silent)).toEqual(["watch", "write", "write again"]);
    expect(silent.waited).toBeGreaterThan(0);
  });
});
