import { once } from "node:events";
import { Agent, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ask, dial, proxyTo, serve, talk, until } from "./http-proxy-support.ts";

/** Signed by nobody, for localhost, and used by nothing but these tests. */
const TLS = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNI1nAgbodtjO5lUf
4sODq1mtFs+gLGQIkKgPoy/OIL+hRANCAAQxujoUX3S4Fr1NoYAukOUi2gyHm65P
3Uz1IpDNiYXl7CShWDHEQJ9XNHawYgTMusxmrAZqUh+DhPPaSZGd1/ye
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUTPb0mnHIOH3gO6OK5U8uYAVTfjQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDA0MTAzM1oYDzIxMjYxMTA2
MDQxMDMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQxujoUX3S4Fr1NoYAukOUi2gyHm65P3Uz1IpDNiYXl7CShWDHEQJ9X
NHawYgTMusxmrAZqUh+DhPPaSZGd1/yeo28wbTAdBgNVHQ4EFgQUz32wZq4D4UsT
cl59scy8dwwod8EwHwYDVR0jBBgwFoAUz32wZq4D4UsTcl59scy8dwwod8EwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAJRep+MVpSJ3r4mvTpG8LLs+rAsCGOK5HV7EZ3xomOz2AiBx
w8ZYsZQJHCbsRU2dJpGOhbI6Q6ea+UgAFbkTw/dSxg==
-----END CERTIFICATE-----`,
};

/** The raw head of the one request a server gets, and the answer it gives. */
async function rawServer(answer: (head: string, socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (data) => answer(data.toString("latin1"), socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`);
}

describe("header lines", () => {
  test("reach the server in their order, case and number, without the hop's own", async () => {
    let head = "";
    const url = await rawServer((text, socket) => {
      head = text;
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
    const { port } = await proxyTo(url);
    await talk(
      port,
      `POST /mcp?x=%2F&y HTTP/1.1\r\nhOsT: 127.0.0.1:${port}\r\nX-B: 1\r\nX-Hop: gone\r\nx-a: \xe4\r\nX-B: 2\r\n`,
      "Connection: close, X-Hop\r\nKeep-Alive: timeout=3\r\nTE: trailers\r\nUpgrade: h2c\r\n",
      "Proxy-Authorization: kept\r\nContent-Length: 2\r\n\r\nhi",
    );
    const [lines] = head.split("\r\n\r\n") as [string];
    expect(lines.split("\r\n")).toEqual([
      "POST /mcp?x=%2F&y HTTP/1.1",
      `hOsT: ${url.host}`,
      "X-B: 1",
      "x-a: \xe4",
      "X-B: 2",
      "Proxy-Authorization: kept",
      "Content-Length: 2",
      "Connection: keep-alive",
    ]);
  });

  test("reach the client in their order, case and number, with the status line", async () => {
    const { url } = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(299, "Quite Fine", [
        ["X-One", "1"],
        ["Set-Cookie", "a=1; Path=/"],
        ["x-two", "\xfc"],
        ["Set-Cookie", "b=2"],
        ["WWW-Authenticate", 'Bearer resource_metadata="http://127.0.0.1:1/.well-known/x"'],
        ["Content-Length", "2"],
      ]);
      response.end(Buffer.from("ok"));
    });
    const proxy = await proxyTo(url);
    const got = await ask(proxy.url);
    expect([got.status, got.statusMessage, got.body.toString()]).toEqual([299, "Quite Fine", "ok"]);
    expect(got.rawHeaders.slice(0, 12)).toEqual([
      "X-One",
      "1",
      "Set-Cookie",
      "a=1; Path=/",
      "x-two",
      "\xfc",
      "Set-Cookie",
      "b=2",
      "WWW-Authenticate",
      'Bearer resource_metadata="http://127.0.0.1:1/.well-known/x"',
      "Content-Length",
      "2",
    ]);
    expect(got.headers.date).toBeUndefined();
    expect(got.headers["keep-alive"]).toBeUndefined();
  });

  test("may be larger than Node's own limit", async () => {
    const large = "x".repeat(100_000);
    const { url } = await serve((incoming, response) => {
      response.setHeader("X-Large", incoming.headers["x-large"] as string);
      response.end();
    });
    const proxy = await proxyTo(url);
    const got = await ask(proxy.url, { headers: { "X-Large": large } });
    expect(got.headers["x-large"]).toBe(large);
  });
});

describe("Host and Origin", () => {
  const cases = [
    ["the proxy's own", (port: number) => `127.0.0.1:${port}`, true],
    ["the proxy's own by another loopback name", (port: number) => `LocalHost:${port}`, true],
    ["a stranger's", () => "evil.example.com", false],
    ["a stranger's with the proxy's port", (port: number) => `evil.example.com:${port}`, false],
    ["the proxy's host with another port", (port: number) => `127.0.0.1:${port + 1}`, false],
  ] as const;
  test.each(cases)("%s", async (_, authority, own) => {
    const { url, requests } = await serve((_, response) => response.end());
    const { port } = await proxyTo(url);
    const given = authority(port);
    await ask(`http://127.0.0.1:${port}/mcp`, { headers: { Host: given, Origin: `http://${given}` } });
    expect(requests[0]?.headers.host).toBe(own ? url.host : given);
    expect(requests[0]?.headers.origin).toBe(own ? url.origin : `http://${given}`);
  });

  test("an Origin of another scheme, and null, pass as they are", async () => {
    const { url, requests } = await serve((_, response) => response.end());
    const { port } = await proxyTo(url);
    await ask(`http://127.0.0.1:${port}/mcp`, { headers: { Origin: `https://127.0.0.1:${port}` } });
    await ask(`http://127.0.0.1:${port}/mcp`, { headers: { Origin: "null" } });
    expect(requests.map(({ headers }) => headers.origin)).toEqual([`https://127.0.0.1:${port}`, "null"]);
  });

  test("a request without Host reaches the server without one", async () => {
    let head = "";
    const url = await rawServer((text, socket) => {
      head = text;
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    const { port } = await proxyTo(url);
    await talk(port, "GET /mcp HTTP/1.1\r\nConnection: close\r\n\r\n");
    expect(head).toBe("GET /mcp HTTP/1.1\r\nConnection: keep-alive\r\n\r\n");
  });
});

describe("Location", () => {
  test.each([
    ["absolute, the server's own", (o: string) => `${o}/mcp/?a=b#c`, (p: string) => `${p}/mcp/?a=b#c`],
    ["relative", () => "../x", () => "../x"],
    ["path", () => "/mcp/", () => "/mcp/"],
    ["foreign", () => "https://login.example.com/a", () => "https://login.example.com/a"],
    ["another port", () => "http://127.0.0.1:1/a", () => "http://127.0.0.1:1/a"],
    [
      "without scheme",
      (o: string) => `${o.replace("http:", "")}/y`,
      (p: string) => `${p.replace("http:", "")}/y`,
    ],
  ])("%s", async (_, location, expected) => {
    const { url } = await serve((_, response) =>
      response.writeHead(307, { Location: location(url.origin) }).end(),
    );
    const { port, ...proxy } = await proxyTo(url);
    const got = await ask(proxy.url);
    expect(got.headers.location).toBe(expected(`http://127.0.0.1:${port}`));
  });

  test("keeps the client on the name it uses for the proxy", async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(308, { Location: `${url.origin}/` }).end(),
    );
    const { port } = await proxyTo(url);
    const got = await ask(`http://127.0.0.1:${port}/mcp`, { headers: { Host: `localhost:${port}` } });
    expect(got.headers.location).toBe(`http://localhost:${port}/`);
  });
});

describe("bodies", () => {
  test.each(["gzip", "br"])("pass compressed with %s as they are", async (coding) => {
    const packed = coding === "gzip" ? gzipSync("{}") : brotliCompressSync("{}");
    const { url, requests } = await serve((_, response) => {
      response.setHeader("Content-Encoding", coding);
      response.end(packed);
    });
    const proxy = await proxyTo(url);
    const got = await ask(proxy.url, { headers: { "Accept-Encoding": `${coding}, x;q=0.1` } });
    expect(requests[0]?.headers["accept-encoding"]).toBe(`${coding}, x;q=0.1`);
    expect(got.headers["content-encoding"]).toBe(coding);
    expect(got.body.equals(packed)).toBe(true);
  });

  test.each(["POST", "PUT", "DELETE", "GET"])("of a %s pass, chunked or with a length", async (method) => {
    const { url } = await serve((incoming, response) => incoming.pipe(response));
    const { told, ...proxy } = await proxyTo(url);
    const body = Buffer.from("ab\0\xffcd", "latin1");
    const plain = await ask(proxy.url, { method, body, headers: { "Content-Length": body.length } });
    const chunked = await ask(proxy.url, { method, body, headers: { "Transfer-Encoding": "chunked" } });
    expect([plain.body, chunked.body]).toEqual([body, body]);
    expect(told.map(({ sent, got, ended }) => [sent, got, ended])).toEqual([
      ["ab\0\xffcd", "ab\0\xffcd", ["end"]],
      ["ab\0\xffcd", "ab\0\xffcd", ["end"]],
    ]);
  });

  test("that are absent stay absent", async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(202).end());
    const { port } = await proxyTo(url);
    const heard = await talk(
      port,
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(heard).toContain("HTTP/1.1 202 Accepted\r\n");
    expect(requests[0]?.headers["transfer-encoding"]).toBeUndefined();
  });

  test("are none in the answer to a HEAD, whatever its length says", async () => {
    const { url } = await serve((_, response) => response.writeHead(200, { "Content-Length": "999" }).end());
    const proxy = await proxyTo(url);
    const got = await ask(proxy.url, { method: "HEAD" });
    expect([got.status, got.headers["content-length"], got.body.length]).toEqual([200, "999", 0]);
  });

  test("wait for the server's 100 Continue where the client does", async () => {
    const { url, server } = await serve(() => {});
    const steps: string[] = [];
    server.on("checkContinue", (incoming, response) => {
      steps.push(`asked ${incoming.headers.expect}`);
      setTimeout(() => {
        steps.push("allowed");
        response.writeContinue();
        incoming.on("data", (chunk: Buffer) => steps.push(`got ${chunk}`));
        incoming.on("end", () => response.end("done"));
      }, 20);
    });
    const proxy = await proxyTo(url);
    const sent = request(proxy.url, {
      method: "POST",
      headers: { Expect: "100-continue", "Content-Length": 4 },
    });
    sent.flushHeaders();
    await once(sent, "continue");
    steps.push("continued");
    sent.end("body");
    const [response] = await once(sent, "response");
    response.resume();
    expect(steps).toEqual(["asked 100-continue", "allowed", "continued", "got body"]);
  });

  test("are refused before they are sent where the server refuses", async () => {
    const { url, server } = await serve(() => {});
    server.on("checkContinue", (_, response) => response.writeHead(417).end());
    const proxy = await proxyTo(url);
    const sent = request(proxy.url, {
      method: "POST",
      headers: { Expect: "100-continue", "Content-Length": 4 },
    });
    sent.flushHeaders();
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(417);
    sent.destroy();
  });

  test("end with the connection for a client of HTTP/1.0", async () => {
    const { url } = await serve((_, response) => {
      response.write("one ");
      response.end("two");
    });
    const { port } = await proxyTo(url);
    const heard = await talk(port, `GET /mcp HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(heard.toLowerCase()).not.toContain("transfer-encoding");
    expect(heard.endsWith("\r\n\r\none two")).toBe(true);
  });
});

test("a request for an upgrade is answered as a plain one, and its connection goes on", async () => {
  const { url, requests } = await serve((_, response) => response.end("plain"));
  const { port } = await proxyTo(url);
  const socket = dial(port);
  const upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n";
  for (const extra of [upgrade, ""]) {
    socket.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${extra}\r\n`);
    const [heard] = await once(socket, "data");
    expect(String(heard)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  }
  expect(requests[0]?.headers).not.toHaveProperty("upgrade");
  expect(requests[0]?.headers).not.toHaveProperty("http2-settings");
});

test("a request target in absolute form reaches the server in origin form", async () => {
  const { url, requests } = await serve((_, response) => response.end());
  const { port } = await proxyTo(url);
  await talk(
    port,
    `GET http://127.0.0.1:${port}/a?b HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
  );
  expect(requests[0]?.url).toBe("/a?b");
});

test("each request reaches the server once, over few connections", async () => {
  const { url, requests, server } = await serve((incoming, response) => {
    incoming.resume();
    incoming.on("end", () => response.end(incoming.url));
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const { port, told } = await proxyTo(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  onTestFinished(() => agent.destroy());
  const numbers = Array.from({ length: 200 }, (_, i) => i);
  const answers = await Promise.all(
    numbers.map(
      (n) =>
        new Promise<string>((resolve, reject) => {
          const sent = request(
            { port, host: "127.0.0.1", path: `/n/${n}`, method: "POST", agent },
            (response) => {
              let text = "";
              response.on("data", (chunk) => {
                text += chunk;
              });
              response.on("end", () => resolve(text));
            },
          );
          sent.on("error", reject);
          sent.end("x");
        }),
    ),
  );
  expect(answers).toEqual(numbers.map((n) => `/n/${n}`));
  expect(requests.map(({ url }) => url).sort()).toEqual(numbers.map((n) => `/n/${n}`).sort());
  expect(connections).toBeLessThanOrEqual(4);
  expect(told.every(({ ended }) => ended.length === 1 && ended[0] === "end")).toBe(true);
});

describe("streams", () => {
  test("an event arrives before the next one is sent", async () => {
    let next: (() => void) | undefined;
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.flushHeaders();
      let n = 0;
      next = () => response.write(`data: ${++n}\n\n`);
    });
    const proxy = await proxyTo(url);
    const sent = request(proxy.url, { method: "POST" }).end();
    onTestFinished(() => {
      sent.destroy();
    });
    const [response] = await once(sent, "response");
    for (const n of [1, 2, 3]) {
      next?.();
      const [chunk] = await once(response, "data");
      expect(String(chunk)).toBe(`data: ${n}\n\n`);
    }
  });

  test("a request body arrives as it is sent", async () => {
    const { url, requests } = await serve((incoming, response) => incoming.pipe(response));
    const proxy = await proxyTo(url);
    const sent = request(proxy.url, { method: "POST" });
    const answered = once(sent, "response");
    sent.write("one");
    const [response] = await answered;
    const [first] = await once(response, "data");
    expect([String(first), requests[0]?.complete]).toEqual(["one", false]);
    sent.end("two");
    const [second] = await once(response, "data");
    expect(String(second)).toBe("two");
  });

  test("a client that stalls makes the server wait", async () => {
    const chunk = Buffer.alloc(1 << 20);
    const total = 100;
    let written = 0;
    const { url } = await serve((_, response) => {
      const more = (): void => {
        while (written < total) {
          written += 1;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    const { port, told } = await proxyTo(url);
    const socket = dial(port);
    socket.pause();
    socket.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    let before = -1;
    while (written !== before) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(40);
    let received = 0;
    socket.on("data", (data) => {
      received += data.length;
    });
    socket.resume();
    await once(socket, "close");
    expect(received).toBeGreaterThan(total << 20);
    expect(told[0]?.ended).toEqual(["end"]);
  });

  test("a server that stalls makes the client wait", async () => {
    let incoming: import("node:http").IncomingMessage | undefined;
    const { url } = await serve((request, response) => {
      incoming = request;
      request.on("end", () => response.end("all"));
    });
    const proxy = await proxyTo(url);
    const sent = request(proxy.url, { method: "POST" });
    const chunk = Buffer.alloc(1 << 20);
    let written = 0;
    const more = (): void => {
      while (written < 60) {
        written += 1;
        if (!sent.write(chunk)) {
          sent.once("drain", more);
          return;
        }
      }
      sent.end();
    };
    more();
    let before = -1;
    while (written !== before) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeLessThan(40);
    let received = 0;
    incoming?.on("data", (data: Buffer) => {
      received += data.length;
    });
    const [response] = await once(sent, "response");
    response.resume();
    expect(received).toBe(60 << 20);
  });
});

describe("the client goes away", () => {
  test("before the answer: the server's connection is closed", async () => {
    const { url, requests } = await serve(() => {});
    const { told, ...proxy } = await proxyTo(url);
    const sent = request(proxy.url, { method: "POST" }).end("x");
    sent.on("error", () => {});
    await until(() => requests.length === 1);
    sent.destroy();
    await once(requests[0]?.socket as Socket, "close");
    expect(told[0]?.ended).toEqual(["aborted-by-client"]);
  });

  test("within a stream: likewise", async () => {
    const { url, requests } = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    const { told, ...proxy } = await proxyTo(url);
    const sent = request(proxy.url).end();
    sent.on("error", () => {});
    const [response] = await once(sent, "response");
    await once(response, "data");
    sent.destroy();
    await once(requests[0]?.socket as Socket, "close");
    expect(told[0]).toMatchObject({ got: "data: 1\n\n", ended: ["aborted-by-client"] });
  });

  test("within its own body: likewise, and the body does not look whole", async () => {
    let aborted = false;
    const { url, requests } = await serve((incoming) => {
      incoming.on("data", () => {});
      incoming.on("error", () => {
        aborted = !incoming.complete;
      });
    });
    const { told, ...proxy } = await proxyTo(url);
    const sent = request(proxy.url, { method: "POST", headers: { "Content-Length": 100 } });
    sent.on("error", () => {});
    sent.write("half");
    await until(() => told[0]?.sent === "half" && requests.length === 1);
    sent.destroy();
    await until(() => aborted);
    expect(told[0]).toMatchObject({ requestEnded: false, ended: ["aborted-by-client"] });
  });
});

describe("the server goes away", () => {
  test.each(["chunked", "content-length"])(
    "within an answer (%s): the client sees it broken",
    async (framing) => {
      const { url } = await serve((_, response) => {
        if (framing !== "chunked") response.setHeader("Content-Length", "100");
        response.write("half", () => setTimeout(() => response.destroy(), 20));
      });
      const { port, told } = await proxyTo(url);
      const heard = await talk(port, `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      expect(heard).toContain("half");
      expect(heard.endsWith("0\r\n\r\n")).toBe(false);
      expect(told[0]).toMatchObject({ got: "half", ended: ["reset-by-server"] });
      await expect(ask(`http://127.0.0.1:${port}/mcp`)).rejects.toThrow();
    },
  );

  test("after the request, without an answer: so does the client's connection", async () => {
    const { url, requests } = await serve((incoming) => incoming.socket.destroy());
    const { port, told } = await proxyTo(url);
    const heard = await talk(
      port,
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1\r\n\r\nx`,
    );
    expect(heard).toBe("");
    expect(requests).toHaveLength(1);
    expect(told[0]?.ended).toEqual(["reset-by-server"]);
  });

  test("on a kept connection: likewise, and nothing is sent again", async () => {
    const { url, requests } = await serve((incoming, response) => {
      if (requests.length === 1) response.end("first");
      else incoming.socket.destroy();
    });
    const { port, told } = await proxyTo(url);
    await ask(`http://127.0.0.1:${port}/mcp`);
    await expect(ask(`http://127.0.0.1:${port}/mcp`, { method: "POST", body: "x" })).rejects.toThrow();
    expect(requests).toHaveLength(2);
    expect(requests[0]?.socket.remotePort).toBe(requests[1]?.socket.remotePort);
    expect(told[1]?.ended).toEqual(["reset-by-server"]);
  });

  test("and was never there: 502 with the cause", async () => {
    const { url, server } = await serve(() => {});
    server.close();
    await once(server, "close");
    const { told, ...proxy } = await proxyTo(url);
    const got = await ask(proxy.url, { method: "POST", body: "x" });
    expect([got.status, got.headers["content-type"]]).toEqual([502, "application/json"]);
    const told502 = JSON.parse(got.body.toString());
    expect(told502).toMatchObject({ error: "bad gateway", code: "ECONNREFUSED" });
    expect(told502.message).toContain(url.origin);
    expect(told[0]?.ended).toEqual(["failed"]);
  });

  test("and speaks no HTTP: 502 with the cause", async () => {
    const url = await rawServer((_, socket) => socket.end("220 mail.example.com ESMTP\r\n"));
    const proxy = await proxyTo(url);
    const got = await ask(proxy.url);
    expect(got.status).toBe(502);
    expect(JSON.parse(got.body.toString()).code).toMatch(/^HPE_/);
  });
});

describe("the endpoint event", () => {
  const stream = (...events: string[]) =>
    serve((_, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const event of events) response.write(event);
      response.end();
    });

  test("with the server's own origin comes to name the proxy's; nothing else changes", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const text = `: hi\r\n\r\nevent: endpoint\r\ndata: ${url.origin}/messages?s=1\r\n\r\ndata: ${url.origin}/x\n\n`;
      let at = 0;
      const send = (): void => {
        if (at === text.length) response.end();
        else response.write(text[at++], () => setImmediate(send));
      };
      send();
    });
    const { port, told, ...proxy } = await proxyTo(url);
    const got = await ask(proxy.url);
    const own = `http://127.0.0.1:${port}`;
    expect(got.body.toString()).toBe(
      `: hi\r\n\r\nevent: endpoint\r\ndata: ${own}/messages?s=1\r\n\r\ndata: ${url.origin}/x\n\n`,
    );
    expect(told[0]?.got).toContain(`data: ${url.origin}/messages?s=1`);
  });

  test("that is relative passes as it is", async () => {
    const { url } = await stream("event: endpoint\ndata: /messages?s=1\n\n", "data: 1\n\n");
    const proxy = await proxyTo(url);
    const got = await ask(proxy.url);
    expect(got.body.toString()).toBe("event: endpoint\ndata: /messages?s=1\n\ndata: 1\n\n");
  });

  test("that the stream's end cuts short passes as far as it came", async () => {
    const { url } = await stream("event: endpoint\ndata: htt");
    const proxy = await proxyTo(url);
    expect((await ask(proxy.url)).body.toString()).toBe("event: endpoint\ndata: htt");
  });
});

describe("a server over TLS", () => {
  async function serveTls(): Promise<URL> {
    const server = createTlsServer(TLS, (incoming, response) => response.end(incoming.headers.host));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return new URL(`https://127.0.0.1:${(server.address() as { port: number }).port}/mcp`);
  }

  test("is reached where its certificate is trusted", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = await serveTls();
    const proxy = await proxyTo(url);
    const got = await ask(proxy.url);
    expect([got.status, got.body.toString()]).toEqual([200, url.host]);
  });

  test("is not where it is not: 502 with the cause", async () => {
    const { told, ...proxy } = await proxyTo(await serveTls());
    const got = await ask(proxy.url);
    expect(got.status).toBe(502);
    expect(JSON.parse(got.body.toString()).code).toMatch(/CERT/);
    expect(told[0]?.ended).toEqual(["failed"]);
  });
});

test("close breaks off what is under way and tells the tap so", async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("data: 1\n\n");
  });
  const { told, ...proxy } = await proxyTo(url);
  const sent = request(proxy.url).end();
  const [response] = await once(sent, "response");
  await once(response, "data");
  const broken = once(response, "error");
  await proxy.close();
  await broken;
  expect(told[0]?.ended).toEqual(["stopped"]);
  await expect(ask(proxy.url)).rejects.toThrow("ECONNREFUSED");
});

test("an address that is taken is a usage error that says how to mend it", async () => {
  const { url } = await serve(() => {});
  const listen = { host: "127.0.0.1", port: Number(url.port) };
  const { startProxy } = await import("../../../src/transport/http-proxy.ts");
  const started = startProxy({ upstream: url, listen, tap: { request: () => undefined } });
  await expect(started).rejects.toMatchObject({ code: "usage", hint: expect.stringContaining("--listen") });
});

test.each([
  ["http://127.0.0.1:8099/mcp", "127.0.0.1"],
  ["http://localhost:8099/mcp", "127.0.0.1"],
  ["http://127.0.0.1:8099/mcp", "0.0.0.0"],
  ["http://[::1]:8099/mcp", "localhost"],
])("%s is not recorded at %s:8099, which would record itself", async (url, host) => {
  const { startProxy } = await import("../../../src/transport/http-proxy.ts");
  const tap = { request: () => undefined };
  const started = startProxy({ upstream: new URL(url), listen: { host, port: 8099 }, tap });
  await expect(started).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("itself") });
});
