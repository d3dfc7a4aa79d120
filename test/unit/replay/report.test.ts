import { describe, expect, test } from "vitest";
import { summaryOf, turnedAwayNotice } from "../../../src/replay/summary.ts";
import { conforming, faultsOf } from "../../cases/report-schema.ts";
import { client, error, notice, request, result, server, tape } from "../../cases/tape.ts";

const cancel = (requestId: unknown) => notice("notifications/cancelled", { requestId });
const paint = (text: string) => `*${text}*`;

/** Served so that everything a report can hold is in it. */
function eventful() {
  const recorded = tape([
    client(request(1, "tools/call", { name: "forecast", arguments: { city: "Oslo", days: 1 } })),
    server(result(1, {})),
    client(request(2, "tools/call", { name: "ask" })),
    server(request(0, "elicitation/create", {})),
    client(result(0, { action: "accept" })),
    server(result(2, {})),
    client(request(3, "tools/call", { name: "silent" })),
    client(request(4, "tools/call", { name: "hold" })),
    client(cancel(4)),
    client(request(5, "tools/list")),
    server(result(5, {})),
    client(request(6, "prompts/list")),
    server(result(6, {})),
  ]);
  const live = recorded.connect();
  live.say(request(1, "tools/call", { name: "forecast", arguments: { city: "Bergen" } }));
  live.say('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"n","n":9007199254740993}}');
  live.say(
    request(3, "server/discover", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
  );
  live.say(request(4, "tools/call", { name: "ask" }));
  live.say(result(0, { action: "decline" }));
  live.say(request(5, "tools/call", { name: "silent" }));
  live.say(request(6, "tools/call", { name: "hold" }));
  live.say(cancel(6));
  live.say(request(7, "tools/call", { name: "ask" }));
  live.say(cancel(7));
  for (const id of [8, 9, 10]) live.say(request(id, "tools/list"));
  return recorded;
}

test("a report with everything in it conforms to the published schema", () => {
  const report = conforming(eventful().player.report());
  expect(report).toMatchObject({
    sessions: 1,
    repeats: [
      { label: "tools/call ask", times: 1 },
      { label: "tools/list", times: 2 },
    ],
    differentAnswers: [{ label: "tools/call ask" }],
    unanswered: [{ label: "tools/call silent", asked: { name: "silent" } }],
    cancelled: [
      { label: "tools/call hold", recorded: true, unsent: 0 },
      { label: "tools/call ask", recorded: false, unsent: 1 },
    ],
    unused: [{ label: "tools/call forecast" }, { label: "prompts/list" }],
  });
  expect(report.misses.map(({ label, askedText }) => [label, askedText !== undefined])).toEqual([
    ["tools/call forecast", false],
    ["tools/call n", true],
    ["server/discover", false],
  ]);
});

test("so does one with nothing in it", () => {
  conforming(tape([]).player.report());
});

test.each([
  ["a member that is not known", { more: [] }],
  ["another format", { "mcp-vcr-report": 2 }],
  ["no number", { hits: "1" }],
  ["less than none", { sessions: -1 }],
  ["a miss without a reason", { misses: [{ method: "a" }] }],
  ["a repeat that is none", { repeats: [{ label: "a", times: 0 }] }],
  ["a cancellation that does not say whether it was recorded", { cancelled: [{ label: "a", unsent: 1 }] }],
  ["an unused request without its params", { unused: [{ label: "a" }] }],
])("%s does not", (_what, change) => {
  expect(faultsOf({ ...tape([]).player.report(), ...change })).toBeDefined();
});

test("a probe or an opening that was not asked again is not missed", () => {
  const recorded = tape([
    client(request(0, "initialize")),
    server(result(0, {})),
    client(request(1, "server/discover")),
    server(result(1, {})),
    client(request(2, "ping")),
  ]);
  expect(recorded.player.report().unused).toEqual([]);
});

test("the summary counts what matters, the grave first", () => {
  const { player, recording } = eventful();
  expect(summaryOf(player.tally, recording, paint)).toBe(
    "7 requests answered; *3 not recorded*, *1 recorded without an answer*, *1 answered otherwise by the client*, " +
      "3 asked more often than recorded, 2 cancelled, 2 recorded and never asked",
  );
});

test("there is none when all is well, whatever was left out or repeated", () => {
  const recorded = tape([
    client(request(1, "tools/list")),
    server(result(1, {})),
    client(request(2, "prompts/list")),
    server(result(2, {})),
  ]);
  const live = recorded.connect();
  for (const id of [1, 2]) live.say(request(id, "tools/list"));
  expect(summaryOf(recorded.player.tally, recorded.recording, paint)).toBeUndefined();
});

test.each([
  ["nothing", [], true],
  ["a probe", [request(1, "server/discover"), request(2, "ping")], true],
  ["a request", [request(1, "server/discover"), request(2, "tools/list")], false],
  ["a request that was not recorded", [request(1, "prompts/list")], false],
])("asked %s: probed is %s", (_what, asked, probed) => {
  const recorded = tape([
    client(request(1, "initialize")),
    server(result(1, {})),
    client(request(1, "tools/list")),
    server(result(1, {})),
  ]);
  const live = recorded.connect();
  for (const each of asked) live.say(each);
  expect(recorded.player.tally.probed).toBe(probed);
});

describe("a client that a recorded server turned away", () => {
  const entries = [
    client(request(0, "server/discover")),
    server(error(0, -32601, "Method not found")),
    client(request(1, "initialize")),
    server(result(1, {})),
  ];

  test.each([
    ["is told of when it leaves", [request(0, "server/discover")], true],
    ["is not when it goes on", [request(0, "server/discover"), request(1, "initialize")], false],
    ["is not when it did not ask", [], false],
  ])("%s", (_what, asked, told) => {
    const recorded = tape(entries);
    const live = recorded.connect();
    for (const each of asked) live.say(each);
    expect(
      turnedAwayNotice(recorded.player.tally)?.includes("turns clients of 2026-07-28 alone away") ?? false,
    ).toBe(told);
  });
});
