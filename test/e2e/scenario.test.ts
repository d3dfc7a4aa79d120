import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { CLI, NODE, run, start } from "./support/program.ts";
import { connect, type Sdk } from "./support/sdk.ts";
import { type Client, LISTEN } from "./support/walk.ts";

/** A scenario as clients of the published SDKs see it, over stdio and over HTTP: one server for all rows of a client. */

const CLIENTS: readonly Client[] = [
  { sdk: "1", era: "legacy" },
  { sdk: "2", era: "legacy" },
  { sdk: "2", era: "modern" },
];
const DOORS = ["stdio", "http"] as const;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Answer = any;

interface Talk {
  readonly era: Client["era"];
  call(name: string, args?: object, options?: object): Promise<Answer>;
  request(method: string, params?: object): Promise<Answer>;
  /** What of this method the server tells of while something is done, once there is so much. */
  told(method: string, count: number, during: () => Promise<unknown>): Promise<Answer[]>;
}

const refusal = (promise: Promise<Answer>) =>
  promise.then(
    (answer) => ({ answer }),
    (error: { code?: number; message: string; data?: unknown }) => ({
      code: error.code,
      message: error.message,
      data: error.data,
    }),
  );

/** What each kind of reply, and each trap of a list, looks like to a client. */
const SEEN: readonly {
  readonly what: string;
  /** Only to clients of this era. */
  readonly era?: "legacy";
  readonly see: (talk: Talk) => Promise<unknown>;
  readonly as: unknown;
}[] = [
  {
    what: "text",
    see: ({ call }) => call("forecast", { city: "Oslo" }),
    as: { content: [{ type: "text", text: "3 °C, rain" }] },
  },
  {
    what: "a value of the request",
    see: ({ call }) => call("forecast", { city: "Oslo", days: 9 }),
    as: { content: [{ text: "Nobody knows the weather of Oslo in 9 days" }] },
  },
  {
    what: "a tool error",
    see: ({ call }) => call("forecast", { city: "Atlantis" }),
    as: { isError: true, content: [{ text: "no such city" }] },
  },
  {
    what: "an error with data",
    see: ({ call }) => refusal(call("forecast", { city: "Bergen" })),
    as: { code: -32603, message: expect.stringContaining("upstream is down"), data: { retry: true } },
  },
  {
    what: "a reply that answers twice, and then the next one",
    see: async ({ call }) => [
      await refusal(call("forecast", { city: "Bergen" })),
      await call("forecast", { city: "Bergen" }),
    ],
    as: [{ code: -32603 }, { content: [{ text: "It rains in Bergen" }] }],
  },
  {
    what: "bytes",
    see: ({ request }) => request("resources/read", { uri: "weather://logo" }),
    as: { contents: [{ uri: "weather://logo", mimeType: "image/png", blob: "iVBORw0KGgo=" }] },
  },
  {
    what: "a method of the server's own",
    see: ({ request }) => request("weather/now", { city: "Oslo" }),
    as: { celsius: 3 },
  },
  {
    what: "log lines, for who wants them",
    see: async ({ era, told, request }) => {
      // In the modern era each request says so itself.
      if (era === "legacy") await request("logging/setLevel", { level: "info" });
      const _meta = { "io.modelcontextprotocol/logLevel": "info" };
      return told("notifications/message", 1, () => request("tools/call", { name: "work", _meta }));
    },
    as: [{ level: "info", logger: "work", data: { begun: true } }],
  },
  {
    what: "an update of what is subscribed to",
    era: "legacy",
    see: async ({ told, call, request }) => {
      await request("resources/subscribe", { uri: "weather://stations" });
      return told("notifications/resources/updated", 1, () => call("touch"));
    },
    as: [{ uri: "weather://stations" }],
  },
  {
    what: "a list that has changed",
    era: "legacy",
    see: ({ told, call }) => told("notifications/tools/list_changed", 2, () => call("lock")),
    // It is hidden, and shown.
    as: [{}, {}],
  },
  {
    what: "content of all kinds",
    see: ({ call }) => call("gallery"),
    as: { content: [{ type: "text" }, { type: "image" }, { type: "resource_link" }, { type: "resource" }] },
  },
  {
    what: "made-up structured content",
    see: ({ call }) => call("reading"),
    as: { structuredContent: { celsius: expect.any(Number), sensor: expect.any(String) } },
  },
  {
    what: "structured content of the request",
    see: ({ call }) => call("measure", { celsius: 7 }),
    as: { structuredContent: { celsius: 7 } },
  },
  {
    what: "a sequence whose last stays",
    see: async ({ call }) => {
      const texts: string[] = [];
      for (let i = 0; i < 4; i++) texts.push((await call("poll")).content[0].text);
      return texts;
    },
    as: ["queued", "running", "done after 3 calls", "done after 4 calls"],
  },
  {
    what: "state that is set and required",
    see: async ({ call }) => {
      const before = await call("whoami");
      await call("login", { name: "Ada" });
      return [before, await call("whoami")];
    },
    as: [{ isError: true }, { content: [{ text: "Ada" }] }],
  },
  {
    what: "progress, in its order",
    see: async ({ call }) => {
      const seen: number[] = [];
      await call("work", {}, { onprogress: ({ progress }: { progress: number }) => seen.push(progress) });
      return seen;
    },
    as: [1, 2],
  },
  {
    what: "an answer on a stream that ended and was taken up again",
    see: ({ call }) => call("patience"),
    as: { content: [{ text: "you came back" }] },
  },
  {
    what: "nothing until it is cancelled",
    see: async ({ call }) => {
      const giving = new AbortController();
      const options = {
        signal: giving.signal,
        onprogress: ({ progress }: { progress: number }) => progress === 2 && giving.abort(),
      };
      return refusal(call("forecast", { city: "Slowville" }, options));
    },
    as: { message: expect.stringMatching(/abort/i) },
  },
  {
    what: "what a person answers",
    see: ({ call }) => call("book"),
    as: { content: [{ text: "Booked Rome" }] },
  },
  {
    what: "what a model answers",
    see: ({ call }) => call("summarize"),
    as: { content: [{ text: "short" }] },
  },
  {
    what: "roots",
    see: ({ call }) => call("folders"),
    as: { content: [{ text: expect.stringContaining("file:///home") }] },
  },
  {
    what: "arguments that are refused",
    see: ({ call }) => refusal(call("forecast", { city: 5 })),
    as: { answer: { isError: true, content: [{ text: expect.stringContaining("/city must be string") }] } },
  },
  {
    what: "a resource",
    see: ({ request }) => request("resources/read", { uri: "weather://stations" }),
    as: {
      contents: [{ uri: "weather://stations", mimeType: "application/json", text: '["Oslo","Bergen"]' }],
    },
  },
  {
    what: "a template",
    see: ({ request }) => request("resources/read", { uri: "weather://stations/7?unit=kelvin" }),
    as: { contents: [{ text: "Station 7 in kelvin" }] },
  },
  {
    what: "a prompt",
    see: ({ request }) =>
      request("prompts/get", { name: "greet", arguments: { name: "Ada", style: "formal" } }),
    as: { description: "A formal greeting", messages: [{ role: "user" }, { role: "assistant" }] },
  },
  {
    what: "a completion",
    see: ({ request }) =>
      request("completion/complete", {
        ref: { type: "ref/prompt", name: "greet" },
        argument: { name: "name", value: "a" },
      }),
    as: { completion: { values: ["Ada", "Alan"] } },
  },
  {
    what: "an empty cursor that leads on",
    see: ({ request }) =>
      request("prompts/list").then(async (first: Answer) => [
        first.nextCursor,
        (await request("prompts/list", { cursor: "" })).prompts,
      ]),
    as: ["", [{ name: "plain" }]],
  },
  {
    what: "a cursor that was never given out",
    see: ({ request }) => refusal(request("tools/list", { cursor: "nonsense" })),
    as: { code: -32602 },
  },
  {
    what: "a list over pages, and what it shows later",
    see: async ({ call, request }) => {
      const names: string[] = [];
      await call("unlock");
      for (let params = {}; ; ) {
        const { tools, nextCursor } = await request("tools/list", params);
        names.push(...tools.map(({ name }: { name: string }) => name));
        if (nextCursor === undefined) return [names.length, names.includes("secret")];
        params = { cursor: nextCursor };
      }
    },
    as: [18, true],
  },
];

function answering(sdk: Sdk & { on?(method: string, handler: () => object): void }): void {
  sdk.on?.("elicitation/create", () => ({ action: "accept", content: { city: "Rome" } }));
  sdk.on?.("sampling/createMessage", () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "short" },
  }));
  sdk.on?.("roots/list", () => ({ roots: [{ uri: "file:///home/ada" }] }));
}

async function talking(client: Client, door: (typeof DOORS)[number], use: (talk: Talk) => Promise<void>) {
  const server = door === "http" ? start([CLI, "serve", "everything", ...LISTEN]) : undefined;
  const way = server ? { url: await server.url() } : { command: [NODE, CLI, "serve", "everything"] };
  const sdk = await connect(client, way);
  answering(sdk);
  const request = (method: string, params: object = {}, options?: object) =>
    sdk.request(method, params, options) as Promise<Answer>;
  const heard: { readonly method: string; readonly params?: object }[] = [];
  let hear = () => {};
  sdk.client.fallbackNotificationHandler = async (notification) => {
    heard.push(notification);
    hear();
  };
  await use({
    era: client.era,
    request,
    told: async (method, count, during) => {
      heard.length = 0;
      const them = () => heard.filter((each) => each.method === method).map(({ params }) => params ?? {});
      const all = new Promise<void>((resolve) => {
        hear = () => them().length >= count && resolve();
      });
      await during();
      await all;
      return them();
    },
    call: (name, args = {}, options) => request("tools/call", { name, arguments: args }, options),
  });
  await sdk.client.close();
  if (server) expect((await server.stop()).code).toBe(0);
}

describe.each(CLIENTS)("SDK $sdk, $era", (client) => {
  test.each(DOORS)(
    "over %s sees each reply, and each trap of a list, as from a real server",
    async (door) => {
      await talking(client, door, async (talk) => {
        const rows = SEEN.filter(({ era = client.era }) => era === client.era);
        const seen: unknown[] = [];
        for (const { see } of rows) seen.push(await see(talk));
        for (const [index, { what, as }] of rows.entries())
          expect({ what, seen: seen[index] }).toMatchObject({ what, seen: as });
      });
    },
  );
});

test("a cassette can be extended; a wrong scenario is told of once, with exit code 3", async () => {
  const folder = tempFolder();
  const file = join(folder, "own.yaml");
  const base = join(process.cwd(), "cassettes/weather.yaml");
  writeFileSync(join(folder, "weather.yaml"), readFileSync(base));
  writeFileSync(
    file,
    "scenario: 1\nextends: weather.yaml\ntools: [{ name: forecast, replies: [{ text: own }] }]\n",
  );
  const sdk = await connect({ sdk: "1", era: "legacy" }, { command: [NODE, CLI, "serve", file] });
  const list = (await sdk.request("tools/list", {})) as Answer;
  expect(list.tools.map(({ name }: { name: string }) => name)).toEqual(["forecast", "compare", "here"]);
  expect(await sdk.request("tools/call", { name: "forecast", arguments: { city: "Nowhere" } })).toMatchObject(
    { content: [{ text: "own" }] },
  );
  expect(((await sdk.request("tools/call", { name: "compare" })) as Answer).content[0].text).toContain(
    "Nairobi is warmest",
  );
  await sdk.client.close();

  for (const [text, message] of [
    ["scenario: 1\ntoools: []\n", 'own.yaml:2:1: a scenario has no "toools" (did you mean tools?)'],
    [
      "scenario: 1\ntools:\n  - name: a\n    outputSchema: { type: object, properties: { t: { type: number } } }\n    replies: [{ structuredContent: { t: x } }]\n",
      "own.yaml:5:15: structuredContent: /t must be number",
    ],
  ] as const) {
    writeFileSync(file, text);
    const wrong = await run([CLI, "serve", file]);
    expect([wrong.code, wrong.stdout.toString()]).toEqual([3, ""]);
    expect(wrong.stderr).toContain(message);
    expect(wrong.stderr.match(/mcp-vcr:/g)).toHaveLength(1);
  }
});

test.each(DOORS)("a task over %s goes its way before the eyes of the SDK that knows tasks", async (door) => {
  const server = door === "http" ? start([CLI, "serve", "everything", ...LISTEN]) : undefined;
  const way = server ? { url: await server.url() } : { command: [NODE, CLI, "serve", "everything"] };
  const sdk = await connect({ sdk: "1", era: "legacy" }, way);
  answering(sdk);
  const { tasks } = (sdk.client as unknown as { experimental: { tasks: Answer } }).experimental;
  const seen: unknown[] = [];
  for await (const message of tasks.callToolStream({ name: "survey" }, undefined, { task: { ttl: 1 } })) {
    const { type, task, result } = message;
    const said = result ? result.content[0].text : `${task.status}, ${task.statusMessage}, ${task.ttl}`;
    if (seen.at(-1) !== `${type}: ${said}`) seen.push(`${type}: ${said}`);
  }
  expect(seen[0]).toBe("taskCreated: working, preparing, 600000");
  expect(seen).toContain("taskStatus: input_required, on the way, 600000");
  expect(seen.at(-1)).toBe("result: Surveyed Rome");
  const { taskId } = (await tasks.listTasks()).tasks[0];
  expect(await refusal(tasks.cancelTask(taskId))).toMatchObject({ code: -32602 });
  await sdk.client.close();
  if (server) expect((await server.stop()).code).toBe(0);
});

test("headers that mirror arguments must agree with them, as the tool's schema has it", async () => {
  const file = join(tempFolder(), "mirrored.yaml");
  writeFileSync(
    file,
    "scenario: 1\ntools: [{ name: in, inputSchema: { type: object, properties: { region: { type: string, x-mcp-header: Region } } }, replies: [{ text: ok }] }]\n",
  );
  const server = start([CLI, "serve", file, ...LISTEN]);
  const talk = new HttpTalk(await server.url());
  const params = { name: "in", arguments: { region: "Öst" }, ...MODERN };
  const post = (more: Record<string, string>) =>
    talk.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, { ...MIRRORED, ...more });
  for (const more of [{}, { "mcp-param-region": "West" }, { "mcp-param-region": "=?base64?!?=" }]) {
    const { status, messages } = await post(more);
    expect([status, messages[0]?.error]).toMatchObject([400, { code: -32020 }]);
  }
  const { status, messages } = await post({ "mcp-param-region": "=?base64?w5ZzdA==?=" });
  expect([status, messages[0]?.result]).toMatchObject([200, { content: [{ text: "ok" }] }]);
  // What is refused by the rules of the transport is no miss.
  expect((await server.stop()).code).toBe(0);
});

const MODERN = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};
const MIRRORED = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "in" };

test("a scenario has its own faults, and others are laid over them", async () => {
  const folder = tempFolder();
  const file = join(folder, "broken.yaml");
  writeFileSync(
    file,
    "scenario: 1\ntools: [{ name: a, replies: [{ text: fine }] }]\nfaults: [{ on: { method: tools/call, nth: 1 }, do: { error: { code: -32050, message: own } } }]\n",
  );
  const over = join(folder, "faults.yaml");
  writeFileSync(over, "faults: [{ on: { method: tools/call, nth: 2 }, do: { toolError: laid over } }]\n");
  const command = [NODE, CLI, "serve", file, "--faults", over];
  const sdk = await connect({ sdk: "2", era: "legacy" }, { command });
  const call = () => refusal(sdk.request("tools/call", { name: "a", arguments: {} }));
  expect([await call(), await call(), await call()]).toMatchObject([
    { code: -32050 },
    { answer: { isError: true, content: [{ text: "laid over" }] } },
    { answer: { content: [{ text: "fine" }] } },
  ]);
  await sdk.client.close();
  writeFileSync(file, "scenario: 1\nfaults: [{ do: { status: 503 } }]\n");
  const refused = await run([CLI, "serve", file]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("broken.yaml:2:18: status cannot be shown over stdio"),
  ]);
});

test("a program is a scenario too", async () => {
  const file = join(tempFolder(), "sum.mjs");
  writeFileSync(
    file,
    `export default { scenario: 1, tools: [{ name: "sum", replies: [{ handler: ({ args }) => ({ text: String(args.a + args.b) }) }] }] };`,
  );
  const sdk = await connect({ sdk: "2", era: "modern" }, { command: [NODE, CLI, "serve", file] });
  expect(await sdk.request("tools/call", { name: "sum", arguments: { a: 2, b: 3 } })).toMatchObject({
    content: [{ text: "5" }],
  });
  await sdk.client.close();
});
