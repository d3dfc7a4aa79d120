import { describe, expect, test } from "vitest";
import { Checker } from "../../../src/check/checker.ts";
import type { Finding } from "../../../src/check/finding.ts";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import { compileSchema } from "../../../src/run/json-schemas.ts";
import { client, closed, error, HTTP, notice, request, result, STDIO, server } from "../../cases/tape.ts";

function findings(entries: readonly Entry[], header: Header = STDIO): Finding[] {
  const found: Finding[] = [];
  const checker = new Checker({ compile: compileSchema, report: (finding) => found.push(finding) }, header);
  for (const entry of entries) checker.add(entry);
  checker.finish();
  return found;
}

/** `rule ordinal /path message` of each. */
const told = (...args: Parameters<typeof findings>) =>
  findings(...args).map(
    ({ rule, ordinal, path, message }) => `${rule} ${ordinal} /${path.join("/")} ${message}`,
  );

const opened = (version = "2025-11-25"): Entry[] => [
  client(
    request(0, "initialize", {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    }),
  ),
  server(result(0, { protocolVersion: version, capabilities: {}, serverInfo: { name: "s", version: "1" } })),
];

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = (id: number, method: string, params: object = {}) =>
  client(request(id, method, { ...params, _meta: META }));

const FORECAST = {
  name: "forecast",
  inputSchema: { type: "object", required: ["city"], properties: { city: { type: "string" } } },
  outputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
};
const listed = (tool: object = FORECAST) => [
  client(request(1, "tools/list")),
  server(result(1, { tools: [tool] })),
];
const called = (args: object, answer: object) => [
  client(request(2, "tools/call", { name: "forecast", arguments: args })),
  server(result(2, { content: [], ...answer })),
];

describe("nothing is found in", () => {
  const cases: readonly (readonly [string, readonly Entry[], Header?])[] = [
    [
      "a session",
      [...opened(), ...listed(), ...called({ city: "Oslo" }, { structuredContent: { celsius: 3 } })],
    ],
    [
      "a request cut short by the end",
      [...opened(), client(request(1, "ping")), closed("server", { exit: 1 })],
    ],
    [
      "a cancelled request",
      [...opened(), client(request(1, "ping")), client(notice("notifications/cancelled", { requestId: 1 }))],
    ],
    [
      "an answer after its cancellation",
      [
        ...opened(),
        client(request(1, "ping")),
        client(notice("notifications/cancelled", { requestId: 1 })),
        server(result(1, {})),
      ],
    ],
    [
      "a call that the server refused for its arguments",
      [
        ...opened(),
        ...listed(),
        client(request(2, "tools/call", { name: "forecast", arguments: {} })),
        server(error(2, -32602)),
      ],
    ],
    ["a tool that failed", [...opened(), ...listed(), ...called({}, { isError: true })]],
    [
      "a cursor that the server refused",
      [...opened(), client(request(1, "tools/list", { cursor: "?" })), server(error(1, -32602))],
    ],
    ["a probe of the other era", [modern(1, "server/discover"), server(error(1, -32601)), ...opened()]],
    [
      "an error that names no request",
      [
        ...opened(),
        client("{"),
        server({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "no" } }),
      ],
    ],
    [
      "a page that was asked for",
      [
        ...opened(),
        client(request(1, "tools/list")),
        server(result(1, { tools: [], nextCursor: "b" })),
        client(request(2, "tools/list", { cursor: "b" })),
        server(result(2, { tools: [] })),
      ],
    ],
    [
      "a method of an extension",
      [...opened(), client(request(1, "x/y", { free: 1 })), server(result(1, { z: 1 }))],
    ],
    [
      "a modern list",
      [
        modern(1, "tools/list"),
        server(result(1, { resultType: "complete", tools: [], ttlMs: 0, cacheScope: "private" })),
      ],
    ],
    [
      "a question back",
      [
        modern(1, "tools/call", { name: "ask" }),
        server(result(1, { resultType: "input_required", requestState: "s" })),
        modern(2, "tools/call", { name: "ask", requestState: "s", inputResponses: {} }),
        server(result(2, { resultType: "complete", content: [] })),
      ],
    ],
    [
      "two clients with equal ids",
      [
        client(request(1, "ping")),
        client(request(1, "ping"), { session: 2 }),
        server(result(1, {})),
        server(result(1, {}), { session: 2 }),
      ],
    ],
    [
      "a draft-07 schema",
      [
        ...opened(),
        ...listed({
          ...FORECAST,
          inputSchema: { $schema: "http://json-schema.org/draft-07/schema#", type: "object" },
        }),
      ],
    ],
  ];
  for (const [name, entries, header] of cases) {
    test(name, () => expect(told(entries, header)).toEqual([]));
  }
});

describe("found is", () => {
  const cases: readonly (readonly [string, readonly Entry[], readonly (string | RegExp)[], Header?])[] = [
    ["a cassette without entries", [], ["empty -1 / the cassette holds no entries"]],
    [
      "an answer to nothing",
      [...opened(), server(result(7, {}))],
      [/^unasked 2 .*7, which was not asked in session 1/],
    ],
    ["a second answer", [...opened(), server(error(0, 1))], [/^unasked 2 .*is answered already/]],
    [
      "an answer in another session",
      [client(request(1, "ping")), server(result(1, {}), { session: 2 })],
      [/^unasked 1 .*session 2/, /^unanswered 0 /],
    ],
    [
      "a request without an answer",
      [...opened(), client(request(1, "ping"))],
      ["unanswered 2 / ping is asked, and never answered"],
    ],
    [
      "one id for two waiting requests",
      [client(request(1, "ping")), client(request(1, "ping")), server(result(1, {}))],
      [/^same-id 1 /, /^unanswered 0 /],
    ],
    [
      "on: naming no request",
      [
        ...opened().map((entry) => ({ ...entry, http: {} })),
        server(result(0, {}), { on: { id: "9" }, http: { status: 200 } }),
      ],
      [/^wrong-stream 2 \/on .*request 9/, /^unasked 2/],
      HTTP,
    ],
    [
      "a cursor that was never given out",
      [...opened(), client(request(1, "tools/list", { cursor: "x" })), server(result(1, { tools: [] }))],
      [/^dangling 2 \/message the cursor "x"/],
    ],
    [
      "a state that was never given out",
      [
        modern(1, "tools/call", { name: "a", requestState: "s" }),
        server(result(1, { resultType: "complete", content: [] })),
      ],
      [/^dangling 0 .*requestState "s"/],
    ],
    [
      "a task that was never begun",
      [
        ...opened(),
        client(request(1, "tasks/get", { taskId: "t" })),
        server(result(1, { taskId: "t", status: "working" })),
      ],
      [/^dangling 2 .*task id "t"/],
    ],
    [
      "progress for no token",
      [...opened(), server(notice("notifications/progress", { progressToken: 5, progress: 1 }))],
      [/^dangling 2 .*progress token 5/],
    ],
    [
      "no jsonrpc member",
      [...opened(), server({ method: "notifications/message", params: { level: "info", data: 1 } })],
      [/^message 2 \/message\/jsonrpc .*must be "2\.0"/],
    ],
    [
      "a result and an error",
      [client(request(1, "ping")), server({ ...result(1, {}), error: { code: 1, message: "" } })],
      [/^message 1 .*either a result or an error/],
    ],
    [
      "an error code that is text",
      [client(request(1, "ping")), server({ jsonrpc: "2.0", id: 1, error: { code: "1", message: "" } })],
      [/^message 1 \/message\/error\/code .*whole number/],
    ],
    [
      "a batch where there are none any more",
      [...opened("2025-06-18"), client([notice("notifications/initialized")])],
      [/^message 2 .*2025-06-18 does not have/],
    ],
    [
      "a method of another revision",
      [...opened("2024-11-05"), client(request(1, "tasks/list")), server(result(1, {}))],
      [/^message 2 .*no message of 2024-11-05/],
    ],
    [
      "a method from the wrong side",
      [...opened(), server(request(1, "tools/list")), client(result(1, { tools: [] }))],
      [/^message 2 .*the client's to send/],
    ],
    [
      "params of the wrong kind",
      [...opened(), client(request(1, "resources/read", { uri: 3 })), server(result(1, { contents: [] }))],
      [/^message 2 \/message\/params\/uri .*must be text/],
    ],
    [
      "a result without its member",
      [...opened(), client(request(1, "prompts/list")), server(result(1, {}))],
      [/^message 3 \/message\/result\/prompts .*is missing/],
    ],
    [
      "content of no kind",
      [
        ...opened(),
        client(request(1, "tools/call", { name: "a" })),
        server(result(1, { content: [{ type: "txt" }] })),
      ],
      [/^message 3 \/message\/result\/content\/0 .*one of text, image/],
    ],
    [
      "content of a later revision",
      [
        ...opened("2024-11-05"),
        client(request(1, "tools/call", { name: "a" })),
        server(result(1, { content: [{ type: "audio", data: "", mimeType: "" }] })),
      ],
      [/^message 3 .*one of text, image, resource$/],
    ],
    [
      "a modern result without its type",
      [modern(1, "tools/call", { name: "a" }), server(result(1, { content: [] }))],
      [/^message 1 \/message\/result\/resultType .*is missing/],
    ],
    [
      "a modern list that says nothing of keeping it",
      [modern(1, "tools/list"), server(result(1, { resultType: "complete", tools: [] }))],
      [/^message 1 \/message\/result\/ttlMs/],
    ],
    [
      "a question that asks nothing",
      [modern(1, "tools/call", { name: "a" }), server(result(1, { resultType: "input_required" }))],
      [/^message 1 .*inputRequests or a requestState/],
    ],
    [
      "arguments that were taken although they break the schema",
      [...opened(), ...listed(), ...called({ city: 1 }, { structuredContent: { celsius: 1 } })],
      [/^arguments 4 \/message\/params\/arguments\/city .*"forecast" rejects: \/city must be string/],
    ],
    [
      "arguments of a call before the list",
      [...opened(), ...called({}, { structuredContent: { celsius: 1 } }), ...listed()],
      [/^arguments 2 .*'city'/],
    ],
    [
      "a result that breaks the schema",
      [...opened(), ...listed(), ...called({ city: "" }, { structuredContent: { celsius: "cold" } })],
      [/^result 5 \/message\/result\/structuredContent\/celsius/],
    ],
    [
      "a result without what the schema promises",
      [...opened(), ...listed(), ...called({ city: "" }, {})],
      [/^result 5 .*is missing/],
    ],
    [
      "a schema that cannot be used",
      [...opened(), ...listed({ ...FORECAST, inputSchema: { type: "objekt" } })],
      [/^schema 3 \/message\/result\/tools\/0\/inputSchema/],
    ],
    [
      "a pattern that would take for ever",
      [
        ...opened(),
        ...listed({
          ...FORECAST,
          inputSchema: { type: "object", properties: { city: { pattern: "^(?:(a+)+)\\1$" } } },
        }),
        ...called({ city: `${"a".repeat(60)}!` }, { structuredContent: { celsius: 1 } }),
      ],
      [/^schema 4 .*arguments of "forecast" cannot be held against its schema: .*too long/],
    ],
    [
      "arguments that a pattern refuses which would take for ever elsewhere",
      [
        ...opened(),
        ...listed({
          ...FORECAST,
          inputSchema: { type: "object", properties: { city: { pattern: "^(a+)+$" } } },
        }),
        ...called({ city: `${"a".repeat(60)}!` }, { structuredContent: { celsius: 1 } }),
      ],
      [/^arguments 4 .*must match pattern/],
    ],
    [
      "a schema that refers to itself without end",
      [
        ...opened(),
        ...listed({ ...FORECAST, inputSchema: { allOf: [{ $ref: "#" }] } }),
        ...called({ city: "" }, { structuredContent: { celsius: 1 } }),
      ],
      [/^schema . .*goes deeper than can be followed/],
    ],
    [
      "a schema that leads out of the file",
      [...opened(), ...listed({ ...FORECAST, inputSchema: { $ref: "https://x.example/s" } })],
      [/^schema 3 .*x\.example/],
    ],
  ];
  for (const [name, entries, expected, header] of cases) {
    test(name, () =>
      expect(told(entries, header)).toEqual(expected.map((each) => expect.stringMatching(each))),
    );
  }
});

test("messages of a batch are placed by their place in it", () => {
  const [finding] = findings([
    ...opened("2025-03-26"),
    client([notice("notifications/initialized"), notice("notifications/cancelled", { requestId: {} })]),
  ]);
  expect(finding).toMatchObject({ rule: "message", path: ["message", 1, "params", "requestId"] });
});
