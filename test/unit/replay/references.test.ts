import { describe, expect, test } from "vitest";
import { client, notice, request, result, server, tape } from "../../cases/tape.ts";
import { meta, opening } from "./eras/support.ts";

/** What the server minted and the client echoes, in its own era and in the other. docs/references.md names these. */

const complete = (id: number, body: object) =>
  expect.objectContaining({ id, result: expect.objectContaining(body) });

/** What a client of each era says, of the same legacy recording. */
const ERAS = [
  { era: "legacy", ask: (id: number, method: string, params: object = {}) => request(id, method, params) },
  {
    era: "modern",
    ask: (id: number, method: string, params: object = {}) => request(id, method, { ...params, ...meta() }),
  },
] as const;

describe.each(ERAS)("in the $era era", ({ ask }) => {
  test("a cursor leads to the page it was recorded with, and one that was never given nowhere", () => {
    const recorded = tape([
      ...opening(),
      client(request(1, "tools/list")),
      server(result(1, { tools: ["a"], nextCursor: "" })),
      client(request(2, "tools/list", { cursor: "" })),
      server(result(2, { tools: ["b"], nextCursor: "c3" })),
      client(request(3, "tools/list", { cursor: "c3" })),
      server(result(3, { tools: ["c"] })),
    ]);
    const live = recorded.connect();
    const page = (cursor?: string) => live.say(ask(9, "tools/list", cursor === undefined ? {} : { cursor }));
    expect(page("c3")).toEqual([complete(9, { tools: ["c"] })]);
    expect(page()).toEqual([complete(9, { tools: ["a"], nextCursor: "" })]);
    expect(page("")).toEqual([complete(9, { tools: ["b"], nextCursor: "c3" })]);
    expect(page("c4")[0].error.data).toMatchObject({
      reason: "unrecorded",
      nearest: { differences: [{ pointer: "/cursor" }] },
    });
  });

  test("a handle and a link in an answer stay as they were, and lead on as arguments", () => {
    const link = { type: "resource_link", uri: "basket://b-1", name: "basket" };
    const recorded = tape([
      ...opening(),
      client(request(1, "tools/call", { name: "open" })),
      server(result(1, { content: [link], structuredContent: { basket: "b-1" } })),
      client(request(2, "tools/call", { name: "add", arguments: { basket: "b-1" } })),
      server(result(2, { content: [] })),
      client(request(3, "resources/read", { uri: "basket://b-1" })),
      server(result(3, { contents: [{ uri: "basket://b-1", text: "full" }] })),
    ]);
    const live = recorded.connect();
    expect(live.say(ask(7, "tools/call", { name: "open" }))).toEqual([complete(7, { content: [link] })]);
    const add = (basket: string) => live.say(ask(8, "tools/call", { name: "add", arguments: { basket } }))[0];
    expect(add("b-1")).toEqual(complete(8, { content: [] }));
    expect(add("b-2").error.data.reason).toBe("unrecorded");
    expect(live.say(ask(9, "resources/read", { uri: "basket://b-1" }))[0].result.contents).toHaveLength(1);
  });
});

test("a task is polled to its end under the id it was given", () => {
  const task = (status: string) => ({ taskId: "t-1", status });
  const recorded = tape([
    client(request(1, "tools/call", { name: "long", task: { ttl: 60 } })),
    server(result(1, { task: task("working") })),
    client(request(2, "tasks/get", { taskId: "t-1" })),
    server(result(2, task("working"))),
    client(request(3, "tasks/get", { taskId: "t-1" })),
    server(result(3, task("completed"))),
    client(request(4, "tasks/result", { taskId: "t-1" })),
    server(result(4, { content: [], _meta: { "io.modelcontextprotocol/related-task": { taskId: "t-1" } } })),
  ]);
  const live = recorded.connect();
  const [{ result: created }] = live.say(request(7, "tools/call", { name: "long", task: { ttl: 60 } }));
  const { taskId } = created.task;
  const poll = () => live.say(request(8, "tasks/get", { taskId }))[0].result.status;
  expect([poll(), poll(), poll()]).toEqual(["working", "completed", "completed"]);
  expect(live.say(request(9, "tasks/result", { taskId }))).toHaveLength(1);
  expect(live.say(request(9, "tasks/get", { taskId: "t-2" }))[0].error.data.reason).toBe("unrecorded");
});

test("an elicitation id stays as it was, in the request and in the notice that it is complete", () => {
  const url = { mode: "url", elicitationId: "e-1", url: "https://x.example/?e-1", message: "Go" };
  const finished = notice("notifications/elicitation/complete", { elicitationId: "e-1" });
  const live = tape([
    client(request(1, "tools/call", { name: "pay" })),
    server(request(5, "elicitation/create", url)),
    client(result(5, { action: "accept" })),
    server(finished),
    server(result(1, {})),
  ]).connect();
  expect(live.say(request(7, "tools/call", { name: "pay" }))).toEqual([
    request(0, "elicitation/create", url),
  ]);
  expect(live.say(result(0, { action: "accept" }))).toEqual([finished, result(7, {})]);
});

test("after an input round progress bears the token of the retry", () => {
  const progress = (progressToken: unknown, step: number) =>
    notice("notifications/progress", { progressToken, progress: step });
  const live = tape([
    ...opening(),
    client(request(1, "tools/call", { name: "plan", _meta: { progressToken: 1 } })),
    server(progress(1, 1)),
    server(request(5, "roots/list")),
    client(result(5, { roots: [] })),
    server(progress(1, 2)),
    server(result(1, {})),
  ]).connect();
  const plan = (progressToken: string, more: object = {}) =>
    request(7, "tools/call", { name: "plan", ...more, ...meta({ progressToken }) });
  const [before, round] = live.say(plan("first"));
  expect(before).toEqual(progress("first", 1));
  const { requestState } = round.result;
  const retry = plan("second", { requestState, inputResponses: { "roots-1": { roots: [] } } });
  expect(live.say(retry)).toEqual([progress("second", 2), complete(7, { resultType: "complete" })]);
});
