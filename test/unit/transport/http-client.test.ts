import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Via } from "../../../src/drive/driver-options.ts";
import type { Refusal } from "../../../src/drive/move.ts";
import { jsonOf, type Message, readMessage, textOf } from "../../../src/protocol/message.ts";
import { HttpClient } from "../../../src/transport/http-client.ts";

interface Seen {
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type Handler = (response: ServerResponse, seen: Seen, request: IncomingMessage) => void;

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

/** A client of a server that handles requests one after the other as the list has it, the last for all that follow. */
async function connected(...handlers: Handler[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? "", headers: request.headers, body };
    const handler = handlers[Math.min(seen.length, handlers.length - 1)];
    seen.push(one);
    handler?.(response, one, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const told = new Told();
  const client = new HttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, told);
  cleanUp.push(() => client.close());
  return { client, told, seen };
}

class Told {
  readonly messages: { value: unknown; via: Via | undefined }[] = [];
  readonly refusals: { id: string | undefined; refusal: Refusal }[] = [];
  #pairing: Refusal | "paired" | undefined;
  #wake: () => void = () => {};

  receive(message: Message, via?: Via): void {
    this.messages.push({ value: jsonOf(message), via });
    this.#wake();
  }

  refused(id: string | undefined, refusal: Refusal): void {
    this.refusals.push({ id, refusal });
    this.#wake();
  }

  paired(refusal: Refusal | undefined): void {
    this.#pairing = refusal ?? "paired";
    this.#wake();
  }

  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  message = () => this.until(() => this.messages[0]);
  refusal = () => this.until(() => this.refusals[0]);
  pairing = () => this.until(() => this.#pairing);
}

function send(client: HttpClient, message: object, headers = {}): void {
  const bytes = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }));
  client.act({ type: "send", message: readMessage(bytes), headers });
}

const answer = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result: {} });
const json: (status: number, body: string) => Handler = (status, body) => (response) => {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
};
const sse: (...events: string[]) => Handler =
  (...events) =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(events.join(""));
  };
const open: (...events: string[]) => Handler =
  (...events) =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(events.join("") || ":\n\n");
  };
const status: (code: number) => Handler = (code) => (response) => response.writeHead(code).end();
const data = (text: string) => `data: ${text}\n\n`;

describe("a request is answered", () => {
  test("by JSON, with the headers that were given and those of the transport", async () => {
    const { client, told, seen } = await connected(json(200, answer(1)));
    send(client, { id: 1, method: "x" }, { "mcp-method": "x", "mcp-protocol-version": "v" });
    expect(await told.message()).toEqual({ value: JSON.parse(answer(1)), via: { on: "1", status: 200 } });
    expect(seen[0]?.headers).toMatchObject({
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-method": "x",
    });
  });

  test("by events, with what came before", async () => {
    const { client, told } = await connected(
      sse(data('{"jsonrpc":"2.0","method":"n"}'), ": hm\n\n", data(answer(1))),
    );
    send(client, { id: 1, method: "x" });
    await told.until(() => told.messages[1]);
    expect(told.messages.map(({ value }) => value)).toEqual([
      { jsonrpc: "2.0", method: "n" },
      JSON.parse(answer(1)),
    ]);
    expect(told.refusals).toEqual([]);
  });

  test.each([307, 308])("by where a redirect %d leads, with the same body", async (code) => {
    const redirect: Handler = (response) => response.writeHead(code, { location: "/other" }).end();
    const { client, told, seen } = await connected(redirect, json(200, answer(1)));
    send(client, { id: 1, method: "x" });
    expect((await told.message()).value).toEqual(JSON.parse(answer(1)));
    expect(seen.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(seen[1]?.body).toBe('{"jsonrpc":"2.0","id":1,"method":"x"}');
  });

  test("by an error without its id", async () => {
    const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}';
    const { client, told } = await connected(json(400, error));
    send(client, { id: 1, method: "x" });
    expect((await told.message()).via).toEqual({ on: "1", status: 400 });
    expect(told.refusals).toEqual([]);
  });

  test("on a stream that is taken up again where it was left", async () => {
    const { client, told, seen } = await connected(
      sse("id: 7\nretry: 1\ndata:\n\n"),
      sse("id: 8\nretry: 1\ndata:\n\n"),
      sse(data(answer(1))),
    );
    send(client, { id: 1, method: "x" });
    await told.message();
    expect(seen.map(({ method, headers }) => [method, headers["last-event-id"]])).toEqual([
      ["POST", undefined],
      ["GET", "7"],
      ["GET", "8"],
    ]);
  });
});

describe("a request that gets no answer is told of", () => {
  test.each([
    ["a status alone", status(500), /^HTTP 500/],
    [
      "a text",
      (response: ServerResponse) => response.writeHead(401).end("who are you?\nhm"),
      /HTTP 401 Unauthorized: who are you\?$/,
    ],
    ["a gateway's JSON", json(502, '{"error":"bad gateway"}'), /HTTP 502 Bad Gateway: {"error"/],
    ["202", status(202), /HTTP 202/],
    ["no message", json(200, '"yes"'), /HTTP 200/],
    ["another answer", json(200, answer(99)), /HTTP 200/],
    ["a stream that ends", sse(data('{"jsonrpc":"2.0","method":"n"}')), /ended without an answer/],
    ["a broken connection", (response: ServerResponse) => response.destroy(), /connection broke/],
  ] as const)("%s", async (_name, handler, reason) => {
    const { client, told } = await connected(handler as Handler);
    send(client, { id: 1, method: "x" });
    expect(await told.refusal()).toEqual({
      id: "1",
      refusal: expect.objectContaining({ reason: expect.stringMatching(reason) }),
    });
  });

  test("a stream that cannot be taken up again", async () => {
    const { client, told } = await connected(sse("id: 7\nretry: 1\ndata:\n\n"), status(404));
    send(client, { id: 1, method: "x" });
    expect((await told.refusal()).refusal.reason).toMatch(/could not be taken up again/);
  });

  test("a notification that is not taken, without an id", async () => {
    const { client, told } = await connected(status(400));
    send(client, { method: "n" });
    expect(await told.refusal()).toEqual({
      id: undefined,
      refusal: { status: 400, reason: "HTTP 400 Bad Request" },
    });
  });
});

describe("sessions", () => {
  const opening: Handler = (response) => {
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" }).end(answer(1));
  };

  test("the id is sent with everything after initialize, and DELETE ends the session", async () => {
    const { client, told, seen } = await connected(
      opening,
      status(202),
      status(405),
      json(200, answer(2)),
      status(200),
    );
    send(client, { id: 1, method: "initialize" });
    await told.message();
    send(client, { method: "notifications/initialized" }, { "mcp-protocol-version": "v" });
    client.act({ type: "standalone" });
    send(client, { id: 2, method: "x" }, { "mcp-protocol-version": "v" });
    await told.until(() => told.messages[1]);
    await client.close();
    expect(
      seen.map(({ method, headers }) => [method, headers["mcp-session-id"], headers["mcp-protocol-version"]]),
    ).toEqual([
      ["POST", undefined, undefined],
      ["POST", "s1", "v"],
      ["GET", "s1", "v"],
      ["POST", "s1", "v"],
      ["DELETE", "s1", "v"],
    ]);
  });

  test("404 means that the session is lost", async () => {
    const { client, told } = await connected(
      opening,
      json(404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"x"}}'),
    );
    send(client, { id: 1, method: "initialize" });
    await told.message();
    send(client, { id: 2, method: "x" });
    expect(await told.refusal()).toMatchObject({ id: "2", refusal: { status: 404, sessionLost: true } });
  });
});

test("an abandoned request's stream is closed, and nothing is told of it", async () => {
  let closed: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const hanging: Handler = (response, seen, request) => {
    request.socket.once("close", closed);
    open(data('{"jsonrpc":"2.0","method":"n"}'))(response, seen, request);
  };
  const { client, told } = await connected(hanging);
  send(client, { id: 1, method: "x" });
  await told.message();
  client.act({ type: "abandon", id: "1" });
  await gone;
  expect(told.refusals).toEqual([]);
});

test("a notification is taken before the next message goes out", async () => {
  const order: string[] = [];
  const slow: Handler = (response) => {
    setTimeout(() => {
      order.push("taken");
      response.writeHead(202).end();
    }, 50);
  };
  const next: Handler = (response, seen, request) => {
    order.push("asked");
    json(200, answer(1))(response, seen, request);
  };
  const { client, told } = await connected(slow, next);
  send(client, { method: "n" });
  send(client, { id: 1, method: "x" });
  await told.message();
  expect(order).toEqual(["taken", "asked"]);
});

describe("the HTTP+SSE pair", () => {
  test("answers on its stream to what is posted where it says", async () => {
    let stream: ServerResponse | undefined;
    const { client, told, seen } = await connected(
      (response, one, request) => {
        stream = response;
        open("event: endpoint\ndata: /messages?s=1\n\n")(response, one, request);
      },
      (response, one) => {
        response.writeHead(202).end("Accepted");
        stream?.write(`event: message\n${data(answer(JSON.parse(one.body).id))}`);
      },
    );
    client.act({ type: "pair" });
    expect(await told.pairing()).toBe("paired");
    send(client, { id: 1, method: "initialize" });
    expect((await told.message()).value).toEqual(JSON.parse(answer(1)));
    stream?.end();
    send(client, { id: 2, method: "x" });
    expect(seen.map(({ method }) => method).slice(0, 2)).toEqual(["GET", "POST"]);
    expect(told.refusals).toEqual([]);
  });

  test.each([
    ["no stream", status(405), /HTTP 405/],
    ["no endpoint", sse(data("{}")), /without an endpoint/],
  ] as const)("that is none: %s", async (_name, handler, reason) => {
    const { client, told } = await connected(handler);
    client.act({ type: "pair" });
    expect(await told.pairing()).toMatchObject({ reason: expect.stringMatching(reason) });
  });
});

test("text of messages is kept as it came", async () => {
  const exact = '{"jsonrpc":"2.0","id":1,"result":{"big":9007199254740993,"one":1.0}}';
  let got = "";
  const { client, told } = await connected(json(200, exact));
  const receive = told.receive.bind(told);
  told.receive = (message, via) => {
    got = textOf(message.bytes);
    receive(message, via);
  };
  send(client, { id: 1, method: "x" });
  await told.message();
  expect(got).toBe(exact);
});
