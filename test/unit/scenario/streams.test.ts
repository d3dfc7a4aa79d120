import { describe, expect, test } from "vitest";
import { Bench, type Json, modern, textIn } from "./support.ts";

const CUT = `scenario: 1
tools:
  - name: long
    inputSchema: { type: object, properties: { lost: { type: boolean } } }
    replies:
      - when: { lost: { any: false } }
        steps: [{ progress: { progress: 1 } }, { cut: { retry: 500ms } }, { delay: 10ms }, { progress: { progress: 2 } }, { cut: {} }]
        text: done
      - steps: [{ cut: {} }]
        text: "\${params.user}"
`;

describe("a stream that ends before the answer", () => {
  test("begins with an event that bears nothing but an id, and every message has an id", async () => {
    const bench = await Bench.of(CUT);
    bench.initialize("2025-11-25");
    const params = { name: "long", arguments: {}, _meta: { progressToken: "p" } };
    bench.request("tools/call", params, "t");
    bench.time.pass(100);
    expect(textIn(bench.answerTo("t"))).toBe("done");
    const events = bench.sent.flatMap(({ on, event }) => (on === '"t"' ? [event] : []));
    const ids = [...bench.streamed.map(({ event }) => event), ...events].flatMap((event) =>
      event && "id" in event ? [event.id] : [],
    );
    expect(bench.streamed).toEqual([
      { on: '"t"', event: { id: expect.any(String), retry: 500 } },
      { on: '"t"', event: undefined },
      // Another wait than before is told of before the stream ends anew.
      { on: '"t"', event: { id: expect.any(String) } },
      { on: '"t"', event: undefined },
    ]);
    expect(events).toHaveLength(3);
    expect(new Set(ids).size).toBe(5);
  });

  test("has the id of a miss too, so that it is there for whoever comes back", async () => {
    const bench = await Bench.of(CUT);
    bench.initialize("2025-11-25");
    bench.request("tools/call", { name: "long", arguments: { lost: true } }, "t");
    expect(bench.answerTo("t").error).toMatchObject({ code: -32010 });
    expect(bench.sent.at(-1)?.event).toEqual({ id: expect.any(String) });
  });

  test.each(["2025-06-18", "2026-07-28"])("does not end where the revision is %s", async (version) => {
    const bench = await Bench.of(CUT);
    const meta = version === "2026-07-28" ? modern() : {};
    if (version !== "2026-07-28") bench.initialize(version);
    expect(textIn(bench.ask("tools/call", { name: "long", ...meta }))).toBe("done");
    expect(bench.streamed).toEqual([]);
    expect(bench.sent.filter(({ event }) => event !== undefined)).toEqual([]);
  });
});

test("a notification that is written is heard by who listens to it", async () => {
  const bench = await Bench.of(`scenario: 1
resources: [{ uri: "a:b", replies: [{ text: b }] }]
tools:
  - name: tell
    replies:
      - steps:
          - notify: { method: notifications/tools/list_changed }
          - notify: { method: notifications/resources/updated, params: { uri: "a:b" } }
          - notify: { method: notifications/prompts/list_changed }
          - notify: { method: notifications/custom }
          - update: "a:b"
        text: told
`);
  const notifications = { toolsListChanged: true, resourceSubscriptions: ["a:b"], promptsListChanged: true };
  const told = bench.request("subscriptions/listen", { notifications, ...modern() }, "s");
  expect((told[0] as { params: Json }).params.notifications).toEqual({
    toolsListChanged: true,
    resourceSubscriptions: ["a:b"],
  });
  bench.ask("tools/call", { name: "tell", ...modern() });
  expect(bench.sent.flatMap(({ on, message }) => (on === '"s"' ? [message.method] : []))).toEqual([
    "notifications/subscriptions/acknowledged",
    "notifications/tools/list_changed",
    "notifications/resources/updated",
    "notifications/resources/updated",
  ]);
});
