import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { client, closed, notice, outline, request, result, server } from "../../cases/tape.ts";

const call = (id: number, name: string) => client(request(id, `call/${name}`));
const ask = (id: number | string) => server(request(id, "elicitation/create"));
const reply = (id: number | string) => client(result(id, { action: "accept" }));
const done = (id: number) => server(result(id, {}));

/** Each list of entries, and the exchanges it must come to. */
const CASES: readonly { name: string; entries: readonly Entry[]; is: readonly string[] }[] = [
  {
    name: "one exchange asks several at once, answered in another order",
    entries: [call(1, "a"), ask(0), ask("x"), reply("x"), reply(0), done(1)],
    is: ["0 call/a: ask 1, ask 2, reply 3, reply 4, outcome 5"],
  },
  {
    name: "of two in parallel each asks once, replies in order",
    entries: [call(1, "a"), call(2, "b"), ask(0), ask(1), reply(0), reply(1), done(1), done(2)],
    is: ["0 call/a: ask 2, reply 4, outcome 6", "1 call/b: ask 3, reply 5, outcome 7"],
  },
  {
    name: "of two in parallel each asks once, replies crossed",
    entries: [call(1, "a"), call(2, "b"), ask(0), ask(1), reply(1), reply(0), done(2), done(1)],
    is: ["0 call/a: ask 2, reply 5, outcome 7", "1 call/b: ask 3, reply 4, outcome 6"],
  },
  {
    name: "the second asks, the first is merely slow",
    entries: [call(1, "slow"), call(2, "asks"), ask(0), reply(0), done(2), done(1)],
    is: ["0 call/slow: outcome 5", "1 call/asks: ask 2, reply 3, outcome 4"],
  },
  {
    name: "the first asks, the second is answered while the question is open",
    entries: [call(1, "asks"), call(2, "plain"), ask(0), done(2), reply(0), done(1)],
    is: ["0 call/asks: ask 2, reply 4, outcome 5", "1 call/plain: outcome 3"],
  },
  {
    name: "a question right after a reply is the same exchange's",
    entries: [call(1, "slow"), call(2, "asks"), ask(0), reply(0), ask(1), reply(1), done(2), done(1)],
    is: ["0 call/slow: outcome 7", "1 call/asks: ask 2, reply 3, ask 4, reply 5, outcome 6"],
  },
  {
    name: "two in parallel ask twice each",
    entries: [
      ...[call(1, "a"), call(2, "b"), ask(0), ask(1), reply(0), ask(2), reply(1), ask(3)],
      ...[reply(2), done(1), reply(3), done(2)],
    ],
    is: [
      "0 call/a: ask 2, reply 4, ask 5, reply 8, outcome 9",
      "1 call/b: ask 3, reply 6, ask 7, reply 10, outcome 11",
    ],
  },
  {
    name: "an exchange that began after the question did not ask it",
    entries: [call(1, "asks"), ask(0), call(2, "plain"), reply(0), done(2), done(1)],
    is: ["0 call/asks: ask 1, reply 3, outcome 5", "2 call/plain: outcome 4"],
  },
  {
    name: "a question taken back has no reply",
    entries: [
      ...[call(1, "a"), call(2, "b"), ask(0), server(notice("notifications/cancelled", { requestId: 0 }))],
      ...[done(1), done(2)],
    ],
    is: ["0 call/a: ask 2, send 3 (takesBack 0), outcome 4", "1 call/b: outcome 5"],
  },
  {
    name: "a question taken back after its reply, and the reply to one taken back",
    entries: [
      ...[call(1, "a"), ask(0), reply(0), server(notice("notifications/cancelled", { requestId: 0 }))],
      ...[ask(1), server(notice("notifications/cancelled", { requestId: 1 })), reply(1), done(1)],
    ],
    is: ["0 call/a: ask 1, reply 2, send 3 (takesBack 0), ask 4, send 5 (takesBack 1), outcome 7"],
  },
  {
    name: "the client cancels one of two",
    entries: [
      ...[call(1, "a"), call(2, "b"), ask(0), client(notice("notifications/cancelled", { requestId: 1 }))],
      ...[done(2)],
    ],
    is: ["0 call/a: ask 2, cancel 3", "1 call/b: outcome 4"],
  },
  {
    name: "the recording stops before anything tells",
    entries: [call(1, "a"), call(2, "b"), ask(0), reply(0)],
    is: ["0 call/a:", "1 call/b: ask 2, reply 3"],
  },
  {
    name: "the server dies before anything tells",
    entries: [call(1, "a"), call(2, "b"), ask(0), closed("server", { signal: "SIGKILL" })],
    is: ["0 call/a: crash 3", "1 call/b: ask 2, crash 3"],
  },
  {
    name: "upon initialized",
    entries: [
      client(notice("notifications/initialized")),
      server(request(0, "roots/list")),
      client(result(0, { roots: [] })),
    ],
    is: ["0 notifications/initialized: ask 1 (standalone), reply 2 (standalone)"],
  },
  {
    name: "upon initialized, with a request on its way already",
    entries: [
      client(notice("notifications/initialized")),
      client(request(1, "tools/list")),
      server(request(0, "roots/list")),
      server(result(1, {})),
      client(result(0, { roots: [] })),
    ],
    is: ["0 notifications/initialized: ask 2, reply 4", "1 tools/list: outcome 3"],
  },
  {
    name: "in the first call after initialized",
    entries: [
      client(notice("notifications/initialized")),
      client(request(1, "tools/call")),
      server(request(0, "roots/list")),
      client(result(0, { roots: [] })),
      server(result(1, {})),
    ],
    is: ["0 notifications/initialized:", "1 tools/call: ask 2, reply 3, outcome 4"],
  },
  {
    name: "in a call long after initialized, never replied to",
    entries: [
      client(notice("notifications/initialized")),
      client(request(1, "tools/list")),
      server(result(1, {})),
      client(request(2, "tools/call")),
      server(request(0, "roots/list")),
      server(result(2, {})),
    ],
    is: ["0 notifications/initialized:", "1 tools/list: outcome 2", "3 tools/call: ask 4, outcome 5"],
  },
  {
    name: "a reply to nothing",
    entries: [call(1, "a"), reply(9), done(1)],
    is: ["0 call/a: outcome 2"],
  },
];

describe("requests of the server", () => {
  test.each(CASES)("$name", ({ entries, is }) => {
    expect(outline(entries)).toEqual(is);
  });

  test("over HTTP the response stream tells, whatever is open", () => {
    const on = (id: string) => ({ on: { id } });
    const http = { http: { method: "POST" } };
    expect(
      outline(
        [
          client(request(1, "a"), http),
          client(request(2, "b"), http),
          server(request(0, "sampling/createMessage"), { ...on("1"), http: { status: 200 } }),
          client(result(0, {}), http),
          server(undefined, { on: "post", http: { status: 202 } }),
          server(result(2, {}), { ...on("2"), http: { status: 200 } }),
          server(result(1, {}), on("1")),
        ],
        false,
      ),
    ).toEqual(["0 a: ask 2, reply 3, outcome 6", "1 b: outcome 5"]);
  });

  test("over HTTP the standalone stream concerns no open request", () => {
    const http = { http: { method: "POST" } };
    expect(
      outline(
        [
          client(notice("notifications/initialized"), http),
          server(undefined, { on: "post", http: { status: 202 } }),
          client(request(1, "tools/list"), http),
          server(request(0, "roots/list"), { on: "get" }),
          server(result(1, {}), { on: { id: "1" }, http: { status: 200 } }),
          client(result(0, { roots: [] }), http),
          server(undefined, { on: "post", http: { status: 202 } }),
          client(request(2, "tools/call"), http),
          server(request(1, "ping"), { on: "get" }),
          server(result(2, {}), { on: { id: "2" }, http: { status: 200 } }),
          client(result(1, {}), http),
        ],
        false,
      ),
    ).toEqual([
      "0 notifications/initialized: ask 3 (standalone), reply 5 (standalone)",
      "2 tools/list: outcome 4",
      "7 tools/call: ask 8 (standalone), outcome 9, reply 10 (standalone)",
    ]);
  });
});

test("of questions in one batch each has its own early reply", () => {
  const asks = server([request(0, "roots/list"), request("x", "roots/list")]);
  const opening = [client(notice("notifications/initialized")), call(1, "a"), reply("x"), reply(0)];
  expect(outline([...opening, asks, done(1)])).toEqual([
    "0 notifications/initialized:",
    "1 call/a: ask 4.0, reply 3 (after 4.0), ask 4.1, reply 2 (after 4.1), outcome 5",
  ]);
});

describe("a client that is a file in a pipe has replied before it is asked", () => {
  const piped = [call(1, "a"), reply(0), reply("x")];

  test("and the questions are those of its call", () => {
    expect(outline([...piped, ask(0), ask("x"), done(1)])).toEqual([
      "0 call/a: ask 3, reply 1 (after 3), ask 4, reply 2 (after 4), outcome 5",
    ]);
  });

  test("also after a notification upon which servers ask", () => {
    const opening = [
      client(request(0, "initialize")),
      client(notice("notifications/initialized")),
      ...piped,
      done(0),
    ];
    expect(outline([...opening, ask(0), ask("x"), done(1)])).toEqual([
      "0 initialize: outcome 5",
      "1 notifications/initialized:",
      "2 call/a: ask 6, reply 3 (after 6), ask 7, reply 4 (after 7), outcome 8",
    ]);
  });
});
