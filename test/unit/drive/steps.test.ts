import { describe, expect, test } from "vitest";
import type { AnswerSet } from "../../../src/drive/answers.ts";
import { Ended as EndedEarly } from "../../../src/drive/move.ts";
import type { Doing, Step } from "../../../src/drive/step.ts";
import type { JsonObject } from "../../../src/protocol/message.ts";
import { type Era, META } from "../../../src/protocol/revisions.ts";
import { follow, methodsOf, planOf, type Server, serverOf } from "./support.ts";

const ok = () => ({ result: {} });
const said = (text: string): JsonObject => ({ result: { content: [{ type: "text", text }] } });

/** What a step sends after the conversation is open. */
function sentBy(
  step: Doing | Step,
  { era = "legacy" as Era, server = serverOf(era), door = "stdio" as "stdio" | "http" } = {},
) {
  const ended = follow({ plan: planOf(step), server, era, door });
  expect(ended.error).toBeUndefined();
  return { ...ended, sent: ended.sent.slice(era === "legacy" ? 3 : 1) };
}

describe("each kind of step sends its request", () => {
  const ROWS: readonly [Doing, string, JsonObject | undefined][] = [
    [
      { kind: "call", name: "t", arguments: { a: 1 } },
      "tools/call",
      { name: "t", arguments: { a: 1 }, _meta: { progressToken: 2 } },
    ],
    [{ kind: "read", uri: "u:1" }, "resources/read", { uri: "u:1" }],
    [{ kind: "prompt", name: "p" }, "prompts/get", { name: "p" }],
    [
      { kind: "prompt", name: "p", arguments: { x: "y" } },
      "prompts/get",
      { name: "p", arguments: { x: "y" } },
    ],
    [
      { kind: "complete", params: { ref: {}, argument: {} } },
      "completion/complete",
      { ref: {}, argument: {} },
    ],
    [{ kind: "list", list: "templates" }, "resources/templates/list", undefined],
    [{ kind: "subscribe", uri: "u:1" }, "resources/subscribe", { uri: "u:1" }],
    [{ kind: "unsubscribe", uri: "u:1" }, "resources/unsubscribe", { uri: "u:1" }],
    [{ kind: "level", level: "debug" }, "logging/setLevel", { level: "debug" }],
    [{ kind: "request", method: "x/y", params: { z: 1 } }, "x/y", { z: 1 }],
    [{ kind: "notify", method: "notifications/x", params: { z: 1 } }, "notifications/x", { z: 1 }],
  ];

  test.each(ROWS)("%j", (doing, method, params) => {
    const { sent } = sentBy(doing);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.method).toBe(method);
    expect(sent[0]?.params).toEqual(params);
  });

  test("params that are no mapping are sent as they are", () => {
    const { sent } = sentBy({ kind: "request", method: "x", params: [1] }, { era: "modern" });
    expect(sent[0]?.params).toEqual([1]);
  });
});

describe("expectations", () => {
  const call: Doing = { kind: "call", name: "t" };
  const failing = serverOf("legacy", { "tools/call": () => ({ result: { isError: true, content: [] } }) });
  const fine = serverOf("legacy", { "tools/call": () => said("yes") });
  const silent = serverOf("legacy", { "tools/call": () => ({}) });

  test.each([
    ["a result, wanted", fine, "result", []],
    ["an error, wanted", serverOf("legacy"), "error", []],
    ["a tool's error, wanted", failing, "error", []],
    ["no answer, wanted", silent, "timeout", []],
    ["an error, whatever comes", failing, undefined, []],
    ["a result, not wanted", fine, "error", ["expected an error, got a result"]],
    ["an answer, not wanted", fine, "timeout", ["expected no answer, got a result"]],
    [
      "an error, not wanted",
      serverOf("legacy"),
      "result",
      ["expected a result, got error -32601: Method not found"],
    ],
    ["a tool's error, not wanted", failing, "result", ["expected a result, got tool error"]],
    ["no answer, whatever comes", silent, undefined, ["no answer within 70 ms"]],
  ] as const)("%s", (_name, server, expect_, reasons) => {
    const step: Step = { doing: call, timeout: 70, ...(expect_ && { expect: expect_ }) };
    const { report } = sentBy(step, { server });
    expect(report.failed.map(({ reason }) => reason)).toEqual(reasons);
  });
});

describe("a request that takes too long is cancelled as its era and transport have it", () => {
  const step: Step = { doing: { kind: "call", name: "t" }, timeout: 70 };
  const silent = { "tools/call": () => ({}) };

  test.each([
    ["legacy", "stdio", "notifications/cancelled"],
    ["legacy", "http", "notifications/cancelled"],
    ["modern", "stdio", "notifications/cancelled"],
    ["modern", "http", "(abandon)"],
  ] as const)("%s, %s", (era, door, how) => {
    const { sent } = sentBy(step, { era, door, server: serverOf(era, silent) });
    expect(methodsOf(sent)).toEqual(["tools/call", how]);
    if (how !== "(abandon)") expect(sent[1]?.params).toMatchObject({ requestId: sent[0]?.id });
  });

  test("what comes for it later is let be", () => {
    const late: Server = (sent, tell, refuse) => {
      if (sent.method === "ping") for (const id of [2, 3]) tell({ id, ...said("late") });
      else if (sent.method !== "tools/call") serverOf("legacy")(sent, tell, refuse);
    };
    const plan = planOf(step, { kind: "request", method: "ping" });
    const { end, report } = follow({ plan, server: late, era: "legacy" });
    expect(end?.cut).toBeUndefined();
    expect(report.driven.map(({ outcome }) => outcome.kind)).toEqual(["timeout", "result"]);
  });
});

describe("what the server asks is answered as written", () => {
  const answers: AnswerSet = {
    elicitation: [{ result: { action: "accept", content: { n: 1 } } }, { result: { action: "cancel" } }],
    roots: [{ error: { code: -1, message: "no roots" } }],
  };
  /** Asks before it answers a call. */
  const asking = (method: string): Server => {
    const plain = serverOf("legacy");
    return (sent, tell, refuse) => {
      if (sent.method === "tools/call") tell({ id: "a\u00e9", method, params: {} });
      else if (sent.method !== undefined) plain(sent, tell, refuse);
      else tell({ id: 2, ...said("thanks") });
    };
  };
  const call: Doing = { kind: "call", name: "t" };

  test.each([
    ["ping", { result: {} }],
    ["elicitation/create", { result: { action: "accept", content: { n: 1 } } }],
    ["roots/list", { error: { code: -1, message: "no roots" } }],
    [
      "sampling/createMessage",
      { error: { code: -32601, message: "Method not found: sampling/createMessage" } },
    ],
  ])("legacy: %s", (method, answer) => {
    const { sent } = sentBy({ doing: call, answers }, { server: asking(method) });
    expect(sent[1]).toEqual({ jsonrpc: "2.0", id: "a\u00e9", ...answer });
  });

  test("what has an answer is declared", () => {
    const plan = {
      ...planOf({ doing: call, answers }),
      client: { capabilities: { roots: { listChanged: true } } },
    };
    const { sent } = follow({ plan, server: serverOf("legacy"), era: "legacy" });
    expect(sent[0]?.params?.capabilities).toEqual({ elicitation: {}, roots: { listChanged: true } });
  });

  test("modern: the request again, with the answers and the state, until the result comes", () => {
    const round = (params: JsonObject) => (params.requestState === "2" ? said("done") : more(params));
    const more = ({ requestState }: JsonObject): JsonObject => ({
      result: {
        resultType: "input_required",
        inputRequests: { who: { method: "elicitation/create", params: {} } },
        requestState: requestState === undefined ? "1" : "2",
      },
    });
    const server = serverOf("modern", { "tools/call": round });
    const { sent, report } = sentBy({ doing: call, answers }, { era: "modern", server });
    expect(sent.map(({ id, params }) => ({ id, ...params, _meta: undefined }))).toEqual([
      { id: 2, name: "t" },
      {
        id: 3,
        name: "t",
        inputResponses: { who: { action: "accept", content: { n: 1 } } },
        requestState: "1",
      },
      { id: 4, name: "t", inputResponses: { who: { action: "cancel" } }, requestState: "2" },
    ]);
    expect(report.driven).toHaveLength(1);
  });

  test.each([
    ["what has no answer", {}, /has no answer for it/, 1],
    [
      "what is refused",
      { elicitation: [{ error: { code: -1, message: "no" } }] },
      /which the drive refuses: no/,
      1,
    ],
    ["rounds without end", answers, /more than 10 times/, 11],
  ] as const)("modern: %s ends the request", (_name, given, reason, times) => {
    const result = { resultType: "input_required", inputRequests: { a: { method: "elicitation/create" } } };
    const server = serverOf("modern", { "tools/call": () => ({ result }) });
    const { sent, report } = sentBy({ doing: call, answers: given }, { era: "modern", server });
    expect(sent).toHaveLength(times);
    expect(report.driven[0]?.outcome).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(reason),
    });
  });

  test("modern: a result of an unknown type is no success", () => {
    const server = serverOf("modern", { "tools/call": () => ({ result: { resultType: "riddle" } }) });
    const { report } = sentBy(call, { era: "modern", server });
    expect(report.driven[0]?.outcome).toMatchObject({ kind: "refused" });
  });
});

describe("the modern era has its own way for", () => {
  const listening: Server = (sent, tell, refuse) => {
    if (sent.method === "subscriptions/listen") {
      tell({
        method: "notifications/subscriptions/acknowledged",
        params: { _meta: { [META.subscriptionId]: sent.id ?? 0 } },
      });
    } else serverOf("modern", { ping: ok })(sent, tell, refuse);
  };

  test("subscriptions: one stays open while other steps go on, and is ended when asked or at the end", () => {
    const steps: Doing[] = [
      { kind: "subscribe", uri: "u:1" },
      { kind: "subscribe", uri: "u:2" },
      { kind: "unsubscribe", uri: "u:1" },
      { kind: "request", method: "ping" },
    ];
    const { sent } = follow({ plan: planOf(...steps), server: listening, era: "modern" });
    expect(methodsOf(sent.slice(1))).toEqual([
      "subscriptions/listen",
      "subscriptions/listen",
      "notifications/cancelled",
      "ping",
      "notifications/cancelled",
    ]);
    expect(sent[1]?.params?.notifications).toEqual({ resourceSubscriptions: ["u:1"] });
    expect([sent[3], sent[5]].map((each) => each?.params?.requestId)).toEqual([sent[1]?.id, sent[2]?.id]);
  });

  test("log levels: a member of each request from then on", () => {
    const steps: Doing[] = [
      { kind: "level", level: "debug" },
      { kind: "call", name: "t" },
    ];
    const { sent } = follow({ plan: planOf(...steps), server: serverOf("modern"), era: "modern" });
    expect(methodsOf(sent)).toEqual(["server/discover", "tools/call"]);
    expect(sent[1]?.params?._meta).toMatchObject({ [META.logLevel]: "debug", progressToken: 2 });
  });

  test("headers that the server misses: its tools are listed, and the call is made again with them", () => {
    const inputSchema = {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    };
    let refused = false;
    const server = serverOf("modern", {
      "tools/list": () => ({ result: { tools: [{ name: "t", inputSchema }] } }),
      "tools/call": () => {
        if (refused) return said("yes");
        refused = true;
        return { error: { code: -32020, message: "Header mismatch" } };
      },
    });
    const doing: Doing = { kind: "call", name: "t", arguments: { region: "Ås" } };
    const { headers, sent, report } = sentBy(
      { doing, expect: "result" },
      { era: "modern", door: "http", server },
    );
    expect(methodsOf(sent)).toEqual(["tools/call", "tools/list", "tools/call"]);
    expect(headers.at(-1)).toEqual({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "t",
      "mcp-param-region": "=?base64?w4Vz?=",
    });
    expect(report.failed).toEqual([]);
  });
});

describe("a server that is gone ends the drive", () => {
  const plan = planOf({ kind: "request", method: "ping" }, { kind: "call", name: "t" });
  const server = serverOf("legacy", { ping: ok });

  test("and what was left is not done", () => {
    const { end, report, sent } = follow({ plan, server, era: "legacy", goneAt: "tools/call" });
    expect(end?.cut).toBe("the server is gone");
    expect(report.driven.map(({ method }) => method)).toEqual(["ping"]);
    expect(methodsOf(sent.slice(3))).toEqual(["ping", "tools/call"]);
  });

  test("before it is open: that is what it fails with", () => {
    const { end, error } = follow({ plan, server, era: "legacy", goneAt: "initialize" });
    expect(end).toBeUndefined();
    expect(error).toBeInstanceOf(EndedEarly);
  });
});

test("a session that the server lost is opened anew, and the step done again", () => {
  const plain = serverOf("legacy", { "tools/call": () => said("yes") });
  let lost = false;
  const server: Server = (sent, tell, refuse) => {
    if (sent.method !== "tools/call" || lost) return plain(sent, tell, refuse);
    lost = true;
    refuse(sent.id as number, { reason: "HTTP 404", status: 404, sessionLost: true });
  };
  const plan = planOf({ doing: { kind: "call", name: "t" }, expect: "result" });
  const { sent, report } = follow({ plan, server, era: "legacy", door: "http" });
  const opening = ["initialize", "notifications/initialized", "(standalone)"];
  expect(methodsOf(sent)).toEqual([...opening, "tools/call", ...opening, "tools/call"]);
  expect(report.failed).toEqual([]);
  expect(report.notes).toEqual(["the server lost the session; opened a new one"]);
});

test("a server of the HTTP+SSE pair alone is found when it does not take initialize", () => {
  const server: Server = ({ id }, _tell, refuse) => refuse(id as number, { reason: "HTTP 405", status: 405 });
  const { sent } = follow({ plan: planOf({ kind: "wait", ms: 1 }), server, door: "http", goneAt: "(pair)" });
  expect(methodsOf(sent)).toEqual(["server/discover", "initialize", "(pair)"]);
});
