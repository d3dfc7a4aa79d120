import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { server } from "./support/calls.ts";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { NODE, start } from "./support/program.ts";
import { type Rpc, Talk } from "./support/talk.ts";
import { verify } from "./support/verify.ts";
import { LISTEN, record, serve } from "./support/walk.ts";

/** What is asked until it is done gets done in the replay as it did in the recording, for each client anew. */

type Way = { readonly program: readonly string[] } | { readonly url: string };

/** One client of the tasks server (SDK 1.x), and every step it was told of. */
async function bakes(way: Way): Promise<string[]> {
  const client = new Client(
    { name: "baker", version: "1" },
    { capabilities: { elicitation: { form: {} }, tasks: {} } },
  );
  const lines: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    lines.push(`asked ${params.message}`);
    return { action: "accept", content: { topping: "salt" } };
  });
  const transport =
    "url" in way
      ? new StreamableHTTPClientTransport(new URL(way.url))
      : new StdioClientTransport({ command: NODE, args: [...way.program], stderr: "inherit" });
  await client.connect(transport as never);
  for (const name of ["knead", "bake", "knead"]) {
    let taskId = "";
    const stream = client.experimental.tasks.callToolStream({ name, arguments: { of: "rye" } }, undefined, {
      task: {},
    });
    for await (const told of stream) {
      if (told.type === "taskCreated") ({ taskId } = told.task);
      if (told.type === "taskStatus")
        lines.push(`${name} ${taskId} ${told.task.status} ${told.task.statusMessage}`);
      if (told.type === "result") lines.push(`${name} ${JSON.stringify(told.result.content)}`);
      if (told.type === "error") lines.push(`${name} failed: ${told.error.message}`);
    }
    const refused = await client.experimental.tasks.cancelTask(taskId).catch((error) => error.code);
    lines.push(`cancelling ${name} when it is over: ${refused}`);
  }
  await client.close();
  return lines;
}

test("tasks of 2025-11-25, one client after the other and two at once", async () => {
  const file = join(tempFolder(), "tasks.yaml");
  const recorded = await bakes({ program: record(file, server("tasks")) });
  expect(recorded).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^knead \w+ working/),
      'knead [{"type":"text","text":"done, with nothing"}]',
      "asked Which topping?",
      'bake [{"type":"text","text":"done, with salt"}]',
      "cancelling bake when it is over: -32602",
    ]),
  );
  expect(await bakes({ program: serve(file, "--strict") })).toEqual(recorded);
  expect(await bakes({ program: serve(file, "--strict") })).toEqual(recorded);

  const mock = start(serve(file, "--strict", ...LISTEN));
  const url = await mock.url();
  expect(await Promise.all([bakes({ url }), bakes({ url })])).toEqual([recorded, recorded]);
  expect(await mock.stop()).toMatchObject({ code: 0, stderr: "" });
  expect(await verify(file, server("tasks"), "--yes")).toMatchObject({ code: 0, changes: [], withheld: [] });
});

interface Asker {
  ask(method: string, params: object): Promise<Rpc>;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

/** A client of the tasks extension: it looks at one task until it is over, and gives the other up. */
async function looks(client: Asker, name: string): Promise<string[]> {
  const lines: string[] = [];
  const ask = async (method: string, params: object) => {
    const clientInfo = { name, version: "1" };
    const _meta = { ...META, "io.modelcontextprotocol/clientInfo": clientInfo };
    const { result, error } = await client.ask(method, { ...params, _meta });
    lines.push(`${method} ${JSON.stringify(result ?? error)}`);
    return result;
  };
  await ask("server/discover", {});
  const { taskId } = await ask("tools/call", { name: "long", arguments: {} });
  const given = await ask("tools/call", { name: "longer", arguments: {} });
  await ask("tasks/get", { taskId: given.taskId });
  await ask("tasks/cancel", { taskId: given.taskId });
  while ((await ask("tasks/get", { taskId })).status === "working");
  await ask("tasks/cancel", { taskId });
  await ask("tasks/get", { taskId: given.taskId });
  await ask("tasks/get", { taskId: "nobody's" });
  return lines;
}

class ModernTalk implements Asker {
  readonly #talk: HttpTalk;

  constructor(url: string) {
    this.#talk = new HttpTalk(url, { "mcp-protocol-version": "2026-07-28" });
  }

  ask(method: string, params: { name?: string; taskId?: string }): Promise<Rpc> {
    const name = params.taskId ?? params.name;
    return this.#talk.ask(method, params, {
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": name }),
    });
  }
}

describe("the tasks extension", () => {
  test("one client after the other, and two at once", async () => {
    const file = join(tempFolder(), "extension.jsonl");
    const overStdio = async (program: readonly string[]) => {
      const talk = new Talk(start(program));
      const lines = await looks(talk, "looker");
      expect(await talk.program.finish()).toMatchObject({ code: 0, stderr: "" });
      return lines;
    };
    const recorded = await overStdio(record(file, server("tasks-extension")));
    expect(
      recorded
        .filter((line) => line.startsWith("tasks/get"))
        .map((line) => /"status":"(\w+)"/.exec(line)?.[1]),
    ).toEqual(["working", "working", "working", "completed", "cancelled", undefined]);
    expect(await overStdio(serve(file, "--strict"))).toEqual(recorded);

    const mock = start(serve(file, "--strict", ...LISTEN));
    const url = await mock.url();
    const both = ["one", "two"].map((name) => looks(new ModernTalk(url), name));
    expect(await Promise.all(both)).toEqual([recorded, recorded]);
    expect(await mock.stop()).toMatchObject({ code: 0, stderr: "" });
    const verified = await verify(file, server("tasks-extension"), "--yes");
    expect(verified).toMatchObject({ code: 0, changes: [], withheld: [] });
  });
});
