import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import type { Arrived, LinkSide } from "../../../src/replay/forward/link.ts";
import { HttpLink } from "../../../src/transport/http-link.ts";
import { bytesOf, notice, request, result, type Said, textOf } from "../../cases/tape.ts";

/** The real server over HTTP, as one that is scripted answer by answer. */

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  readonly body: any;
}

type Handler = (seen: Seen, response: ServerResponse) => void;

class Upstream {
  readonly seen: Seen[] = [];
  url = new URL("http://127.0.0.1");
  /** By `METHOD method`, else by `METHOD`. */
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(handlers: Readonly<Record<string, Handler>>) {
    this.#handlers = handlers;
  }

  async listen(): Promise<this> {
    const server = createServer(async (incoming, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const text = Buffer.concat(pieces).toString();
      const body = text === "" ? undefined : JSON.parse(text);
      const line = `${incoming.method} ${body?.method ?? incoming.url}`;
      const seen = { line, headers: incoming.headers, body };
      this.seen.push(seen);
      const handler = this.#handlers[line] ?? this.#handlers[incoming.method ?? ""];
      if (handler) handler(seen, response);
      else response.writeHead(405).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    this.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
    return this;
  }

  get lines(): string[] {
    return this.seen.map(({ line }) => line);
  }
}

/** Remembers what a link reports, and waits for it. */
class Side implements LinkSide {
  readonly told: unknown[] = [];
  readonly arrived: Arrived[] = [];
  #changed: () => void = () => undefined;

  message(message: { bytes: Uint8Array }, arrived: Arrived): void {
    this.arrived.push(arrived);
    this.#tell(JSON.parse(textOf(message.bytes)));
  }

  rests(): void {}

  streamed(): void {}

  refused(id: string, reason: string): void {
    this.#tell({ refused: id, reason });
  }

  closed(reason: string): void {
    this.#tell({ closed: reason });
  }

  async until(count: number): Promise<unknown[]> {
    while (this.told.length < count)
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    return this.told;
  }

  #tell(what: unknown): void {
    this.told.push(what);
    this.#changed();
  }
}

async function linked(handlers: Readonly<Record<string, Handler>>) {
  const upstream = await new Upstream(handlers).listen();
  const side = new Side();
  const link = new HttpLink(upstream.url, side);
  onTestFinished(() => link.close());
  const send = (said: Said, headers?: Readonly<Record<string, string>>) =>
    link.send(readMessage(bytesOf(JSON.stringify(said))), headers);
  return { upstream, side, link, send };
}

const json = (
  response: ServerResponse,
  value: unknown,
  { status = 200, ...headers }: { status?: number } & Record<string, unknown> = {},
) =>
  response
    .writeHead(status, { "content-type": "application/json", ...(headers as Record<string, string>) })
    .end(JSON.stringify(value));
const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const event = (value: unknown, more = "") => `${more}data: ${JSON.stringify(value)}\n\n`;

const OPENED = result(0, { protocolVersion: "2025-06-18" });
const opens: Handler = (_seen, response) => json(response, OPENED, { "mcp-session-id": "s1" });
const accepts: Handler = (_seen, response) => response.writeHead(202).end();
const OPENING = { "POST initialize": opens, "POST notifications/initialized": accepts };

describe("a session", () => {
  test("has the server's id and revision in all that follows, and ends with a DELETE", async () => {
    const { upstream, side, link, send } = await linked({
      ...OPENING,
      "POST tools/list": (_seen, response) => json(response, result(1, {})),
      DELETE: accepts,
    });
    send(request(0, "initialize"), { authorization: "Bearer x", host: "elsewhere", origin: "http://evil" });
    await side.until(1);
    send(notice("notifications/initialized"));
    send(request(1, "tools/list"), {
      "mcp-session-id": "mine",
      "mcp-protocol-version": "2025-11-25",
      "x-own": "1",
    });
    expect(await side.until(2)).toEqual([OPENED, result(1, {})]);
    await link.close();
    const [first, second, ...rest] = upstream.seen;
    expect(first?.headers).toMatchObject({
      authorization: "Bearer x",
      accept: "application/json, text/event-stream",
    });
    expect(first?.headers.host).toBe(upstream.url.host);
    expect(first?.headers.origin).toBeUndefined();
    for (const { headers } of [second, ...rest] as Seen[]) {
      expect(headers).toMatchObject({
        "mcp-session-id": "s1",
        "mcp-protocol-version": "2025-06-18",
        authorization: "Bearer x",
      });
    }
    expect(rest.find(({ line }) => line === "POST tools/list")?.headers["x-own"]).toBe("1");
    expect(upstream.lines.at(-1)).toBe("DELETE /mcp");
  });

  test("has a standalone stream where the server gives one", async () => {
    const { side, send } = await linked({
      ...OPENING,
      GET: (_seen, response) => stream(response).write(event(notice("notifications/tools/list_changed"))),
    });
    send(request(0, "initialize"));
    await side.until(1);
    send(notice("notifications/initialized"));
    expect((await side.until(2))[1]).toEqual(notice("notifications/tools/list_changed"));
    expect(side.arrived[1]).toMatchObject({ on: "get" });
  });

  test("that the server lost is over", async () => {
    const { side, send } = await linked({
      ...OPENING,
      "POST tools/list": (_seen, response) => json(response, {}, { status: 404 }),
    });
    send(request(0, "initialize"));
    await side.until(1);
    send(request(1, "tools/list"));
    expect((await side.until(2))[1]).toEqual({ closed: "has lost the session" });
  });

  test("an answer of the client's is there before what comes after it", async () => {
    const { upstream, side, send } = await linked({
      POST: ({ body }, response) => {
        if (body.method) json(response, result(body.id, {}));
        else setTimeout(() => response.writeHead(202).end(), 20);
      },
    });
    send(result("s", {}));
    send(request(1, "tools/list"));
    await side.until(1);
    expect(upstream.lines).toEqual(["POST /mcp", "POST tools/list"]);
  });
});

describe("an answer", () => {
  test("comes with what was said before it, and how", async () => {
    const { side, send } = await linked({
      POST: (_seen, response) => {
        stream(response).write(event(notice("notifications/message")));
        response.end(event(result("a", 1)));
      },
    });
    send(request("a", "tools/call"));
    expect(await side.until(2)).toEqual([notice("notifications/message"), result("a", 1)]);
    const arrived = { on: { id: '"a"' }, http: { status: 200 } };
    expect(side.arrived).toEqual([arrived, arrived]);
  });

  test("with an error status is an answer all the same where it names its request", async () => {
    const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } };
    const { side, send } = await linked({
      POST: (_seen, response) => json(response, refusal, { status: 404 }),
    });
    send(request(1, "tools/call"));
    expect(await side.until(1)).toEqual([refusal]);
    expect(side.arrived[0]?.http?.status).toBe(404);
  });

  test("goes on after its stream ended, from the last event", async () => {
    const { upstream, side, send } = await linked({
      POST: (_seen, response) => stream(response).end("id: e1\nretry: 5\ndata: \n\n"),
      GET: (_seen, response) => stream(response).end(event(result(1, "late"), "id: e2\n")),
    });
    send(request(1, "tools/call"));
    expect(await side.until(1)).toEqual([result(1, "late")]);
    expect(upstream.seen[1]?.headers).toMatchObject({ "last-event-id": "e1", accept: "text/event-stream" });
  });

  test.each<[string, Handler, string]>([
    [
      "a refusal",
      (_seen, response) =>
        json(
          response,
          { jsonrpc: "2.0", id: null, error: { code: -32000, message: "who are you" } },
          { status: 401 },
        ),
      "did not answer: HTTP 401: who are you",
    ],
    ["an empty one", (_seen, response) => response.writeHead(202).end(), "did not answer: HTTP 202 Accepted"],
    [
      "a stream that ends before",
      (_seen, response) => stream(response).end(event(notice("notifications/message"))),
      "did not answer: the response stream ended without an answer",
    ],
    [
      "a broken connection",
      (_seen, response) => response.destroy(),
      "did not answer: the connection broke: other side closed",
    ],
  ])("that is none: %s", async (_, handler, reason) => {
    const { side, send } = await linked({ POST: handler });
    send(request(1, "tools/call"));
    await expect.poll(() => side.told.at(-1)).toEqual({ refused: "1", reason });
  });

  test("that breaks off once it was given is as good as whole", async () => {
    const { side, send } = await linked({
      "POST tools/call": (_seen, response) => {
        stream(response).write(event(result(1, "whole")));
        setTimeout(() => response.destroy(), 10);
      },
      "POST tools/list": (_seen, response) => json(response, result(2, [])),
    });
    send(request(1, "tools/call"));
    await side.until(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    send(request(2, "tools/list"));
    expect(await side.until(2)).toEqual([result(1, "whole"), result(2, [])]);
  });

  test("of the client's that cannot be delivered is the end: the server waits for it", async () => {
    const { side, send } = await linked({ POST: (_seen, response) => response.destroy() });
    send(result("s", {}));
    expect(await side.until(1)).toEqual([
      { closed: "did not answer: the connection broke: other side closed" },
    ]);
  });

  test("is given up by dropping its request, and nothing more is told", async () => {
    let gone: () => void = () => undefined;
    const aborted = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { side, link, send } = await linked({
      "POST tools/call": (_seen, response) => {
        stream(response).write(event(notice("notifications/message")));
        response.once("close", gone);
      },
      "POST tools/list": (_seen, response) => json(response, result(2, {})),
    });
    send(request(1, "tools/call"));
    await side.until(1);
    link.drop("1");
    await aborted;
    send(request(2, "tools/list"));
    expect(await side.until(2)).toEqual([notice("notifications/message"), result(2, {})]);
  });
});

describe("the HTTP+SSE pair", () => {
  test("is found where a POST is refused, and told from no answer at all", async () => {
    let events: ServerResponse | undefined;
    const { upstream, side, send } = await linked({
      GET: (_seen, response) => {
        events = stream(response);
        response.write("event: endpoint\ndata: /messages?sessionId=1\n\n");
      },
      "POST initialize": ({ body }, response) => {
        if (!events) return void response.writeHead(404).end();
        response.writeHead(202).end();
        events.write(event(result(body.id, { protocolVersion: "2024-11-05" }), "event: message\n"));
      },
      "POST notifications/initialized": accepts,
      "POST tools/call": accepts,
      "POST tools/list": ({ body }, response) => {
        response.writeHead(202).end();
        events?.write(event(result(body.id, [])));
      },
    });
    send(request(0, "initialize"));
    await side.until(1);
    send(notice("notifications/initialized"));
    send(request(1, "tools/list"));
    expect(await side.until(2)).toEqual([result(0, { protocolVersion: "2024-11-05" }), result(1, [])]);
    send(request(2, "tools/call"));
    await expect.poll(() => upstream.lines).toContain("POST tools/call");
    events?.end();
    expect((await side.until(3))[2]).toEqual({
      refused: "2",
      reason: "did not answer: the server's stream ended",
    });
    expect(upstream.lines).toEqual([
      "POST initialize",
      "GET /mcp",
      "POST initialize",
      "POST notifications/initialized",
      "POST tools/list",
      "POST tools/call",
    ]);
  });

  test("is none where the GET brings no stream", async () => {
    const { side, send } = await linked({
      "POST initialize": (_seen, response) => response.writeHead(404).end(),
    });
    send(request(0, "initialize"));
    expect(await side.until(1)).toEqual([{ refused: "0", reason: "did not answer: HTTP 404 Not Found" }]);
  });
});
