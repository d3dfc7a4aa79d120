import { describe, expect, test } from "vitest";
import { Bench, type Json, modern } from "./support.ts";

const NOTICES = `scenario: 1
tools:
  - name: f
    replies:
      - steps:
          - notify: { method: notifications/custom, params: { said: "\${args.x}" } }
          - notify: { method: notifications/message, params: { level: info, data: a } }
          - notify: { method: notifications/resources/updated, params: { uri: "w://x" } }
        text: done
  - { name: g, replies: [{ steps: [{ notify: { method: notifications/elicitation/complete } }], text: done }] }
resources: [{ uri: "w://x" }]
capabilities: { resources: { subscribe: true }, logging: {} }
`;

describe("what a step notifies of, in the modern era", () => {
  test("goes on the stream of the answer; log lines where they are asked for, updates to listeners", async () => {
    const bench = await Bench.of(NOTICES);
    bench.request(
      "subscriptions/listen",
      {
        notifications: { resourceSubscriptions: ["w://x", "w://none"] },
        ...modern(),
      },
      "l",
    );
    expect(bench.sent.at(-1)?.message).toMatchObject({
      params: { notifications: { resourceSubscriptions: ["w://x"] } },
    });
    const from = bench.sent.length;
    bench.request("tools/call", { name: "f", arguments: { x: 1 }, ...modern() }, "c");
    bench.time.pass(100);
    const methods = () => bench.sent.slice(from).map(({ on, message }) => [on, message.method]);
    expect(methods()).toEqual([
      ['"c"', "notifications/custom"],
      ['"l"', "notifications/resources/updated"],
      ['"c"', undefined],
    ]);
    expect(bench.sent[from]?.message.params).toEqual({ said: 1 });
    const loud = modern({}, { "io.modelcontextprotocol/logLevel": "info" });
    bench.request("tools/call", { name: "f", arguments: { x: 1 }, ...loud }, "d");
    bench.time.pass(100);
    expect(methods().slice(3, 5)).toEqual([
      ['"d"', "notifications/custom"],
      ['"d"', "notifications/message"],
    ]);
  });

  test("is a miss where the revision has no such thing", async () => {
    const bench = await Bench.of(NOTICES);
    bench.ask("tools/call", { name: "g", ...modern() });
    expect(bench.misses[0]?.why).toContain(
      "notifications/elicitation/complete, which 2026-07-28 does not have",
    );
  });
});

test("what a timeline notifies of goes to listeners; what none can listen to is told of", async () => {
  const bench = await Bench.of(`scenario: 1
resources: [{ uri: "w://x" }]
capabilities: { resources: { listChanged: true } }
timeline: [{ at: 1s, notify: { method: notifications/custom } }, { at: 1s, notify: { method: notifications/resources/list_changed } }]
`);
  bench.request("subscriptions/listen", { notifications: { resourcesListChanged: true }, ...modern() }, "l");
  bench.time.pass(1000);
  expect(bench.sent.slice(1).map(({ message }) => message.method)).toEqual([
    "notifications/resources/list_changed",
  ]);
  expect(bench.unsent).toEqual(["notifications/custom"]);
});

test("a server of the modern era alone has no ping", async () => {
  const bench = await Bench.of('scenario: 1\nrevisions: ["2026-07-28"]\n');
  expect(bench.ask("ping").error).toMatchObject({ code: -32601 });
  expect(bench.ask("ping", modern()).error).toMatchObject({ code: -32601 });
  expect(bench.ask("tools/list").error).toMatchObject({ code: -32602 });
});

test("a whole result is given as it is, and what the revision wants of every one", async () => {
  const bench = await Bench.of(`scenario: 1
tools: [{ name: f, replies: [{ result: { isError: true } }] }]
resources: [{ uri: "w://x", mimeType: text/plain, replies: [{ result: { contents: [{ text: a }] } }] }]
`);
  bench.initialize();
  expect(bench.call("f").result).toEqual({ isError: true });
  expect(bench.ask("resources/read", { uri: "w://x" }).result).toEqual({ contents: [{ text: "a" }] });
  const { _meta, ...rest } = bench.ask("tools/call", { name: "f", ...modern() }).result as Json;
  expect(rest).toEqual({ resultType: "complete", isError: true });
});
