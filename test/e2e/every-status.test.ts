import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { STATUSES } from "../docs/covered/http.ts";
import { tempFolder } from "./support/cassette.ts";
import { start } from "./support/program.ts";
import { LISTEN, record, serve } from "./support/walk.ts";

/** Headers of answers that a client acts upon, each with a status that comes with it. */
const HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  200: { "mcp-protocol-version": "2025-11-25" },
  307: { location: "/mcp/moved" },
  308: { location: "/mcp/moved" },
  401: { "www-authenticate": 'Bearer realm="weather"' },
  405: { allow: "GET" },
  429: { "retry-after": "3" },
  503: { "retry-after": "Mon, 30 Nov 2026 09:00:00 GMT" },
};
const SHOWN = [...new Set(Object.values(HEADERS).flatMap(Object.keys)), "content-type"];

/** How a status may come: alone, with an error that names no request, with one that does, with text. */
const BODIES: Readonly<
  Record<string, (id: number, status: number) => readonly [type: string, body: string] | undefined>
> = {
  none: () => undefined,
  nameless: (_id, status) => ["application/json", answer("null", status)],
  named: (id, status) => ["application/json", answer(`${id}`, status)],
  text: (_id, status) => ["text/plain", `status ${status}`],
};

function answer(id: string, status: number): string {
  const content =
    status < 300 ? `"result":{"status":${status}}` : `"error":{"code":-32000,"message":"${status}"}`;
  return `{"jsonrpc":"2.0","id":${id},${content}}`;
}

/** Every status in every way; an answer of 2xx to a request is a JSON-RPC answer or none. */
const CASES = STATUSES.flatMap(({ status }) =>
  Object.keys(BODIES)
    .filter((body) => (status === 200 ? body === "named" : status === 202 ? body === "none" : true))
    .map((body) => ({ status, body })),
);

async function realServer(): Promise<string> {
  const server = createServer((request, response) => void answerAsAsked(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function answerAsAsked(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request) text += chunk;
  const { id, params } = JSON.parse(text);
  const [type, body] = BODIES[params.body]?.(id, params.status) ?? [];
  response.writeHead(params.status, { ...HEADERS[params.status], ...(type && { "content-type": type }) });
  response.end(body);
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly text: string;
}

/** Asks for every status; notifications where nothing is to be answered. */
async function answersOf(url: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [id, params] of CASES.entries()) {
    const isNotice = params.status === 202;
    const method = isNotice ? "notifications/told" : "tools/call";
    const message = { jsonrpc: "2.0", ...(isNotice ? {} : { id }), method, params };
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(message),
    });
    const headers = Object.fromEntries(SHOWN.map((name) => [name, response.headers.get(name)]));
    answers.push({ status: response.status, headers, text: await response.text() });
  }
  return answers;
}

describe("every HTTP status", () => {
  test("is recorded, and comes back with its headers and its body", async () => {
    const file = join(tempFolder(), "statuses.yaml");
    const url = await realServer();
    const direct = await answersOf(url);
    expect(new Set(direct.map(({ status }) => status)).size).toBe(STATUSES.length);
    const recorder = start(record(file, { url }));
    expect(await answersOf(await recorder.url())).toEqual(direct);
    expect(await recorder.stop()).toMatchObject({ code: 0, stderr: "" });
    const replay = start(serve(file, ...LISTEN));
    expect(await answersOf(await replay.url())).toEqual(direct);
    expect(await replay.stop()).toMatchObject({ code: 0, stderr: "" });
  });
});
