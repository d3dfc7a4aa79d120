import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { parsePace } from "../../../src/replay/pace.ts";
import {
  client,
  closed,
  httpTape,
  notice,
  request,
  result,
  server,
  type TapeOptions,
  tape,
} from "../../cases/tape.ts";
import { VirtualTime } from "../../cases/virtual-time.ts";

const token = { _meta: { progressToken: 1 } };
const progress = (count: number) => notice("notifications/progress", { progressToken: 1, progress: count });
const log = (data: string) => notice("notifications/message", { data });
const cancel = (requestId: unknown) => notice("notifications/cancelled", { requestId });

/** A client of a recording at a pace, and when it was sent what. */
function paced(pace: string, entries: readonly Entry[], options: TapeOptions = {}) {
  const time = new VirtualTime();
  const recorded = tape(entries, { ...options, pace: parsePace(pace) });
  const live = recorded.connect({ timer: time.timer });
  const heard: [number, unknown][] = [];
  const note = (said: readonly unknown[]) => {
    for (const each of said) heard.push([time.now, each]);
  };
  return {
    time,
    live,
    recorded,
    heard,
    say: (said: Parameters<typeof live.say>[0]) => note(live.say(said)),
    /** Lets time pass, one millisecond after the other. */
    pass(ms: number) {
      for (let passed = 0; passed < ms; passed++) {
        time.pass(1);
        note(live.told());
      }
    },
  };
}

describe("without a pace", () => {
  const call = (gap: number) => [
    client(request(1, "a", token), { at: 100 }),
    server(progress(1), { at: 900 }),
    server(result(1, "ok"), { at: 900 + gap }),
    server(log("after"), { at: 5_000 }),
    client(request(2, "b"), { at: 6_000 }),
    server(result(2, "ok"), { at: 9_000 }),
  ];

  test("an outcome right after a notification of its exchange waits a moment, and what follows it waits too", () => {
    const { say, pass, heard } = paced("instant", call(3));
    say(request(1, "a", token));
    say(request(2, "b"));
    pass(10);
    expect(heard).toEqual([
      [0, progress(1)],
      [0, result(2, "ok")],
      [3, result(1, "ok")],
      [3, log("after")],
    ]);
  });

  test.each([
    [0, 2],
    [5, 5],
    [5000, 10],
  ])("after %i ms in the recording the pause is %i ms", (gap, ms) => {
    const { say, time } = paced("instant", call(gap));
    say(request(1, "a", token));
    expect(time.asked).toEqual([ms]);
  });

  test("nothing else waits: no progress that nobody asked for, no answer after the client's own", () => {
    const { say, time, heard } = paced("instant", [
      ...call(3),
      client(request(3, "c"), { at: 10_000 }),
      server(log("own"), { at: 11_000 }),
      server(request(0, "roots/list"), { at: 12_000 }),
      client(result(0, {}), { at: 13_000 }),
      server(result(3, "ok"), { at: 14_000 }),
    ]);
    say(request(1, "a"));
    say(request(3, "c"));
    say(result(0, {}));
    expect(time.asked).toEqual([]);
    expect(heard.at(-1)).toEqual([0, result(3, "ok")]);
  });

  test("on the standalone stream a notification is handled in its own time", () => {
    const time = new VirtualTime();
    const live = httpTape([
      client(request(1, "a"), { http: { method: "POST" } }),
      server(log("x"), { on: "get" }),
      server(result(1, "ok"), { on: { id: "1" } }),
    ]).connect({ timer: time.timer });
    expect(live.say(request(1, "a"))).toEqual([log("x"), result(1, "ok")]);
    expect(time.asked).toEqual([]);
  });

  test("a flush sends what waits, and a live cancellation within the pause wins", () => {
    const { live, time } = paced("instant", call(3));
    live.say(request(1, "a", token));
    live.session.flush();
    expect(live.told()).toEqual([result(1, "ok"), log("after")]);
    live.say(request(7, "a", token));
    live.say(cancel(7));
    live.session.flush();
    expect(live.told()).toEqual([]);
    expect(time.running).toBe(0);
  });

  test("what is sent before a connection breaks is sent", () => {
    const { live } = paced("instant", [...call(3), client(request(3, "c")), closed("server", { exit: 7 })]);
    live.say(request(1, "a", token));
    expect(live.act(request(9, "c")).map(({ type }) => type)).toEqual(["outcome", "send", "crash"]);
  });
});

describe("at a pace", () => {
  const session = [
    client(request(1, "a", token), { at: 100 }),
    server(progress(1), { at: 120 }),
    server(progress(2), { at: 150 }),
    server(result(1, "ok"), { at: 250 }),
    server(log("after"), { at: 300 }),
    client(request(2, "b"), { at: 1_000 }),
    server(result(2, "ok"), { at: 1_030 }),
  ];

  test.each([
    ["recorded", [20, 50, 150, 200]],
    ["2x", [10, 25, 75, 100]],
    ["0.5x", [40, 100, 300, 400]],
    ["recorded,max=40ms", [20, 50, 90, 130]],
    ["100x", [1, 1, 3, 3]],
  ])("%s: each step comes as long after the one before as recorded", (pace, times) => {
    const { say, pass, heard } = paced(pace, session);
    say(request(1, "a", token));
    pass(500);
    expect(heard).toEqual(
      [progress(1), progress(2), result(1, "ok"), log("after")].map((said, i) => [times[i], said]),
    );
  });

  test("what comes too late is made up for by what follows it", () => {
    const asked: number[] = [];
    const lateness = [25, 3, 0, 0];
    const live = tape(session, { pace: parsePace("recorded") }).connect({
      timer: (ms, then) => {
        asked.push(ms);
        then(lateness.shift());
        return () => undefined;
      },
    });
    expect(live.say(request(1, "a", token))).toHaveLength(4);
    // Recorded as 20, 30, 100, 50.
    expect(asked).toEqual([20, 5, 97, 50]);
    const stalled: number[] = [];
    const other = tape(session, { pace: parsePace("recorded") }).connect({
      timer: (ms, then) => {
        stalled.push(ms);
        then(stalled.length === 1 ? 140 : 0);
        return () => undefined;
      },
    });
    other.say(request(1, "a", token));
    // The answer keeps its distance from the progress before it, however late they are.
    expect(stalled).toEqual([20, 2, 38]);
  });

  test("two exchanges at once do not delay each other", () => {
    const { say, pass, heard } = paced("recorded", session);
    say(request(1, "a", token));
    say(request(2, "b"));
    pass(10);
    say(request(3, "b"));
    pass(500);
    expect(heard.map(([at]) => at)).toEqual([20, 30, 40, 50, 150, 200]);
  });

  test("the time that the client took to answer does not count, neither the recorded nor the live one", () => {
    const { say, pass, heard } = paced("recorded", [
      client(request(1, "a"), { at: 0 }),
      server(request(0, "roots/list"), { at: 10 }),
      client(result(0, {}), { at: 60_000 }),
      server(result(1, "ok"), { at: 60_005 }),
    ]);
    say(request(1, "a"));
    pass(100);
    say(result(0, {}));
    pass(100);
    expect(heard).toEqual([
      [10, request(0, "roots/list")],
      [105, result(1, "ok")],
    ]);
  });

  test("progress that nobody asked for takes its time all the same", () => {
    const { say, pass, heard } = paced("recorded", session);
    say(request(1, "a"));
    pass(500);
    expect(heard.map(([at]) => at)).toEqual([150, 200]);
  });

  test("what a notification of the client set off comes in its time", () => {
    const { say, pass, heard } = paced("recorded", [
      client(notice("notifications/initialized"), { at: 5 }),
      server(request(0, "roots/list"), { at: 25 }),
      client(result(0, {}), { at: 30 }),
    ]);
    say(notice("notifications/initialized"));
    pass(100);
    expect(heard).toEqual([[20, request(0, "roots/list")]]);
  });

  test("a repeat takes as long, and nothing for what it leaves out", () => {
    const { say, pass, heard, time } = paced("recorded", session);
    for (const id of [1, 2]) {
      say(request(id, "a", token));
      pass(500);
    }
    expect(heard.map(([at]) => at)).toEqual([20, 50, 150, 200, 520, 550, 650]);
    expect(time.running).toBe(0);
  });

  test("a cancellation ends it, and the report says what was not sent", () => {
    const { say, pass, heard, recorded, time } = paced("recorded", session);
    say(request(8, "a", token));
    pass(30);
    say(cancel(8));
    pass(500);
    expect(heard).toEqual([[20, progress(1)]]);
    expect(time.running).toBe(0);
    expect(recorded.player.report().cancelled).toEqual([{ label: "a", recorded: false, unsent: 3 }]);
  });

  test("nothing is owed to a client that gave no progress token", () => {
    const { say, recorded } = paced("recorded", session);
    say(request(8, "a"));
    say(cancel(8));
    expect(recorded.player.report().cancelled).toEqual([{ label: "a", recorded: false, unsent: 2 }]);
  });

  test("the end of the input sends what waits at once, and nothing waits after it", () => {
    const { live, time } = paced("recorded", session);
    live.say(request(1, "a", token));
    live.session.flush();
    expect(live.told()).toEqual([progress(1), progress(2), result(1, "ok"), log("after")]);
    expect(time.running).toBe(0);
  });

  test("an HTTP answer to a POST without a request is the POST's answer, and does not wait", () => {
    const time = new VirtualTime();
    const live = httpTape(
      [
        client(notice("notifications/initialized"), { at: 1, http: { method: "POST" } }),
        server(undefined, { at: 500, on: "post", http: { status: 400 } }),
      ],
      { pace: parsePace("recorded") },
    ).connect({ timer: time.timer, carriesStatus: true });
    expect(live.act(notice("notifications/initialized"))).toMatchObject([
      { type: "status", http: { status: 400 } },
    ]);
  });
});
