import { expect, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import type { Action } from "../../../src/replay/action.ts";
import { fetchDoor, responseOf } from "../../../src/transport/fetch-door.ts";
import { HttpDoor } from "../../../src/transport/http-door.ts";
import { PostAnswer } from "../../../src/transport/http-streams.ts";
import { EventStream, OpenBody } from "../../../src/transport/open-body.ts";
import { bytesOf, client, closed, httpTape, notice, request, result, server } from "../../cases/tape.ts";

/** What a body gives until it ends or breaks. */
async function readAll({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      text += new TextDecoder().decode(read.value);
    return `${text}, the end`;
  } catch {
    return `${text}, broken`;
  }
}

test("what was written comes before the break, read early or late", async () => {
  const late = new OpenBody({ status: 200, headers: {} }, () => undefined);
  late.write(bytesOf("a"));
  late.write(bytesOf("b"));
  late.break();
  late.write(bytesOf("c"));
  expect(await readAll(responseOf(late.answer))).toBe("ab, broken");

  const early = new OpenBody({ status: 200, headers: {} }, () => undefined);
  const read = readAll(responseOf(early.answer));
  await new Promise((resolve) => setTimeout(resolve, 5));
  early.write(bytesOf("a"));
  early.break();
  early.close();
  expect(await read).toBe("a, broken");
});

test("an event that comes in pieces is the event", async () => {
  const stream = new EventStream({}, () => undefined);
  stream.part({ bytes: bytesOf('{"a"'), last: false, event: { id: "7" } });
  stream.part({ bytes: bytesOf(":1}"), last: true, event: { id: "7" } });
  stream.send({ data: bytesOf("{}") });
  stream.close();
  expect(await readAll(responseOf(stream.answer))).toBe('id: 7\ndata: {"a":1}\n\ndata: {}\n\n, the end');
});

const part = (text: string, last: boolean): Extract<Action, { type: "part" }> => ({
  type: "part",
  on: "1",
  bytes: bytesOf(text),
  last,
  whole: bytesOf("whole"),
});

test.each([
  ["json", "application/json", "whole, the end"],
  ["sse", "text/event-stream", "data: whole\n\n, the end"],
] as const)("an answer in pieces as %s", async (style, type, text) => {
  const answer = new PostAnswer(["1"], false, () => undefined);
  answer.act(part("wh", false));
  const response = responseOf(answer.respond({}, { style, status: () => 200 }));
  answer.act(part("ole", true));
  expect(response.headers.get("content-type")).toBe(type);
  expect(await readAll(response)).toBe(text);
});

test("a recorded crash over HTTP: what came before it comes, and without anything there is no response", async () => {
  const { player } = httpTape([
    client(request(1, "tools/call", { name: "t", _meta: { progressToken: 1 } }), { http: { path: "/mcp" } }),
    server(notice("notifications/progress", { progressToken: 1, progress: 1 }), { on: { id: "1" } }),
    closed("server", { reason: "reset" }, { on: { id: "1" } }),
    client(request(2, "tools/call", { name: "u" })),
    closed("server", { reason: "reset" }, { on: { id: "2" } }),
    client(request(3, "tools/list")),
    server(result(3, { tools: [] }), { on: { id: "3" } }),
  ]);
  const door = new HttpDoor(player, { path: "/mcp", ownHosts: [], newSessionId: () => "s" });
  const post = (message: object) => {
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const body = JSON.stringify(message);
    expect(readMessage(bytesOf(body)).kind).toBe("request");
    return fetchDoor(door, new Request("http://127.0.0.1:1/mcp", { method: "POST", headers, body }));
  };
  const told = await post(request(7, "tools/call", { name: "t", _meta: { progressToken: 9 } }));
  expect(await readAll(told)).toMatch(/^data: .*"progressToken":9.*\n\n, broken$/);
  await expect(post(request(8, "tools/call", { name: "u" }))).rejects.toThrow("fetch failed");
});
