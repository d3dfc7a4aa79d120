import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Asked } from "../../../src/transport/door.ts";
import { type RunningServer, startHttpServer } from "../../../src/transport/http-server.ts";
import { type Answer, BrokenConnection, EventStream } from "../../../src/transport/open-body.ts";
import { bytesOf } from "../../cases/tape.ts";

let server: RunningServer;
let port: number;
let asked: Asked[];
let answer: () => Answer | Promise<Answer>;
const text: Answer = { status: 200, headers: { "content-type": "text/plain" }, body: bytesOf("ü") };

beforeEach(async () => {
  asked = [];
  answer = () => text;
  server = await startHttpServer({ host: "127.0.0.1", port: 0 }, () => ({
    path: "/mcp",
    answer: (each) => {
      asked.push(each);
      return answer();
    },
    disconnected: () => undefined,
    close: () => undefined,
  }));
  port = Number(new URL(server.url).port);
});
afterEach(() => {
  server.disconnect();
  return server.close();
});

/** All that comes on a connection that the server closes, without the date. */
async function exchange(request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(request, "latin1");
  let came = "";
  socket.on("data", (chunk) => {
    came += chunk.toString("latin1");
  });
  await once(socket, "close");
  return came.replace(/Date: [^\r]*\r\n/, "").replaceAll("\r\n", "\n");
}

const LAST = "Host: localhost\r\nConnection: close\r\n\r\n";

test("an answer that is there as a whole tells its length, also to HEAD and to HTTP/1.0", async () => {
  expect(await exchange(`GET /mcp HTTP/1.1\r\n${LAST}`)).toBe(
    "HTTP/1.1 200 OK\ncontent-type: text/plain\nConnection: close\nContent-Length: 2\n\n\xc3\xbc",
  );
  expect(await exchange(`HEAD /mcp HTTP/1.1\r\n${LAST}`)).toBe(
    "HTTP/1.1 200 OK\ncontent-type: text/plain\nContent-Length: 2\nConnection: close\n\n",
  );
  expect(await exchange(`GET /mcp HTTP/1.0\r\n${LAST}`)).toBe(
    "HTTP/1.1 200 OK\ncontent-type: text/plain\nContent-Length: 2\nConnection: close\n\n\xc3\xbc",
  );
});

test("a stream comes in the chunks that it was written in, and a break breaks it after them", async () => {
  const stream = new EventStream({}, () => undefined);
  answer = () => stream.answer;
  stream.send({ data: bytesOf("a") });
  const coming = exchange(`GET /mcp HTTP/1.1\r\n${LAST}`);
  await expect.poll(() => asked).toHaveLength(1);
  stream.send({ data: bytesOf("b") });
  stream.break();
  stream.send({ data: bytesOf("c") });
  expect((await coming).split("\n\n").slice(1).join("\n\n")).toBe("9\ndata: a\n\n\n9\ndata: b\n\n\n");
});

test("who leaves a stream is known to have gone, and who leaves before there is an answer", async () => {
  let gone = 0;
  const stream = new EventStream({}, () => gone++);
  answer = () => stream.answer;
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  await expect.poll(() => gone).toBe(1);
  expect(stream.open).toBe(false);

  answer = () => new Promise(() => asked.at(-1)?.whenGone(() => gone++));
  const waiting = connect(port, "127.0.0.1");
  waiting.write("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => asked).toHaveLength(2);
  waiting.destroy();
  await expect.poll(() => gone).toBe(2);
});

test.each([
  [
    "at once",
    () => {
      throw new BrokenConnection();
    },
  ],
  ["later", () => Promise.reject(new BrokenConnection())],
] as const)("a connection that breaks %s says nothing", async (_when, broken) => {
  answer = broken;
  expect(await exchange(`GET /mcp HTTP/1.1\r\n${LAST}`)).toBe("");
});

test("a door that fails is a server that does", async () => {
  answer = () => {
    throw new Error("a fault");
  };
  expect(await exchange(`GET /mcp HTTP/1.1\r\n${LAST}`)).toMatch(/^HTTP\/1.1 500 Internal Server Error\n/);
});

test("what a POST carries comes whole, and headers that come twice are one", async () => {
  const head = "Cookie: a=1\r\nCookie: b=2\r\nX-A: 1\r\nx-a: 2\r\nTransfer-Encoding: chunked\r\n";
  await exchange(`POST /a/../mcp?q=%20 HTTP/1.1\r\n${head}${LAST}1\r\na\r\n2\r\nbc\r\n0\r\n\r\n`);
  expect(asked[0]).toMatchObject({ method: "POST", pathname: "/mcp", search: "?q=%20" });
  expect(asked[0]?.headers).toMatchObject({ cookie: "a=1; b=2", "x-a": "1, 2", host: "localhost" });
  expect(Buffer.from(asked[0]?.body ?? []).toString()).toBe("abc");
});

test.each([
  ["/mcp", "127.0.0.1:80", "/mcp"],
  ["/mcp", "elsewhere.example", "/mcp"],
  ["/mcp", "[::1]:3000", "/mcp"],
  ["/m%63p#x", "localhost", "/m%63p"],
  ["http://other.example/mcp", "localhost", "/mcp"],
  ["*", "localhost", undefined],
  ["/a\\..\\mcp", "localhost", undefined],
  ["ftp://x/mcp", "localhost", undefined],
  ["/mcp", "local/host", undefined],
  ["/mcp", "me@localhost", undefined],
  ["/mcp", "localhost:", undefined],
  ["/mcp", "a b", undefined],
])("a request for %s of host %s", async (target, host, pathname) => {
  const came = await exchange(`OPTIONS ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(came).toMatch(pathname === undefined ? /^HTTP\/1.1 400 Bad Request\n/ : /^HTTP\/1.1 200 OK\n/);
  expect(asked.map((each) => each.pathname)).toEqual(pathname === undefined ? [] : [pathname]);
});
