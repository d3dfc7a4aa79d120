import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { documentOfCassette } from "../../../src/run/write-scenario.ts";
import { checkSchemas } from "../../../src/scenario/check/check-schemas.ts";
import { documentOf } from "../../../src/scenario/record/document-of.ts";
import { client, httpTape, request, result, server, tape } from "../../cases/tape.ts";
import { Bench, type Json, load, schemas, textIn } from "./support.ts";

const CASSETTES = readdirSync("cassettes").filter((file) => file.endsWith(".yaml"));

async function benchOf(file: string): Promise<Bench> {
  const { document } = await documentOfCassette(`cassettes/${file}`);
  await schemas.load();
  return new Bench(await load({ "s.yaml": document }));
}

describe("the scenario of a cassette", () => {
  test.each(CASSETTES)("%s holds to its form", async (file) => {
    const { document } = await documentOfCassette(`cassettes/${file}`);
    checkSchemas(await load({ "s.yaml": document }), await schemas.load());
  });

  test("answers what was recorded, in the other era too, and nothing else", async () => {
    const bench = await benchOf("weather.yaml");
    expect(bench.initialize("2025-06-18", { elicitation: {} }).result).toMatchObject({
      serverInfo: { name: "weather" },
    });
    expect(textIn(bench.call("forecast", { city: "Oslo" }))).toBe(
      "Oslo, Monday\n3 °C, rain\nwind 7 m/s from the west",
    );
    expect(bench.call("forecast", { city: "Atlantis" }).result).toMatchObject({ isError: true });
    expect(bench.misses).toEqual([]);
    bench.call("forecast", { city: "Bergen" });
    expect(bench.misses[0]).toMatchObject({ reason: "unwritten", label: "tools/call forecast" });
    const [elicit] = bench.request("tools/call", { name: "here" }, "h") as [Json];
    expect(elicit).toMatchObject({
      method: "elicitation/create",
      params: { message: "Which city are you in?" },
    });
  });

  test("gives what tasks came to, as tasks, and names those that came to nothing", async () => {
    const call = (id: number, name: string) =>
      client(request(id, "tools/call", { name, arguments: {}, task: {} }));
    const task = (taskId: string, status = "working") => ({ taskId, status, ttl: null });
    const tools = ["made", "dropped", "open"].map((name) => ({ name, inputSchema: { type: "object" } }));
    const { player } = tape([
      client(request(1, "tools/list")),
      server(result(1, { tools })),
      call(2, "made"),
      server(result(2, { task: task("a") })),
      call(3, "dropped"),
      server(result(3, { task: task("b") })),
      call(4, "open"),
      server(result(4, { task: task("c") })),
      client(request(5, "tasks/cancel", { taskId: "b" })),
      server(result(5, task("b", "cancelled"))),
      client(request(6, "tasks/result", { taskId: "a" })),
      server(
        result(6, {
          content: [{ type: "text", text: "done" }],
          _meta: { "io.modelcontextprotocol/related-task": { taskId: "a" } },
        }),
      ),
    ]);
    const { document, notices } = documentOf(player.recording, await schemas.load());
    const execution = { taskSupport: "optional" };
    expect(document.tools).toMatchObject([
      { name: "made", execution, replies: [{ text: "done" }] },
      { name: "dropped", execution, replies: [{ hang: true }] },
      { name: "open", execution },
    ]);
    expect((document.tools as Json[])[2]).not.toHaveProperty("replies");
    expect(notices).toEqual(["a task of open had no end in the recording, and is left out"]);
    await load({ "s.yaml": document });
  });

  test("gives what tasks of the modern era came to, and names what they asked", async () => {
    const { player } = tape([
      client(request(1, "tools/list")),
      server(result(1, { tools: [{ name: "t", inputSchema: { type: "object" } }] })),
      client(request(2, "tools/call", { name: "t" })),
      server(result(2, { resultType: "task", taskId: "a", status: "working" })),
      client(request(3, "tasks/get", { taskId: "a" })),
      server(result(3, { resultType: "complete", taskId: "a", status: "input_required", inputRequests: {} })),
      client(request(4, "tasks/get", { taskId: "a" })),
      server(
        result(4, {
          resultType: "complete",
          taskId: "a",
          status: "completed",
          result: { resultType: "complete", content: [{ type: "text", text: "done" }] },
        }),
      ),
    ]);
    const { document, notices } = documentOf(player.recording, await schemas.load());
    expect(document.tools).toMatchObject([
      { execution: { taskSupport: "optional" }, replies: [{ text: "done" }] },
    ]);
    expect(notices).toEqual(["what a task of t asked the client is left out"]);
  });

  test("gives back what looks like a reference, and what breaks the protocol", async () => {
    const { player } = tape([
      client(request(1, "tools/list")),
      server(
        result(1, {
          tools: [
            { name: "t", inputSchema: { type: "object" } },
            { name: "u", inputSchema: { type: "object" } },
          ],
        }),
      ),
      client(request(2, "tools/call", { name: "t", arguments: {} })),
      server(result(2, { content: [{ type: "text", text: "${args.x} $${", "${k}": "${" }] })),
      client(request(3, "tools/call", { name: "u", arguments: {} })),
      server(result(3, { content: [{ type: "image", data: "%", mimeType: 5 }] })),
    ]);
    const { document, notices } = documentOf(player.recording, await schemas.load());
    expect(notices).toEqual([expect.stringMatching(/data is no base64: so it is not checked/)]);
    const bench = new Bench(await load({ "s.yaml": document }));
    bench.initialize();
    expect(bench.call("t").result).toEqual({
      content: [{ type: "text", text: "${args.x} $${", "${k}": "${" }],
    });
    expect(bench.call("u").result).toEqual({ content: [{ type: "image", data: "%", mimeType: 5 }] });
  });

  const ASKED = { message: "m", requestedSchema: { type: "object", properties: {} } };
  const during = (...asks: readonly Entry[]) => [
    client(request(1, "tools/list")),
    server(result(1, { tools: [{ name: "t", inputSchema: { type: "object" } }] }), { on: { id: "1" } }),
    client(request(2, "tools/call", { name: "t" })),
    ...asks,
    server(result(2, { content: [{ type: "text", text: "done" }] }), { on: { id: "2" } }),
  ];
  const roots = (extra = {}) => [
    server(request(0, "roots/list"), extra),
    client(result(0, { roots: [] }), { on: "post" }),
  ];
  const form = (extra = {}) => [
    server(request(5, "elicitation/create", ASKED), extra),
    client(result(5, { action: "accept", content: {} }), { on: "post" }),
  ];
  const asksIn = ({ tools }: Json) => JSON.stringify(tools).match(/elicit"|roots"/g) ?? [];

  test.each([
    ["over stdio", tape(during(...roots(), ...form())), ['elicit"'], ["roots/list"]],
    [
      "on the standalone stream",
      httpTape(during(...roots({ on: "get" }), ...form({ on: "get" }))),
      [],
      ["roots/list", "elicitation/create"],
    ],
    [
      "on the stream of the request",
      httpTape(during(...roots({ on: { id: "2" } }), ...form({ on: { id: "2" } }))),
      ['roots"', 'elicit"'],
      [],
    ],
  ])(
    "asks for what a request asked for, and not for what was asked beside it: %s",
    async (_, tape, asks, left) => {
      const { document, notices } = documentOf(tape.recording, await schemas.load());
      expect(asksIn(document)).toEqual(asks);
      expect(notices).toEqual(
        left.map((method) => `${method} is left out where nothing tells for which request it was asked`),
      );
      await load({ "s.yaml": document });
    },
  );
});
