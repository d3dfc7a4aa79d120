import { brotliCompressSync, createGzip, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { EntrySink, Seen } from "../../../src/run/entry-sink.ts";
import { HttpTap } from "../../../src/run/http-tap.ts";
import type { Ending, TapRequest } from "../../../src/transport/http-proxy-tap.ts";

type Shown = Omit<Seen, "raw" | "scan"> & { raw?: string };
type HeaderList = Record<string, string>;

const ACCEPT = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const JSON_TYPE = { "Content-Type": "application/json" };
const SSE = { "Content-Type": "text/event-stream" };

/** A tap, and what it recorded with the bytes as text. */
class Bench {
  readonly seen: Shown[] = [];
  readonly faults: unknown[] = [];
  readonly tap: HttpTap;
  readonly connection = {};

  constructor(sink: Partial<EntrySink> = {}) {
    this.tap = new HttpTap({
      upstream: new URL("http://server.test:8080/mcp"),
      sink: {
        add: ({ raw, scan: _, ...seen }) =>
          this.seen.push(raw === undefined ? seen : { ...seen, raw: Buffer.from(raw).toString() }),
        fail: (fault) => this.faults.push(fault),
        ...sink,
      },
      defer: (start) => start(),
    });
  }

  /** A request whose body is whole. */
  send(method: string, path: string, headers: HeaderList = {}, body: string | Buffer = ""): Traffic {
    const traffic = this.begin(method, path, headers);
    return body.length > 0 ? traffic.body(body).sent() : traffic.sent();
  }

  begin(method: string, path: string, headers: HeaderList = {}): Traffic {
    const all = { Host: "server.test:8080", ...(method === "POST" ? ACCEPT : {}), ...headers };
    const accept = method === "GET" ? { Accept: "text/event-stream" } : {};
    const raw = Object.entries({ ...accept, ...all }).flat();
    const { connection } = this;
    return new Traffic(this.tap.request({ method, path, headers: raw, connection }));
  }

  post(message: string, headers: HeaderList = {}): Traffic {
    return this.send("POST", "/mcp", headers, message);
  }

  /** Opens a session, so that what follows is its own. */
  initialize(sessionId = "s-1"): void {
    this.post(request(0, "initialize"))
      .answer(200, { ...JSON_TYPE, "Mcp-Session-Id": sessionId }, response(0))
      .end();
    this.seen.length = 0;
  }

  get closings(): Shown[] {
    return this.seen.filter(({ closed }) => closed);
  }
}

class Traffic {
  readonly request: TapRequest | undefined;

  constructor(request: TapRequest | undefined) {
    this.request = request;
  }

  body(chunk: string | Buffer): this {
    this.request?.requestBody(Buffer.from(chunk));
    return this;
  }

  sent(): this {
    this.request?.requestEnd();
    return this;
  }

  answer(status: number, headers: HeaderList = {}, ...chunks: (string | Buffer)[]): this {
    this.request?.response(status, Object.entries(headers).flat());
    for (const chunk of chunks) this.request?.responseBody(Buffer.from(chunk));
    return this;
  }

  more(...chunks: (string | Buffer)[]): this {
    for (const chunk of chunks) this.request?.responseBody(Buffer.from(chunk));
    return this;
  }

  end(how: Ending = "end"): void {
    this.request?.responseEnd(how);
  }
}

const request = (id: unknown, method: string, params = "{}"): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":${params}}`;
const response = (id: unknown): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`;
const event = (data: string, more = ""): string => `${more}data: ${data}\n\n`;

describe("a POST answered with JSON", () => {
  test("is an entry from each side, the answer tied to the request", () => {
    const bench = new Bench();
    const call = request(3, "tools/call");
    bench
      .begin("POST", "/mcp?k=v", { "MCP-Protocol-Version": "2025-06-18", Cookie: "c" })
      .body(call.slice(0, 5))
      .body(call.slice(5))
      .sent()
      .answer(200, JSON_TYPE, response(3).slice(0, 9), response(3).slice(9))
      .end();
    expect(bench.seen).toEqual([
      {
        from: "client",
        session: 1,
        http: { method: "POST", path: "/mcp?k=v", headers: { "mcp-protocol-version": "2025-06-18" } },
        raw: call,
      },
      {
        from: "server",
        session: 1,
        on: { id: "3" },
        http: { status: 200, headers: { "content-type": "application/json" } },
        raw: response(3),
      },
    ]);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("is recorded as it was before %s", (coding, pack) => {
    const bench = new Bench();
    const coded = { "Content-Encoding": coding };
    bench
      .send("POST", "/mcp", coded, pack(request(1, "ping")))
      .answer(200, { ...JSON_TYPE, ...coded }, pack(response(1)))
      .end();
    expect(bench.seen.map(({ raw }) => raw)).toEqual([request(1, "ping"), response(1)]);
  });

  test("is recorded as it came where its coding is not known", () => {
    const bench = new Bench();
    bench
      .post(request(1, "ping"))
      .answer(200, { ...JSON_TYPE, "Content-Encoding": "x" }, "packed")
      .end();
    expect(bench.seen[1]?.raw).toBe("packed");
  });

  test.each([
    ["string", '"a"', request("a", "ping")],
    ["null", "null", request(null, "ping")],
    ["large", "9007199254740993", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`],
  ])("keeps a %s id exactly", (_, id, text) => {
    const bench = new Bench();
    bench.post(text).answer(200, JSON_TYPE, "{}").end();
    expect(bench.seen[1]?.on).toEqual({ id });
  });

  test("of a batch is tied to its first request", () => {
    const bench = new Bench();
    const notification = '{"jsonrpc":"2.0","method":"notifications/x"}';
    bench
      .post(`[${notification},${request(7, "ping")},${request(8, "ping")}]`)
      .answer(200, JSON_TYPE, `[${response(8)},${response(7)}]`)
      .end();
    bench.post(`[${notification}]`).answer(202).end();
    expect(bench.seen.map(({ on }) => on)).toEqual([undefined, { id: "7" }, undefined, "post"]);
    expect(bench.closings).toEqual([]);
  });
});

describe("answers without a message", () => {
  test.each([
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}', 202, ""],
    ["a response", response(4), 202, ""],
    ["what is no JSON", "{oops", 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}'],
    ["nothing", "", 415, "no"],
  ])("to %s are on: post", (_, body, status, answer) => {
    const bench = new Bench();
    bench.post(body).answer(status, {}, answer).end();
    expect(bench.seen[1]).toEqual({
      from: "server",
      session: 1,
      on: "post",
      http: { status },
      ...(answer !== "" && { raw: answer }),
    });
    expect(bench.seen[0]?.raw).toBe(body === "" ? undefined : body);
  });

  test("to a DELETE are on: delete, to a refused GET on: get, to another method on nothing", () => {
    const bench = new Bench();
    bench.send("DELETE", "/mcp").answer(405, { Allow: "POST" }).end();
    bench.send("GET", "/mcp").answer(405, {}, "no").end();
    bench.send("OPTIONS", "/mcp").answer(204).end();
    expect(bench.seen.filter(({ from }) => from === "server")).toEqual([
      { from: "server", session: 1, on: "delete", http: { status: 405, headers: { allow: "POST" } } },
      { from: "server", session: 1, on: "get", http: { status: 405 }, raw: "no" },
      { from: "server", session: 1, http: { status: 204 } },
    ]);
  });

  test("credentials in headers are left for the sink to redact", () => {
    const bench = new Bench();
    const challenge = { "WWW-Authenticate": 'Bearer realm="x"' };
    bench.post(request(0, "initialize"), { Authorization: "Bearer t" }).answer(401, challenge).end();
    expect(bench.seen[0]?.http?.headers).toEqual({ authorization: "Bearer t" });
    expect(bench.seen[1]?.http).toEqual({ status: 401, headers: { "www-authenticate": 'Bearer realm="x"' } });
  });
});

describe("a POST answered with an event stream", () => {
  test("is an entry for each event as it comes, HTTP facts with the first", () => {
    const bench = new Bench();
    const open = bench.post(request(1, "tools/call")).answer(200, SSE);
    expect(bench.seen).toHaveLength(1);
    open.more("id: e1\nretry: 50\ndata:\n\n: ping\n\n");
    expect(bench.seen).toHaveLength(2);
    open.more("event: message\nid: e2\nda", 'ta: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
    expect(bench.seen).toHaveLength(3);
    open.more("event: custom\ndata: x\n\n", event(response(1))).end();
    expect(bench.seen.slice(1)).toEqual([
      {
        from: "server",
        session: 1,
        on: { id: "1" },
        http: { status: 200, headers: { "content-type": "text/event-stream" } },
        event: { id: "e1", retry: 50 },
        raw: "",
      },
      {
        from: "server",
        session: 1,
        on: { id: "1" },
        event: { id: "e2" },
        raw: '{"jsonrpc":"2.0","method":"notifications/progress"}',
      },
      { from: "server", session: 1, on: { id: "1" }, event: { name: "custom" }, raw: "x" },
      { from: "server", session: 1, on: { id: "1" }, raw: response(1) },
    ]);
  });

  test("that ends without an event leaves its HTTP facts", () => {
    const bench = new Bench();
    bench.post(request(1, "x")).answer(200, SSE).end();
    expect(bench.seen.slice(1)).toEqual([
      {
        from: "server",
        session: 1,
        on: { id: "1" },
        http: { status: 200, headers: { "content-type": "text/event-stream" } },
      },
      { from: "server", session: 1, on: { id: "1" }, closed: { reason: "end" } },
    ]);
  });

  test("is read through its compression in wire order, whatever follows meanwhile", async () => {
    const bench = new Bench();
    const gzip = createGzip();
    const packed: Buffer[] = [];
    gzip.on("data", (chunk: Buffer) => packed.push(chunk));
    gzip.write(event('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
    await new Promise<void>((resolve) => gzip.flush(() => setImmediate(resolve)));
    const call = bench
      .post(request(1, "x"))
      .answer(200, { ...SSE, "Content-Encoding": "gzip" }, Buffer.concat(packed));
    bench.post(response(1)).answer(202).end();
    call.end("aborted-by-client");
    await bench.tap.settled();
    expect(bench.seen.map(({ from, on, closed }) => [from, on, closed?.reason])).toEqual([
      ["client", undefined, undefined],
      ["server", { id: "1" }, undefined],
      ["client", undefined, undefined],
      ["server", "post", undefined],
      ["client", { id: "1" }, "aborted"],
    ]);
  });

  test.each(["gzip", "snappy"])("that cannot be read says so (%s)", async (coding) => {
    const bench = new Bench();
    bench
      .post(request(1, "x"))
      .answer(200, { ...SSE, "Content-Encoding": coding }, event(response(1)))
      .end();
    await bench.tap.settled();
    expect(bench.closings[0]?.closed?.reason).toMatch(/^the event stream could not be decoded: /);
    expect(bench.faults).toEqual([]);
  });
});

describe("how streams end", () => {
  const endings: [string, Ending, Partial<Shown>[]][] = [
    ["the server ends it", "end", [{ from: "server", closed: { reason: "end" } }]],
    ["the client leaves", "aborted-by-client", [{ from: "client", closed: { reason: "aborted" } }]],
    ["the server breaks", "reset-by-server", [{ from: "server", closed: { reason: "reset" } }]],
    ["recording stops", "stopped", []],
  ];
  test.each(endings)("unanswered: %s", (_, how, expected) => {
    const bench = new Bench();
    bench.post(request(1, "x")).answer(200, SSE, event("{}")).end(how);
    expect(bench.closings).toEqual(expected.map((each) => ({ session: 1, on: { id: "1" }, ...each })));
  });

  test.each(["end", "aborted-by-client", "stopped"] as const)("answered, then %s: nothing", (how) => {
    const bench = new Bench();
    bench
      .post(request(1, "x"))
      .answer(200, SSE, event(response(1)))
      .end(how);
    expect(bench.closings).toEqual([]);
  });

  test("answered with another spelling of the id is not answered", () => {
    const bench = new Bench();
    bench
      .post(request(1, "x"))
      .answer(200, SSE, event(response("1")))
      .end();
    expect(bench.closings).toHaveLength(1);
  });

  test("a batch is answered when all of it is", () => {
    const bench = new Bench();
    const batch = `[${request(1, "x")},${request(2, "x")}]`;
    bench
      .post(batch)
      .answer(200, SSE, event(`[${response(2)}]`))
      .end();
    expect(bench.closings).toHaveLength(1);
    bench
      .post(batch)
      .answer(200, SSE, event(response(2)), event(response(1)))
      .end();
    expect(bench.closings).toHaveLength(1);
  });

  test.each(endings)("before any answer: %s", (_, how, expected) => {
    const bench = new Bench();
    bench.post(request(1, "x")).end(how);
    expect(bench.seen.slice(1)).toEqual(expected.map((each) => ({ session: 1, on: { id: "1" }, ...each })));
  });

  test("a server that is not there", () => {
    const bench = new Bench();
    bench.post(request(1, "x")).end("failed");
    expect(bench.seen[1]?.closed?.reason).toBe("the server could not be reached");
  });

  test("a body that breaks off is kept as far as it came", () => {
    const bench = new Bench();
    bench.post(request(1, "x")).answer(200, JSON_TYPE, '{"json').end("reset-by-server");
    expect(bench.seen[1]).toEqual({
      from: "server",
      session: 1,
      on: { id: "1" },
      http: { status: 200, headers: { "content-type": "application/json" } },
      raw: '{"json',
      closed: { reason: "reset" },
    });
  });

  test("a body the client did not wait for is not an answer", () => {
    const bench = new Bench();
    bench.post(request(1, "x")).answer(200, JSON_TYPE, '{"json').end("aborted-by-client");
    expect(bench.seen.slice(1)).toEqual([
      { from: "client", session: 1, on: { id: "1" }, closed: { reason: "aborted" } },
    ]);
  });

  test("a request that breaks off is kept as far as it came", () => {
    const bench = new Bench();
    bench.begin("POST", "/mcp").body('{"json').end("aborted-by-client");
    expect(bench.seen[0]).toMatchObject({ raw: '{"json', on: "post", closed: { reason: "aborted" } });
  });

  test("an answer that comes before the request is whole is recorded after it", async () => {
    const bench = new Bench();
    const early = bench.begin("POST", "/mcp").body("{").answer(413, {}, "too ", "much");
    expect(bench.seen).toEqual([]);
    early.body("}").sent().end();
    await bench.tap.settled();
    expect(bench.seen.map(({ from, raw }) => [from, raw])).toEqual([
      ["client", "{}"],
      ["server", "too much"],
    ]);
  });

  test("and likewise when the request never becomes whole", async () => {
    const bench = new Bench();
    const cut = bench.begin("POST", "/mcp").body("{").answer(413, {}, "too much");
    cut.end();
    cut.body("}").sent();
    await bench.tap.settled();
    expect(bench.seen.map(({ from, raw }) => [from, raw])).toEqual([
      ["client", "{"],
      ["server", "too much"],
    ]);
  });
});

describe("a GET stream", () => {
  test("is on: get, and its end is an entry", () => {
    const bench = new Bench();
    bench.initialize();
    const stream = bench.send("GET", "/mcp", { "Mcp-Session-Id": "s-1" }).answer(200, SSE);
    stream.more(event('{"jsonrpc":"2.0","method":"notifications/x"}')).end();
    expect(bench.seen).toEqual([
      {
        from: "client",
        session: 1,
        http: { method: "GET", path: "/mcp", headers: { "mcp-session-id": "1" } },
      },
      {
        from: "server",
        session: 1,
        on: "get",
        http: { status: 200, headers: { "content-type": "text/event-stream" } },
        raw: '{"jsonrpc":"2.0","method":"notifications/x"}',
      },
      { from: "server", session: 1, on: "get", closed: { reason: "end" } },
    ]);
  });

  test("that resumes belongs to the stream its event came from", () => {
    const bench = new Bench();
    bench.initialize();
    const session = { "Mcp-Session-Id": "s-1" };
    bench.post(request(1, "x"), session).answer(200, SSE, event("", "id: e1\n")).end();
    bench
      .send("GET", "/mcp", { ...session, "Last-Event-ID": "e1" })
      .answer(200, SSE, event("{}", "id: e2\n"))
      .end();
    bench
      .send("GET", "/mcp", { ...session, "Last-Event-ID": "e2" })
      .answer(200, SSE, event(response(1), "id: e3\n"))
      .end();
    bench
      .send("GET", "/mcp", { ...session, "Last-Event-ID": "zz" })
      .answer(404)
      .end();
    expect(
      bench.seen.map(({ from, on, http, closed }) => [
        from,
        on,
        http?.status ?? http?.method,
        closed?.reason,
      ]),
    ).toEqual([
      ["client", undefined, "POST", undefined],
      ["server", { id: "1" }, 200, undefined],
      ["server", { id: "1" }, undefined, "end"],
      ["client", { id: "1" }, "GET", undefined],
      ["server", { id: "1" }, 200, undefined],
      ["server", { id: "1" }, undefined, "end"],
      ["client", { id: "1" }, "GET", undefined],
      ["server", { id: "1" }, 200, undefined],
      ["client", undefined, "GET", undefined],
      ["server", "get", 404, undefined],
    ]);
  });
});

describe("session ids", () => {
  test("appear as the number of their lane, unknown ones as unknown", () => {
    const bench = new Bench();
    for (const id of ["s-1", "s-2"]) {
      bench
        .post(request(0, "initialize"))
        .answer(200, { ...JSON_TYPE, "Mcp-Session-Id": id }, response(0))
        .end();
    }
    bench.post(request(1, "x"), { "mcp-session-id": "s-2" }).answer(200, { "MCP-SESSION-ID": "s-2" }).end();
    bench.post(request(1, "x"), { "Mcp-Session-Id": "s-1" }).answer(200).end();
    bench.post(request(1, "x"), { "Mcp-Session-Id": "stale" }).answer(404).end();
    expect(bench.seen.map(({ session, http }) => [session, http?.headers?.["mcp-session-id"]])).toEqual([
      [1, undefined],
      [1, "1"],
      [2, undefined],
      [2, "2"],
      [2, "2"],
      [2, "2"],
      [1, "1"],
      [1, undefined],
      [1, "unknown"],
      [1, undefined],
    ]);
    expect(JSON.stringify(bench.seen)).not.toMatch(/s-1|s-2|stale/);
  });
});

test("a notification that names its client is that client's, over whatever connection it comes", () => {
  const bench = new Bench();
  const meta = (name: string) => `{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"${name}"}}}`;
  bench
    .post(request(0, "tools/list", meta("a")))
    .answer(200, JSON_TYPE, response(0))
    .end();
  bench
    .post(request(0, "tools/list", meta("b")))
    .answer(200, JSON_TYPE, response(0))
    .end();
  bench
    .post(`{"jsonrpc":"2.0","method":"notifications/x","params":${meta("a")}}`)
    .answer(202)
    .end();
  expect(bench.seen.map(({ session }) => session)).toEqual([1, 1, 2, 2, 1, 1]);
});

describe("the HTTP+SSE pair", () => {
  test("announces where to post, accepts there, and answers on the stream", () => {
    const bench = new Bench();
    expect(bench.tap.transport()).toBe("http");
    const stream = bench.send("GET", "/mcp").answer(200, SSE);
    expect(bench.send("POST", "/messages?sessionId=abc", {}, request(0, "x")).request).toBeUndefined();
    stream.more("event: endpoint\ndata: /messages?sessionId=abc&x=1\n\n");
    const post = bench.send("POST", "/messages?sessionId=abc&x=1", {}, request(0, "x"));
    post.answer(202, {}, "Accepted").end();
    stream.more(event(response(0)));
    bench.send("POST", "/messages?sessionId=stale", {}, request(1, "x")).answer(404).end();
    stream.end("aborted-by-client");
    expect(bench.tap.transport()).toBe("http+sse");
    expect(bench.seen).toEqual([
      { from: "client", session: 1, http: { method: "GET", path: "/mcp" } },
      {
        from: "server",
        session: 1,
        on: "get",
        http: { status: 200, headers: { "content-type": "text/event-stream" } },
        event: { name: "endpoint" },
        raw: "/messages?sessionId=1&x=1",
      },
      {
        from: "client",
        session: 1,
        http: { method: "POST", path: "/messages?sessionId=1&x=1" },
        raw: request(0, "x"),
      },
      { from: "server", session: 1, on: { id: "0" }, http: { status: 202 }, raw: "Accepted" },
      { from: "server", session: 1, on: "get", raw: response(0) },
      {
        from: "client",
        session: 1,
        http: { method: "POST", path: "/messages?sessionId=unknown" },
        raw: request(1, "x"),
      },
      { from: "server", session: 1, on: { id: "1" }, http: { status: 404 } },
      { from: "client", session: 1, on: "get", closed: { reason: "aborted" } },
    ]);
  });

  test.each([
    ["http://server.test:8080/messages/?session_id=abc", "http://server.test:8080/messages/?session_id=1"],
    ["messages/?session_id=abc", "messages/?session_id=1"],
  ])("announced as %s", (reference, recorded) => {
    const bench = new Bench();
    bench.send("GET", "/mcp").answer(200, SSE, `event: endpoint\ndata: ${reference}\n\n`);
    bench.send("POST", "/messages/?session_id=abc", {}, request(0, "x")).answer(202).end();
    expect(bench.seen[1]?.raw).toBe(recorded);
    expect(bench.seen[2]?.http?.path).toBe("/messages/?session_id=1");
  });

  test("announced elsewhere is recorded and posts there are not ours", () => {
    const bench = new Bench();
    bench.send("GET", "/mcp").answer(200, SSE, "event: endpoint\ndata: http://other.test/messages\n\n");
    expect(bench.begin("POST", "/messages").request).toBeUndefined();
    expect(bench.seen[1]?.event).toEqual({ name: "endpoint" });
  });
});

describe("paths", () => {
  test.each([
    "/",
    "/mcp2",
    "/mcp/x",
    "/token",
    "/.well-known/oauth-protected-resource/mcp",
    "/register?/mcp",
  ])("%s is none of our business", (path) => {
    expect(new Bench().begin("POST", path).request).toBeUndefined();
  });

  test.each([
    [307, true],
    [308, true],
    [302, false],
  ])("where a %i leads is MCP traffic: %s", (status, followed) => {
    const bench = new Bench();
    bench.post(request(0, "x")).answer(status, { Location: "http://server.test:8080/mcp/" }).end();
    expect(bench.begin("POST", "/mcp/").request !== undefined).toBe(followed);
  });
});

test.each([
  ["http://server.test:8080/mcp/?a#b", "/mcp/?a#b"],
  ["//server.test:8080/mcp/", "/mcp/"],
  ["mcp/", "mcp/"],
  ["https://login.test/", "https://login.test/"],
])("a Location %s is recorded as %s", (location, recorded) => {
  const bench = new Bench();
  bench.post(request(0, "x")).answer(307, { Location: location }).end();
  expect(bench.seen[1]?.http?.headers).toEqual({ location: recorded });
});

describe("Host and Origin", () => {
  test("are kept only where they are foreign", () => {
    const bench = new Bench();
    bench.post(request(0, "x"), { Origin: "http://server.test:8080" }).answer(200).end();
    bench.post(request(1, "x"), { Host: "evil.test", Origin: "http://evil.test" }).answer(403).end();
    expect(bench.seen.filter(({ from }) => from === "client").map(({ http }) => http?.headers)).toEqual([
      undefined,
      { host: "evil.test", origin: "http://evil.test" },
    ]);
  });
});

test("a fault in the sink is reported once, and ends the recording", () => {
  let adds = 0;
  const bench = new Bench({
    add: () => {
      adds += 1;
      throw new Error("disk full");
    },
  });
  const call = bench.post(request(0, "x"));
  call.answer(200, SSE, event("{}")).end();
  bench.post(request(1, "x")).answer(200).end();
  expect([adds, bench.faults]).toEqual([1, [new Error("disk full")]]);
  expect(bench.begin("POST", "/mcp").request).toBeUndefined();
});
