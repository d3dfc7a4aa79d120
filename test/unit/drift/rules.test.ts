import { describe, expect, test } from "vitest";
import { compareRecordings } from "../../../src/drift/compare-recordings.ts";
import { OwnRules } from "../../../src/drift/own-rules.ts";
import { DRIFT_RULES } from "../../../src/drift/rules.ts";
import { FAR_SLOWER } from "../../../src/drift/slowness.ts";
import type { Entry } from "../../../src/exchange/entry.ts";
import { Rules } from "../../../src/replay/rules.ts";
import { changeLines, changesBetween, recorded } from "../../cases/drift.ts";
import { client, closed, error, HTTP, notice, request, result, server } from "../../cases/tape.ts";

const ask = (id: number, name = "forecast", more: object = {}) =>
  client(request(id, "tools/call", { name, arguments: { city: "Oslo" }, ...more }));
const texts = (...all: string[]) => ({ content: all.map((text) => ({ type: "text", text })) });
const call = (value: unknown): Entry[] => [ask(1), server(result(1, value))];
const refused = (code: number, message = "refused", data?: unknown): Entry[] => [
  ask(1),
  server({ jsonrpc: "2.0", id: 1, error: { code, message, ...(data !== undefined && { data }) } }),
];
const during = (...said: Entry[]): Entry[] => [
  ask(1, "forecast", { _meta: { progressToken: 7 } }),
  ...said,
  server(result(1, texts("fine"))),
];
const told = (method: string, params: object) => server(notice(method, params));
const elicit = (message: string): Entry[] => [
  server(request(90, "elicitation/create", { message })),
  client(result(90, { action: "accept", content: {} })),
];
const opened = (capabilities: object, more: readonly Entry[]): Entry[] => [
  client(
    request(0, "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "t" } }),
  ),
  server(result(0, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s" } })),
  ...more,
];
const posted = (status: number, body: object, more: object = {}): Entry[] => [
  client(request(1, "tools/call", { name: "forecast", arguments: { city: "Oslo" } }), {
    http: { method: "POST", path: "/mcp" },
  }),
  server(body as never, { on: { id: "1" }, http: { status }, ...more }),
];
const ending = (how: object): Entry[] => [
  ...call(texts("fine")),
  closed("client", { reason: "eof" }),
  closed("server", how),
];
const image = (data: string) => ({ content: [{ type: "image", data, mimeType: "image/png" }] });
const FORECAST = 'tools/call forecast {"city":"Oslo"}';
const failing = { ...texts("no such city"), isError: true };

interface Case {
  readonly rule: string;
  readonly old: readonly Entry[];
  readonly new: readonly Entry[];
  /** Every change there is. */
  readonly says: readonly string[];
  readonly http?: true;
}

const listing = (...lists: string[][]): Entry[] =>
  lists.flatMap((names, index) => [
    client(request(index + 1, "tools/list", {})),
    server(result(index + 1, { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) })),
  ]);

const promising = (outputSchema: object, more: readonly Entry[]): Entry[] => [
  client(request(50, "tools/list", {})),
  server(result(50, { tools: [{ name: "forecast", inputSchema: { type: "object" }, outputSchema }] })),
  ...more,
];
const DEGREES = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] };

const CASES: readonly Case[] = [
  {
    rule: "answer-breaks-schema",
    old: promising(DEGREES, call({ content: [], structuredContent: { degrees: 3 } })),
    new: promising(DEGREES, call({ content: [], structuredContent: { degrees: "3" } })),
    says: [`breaking answer-breaks-schema ${FORECAST} /structuredContent/degrees`],
  },
  {
    rule: "list-unsteady",
    old: listing(["a", "b"], ["a", "b"]),
    new: listing(["a"], ["a", "b"]),
    says: ["risky list-unsteady tools/list /tools"],
  },
  {
    rule: "result-became-error",
    old: call(texts("fine")),
    new: refused(-32603),
    says: [`breaking result-became-error ${FORECAST}`],
  },
  {
    rule: "result-became-tool-error",
    old: call(texts("fine")),
    new: call(failing),
    says: [`breaking result-became-tool-error ${FORECAST}`],
  },
  {
    rule: "error-became-result",
    old: call(failing),
    new: call(texts("fine")),
    says: [`compatible error-became-result ${FORECAST}`],
  },
  {
    rule: "error-layer-changed",
    old: refused(-32602, "Unknown tool"),
    new: call(failing),
    says: [`risky error-layer-changed ${FORECAST}`],
  },
  {
    rule: "error-code-changed",
    old: refused(-32000),
    new: refused(-32001),
    says: [`risky error-code-changed ${FORECAST} /code`],
  },
  {
    rule: "error-code-changed",
    old: refused(-32002),
    new: refused(-32602),
    says: [`compatible error-code-changed ${FORECAST} /code`],
  },
  {
    rule: "error-message-changed",
    old: refused(-32000, "one"),
    new: refused(-32000, "two"),
    says: [`info error-message-changed ${FORECAST} /message`],
  },
  {
    rule: "error-message-changed",
    old: call(failing),
    new: call({ ...texts("no such town"), isError: true }),
    says: [`info error-message-changed ${FORECAST} /content/0/text`],
  },
  {
    rule: "answer-value-changed",
    old: call({ ...failing, structuredContent: { code: 1 } }),
    new: call({ ...failing, structuredContent: { code: 2 } }),
    says: [`risky answer-value-changed ${FORECAST} /structuredContent/code`],
  },
  {
    rule: "error-data-changed",
    old: refused(-32000, "one", { retry: 1 }),
    new: refused(-32000, "one", { retry: 2 }),
    says: [`risky error-data-changed ${FORECAST} /data`],
  },
  {
    rule: "http-status-changed",
    http: true,
    old: posted(200, error(1, -32602)),
    new: posted(404, error(1, -32602)),
    says: [`breaking http-status-changed ${FORECAST}`],
  },
  {
    rule: "http-status-changed",
    http: true,
    old: posted(200, error(1, -32602)),
    new: posted(500, error(1, -32602)),
    says: [`risky http-status-changed ${FORECAST}`],
  },
  {
    rule: "answer-gone",
    old: call(texts("fine")),
    new: [ask(1), closed("server", { exit: 1 })],
    says: [`breaking answer-gone ${FORECAST}`],
  },
  {
    rule: "answer-came",
    old: [ask(1)],
    new: call(texts("fine")),
    says: [`compatible answer-came ${FORECAST}`],
  },
  {
    rule: "request-cancelled",
    old: call(texts("fine")),
    new: [ask(1), client(notice("notifications/cancelled", { requestId: 1 }))],
    says: [`info request-cancelled ${FORECAST}`],
  },
  {
    rule: "result-type-changed",
    old: call({ resultType: "complete", ...texts("fine") }),
    new: call({ resultType: "input_required", requestState: "abc" }),
    says: [`risky result-type-changed ${FORECAST} /resultType`],
  },
  ...["tools/list", "resources/list", "server/discover"].map((method): Case => {
    const typed = (resultType: string) => [client(request(1, method, {})), server(result(1, { resultType }))];
    return {
      rule: "result-type-changed",
      old: typed("complete"),
      new: typed("task"),
      says: [`risky result-type-changed ${method} /resultType`],
    };
  }),
  {
    rule: "answer-value-changed",
    old: call({ content: [], structuredContent: { degrees: 3, wind: { from: "west" } } }),
    new: call({ content: [], structuredContent: { degrees: 4, wind: { from: "east" } } }),
    says: [
      `risky answer-value-changed ${FORECAST} /structuredContent/degrees`,
      `risky answer-value-changed ${FORECAST} /structuredContent/wind/from`,
    ],
  },
  {
    rule: "answer-value-changed",
    old: [ask(1), server('{"jsonrpc":"2.0","id":1,"result":{"n":9007199254740993}}')],
    new: [ask(1), server('{"jsonrpc":"2.0","id":1,"result":{"n":9007199254740992}}')],
    says: [`risky answer-value-changed ${FORECAST}`],
  },
  {
    rule: "answer-type-changed",
    old: call({ content: [], structuredContent: { degrees: 3 } }),
    new: call({ content: [], structuredContent: { degrees: "3" } }),
    says: [`risky answer-type-changed ${FORECAST} /structuredContent/degrees`],
  },
  {
    rule: "answer-member-removed",
    old: call({ content: [], structuredContent: { degrees: 3, "a/b": 1 } }),
    new: call({ content: [], structuredContent: { degrees: 3 } }),
    says: [`risky answer-member-removed ${FORECAST} /structuredContent/a~1b`],
  },
  {
    rule: "answer-member-added",
    old: call(texts("a", "b")),
    new: call(texts("new", "a", "b")),
    says: [`compatible answer-member-added ${FORECAST} /content/0`],
  },
  {
    rule: "answer-order-changed",
    old: call(texts("a", "b", "c")),
    new: call(texts("c", "a", "b")),
    says: [`risky answer-order-changed ${FORECAST} /content`],
  },
  {
    rule: "answer-text-changed",
    old: call(texts("fine", "b")),
    new: call(texts("rain", "b")),
    says: [`risky answer-text-changed ${FORECAST} /content/0/text`],
  },
  {
    rule: "answer-binary-changed",
    old: call(image("AAAA")),
    new: call(image("AAAAAA==")),
    says: [`risky answer-binary-changed ${FORECAST} /content/0/data`],
  },
  {
    rule: "answer-mime-type-changed",
    old: call(image("AAAA")),
    new: call({ content: [{ type: "image", data: "AAAA", mimeType: "image/jpeg" }] }),
    says: [`risky answer-mime-type-changed ${FORECAST} /content/0/mimeType`],
  },
  {
    rule: "answer-content-kind-changed",
    old: call(texts("AAAA")),
    new: call(image("AAAA")),
    says: [`breaking answer-content-kind-changed ${FORECAST} /content/0`],
  },
  {
    rule: "answer-content-kind-changed",
    old: [
      client(request(1, "resources/read", { uri: "a:b" })),
      server(result(1, { contents: [{ uri: "a:b", text: "x" }] })),
    ],
    new: [
      client(request(1, "resources/read", { uri: "a:b" })),
      server(result(1, { contents: [{ uri: "a:b", blob: "AA==" }] })),
    ],
    says: ["breaking answer-content-kind-changed resources/read a:b /contents/0"],
  },
  {
    rule: "notification-missing",
    old: during(told("notifications/progress", { progressToken: 7, progress: 1 })),
    new: during(),
    says: [`risky notification-missing ${FORECAST}`],
  },
  {
    rule: "notification-extra",
    old: during(),
    new: during(
      told("notifications/progress", { progressToken: 7, progress: 1 }),
      told("notifications/progress", { progressToken: 7, progress: 2 }),
    ),
    says: [`compatible notification-extra ${FORECAST}`],
  },
  {
    rule: "notification-changed",
    http: true,
    old: [...posted(200, notice("notifications/x", { a: 1 })), server(result(1, {}), { on: { id: "1" } })],
    new: [...posted(200, notice("notifications/x", { a: 2 })), server(result(1, {}), { on: { id: "1" } })],
    says: [`risky notification-changed ${FORECAST}`],
  },
  {
    rule: "notification-order-changed",
    http: true,
    old: [
      ...posted(200, notice("notifications/x")),
      server(notice("notifications/y"), { on: { id: "1" } }),
      server(result(1, {}), { on: { id: "1" } }),
    ],
    new: [
      ...posted(200, notice("notifications/y")),
      server(notice("notifications/x"), { on: { id: "1" } }),
      server(result(1, {}), { on: { id: "1" } }),
    ],
    says: [`compatible notification-order-changed ${FORECAST}`],
  },
  {
    rule: "server-request-added",
    old: opened({ elicitation: {} }, during()),
    new: opened({ elicitation: {} }, during(...elicit("Which?"))),
    says: [`risky server-request-added ${FORECAST}`],
  },
  {
    rule: "server-request-added",
    old: opened({}, during()),
    new: opened({}, during(...elicit("Which?"))),
    says: [`breaking server-request-added ${FORECAST}`],
  },
  {
    rule: "server-request-removed",
    old: during(...elicit("Sure?")),
    new: during(),
    says: [`risky server-request-removed ${FORECAST}`],
  },
  {
    rule: "server-request-changed",
    old: during(...elicit("Sure?")),
    new: during(...elicit("Really?")),
    says: [`risky server-request-changed ${FORECAST} /message`],
  },
  {
    rule: "server-request-changed",
    old: call({
      resultType: "input_required",
      inputRequests: { x1: { method: "roots/list", params: { a: 1 } } },
    }),
    new: call({
      resultType: "input_required",
      inputRequests: { y2: { method: "roots/list", params: { a: 2 } } },
    }),
    says: [`risky server-request-changed ${FORECAST} /a`],
  },
  {
    rule: "exchange-missing",
    old: [...call(texts("fine")), ask(2, "other"), server(result(2, {}))],
    new: call(texts("fine")),
    says: ['risky exchange-missing tools/call other {"city":"Oslo"}'],
  },
  {
    rule: "exchange-added",
    old: call(texts("fine")),
    new: [...call(texts("fine")), ask(2), server(result(2, {}))],
    says: [`info exchange-added ${FORECAST} #2`],
  },
  {
    rule: "session-id-changed",
    http: true,
    old: posted(200, result(1, {})),
    new: posted(200, result(1, {}), { http: { status: 200, headers: { "mcp-session-id": "1" } } }),
    says: ["compatible session-id-changed session"],
  },
  {
    rule: "response-form-changed",
    http: true,
    old: posted(200, result(1, {})),
    new: posted(200, result(1, {}), { event: { id: "1" } }),
    says: ["compatible response-form-changed session"],
  },
];

const noticed = (status: number, body?: string): Entry[] => [
  client(notice("notifications/initialized"), { http: { method: "POST", path: "/mcp" } }),
  server(body, { on: "post", http: { status } }),
  ...posted(200, result(1, texts("fine"))),
];
const replied = (status: number): Entry[] => [
  ...noticed(202).slice(0, 2),
  ...posted(200, request(90, "roots/list")),
  client(result(90, { roots: [] }), { http: { method: "POST", path: "/mcp" } }),
  server(undefined, { on: "post", http: { status } }),
  server(result(1, texts("fine")), { on: { id: "1" } }),
];
const streaming = (status: number): Entry[] => [
  client(undefined, { http: { method: "GET", path: "/mcp" } }),
  server(undefined, { on: "get", http: { status } }),
  ...posted(200, result(1, texts("fine"))),
];
const NOT_ASKING: readonly Case[] = (
  [
    ["post-refused", noticed(202), noticed(404), "breaking", "notifications/initialized"],
    ["post-refused", noticed(204), noticed(400, "{}"), "breaking", "notifications/initialized"],
    ["post-refused", noticed(200, "ok"), noticed(500, "no"), "breaking", "notifications/initialized"],
    ["post-refused", replied(202), replied(500), "breaking", "session"],
    ["post-accepted", noticed(404), noticed(202), "compatible", "notifications/initialized"],
    ["post-accepted", replied(500), replied(202), "compatible", "session"],
    ["http-status-changed", noticed(500), noticed(503), "risky", "notifications/initialized"],
    ["http-status-changed", noticed(500), noticed(404), "breaking", "notifications/initialized"],
    ["stream-refused", streaming(200), streaming(500), "breaking", "session"],
    ["stream-refused", streaming(405), streaming(500), "breaking", "session"],
    ["stream-refused", streaming(200), streaming(405), "risky", "session"],
    ["stream-refused", streaming(500), streaming(503), "risky", "session"],
    ["stream-opened", streaming(405), streaming(200), "info", "session"],
  ] as const
).map(([rule, old, fresh, own, subject]) => ({
  rule,
  http: true,
  old,
  new: fresh,
  says: [`${own} ${rule} ${subject}`],
}));

test("how what is no request was accepted is no change", async () => {
  const ways = [noticed(202), noticed(204), noticed(200), noticed(200, "{}")];
  for (const old of ways) {
    for (const fresh of ways) {
      expect(await changesBetween(recorded(old, HTTP), recorded(fresh, HTTP))).toEqual([]);
    }
  }
});

const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modernList = (more: object): Entry[] => [
  client(request(1, "tools/list", { _meta: MODERN_META })),
  server(result(1, { resultType: "complete", tools: [], ...more })),
];
const SSE = { http: { status: 200, headers: { "content-type": "text/event-stream" } } };
const RAW = { jsonrpc: "2.0", id: 1, result: texts("fine") };
const ODD: readonly Case[] = [
  {
    rule: "answer-breaks-protocol",
    old: opened({}, call(texts("fine"))),
    new: opened({}, call({ content: "fine" })),
    says: [`breaking answer-breaks-protocol ${FORECAST} /content`],
  },
  {
    rule: "answer-breaks-protocol",
    old: modernList({ ttlMs: 5, cacheScope: "private" }),
    new: modernList({ cacheScope: "private" }),
    says: ["risky answer-breaks-protocol tools/list /ttlMs"],
  },
  {
    rule: "noise-added",
    old: call(texts("fine")),
    new: [ask(1), server("listening …"), server(result(1, texts("fine")))],
    says: ["breaking noise-added session"],
  },
  {
    rule: "noise-added",
    old: call(texts("fine")),
    new: [ask(1), server({ id: 1, progress: 1 }), server(result(1, texts("fine")))],
    says: ["breaking noise-added session"],
  },
  {
    rule: "noise-added",
    old: call(texts("fine")),
    new: [ask(1), server({ ...notice("notifications/x"), jsonrpc: "1.0" }), server(RAW)],
    says: ["compatible notification-extra session", "breaking noise-added session"],
  },
  {
    rule: "noise-added",
    http: true,
    old: [
      ...posted(200, notice("notifications/x"), { event: {} }),
      server(RAW, { on: { id: "1" }, event: {} }),
    ],
    new: [
      ...posted(200, notice("notifications/x"), { event: {} }),
      server("ready", { on: { id: "1" }, event: {} }),
      server(RAW, { on: { id: "1" }, event: {} }),
    ],
    says: ["breaking noise-added session"],
  },
  {
    rule: "noise-added",
    old: [...call(texts("fine")), closed("client", { reason: "eof" })],
    new: [...call(texts("fine")), closed("client", { reason: "eof" }), server("bye")],
    says: ["risky noise-added session"],
  },
  {
    rule: "noise-added",
    http: true,
    old: posted(200, RAW, SSE),
    new: [...posted(200, "working on it" as never, SSE), server(RAW, { on: { id: "1" } })],
    says: ["breaking noise-added session"],
  },
  {
    rule: "response-form-changed",
    http: true,
    old: posted(200, RAW, { http: { status: 200, headers: { "content-type": "application/json" } } }),
    new: posted(200, RAW, SSE),
    says: ["compatible response-form-changed session"],
  },
  {
    rule: "noise-gone",
    old: [server("hello"), server("world"), ...call(texts("fine"))],
    new: call(texts("fine")),
    says: ["compatible noise-gone session"],
  },
  {
    rule: "batch-added",
    old: opened({}, call(texts("fine"))),
    new: opened({}, [ask(1), server([RAW])]),
    says: ["breaking batch-added session"],
  },
  {
    rule: "batch-added",
    old: call(texts("fine")),
    new: [ask(1), server([RAW])],
    says: ["risky batch-added session"],
  },
  {
    rule: "answer-unasked",
    old: call(texts("fine")),
    new: [...call(texts("fine")), server(result(1, texts("again")))],
    says: [`risky answer-unasked ${FORECAST}`],
  },
  {
    rule: "answer-unasked",
    old: call(texts("fine")),
    new: [server(result(9, {})), ...call(texts("fine"))],
    says: ["risky answer-unasked session"],
  },
  {
    rule: "answer-unasked",
    old: call(texts("fine")),
    new: [
      ask(1),
      server({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "what?" } }),
      server(RAW),
    ],
    says: ["risky answer-unasked session"],
  },
  {
    rule: "exit-changed",
    old: ending({ exit: 0 }),
    new: ending({ exit: 3 }),
    says: ["risky exit-changed session"],
  },
  {
    rule: "exit-changed",
    old: ending({ signal: "SIGTERM" }),
    new: [...call(texts("fine")), closed("server", { signal: "SIGSEGV" })],
    says: ["breaking exit-changed session"],
  },
  {
    rule: "exit-changed",
    old: ending({ exit: 1 }),
    new: ending({ exit: 143 }),
    says: ["compatible exit-changed session"],
  },
];

test("to be told to end is no other end", async () => {
  const ends = [{ exit: 0 }, { signal: "SIGTERM" }, { signal: "SIGKILL" }, { exit: 143 }].map((how) =>
    recorded(ending(how)),
  );
  for (const old of ends) {
    for (const fresh of ends) expect(await changesBetween(old, fresh)).toEqual([]);
  }
});

test("what stood between the messages before may stand there, whatever it says", async () => {
  const noisy = (...lines: string[]) =>
    recorded([...lines.map((line) => server(line)), ...call(texts("fine"))]);
  expect(await changesBetween(noisy("10:01 up"), noisy("11:32 up", "11:33 again"))).toEqual([]);
  const [added] = await changesBetween(recorded(call(texts("fine"))), noisy("a", "b", "c", "x".repeat(300)));
  expect(added?.after).toBe("a\nb\nc\n…");
});

test("an answer to a line that could not be read was asked for", async () => {
  const asked = [
    client("{"),
    server({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "what?" } }),
  ];
  const lines = await changeLines(
    recorded(call(texts("fine"))),
    recorded([...call(texts("fine")), ...asked]),
  );
  expect(lines).toEqual([]);
});

describe.each([...CASES, ...NOT_ASKING, ...ODD])("$rule", ({ old, new: fresh, says, http }) => {
  const header = http ? HTTP : undefined;

  test(says.join(", "), async () => {
    expect(await changeLines(recorded(old, header), recorded(fresh, header))).toEqual(says);
  });

  test("and nothing in one recording alone", async () => {
    for (const entries of [old, fresh]) {
      expect(await changesBetween(recorded(entries, header), recorded(entries, header))).toEqual([]);
    }
  });
});

const OVER_HTTP = posted(200, result(1, {}));

test("another transport is told, and requests are the same over both", async () => {
  const lines = await changeLines(recorded(call({})), recorded(OVER_HTTP, HTTP));
  expect(lines).toEqual(["info transport-changed session"]);
});

test("another era is told, and what the eras differ in is no change", async () => {
  const modern = [
    ask(1, "forecast", { _meta: MODERN_META }),
    server(result(1, { ...texts("fine"), resultType: "complete", ttlMs: 5, cacheScope: "private" })),
  ];
  const lines = await changeLines(recorded(call(texts("fine"))), recorded(modern));
  expect(lines).toEqual(["info era-changed session"]);
});

test("a list that changes on both sides alike is no change, and every contradiction is noted", async () => {
  const [old, fresh] = [listing(["a"], ["a", "b"]), listing(["a"], ["a", "b", "b"])].map((all) =>
    recorded(all),
  );
  const { changes, notes } = await compareRecordings(old as never, fresh as never);
  expect(changes.map(({ rule }) => rule)).toEqual(["list-duplicate"]);
  expect(notes).toEqual([
    "in the old recording, tools/list was answered differently at entry 3 than at entry 1; the last whole list counts",
    "in the new recording, tools/list was answered differently at entry 3 than at entry 1; the last whole list counts",
    "in the new recording, the tool b is listed twice; the last counts",
  ]);
});

test("a number in JSON in a text that JavaScript cannot hold", async () => {
  const number = (digits: string) => recorded(call(texts(`{"n": ${digits}, "s": "x"}`)));
  const old = number("12345678901234567890");
  expect(await changeLines(old, number("12345678901234567891"))).toEqual([
    `risky answer-value-changed ${FORECAST} /content/0/text`,
  ]);
  expect(await changeLines(old, number("1234567890123456789e1"))).toEqual([]);
});

describe("a number that JavaScript cannot hold", () => {
  const spelt = (json: string) => recorded([ask(1), server(`{"jsonrpc":"2.0","id":1,"result":${json}}`)]);
  const info = '"io.modelcontextprotocol/serverInfo"';

  test.each([
    ['{"v":1.0}', '{"v":1}'],
    ['{"v":10e-1}', '{"v":1}'],
    ['{"v":1,"v":2}', '{"v":2}'],
    ['{"a":1,"b":[9007199254740993]}', '{"b":[9007199254740993.0],"a":1.0}'],
    [`{"a":1,"_meta":{${info}:{"name":"s","x":1.0}}}`, '{"a":1}'],
  ])("is the same: %s and %s", async (before, after) => {
    expect(await changeLines(spelt(before), spelt(after))).toEqual([]);
    expect(await changeLines(spelt(after), spelt(before))).toEqual([]);
  });

  test.each([
    ['{"v":9007199254740993}', '{"v":9007199254740992}'],
    ['{"v":[0.1]}', '{"v":[0.10000000000000000001]}'],
  ])("is another: %s and %s", async (before, after) => {
    expect(await changeLines(spelt(before), spelt(after))).toEqual([
      `risky answer-value-changed ${FORECAST}`,
    ]);
  });

  test.each([
    ["9007199254740993", "9007199254740992", [`risky error-data-changed ${FORECAST} /data`]],
    ['{"v":[0.1]}', '{"v":[0.10000000000000000001]}', [`risky error-data-changed ${FORECAST} /data`]],
    ["1.0", "1", []],
  ])("in the data of an error: %s and %s", async (before, after, says) => {
    const failed = (data: string, message = "m") =>
      recorded([
        ask(1),
        server(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"${message}","data":${data}}}`),
      ]);
    expect(await changeLines(failed(before), failed(after))).toEqual(says);
    const own = new OwnRules(new Rules({ "tools/call forecast": { ignore: ["/data"] } }, "x.yaml"));
    expect(await changeLines(failed(before), failed(after), { own })).toEqual([]);
    expect(await changeLines(failed(before), failed(after, "n"), { own })).toEqual([
      `info error-message-changed ${FORECAST} /message`,
    ]);
    expect(await changeLines(failed(before), failed(after, "n"))).toHaveLength(1 + says.length);
  });

  test.each([
    ['{"v":9007199254740993}', '{"v":9007199254740992}', ["risky notification-changed session"]],
    ['{"v":1.0}', '{"v":1}', []],
  ])("in a notification: %s and %s", async (before, after, says) => {
    const telling = (params: string) =>
      recorded([server(`{"jsonrpc":"2.0","method":"x/n","params":${params}}`), ...call(texts("fine"))]);
    expect(await changeLines(telling(before), telling(after))).toEqual(says);
    // Printed by JavaScript, the two would look the same.
    for (const change of await changesBetween(telling(before), telling(after))) {
      expect(change).not.toHaveProperty("before");
    }
  });

  test("is told of by nothing where it is but the id", async () => {
    const asked = (id: string, value: string) =>
      recorded([
        client(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t"}}`),
        server(`{"jsonrpc":"2.0","id":${id},"result":${value}}`),
      ]);
    const lines = await changeLines(asked("9007199254740993", '{"a":1,"b":2}'), asked("1", '{"b":2,"a":1}'));
    expect(lines).toEqual([]);
  });
});

describe("slower", () => {
  const taking = (ms: number) =>
    recorded([
      { ...ask(1), at: 100 },
      { ...server(result(1, texts("fine"))), at: 100 + ms },
    ]);
  const slower = [`risky answer-slower ${FORECAST}`];

  test.each([
    [20, 5_020, slower],
    [20, 5_019, []],
    [600, 6_000, slower],
    [600, 5_999, []],
    [5_020, 20, []],
  ])("%i ms before, %i ms now", async (before, after, says) => {
    expect(await changeLines(taking(before), taking(after), { slowness: FAR_SLOWER })).toEqual(says);
  });

  test("is told by verify alone", async () => {
    expect(await changeLines(taking(20), taking(60_000))).toEqual([]);
  });

  test("is not how long a client listened, or waited for a task", async () => {
    const waiting = (method: string, ms: number) =>
      recorded([
        { ...client(request(1, method, { taskId: "t" })), at: 1 },
        { ...server(result(1, {})), at: 1 + ms },
      ]);
    for (const method of ["subscriptions/listen", "tasks/get", "tasks/result"]) {
      const lines = await changeLines(waiting(method, 1), waiting(method, 60_000), { slowness: FAR_SLOWER });
      expect(lines).toEqual([]);
    }
  });
});

test("every rule has a case, and every class a rule may have is one of its own", () => {
  const elsewhere = Object.keys(DRIFT_RULES).filter((rule) =>
    /^(cassette|transport|era)-|^answer-slower$/.test(rule),
  );
  const tried = new Set([...[...CASES, ...NOT_ASKING, ...ODD].map(({ rule }) => rule), ...elsewhere]);
  expect([...tried].sort()).toEqual(Object.keys(DRIFT_RULES).sort());
  for (const { says } of [...CASES, ...NOT_ASKING, ...ODD]) {
    for (const line of says) {
      const [own, rule] = line.split(" ") as [never, keyof typeof DRIFT_RULES];
      expect(DRIFT_RULES[rule].classes).toContain(own);
    }
  }
});
