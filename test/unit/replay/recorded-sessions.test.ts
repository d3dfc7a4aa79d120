import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { client, type LiveClient, notice, request, result, server, tape } from "../../cases/tape.ts";

interface Walk {
  readonly name: string;
  readonly version?: string;
  /** What is asked, and what is answered. */
  readonly asked: readonly (readonly [question: string, answer: string])[];
}

const initialize = ({ name, version = "1" }: Pick<Walk, "name" | "version">) =>
  request(0, "initialize", { clientInfo: { name, version } });

/** A recording of clients one after the other. */
function recordingOf(walks: readonly Walk[]): Entry[] {
  return walks.flatMap((walk, index) => {
    const session = index + 1;
    const pairs = walk.asked.flatMap(([question, answer], id) => [
      client(request(id + 1, "tools/call", { name: question }), { session }),
      server(result(id + 1, answer), { session }),
    ]);
    return [
      client(initialize(walk), { session }),
      server(result(0, `welcome to ${session}`), { session }),
      client(notice("notifications/initialized"), { session }),
      ...pairs,
    ];
  });
}

const ask = (live: LiveClient, name: string) => live.say(request(7, "tools/call", { name }))[0].result;

describe("clients told apart by their names", () => {
  const recorded = () =>
    tape(
      recordingOf([
        { name: "a", asked: [["x", "x for a"]] },
        { name: "b", asked: [["x", "x for b"]] },
        { name: "b", version: "2", asked: [["x", "x for b2"]] },
      ]),
    );

  test.each([
    ["a", "1", "x for a"],
    ["b", "1", "x for b"],
    ["b", "2", "x for b2"],
    // Another version of a client is still that client.
    ["b", "3", "x for b"],
    ["stranger", "1", "x for a"],
  ])("%s %s", (name, version, answer) => {
    const live = recorded().connect();
    live.say(initialize({ name, version }));
    expect(ask(live, "x")).toBe(answer);
  });

  test("whoever comes first", () => {
    const { connect } = { connect: () => shared.connect() };
    const shared = recorded();
    const [b, a] = [connect(), connect()];
    expect(b.say(initialize({ name: "b" }))[0].result).toBe("welcome to 2");
    expect(a.say(initialize({ name: "a" }))[0].result).toBe("welcome to 1");
    expect([ask(b, "x"), ask(a, "x")]).toEqual(["x for b", "x for a"]);
  });

  test("of the modern era, where every request bears one", () => {
    const call = (name: string, question: string) => {
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name },
      };
      return request(1, "tools/call", { name: question, _meta: meta });
    };
    const modern = tape([
      client(call("a", "x")),
      server(result(1, "x for a")),
      client(call("b", "y"), { session: 2 }),
      server(result(1, "y for b"), { session: 2 }),
      client(call("b", "x"), { session: 2 }),
      server(result(1, "x for b"), { session: 2 }),
    ]);
    expect(modern.connect().say(call("b", "x"))[0].result).toBe("x for b");
    expect(modern.connect().say(call("a", "x"))[0].result).toBe("x for a");
  });
});

describe("clients told apart by what they ask", () => {
  const recorded = tape(
    recordingOf([
      {
        name: "t",
        asked: [
          ["common", "common 1"],
          ["first", "1"],
          ["common", "common 1 again"],
        ],
      },
      {
        name: "t",
        asked: [
          ["common", "common 2"],
          ["second", "2"],
          ["common", "common 2 again"],
          ["common", "common 2 once more"],
        ],
      },
    ]),
  );
  const connect = () => {
    const live = recorded.connect();
    expect(live.say(initialize({ name: "t" }))[0].result).toBe("welcome to 1");
    return live;
  };

  test("the question only one of them asked", () => {
    const live = connect();
    expect(ask(live, "second")).toBe("2");
    expect(ask(live, "common")).toBe("common 2");
    // Asked by another client alone, so it says nothing new.
    expect(ask(live, "first")).toBe("1");
    expect(ask(live, "common")).toBe("common 2 again");
  });

  test("asked once more than the other did", () => {
    const live = connect();
    const answers = [1, 2, 3, 4].map(() => ask(live, "common"));
    expect(answers).toEqual(["common 1", "common 1 again", "common 2 once more", "common 2 once more"]);
    expect(recorded.player.report().repeats).toEqual([{ label: "tools/call common", times: 1 }]);
  });

  test("a ping or a notification does not", () => {
    const pinged = tape([
      ...recordingOf([{ name: "t", asked: [["x", "1"]] }]),
      ...recordingOf([{ name: "t", asked: [["x", "2"]] }]).map((entry) => ({ ...entry, session: 2 })),
      client(request(50, "ping"), { session: 2 }),
      server(result(50, {}), { session: 2 }),
      client(notice("notifications/roots/list_changed"), { session: 2 }),
    ]);
    const live = pinged.connect();
    live.say(initialize({ name: "t" }));
    live.say(request(1, "ping"));
    live.say(notice("notifications/roots/list_changed"));
    expect(ask(live, "x")).toBe("1");
  });
});

test("clients that nothing tells apart are all the first", () => {
  const recorded = tape(
    recordingOf([
      { name: "t", asked: [["x", "1"]] },
      { name: "t", asked: [["x", "2"]] },
    ]),
  );
  for (let i = 0; i < 3; i++) {
    const live = recorded.connect();
    expect(live.say(initialize({ name: "t" }))[0].result).toBe("welcome to 1");
    expect(ask(live, "x")).toBe("1");
  }
});

test("an appended recording answers what the first one lacks", () => {
  const recorded = tape(
    recordingOf([
      { name: "t", asked: [["old", "old"]] },
      { name: "t", asked: [["new", "new"]] },
    ]),
    { strict: true },
  );
  const live = recorded.connect();
  live.say(initialize({ name: "t" }));
  expect([ask(live, "old"), ask(live, "new")]).toEqual(["old", "new"]);
  expect(recorded.player.failed).toBe(false);
});

test("initialize asked again on one connection is its second recording", () => {
  const again = tape([
    ...recordingOf([{ name: "t", asked: [] }]),
    client(initialize({ name: "t" })),
    server(result(0, "welcome back")),
  ]);
  const live = again.connect();
  const answers = [1, 2, 3].map(() => live.say(initialize({ name: "t" }))[0].result);
  expect(answers).toEqual(["welcome to 1", "welcome back", "welcome back"]);
});
