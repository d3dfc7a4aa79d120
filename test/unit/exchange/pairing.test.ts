import { describe, expect, test } from "vitest";
import { client, closed, error, notice, outline, request, result, server } from "../../cases/tape.ts";

const PROGRESS = "notifications/progress";
const CANCELLED = "notifications/cancelled";

describe("responses find their requests by id", () => {
  test.each([
    ["0", "0"],
    ['""', '""'],
    ['"1"', '"1"'],
    ["1", "1"],
    ["null", "null"],
    ["9007199254740993", "9007199254740993"],
    ["-7", "-7"],
    // The same id in another spelling.
    ['"\\u00e9"', '"é"'],
    ["1.0", "1"],
    ["9007199254740993", "9007199254740992"],
  ])("%s answered as %s", (asked, answered) => {
    expect(
      outline([
        client(`{"jsonrpc":"2.0","id":${asked},"method":"tools/list"}`),
        server(`{"jsonrpc":"2.0","id":${answered},"result":{}}`),
      ]),
    ).toEqual(["0 tools/list: outcome 1"]);
  });

  test('1 and "1" are two requests', () => {
    const entries = [client(request(1, "a")), client(request("1", "b"))];
    expect(outline([...entries, server(result("1", {})), server(result(1, {}))])).toEqual([
      "0 a: outcome 3",
      "1 b: outcome 2",
    ]);
    expect(outline([client(request(1, "a")), server(result("1", {}))])).toEqual(["0 a:"]);
  });

  test("2^53 + 1 answered as JavaScript reads it, beside 2^53 itself", () => {
    const ids = ["9007199254740993", "9007199254740992"];
    const entries = ids.map((id) => client(`{"jsonrpc":"2.0","id":${id},"method":"m"}`));
    const answer = server('{"jsonrpc":"2.0","id":9007199254740992,"result":{}}');
    expect(outline([...entries, answer, answer])).toEqual(["0 m: outcome 3", "1 m: outcome 2"]);
  });

  test("an id used again names the later request", () => {
    expect(
      outline([
        client(request(1, "a")),
        server(result(1, {})),
        client(request(1, "b")),
        server(result(1, {})),
      ]),
    ).toEqual(["0 a: outcome 1", "2 b: outcome 3"]);
  });

  test("a second answer, and one nobody asked for, are nobody's", () => {
    expect(
      outline([
        client(request(1, "a")),
        server(result(1, {})),
        server(result(1, {})),
        server(error(1, -32000)),
        server(result(77, {})),
      ]),
    ).toEqual(["0 a: outcome 1"]);
  });

  test("both directions may use equal ids", () => {
    expect(
      outline([
        client(request(1, "tools/call")),
        server(request(1, "elicitation/create")),
        client(result(1, { action: "accept" })),
        server(result(1, {})),
      ]),
    ).toEqual(["0 tools/call: ask 1, reply 2, outcome 3"]);
  });

  test("connections are apart", () => {
    expect(
      outline([
        client(request(1, "a")),
        client(request(1, "b"), { session: 2 }),
        server(result(1, {}), { session: 2 }),
        server(result(1, {})),
      ]),
    ).toEqual(["0 a: outcome 3", "1 b: outcome 2"]);
  });
});

describe("progress", () => {
  test.each(["1", '"1"', '"t"', "0", '""', "9007199254740993"])(
    "finds its request by the token %s",
    (token) => {
      expect(
        outline([
          client(`{"id":1,"method":"a","params":{"_meta":{"progressToken":${token}}}}`),
          client(request(2, "b")),
          server(`{"method":"${PROGRESS}","params":{"progressToken":${token},"progress":1}}`),
          server(result(2, {})),
          server(result(1, {})),
        ]),
      ).toEqual(["0 a: send 2 (progress), outcome 4", "1 b: outcome 3"]);
    },
  );

  test("after the answer is still the request's", () => {
    expect(
      outline([
        client(request(1, "a", { _meta: { progressToken: 5 } })),
        server(result(1, {})),
        client(request(2, "b")),
        server(notice(PROGRESS, { progressToken: 5, progress: 1 })),
        server(result(2, {})),
      ]),
    ).toEqual(["0 a: outcome 1, send 3 (progress)", "2 b: outcome 4"]);
  });

  test("with a token nobody gave is nobody's", () => {
    const stray = server(notice(PROGRESS, { progressToken: 9, progress: 1 }));
    expect(outline([client(request(1, "a")), stray])).toEqual(["0 a:"]);
  });
});

describe("cancellation", () => {
  test("is a step of the request", () => {
    expect(outline([client(request(1, "a")), client(notice(CANCELLED, { requestId: 1 }))])).toEqual([
      "0 a: cancel 1",
    ]);
  });

  test("may be crossed by an answer, and by progress", () => {
    expect(
      outline([
        client(request(1, "a", { _meta: { progressToken: 1 } })),
        client(notice(CANCELLED, { requestId: 1 })),
        server(notice(PROGRESS, { progressToken: 1, progress: 1 })),
        server(result(1, {})),
      ]),
    ).toEqual(["0 a: cancel 1, send 2 (progress), outcome 3"]);
  });

  test("that comes twice, too late, for an unknown id or for none is a notification of its own", () => {
    const lines = outline([
      client(request(1, "a")),
      client(notice(CANCELLED, { requestId: 1 })),
      client(notice(CANCELLED, { requestId: 1 })),
      client(request(2, "b")),
      server(result(2, {})),
      client(notice(CANCELLED, { requestId: 2 })),
      client(notice(CANCELLED, { requestId: 77 })),
      client(notice(CANCELLED)),
    ]);
    expect(lines).toEqual([
      "0 a: cancel 1",
      `2 ${CANCELLED}:`,
      "3 b: outcome 4",
      `5 ${CANCELLED}:`,
      `6 ${CANCELLED}:`,
      `7 ${CANCELLED}:`,
    ]);
  });

  test("what the server says afterwards is about other requests", () => {
    expect(
      outline([
        client(request(1, "a")),
        client(request(2, "b")),
        client(notice(CANCELLED, { requestId: 1 })),
        server(notice("notifications/message", { data: "x" })),
        server(result(2, {})),
      ]),
    ).toEqual(["0 a: cancel 2", "1 b: send 3, outcome 4"]);
  });
});

describe("notifications without a link", () => {
  const log = server(notice("notifications/message", { data: "x" }));

  test("inside, after and outside", () => {
    expect(
      outline([
        log,
        client(request(1, "initialize")),
        log,
        server(result(1, {})),
        log,
        client(notice("notifications/initialized")),
        log,
      ]),
    ).toEqual([
      "1 initialize: send 0 (standalone), send 2, outcome 3, send 4 (standalone)",
      "5 notifications/initialized: send 6 (standalone)",
    ]);
  });

  test("with several requests open go to the one last heard of", () => {
    expect(
      outline([
        client(request(1, "a", { _meta: { progressToken: 1 } })),
        client(request(2, "b")),
        client(request(3, "c")),
        log,
        server(notice(PROGRESS, { progressToken: 1 })),
        log,
        server(result(1, {})),
        log,
      ]),
    ).toEqual(["0 a: send 4 (progress), send 5, outcome 6", "1 b:", "2 c: send 3, send 7"]);
  });

  test("resource updates tell whether they were subscribed to", () => {
    const update = server(notice("notifications/resources/updated", { uri: "r:1" }));
    expect(
      outline([
        client(request(1, "resources/subscribe", { uri: "r:1" })),
        server(result(1, {})),
        update,
        server(notice("notifications/resources/updated", { uri: "r:2" })),
        client(request(2, "resources/unsubscribe", { uri: "r:1" })),
        server(result(2, {})),
        update,
      ]),
    ).toEqual([
      '0 resources/subscribe: outcome 1, send 2 (standalone subscribed "r:1"), send 3 (standalone)',
      "4 resources/unsubscribe: outcome 5, send 6 (standalone)",
    ]);
  });

  test("after the client has gone and all is answered reach nobody", () => {
    expect(
      outline([
        client(request(1, "a")),
        client(request(2, "b")),
        closed("client", { reason: "eof" }),
        server(result(1, {})),
        log,
        server(result(2, {})),
        log,
      ]),
    ).toEqual(["0 a: outcome 3", "1 b: send 4, outcome 5"]);
  });
});
