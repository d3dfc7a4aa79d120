import { describe, expect, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import { foresee } from "../../../src/faults/dry-run.ts";
import { readFaults } from "../../../src/faults/read-faults.ts";
import { refuseImpossible } from "../../../src/faults/suits.ts";
import type { Carrier } from "../../../src/replay/playing.ts";
import { Visitor } from "../../../src/replay/visitor.ts";
import { conforming } from "../../cases/report-schema.ts";
import { request } from "../../cases/tape.ts";
import { call, cancel, Live, recorded } from "./support.ts";

const fault = (does: string, on = "{ method: tools/call, nth: 1 }") => `- { on: ${on}, do: ${does} }\n`;

/** What comes of a call that is struck, at once and later; where no carrier is named, over stdio. */
type Struck = readonly [does: string, at: string[], later?: string[], carrier?: Carrier];

const STRUCK: readonly Struck[] = [
  ["{ delay: 5s }", [], ["outcome 1 #1 fine"]],
  ["{ hang: true }", [], []],
  ["{ error: {} }", ["outcome 1 #1 error -32603 Internal error"]],
  ["{ delay: 1s, error: { code: 1, message: no, data: [1] } }", [], ["outcome 1 #1 error 1 no"]],
  ["{ toolError: no such city }", ["outcome 1 #1 failed no such city"]],
  ["{ wrongId: null }", ["outcome 1 #null fine"]],
  ["{ duplicate: true }", ["send 1 #1 fine", "outcome 1 #1 fine"]],
  [
    "{ error: { code: 1, message: no }, duplicate: true }",
    ["send 1 #1 error 1 no", "outcome 1 #1 error 1 no"],
  ],
  ["{ duplicate: true, error: { code: 1, message: no } }", ["outcome 1 #1 error 1 no"]],
  ["{ oversized: 100b }", [`outcome 1 #1 ${101 + "fine".length} long`]],
  ['{ noise: "a\\nb\\n" }', ["send 1 not JSON a", "send 1 not JSON b", "outcome 1 #1 fine"]],
  ["{ truncate: 20 }", ['outcome 1 not JSON {"jsonrpc":"2.0","id']],
  [
    "{ malformed: true }",
    ['outcome 1 not JSON {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]},}'],
  ],
  ["{ close: before }", ["crash 1 0"]],
  ["{ close: mid-stream }", ['part 1 {"jsonrpc":"2.0","id":1,"result":{"con'], ["crash 1 0"]],
  ["{ close: after }", ["outcome 1 #1 fine"], ["crash undefined 0"]],
  ["{ close: after }", ["closes 1", "outcome 1 #1 fine"], [], "http"],
  ["{ crash: 7 }", ["crash undefined 7 server"]],
  ["{ status: { code: 429, retryAfter: 2 } }", ['status 1 429 {"retry-after":"2"}'], [], "http"],
  ["{ delay: 1s, status: 503 }", [], ["status 1 503 {}"], "sse"],
  ["{ sessionLost: true }", ["forget 1"], [], "http"],
  ["{ cut: { retry: 50ms } }", ['event 1 {"id":"fault-1","retry":50}', "end 1"], [], "http"],
];

const rowsOf = (struck: readonly Struck[]) =>
  struck.map(([does, at, later = [], carrier = "stdio" as Carrier]) => ({ does, at, later, carrier }));

describe("of faults that stand in the place of the same answer one strikes", () => {
  test.each<[string, string, number[], number[]?]>([
    ["{ error: {} }", "{ hang: true }", [0, 1]],
    // What hangs leaves nothing to those behind it; after events, they are there before it.
    ["{ hang: true }", "{ error: {} }", [1, 0], [0, 1]],
    ["{ error: {} }", "{ delay: 1s, toolError: no }", [0, 1, 1]],
    ["{ delay: 1s }", "{ error: {} }", [1, 1]],
    ["{ error: {} }", "{ duplicate: true }", [1, 1]],
  ])("%s, %s", (first, second, struck, afterEvents = struck) => {
    const both = (on: string) => fault(first, on) + fault(second, on);
    const met = (faults: string) => {
      const played = recorded(faults);
      const live = new Live(played);
      live.say(request(1, "tools/call", { name: "t", _meta: { progressToken: 1 } }));
      live.after(10_000);
      return conforming(played.player.report()).faults.map((each) => each.struck);
    };
    expect(met(both("{ method: tools/call }"))).toEqual(struck);
    expect(met(both("{ method: tools/call, afterEvents: 2 }"))).toEqual(afterEvents);
    const plan = readFaults({ file: "f.yaml", text: `faults:\n${both("{ method: tools/call }")}` });
    const foreseen = foresee(plan, recorded(fault("{ delay: 1s }")).player.recording);
    expect(foreseen.map(({ strikes }) => strikes.length)).toEqual(struck);
  });
});

describe("a call that is struck", () => {
  test.each(rowsOf(STRUCK))("$does", ({ does, at, later, carrier }) => {
    const played = recorded(fault(does));
    const live = new Live(played, carrier);
    expect(live.say(call(1))).toEqual(at);
    expect(live.after(10_000)).toEqual(later);
    const isSilent = does.includes("hang");
    expect(live.session.isPausing("1")).toBe(isSilent || does.includes("cut"));
    const { faults } = conforming(played.player.report());
    expect(faults.at(-1)).toMatchObject({ struck: 1, at: [{ label: "tools/call t", times: 1 }] });
  });

  test.each(rowsOf(STRUCK).filter(({ does }) => !/close|crash|cut/.test(does)))(
    "$does does not touch the next one",
    ({ does, carrier }) => {
      // What stands in the place of an answer leaves the recording for the next try, also where that counts.
      const strict = /error|Lost|status|hang/i.test(does);
      const live = new Live(recorded(fault(does), { strict }), carrier);
      live.say(call(1));
      live.after(10_000);
      expect(live.say(call(2))).toEqual(["outcome 2 #2 fine"]);
    },
  );

  test("slow bytes keep the lines of others waiting on a shared stream", () => {
    const live = new Live(recorded(fault("{ slow: { bytes: 50, every: 1s } }")));
    expect(live.say(call(1))).toEqual(['part 1 {"jsonrpc":"2.0","id":1,"result":{"content":[{"typ']);
    expect(live.say(request(2, "tools/list"))).toEqual([]);
    expect(live.say(cancel(1))).toEqual([]);
    expect(live.after(1_000)).toEqual([
      'part 1 e":"text","text":"fine"}]}} (last)',
      'outcome 2 #2 {"tools":[]}',
    ]);
    const apart = new Live(recorded(fault("{ slow: { bytes: 50, every: 1s } }")), "http");
    apart.say(call(1));
    expect(apart.say(request(2, "tools/list"))).toEqual(['outcome 2 #2 {"tools":[]}']);
  });

  test("jitter keeps the order, and is the same in every run", () => {
    const times = () => {
      const live = new Live(recorded(fault("{ jitter: 1s }")));
      expect(live.say(call(1, true))).toEqual([]);
      expect(live.after(5_000)).toEqual(["send 1 progress 1", "send 1 progress 2", "outcome 1 #1 fine"]);
      return live.time.asked;
    };
    const first = times();
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(times()).toEqual(first);
  });

  test("what waits comes at once when the client has said its last", () => {
    const live = new Live(recorded(fault("{ delay: 1m, slow: { bytes: 60, every: 1s } }")));
    expect(live.say(call(1))).toEqual([]);
    live.session.flush();
    expect(live.heard()).toEqual([
      'part 1 {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text",',
      'part 1 "text":"fine"}]}} (last)',
    ]);
    expect(live.time.running).toBe(0);
  });
});

describe("after events", () => {
  test.each([
    ["{ hang: true }", ["send 1 progress 1"], []],
    ["{ close: before }", ["send 1 progress 1", "crash 1 0"], []],
    ["{ error: {} }", ["send 1 progress 1", "outcome 1 #1 error -32603 Internal error"], []],
    ["{ delay: 1s }", ["send 1 progress 1"], ["send 1 progress 2", "outcome 1 #1 fine"]],
  ])("%s", (does, at, later) => {
    const live = new Live(recorded(fault(does, "{ method: tools/call, afterEvents: 1 }")));
    expect(live.say(call(1, true))).toEqual(at);
    // The pause that keeps an outcome apart from a notification.
    expect(live.after(10_000).filter((each) => !at.includes(each))).toEqual(later);
  });

  test("a cut stream goes on when the client comes back", () => {
    const live = new Live(recorded(fault("{ cut: true }", "{ method: tools/call, afterEvents: 1 }")), "http");
    expect(live.say(call(1, true))).toEqual([
      'event 1 {"id":"fault-1"}',
      "send 1 progress 1 fault-2",
      "end 1",
    ]);
    live.after(100);
    live.session.resume("1");
    expect(live.heard()).toEqual(["send 1 progress 2 fault-3", "outcome 1 #1 fine fault-4"]);
  });

  test("an answer of fewer messages is not struck", () => {
    const played = recorded(fault("{ hang: true }", "{ method: tools/call, afterEvents: 3 }"));
    expect(new Live(played).say(call(1))).toEqual(["outcome 1 #1 fine"]);
    expect(played.player.report().faults).toMatchObject([{ struck: 0, at: [] }]);
  });
});

describe("a client that gives up", () => {
  test.each(["{ delay: 1s }", "{ hang: true }"])("gets nothing more: %s", (does) => {
    const played = recorded(fault(does));
    const live = new Live(played);
    live.say(call(1));
    expect([...live.say(cancel(1)), ...live.after(5_000)]).toEqual([]);
    expect(live.session.isPausing("1")).toBe(false);
    const unsent = does.includes("delay") ? 1 : 0;
    expect(played.player.report().cancelled).toEqual([{ label: "tools/call t", recorded: false, unsent }]);
  });

  test("over HTTP in the 2026-07-28 revision gives up by going away", () => {
    const played = recorded(fault("{ delay: 1s }"));
    const live = new Live(played, "post");
    live.say(call(1));
    live.session.drop("1");
    expect(live.after(5_000)).toEqual([]);
    expect(played.player.report().cancelled).toHaveLength(1);
  });

  test("is answered all the same by a server that does not listen", () => {
    const live = new Live(recorded(fault("{ answerAfterCancel: true }")));
    expect([...live.say(call(1)), ...live.after(5_000)]).toEqual([]);
    expect(live.say(cancel(1))).toEqual(["outcome 1 #1 fine"]);
  });
});

/** Which of twelve calls of one client are struck. */
function struckOf(on: string, live = new Live(recorded(fault("{ error: {} }", on)))): number[] {
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  return ids.filter((id) => live.say(call(id)).some((each) => each.includes("error")));
}

describe("which calls are struck", () => {
  test.each([
    ["{}", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ["{ method: tools/call, name: t, nth: 3 }", [3]],
    ["{ method: tools/call, name: other }", []],
    ["{ method: tools/list }", []],
    ["{ every: 5 }", [5, 10]],
    ["{ connect: true }", [1]],
  ])("%s", (on, ids) => {
    expect(struckOf(on)).toEqual(ids);
  });

  test("by chance: some, the same in every run, and others with another seed", () => {
    const on = "{ probability: 0.5 }";
    const first = struckOf(on);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(12);
    expect(struckOf(on)).toEqual(first);
    const other = recorded(`${fault("{ error: {} }", on)}seed: 2\n`);
    expect(struckOf(on, new Live(other))).not.toEqual(first);
  });

  test("each client is counted by itself, also when they take turns; or all together", () => {
    const turns = (on: string) => {
      const played = recorded(fault("{ error: {} }", on));
      const clients = [new Live(played), new Live(played)];
      return [1, 2, 3].map((id) => clients.map((live) => live.say(call(id)).join().includes("error")));
    };
    expect(turns("{ nth: 2 }")).toEqual([
      [false, false],
      [true, true],
      [false, false],
    ]);
    expect(turns("{ nth: 2, across: all }")).toEqual([
      [false, true],
      [false, false],
      [false, false],
    ]);
  });

  test("a request that may be from any of several clients counts for all of them", () => {
    const played = recorded(fault("{ error: {} }", "{ nth: 2 }"));
    const [a, b] = [new Visitor(), new Visitor()];
    new Live(played, "post", [a]).say(call(1));
    expect(new Live(played, "post", [a, b]).say(call(2)).join()).toContain("error");
    expect(new Live(played, "post", [b]).say(call(3)).join()).not.toContain("error");
  });

  test("in a batch each by itself", () => {
    const live = new Live(recorded(fault("{ error: {} }", "{ nth: 2 }")));
    expect(live.say([call(1), call(2), request(3, "tools/list")])).toEqual([
      "outcome 1 #1 fine",
      "outcome 2 #2 error -32603 Internal error",
      'outcome 3 #3 {"tools":[]}',
    ]);
  });
});

describe("what cannot be shown", () => {
  const plan = (does: string) => readFaults({ file: "f.yaml", text: `faults:\n${fault(does)}` });

  test.each([
    ["{ status: 503 }", "stdio", /over stdio: there are no HTTP statuses/, /error, or close: before/],
    ["{ noise: x }", "http", /over Streamable HTTP/, /malformed/],
    ["{ cut: true }", "post", /2026-07-28/, /close: mid-stream/],
    ["{ slow: { bytes: 1, every: 1s } }", "memory", /in process/, /delay/],
    ["{ close: mid-stream }", "memory", /close: mid-stream cannot be shown in process/, /close: before/],
  ] as const)("%s %s is refused, and what can be said", (does, carrier, message, hint) => {
    const { recording } = recorded(fault("{ hang: true }"));
    const refusal = () => refuseImpossible(plan(does), { carrier, recording });
    expect(refusal).toThrow(message);
    try {
      refusal();
    } catch (error) {
      expect((error as VcrError).hint).toMatch(hint);
      expect(error).toBeInstanceOf(VcrError);
      expect((error as VcrError).place).toMatchObject({ file: "f.yaml", line: 2 });
    }
  });

  test("to a client that came another way is told once, and does not strike", () => {
    const notices: string[] = [];
    const played = recorded(fault("{ cut: true }", "{}"), {
      onNotice: (notice: string) => notices.push(notice),
    });
    const live = new Live(played, "sse");
    expect([...live.say(call(1)), ...live.say(call(2))]).toEqual(["outcome 1 #1 fine", "outcome 2 #2 fine"]);
    expect(notices).toEqual([
      expect.stringMatching(/^f\.yaml:2:\d+: cut cannot be shown over HTTP\+SSE: .* answered without it/),
    ]);
    expect(played.player.report().faults).toMatchObject([{ struck: 0 }]);
  });
});
