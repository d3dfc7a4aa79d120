import { describe, expect, test } from "vitest";
import { client, closed, notice, outline, request, result, server } from "../../cases/tape.ts";

describe("frames that are no single message", () => {
  test("batches both ways, split otherwise than they were asked", () => {
    expect(
      outline([
        client([request(1, "a"), notice("n"), request(2, "b"), request(3, "c")]),
        server([result(3, {}), result(1, {})]),
        server(result(2, {})),
      ]),
    ).toEqual(["0.0 a: outcome 1.1", "0.1 n:", "0.2 b: outcome 2", "0.3 c: outcome 1.0"]);
  });

  test("an empty batch and a batch in a batch are malformed", () => {
    expect(outline([client("[]"), client([[request(1, "a")], 7, request(2, "b")])])).toEqual([
      "0 malformed:",
      "1.0 malformed:",
      "1.1 malformed:",
      "1.2 b:",
    ]);
  });

  test("an error without an id answers what was malformed, in order", () => {
    const parseError = server('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}');
    const idless = server('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"}}');
    expect(outline([client("{nope"), client("[]"), client(request(1, "a")), parseError, idless])).toEqual([
      "0 malformed: outcome 3",
      "1 malformed: outcome 4",
      "2 a:",
    ]);
    // Nothing was malformed: the client sees it, and waits on.
    expect(outline([client(request(1, "a")), parseError])).toEqual(["0 a: send 1"]);
  });

  test("noise of the server is nobody's", () => {
    expect(outline([client(request(1, "a")), server("listening on 3000"), server(result(1, {}))])).toEqual([
      "0 a: outcome 2",
    ]);
  });
});

describe("the end of the connection", () => {
  test("crashes what is open, not what was answered", () => {
    expect(
      outline([
        client(request(1, "a")),
        server(result(1, {})),
        client(request(2, "b")),
        client(request(3, "c")),
        closed("server", { exit: 3 }),
      ]),
    ).toEqual(["0 a: outcome 1", "2 b: crash 4", "3 c: crash 4"]);
  });

  test("is no crash when the client left first", () => {
    expect(
      outline([client(request(1, "a")), closed("client", { reason: "eof" }), closed("server", { exit: 0 })]),
    ).toEqual(["0 a:"]);
  });
});
