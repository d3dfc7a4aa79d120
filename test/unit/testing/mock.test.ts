import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  ProtocolError,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { type MockOptions, type MockServer, mockServer, VcrError } from "../../../src/index.ts";

const ME = { name: "test", version: "1" };
const CITY = { type: "object", required: ["city"], properties: { city: { type: "string" } } } as const;
const text = (answer: unknown) => (answer as { content: { text: string }[] }).content[0]?.text;

async function mockOf(options?: MockOptions): Promise<MockServer> {
  const mock = await mockServer(options);
  onTestFinished(() => mock.close());
  return mock;
}

async function client1(mock: MockServer, capabilities = {}): Promise<Client1> {
  const client = new Client1(ME, { capabilities });
  await client.connect(mock.transport());
  return client;
}

function forecasts(mock: MockServer): MockServer {
  mock
    .tool<{ city: string }>("forecast", { description: "Tomorrow's weather", inputSchema: CITY })
    .when({ city: "Oslo" })
    .reply("3 °C, rain")
    .when({ city: "Atlantis" })
    .toolError("no such city")
    .when({ city: { pattern: "^Ber" } })
    .times(1)
    .error(-32603, "upstream is down")
    .when({ city: { pattern: "^Ber" } })
    .reply(({ args, nth }) => `sunny in ${args.city}, for the ${nth}th time`);
  return mock;
}

describe("tools", () => {
  test("answer by their arguments, in order, as often as said", async () => {
    const mock = forecasts(await mockOf());
    const client = await client1(mock);
    const ask = (city: string) => client.callTool({ name: "forecast", arguments: { city } });
    expect((await client.listTools()).tools).toMatchObject([
      { name: "forecast", description: "Tomorrow's weather", inputSchema: CITY },
    ]);
    expect(text(await ask("Oslo"))).toBe("3 °C, rain");
    expect(await ask("Atlantis")).toMatchObject({ isError: true, content: [{ text: "no such city" }] });
    await expect(ask("Bergen")).rejects.toThrow("upstream is down");
    expect(text(await ask("Berlin"))).toBe("sunny in Berlin, for the 1th time");
    expect(mock.misses).toEqual([]);
    expect(() => mock.check()).not.toThrow();
  });

  test("that have no reply for a call miss it, and fail the test", async () => {
    const mock = forecasts(await mockOf());
    const client = await client1(mock);
    await expect(client.callTool({ name: "forecast", arguments: { city: "Rome" } })).rejects.toThrow();
    expect(mock.misses).toMatchObject([{ reason: "unwritten", label: "tools/call forecast" }]);
    expect(() => mock.check()).toThrow(/No reply of tools\/call forecast answers this[\s\S]*"Rome"/);
  });

  test("check their arguments", async () => {
    const client = await client1(forecasts(await mockOf()));
    expect(await client.callTool({ name: "forecast", arguments: { city: 7 } })).toMatchObject({
      isError: true,
    });
  });
});

test.each(["2025-11-25", "2026-07-28"])("resources, templates, prompts and methods in %s", async (pin) => {
  const mock = await mockOf({ server: { name: "library", version: "2.0.0" }, instructions: "Read." });
  mock.resource("book://moby-dick", { name: "Moby Dick", mimeType: "text/plain" }).reply("Call me Ishmael.");
  mock.template<{ title: string }>("book://shelf/{title}").reply(({ args }) => `${args.title}: lost`);
  mock
    .prompt<{ tone: string }>("review", { arguments: [{ name: "tone", required: true }] })
    .reply("Review in a ${args.tone} tone.");
  const modern = pin === "2026-07-28";
  const client = new Client2(ME, modern ? { versionNegotiation: { mode: { pin } } } : {});
  await client.connect(mock.transport());
  expect(client.getInstructions()).toBe("Read.");
  expect(await client.readResource({ uri: "book://moby-dick" })).toMatchObject({
    contents: [{ text: "Call me Ishmael.", mimeType: "text/plain" }],
  });
  expect(await client.readResource({ uri: "book://shelf/emma" })).toMatchObject({
    contents: [{ text: "emma: lost" }],
  });
  expect(await client.getPrompt({ name: "review", arguments: { tone: "kind" } })).toMatchObject({
    messages: [{ content: { text: "Review in a kind tone." } }],
  });
  expect(mock.check()).toBeUndefined();
});

test("a method of one's own", async () => {
  const mock = await mockOf();
  mock.method("acme/ping").reply({ result: { pong: true } });
  const transport = mock.transport();
  const answered = new Promise((resolve) => {
    transport.onmessage = resolve;
  });
  await transport.start();
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  await transport.send({ jsonrpc: "2.0", id: 1, method: "acme/ping", params: { _meta } });
  expect(await answered).toMatchObject({ id: 1, result: { pong: true } });
});

test("what happens before an answer comes in the order in which it is said", async () => {
  const mock = await mockOf();
  mock
    .tool("work")
    .progress({ progress: 1, total: 2 })
    .log({ data: "half" })
    .progress({ progress: 2 })
    .reply("done");
  const client = await client1(mock);
  const progress: number[] = [];
  const answer = await client.callTool({ name: "work" }, undefined, {
    onprogress: ({ progress: seen }) => void progress.push(seen),
  });
  expect([text(answer), progress]).toEqual(["done", [1, 2]]);
});

test("elicit() asks the client's user, and what was answered is told to the reply", async () => {
  const mock = await mockOf();
  mock
    .tool("book")
    .elicit("trip", { message: "Where to?", requestedSchema: CITY })
    .reply(({ answers }) => `Booked ${JSON.stringify(answers.trip)}`);
  const client = await client1(mock, { elicitation: {} });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    expect(params.message).toBe("Where to?");
    return { action: "accept", content: { city: "Rome" } };
  });
  const answer = await client.callTool({ name: "book" });
  expect(text(answer)).toBe('Booked {"action":"accept","content":{"city":"Rome"}}');
});

describe("notify()", () => {
  test("tells legacy clients of lists, resources they subscribed to, and whatever else", async () => {
    const mock = forecasts(await mockOf());
    mock.resource("weather://stations").reply("many");
    const client = await client1(mock);
    const heard: string[] = [];
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push("tools"));
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void heard.push(params.uri),
    );
    client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
    await client.listTools();
    await client.subscribeResource({ uri: "weather://stations" });
    mock.notify("notifications/tools/list_changed");
    mock.notify("notifications/resources/updated", { uri: "weather://stations" });
    mock.notify("notifications/acme", { a: 1 });
    await expect.poll(() => heard).toEqual(["tools", "weather://stations", "notifications/acme"]);
  });

  test("tells modern clients what they listen for", async () => {
    const mock = forecasts(await mockOf());
    const heard: string[] = [];
    const client = new Client2(ME, {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      listChanged: { tools: { autoRefresh: false, onChanged: () => void heard.push("tools") } },
    });
    await client.connect(mock.transport());
    await expect.poll(() => mock.received.map(({ method }) => method)).toContain("subscriptions/listen");
    mock.notify("notifications/tools/list_changed");
    await expect.poll(() => heard).toEqual(["tools"]);
    expect(() => mock.notify("notifications/acme")).toThrow(VcrError);
  });

  test("without a client is a mistake", async () => {
    const mock = await mockOf();
    expect(() => mock.notify("notifications/acme")).toThrow("no client is there");
  });
});

describe("expectCancelled()", () => {
  const connects = {
    "in process": (mock: MockServer) => client1(mock),
    "over stdio": async ({ command, args }: MockServer) => {
      const client = new Client1(ME);
      await client.connect(new Stdio1({ command, args }));
      return client;
    },
    "in process in the modern era": async (mock: MockServer) => {
      const client = new Client2(ME, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      await client.connect(mock.transport());
      return client;
    },
    "over HTTP in the modern era": async (mock: MockServer) => {
      const client = new Client2(ME, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      await client.connect(new Http2(new URL(await mock.url)));
      return client;
    },
  } as const;

  test.each(Object.entries(connects))("%s", async (_door, connect) => {
    const mock = await mockOf();
    mock.tool<{ what: string }>("wait").hang();
    const client = await connect(mock);
    const controller = new AbortController();
    const call = { name: "wait", arguments: { what: "tea" } };
    const options = { signal: controller.signal };
    const asked =
      client instanceof Client1 ? client.callTool(call, undefined, options) : client.callTool(call, options);
    const refused = expect(asked).rejects.toThrow();
    await expect.poll(() => mock.received.map(({ method }) => method)).toContain("tools/call");
    controller.abort();
    await mock.expectCancelled("tools/call", { arguments: { what: "tea" } });
    await refused;
    await client.close();
    const { cancelled, unused } = mock.report();
    expect(cancelled).toEqual([{ label: "tools/call wait", recorded: false, unsent: 0 }]);
    expect(unused).toEqual([]);
  });

  test("what a fault and the mock both hold back is cancelled once", async () => {
    const mock = await mockOf();
    mock.tool("wait").delay("1m").reply("late");
    mock.fault({ method: "tools/call" }, { jitter: "1m" });
    const client = await client1(mock);
    const controller = new AbortController();
    const refused = expect(
      client.callTool({ name: "wait" }, undefined, { signal: controller.signal }),
    ).rejects.toThrow();
    await expect.poll(() => mock.received.map(({ method }) => method)).toContain("tools/call");
    controller.abort();
    await refused;
    await expect.poll(() => mock.report().cancelled.length).toBe(1);
  });

  test("waits for clients that are still to come", async () => {
    const mock = await mockOf();
    mock.tool("wait").hang();
    const cancelled = mock.expectCancelled("tools/call");
    const client = await client1(mock);
    await expect(client.callTool({ name: "wait" }, undefined, { timeout: 20 })).rejects.toThrow();
    await cancelled;
    expect(() => mock.check()).not.toThrow();
  });

  test("that nobody waits for fails the test, be it over or not", async () => {
    const mock = await mockOf();
    void mock.expectCancelled("tools/call", { name: "late" }, { within: "5ms" });
    void mock.expectCancelled("tools/call", { name: "open" }, { within: "1m" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    const told = [
      'tools/call with {"name":"late"} was not cancelled within 5 ms\n  nobody asked it\nNobody waits for it: await mock.expectCancelled(…).',
      'tools/call with {"name":"open"} was not cancelled before the test was over\n  nobody asked it\nNobody waits for it: await mock.expectCancelled(…).',
    ].join("\n\n");
    expect(() => mock.check()).toThrow(told);
    await mock.close();
    expect(() => mock.check()).toThrow(told);
  });

  test("that a reset or the test's end cuts short fails it too", async () => {
    const mock = await mockOf();
    const waited = [mock.expectCancelled("ping").catch((error: Error) => error.message)];
    mock.reset();
    waited.push(mock.expectCancelled("ping").catch((error: Error) => error.message));
    await mock.close();
    const told = ["before the reset", "before the test was over"].map(
      (end) => `ping was not cancelled ${end}\n  nobody asked it`,
    );
    expect(await Promise.all(waited)).toEqual(told);
    expect(() => mock.check()).toThrow(told.join("\n\n"));
  });

  test("that was met, or is told by the test, is not told again", async () => {
    const mock = await mockOf();
    mock.tool("wait").hang();
    const client = await client1(mock);
    void mock.expectCancelled("tools/call");
    await expect(client.callTool({ name: "wait" }, undefined, { timeout: 20 })).rejects.toThrow();
    const failed = mock.expectCancelled("ping", undefined, { within: 5 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(failed).rejects.toMatchObject({ code: "test-failed" });
    await mock.close();
    expect(() => mock.check()).not.toThrow();
  });

  test.each([["soon"], ["2 s"], [Number.NaN], [-1], [Infinity], [null], [2n], [{}]])(
    "within %s is none",
    async (within) => {
      const mock = await mockOf();
      await expect(mock.expectCancelled("ping", undefined, { within } as object)).rejects.toMatchObject({
        code: "usage",
        message: expect.stringMatching(
          /^expectCancelled: within must be a duration or milliseconds, not /,
        ) as string,
      });
    },
  );

  test("says what became of the request instead", async () => {
    const mock = forecasts(await mockOf());
    const within = { within: 20 };
    await expect(mock.expectCancelled("tools/call", undefined, within)).rejects.toThrow(
      "tools/call was not cancelled within 20 ms\n  nobody asked it",
    );
    const client = await client1(mock);
    await client.callTool({ name: "forecast", arguments: { city: "Oslo" } });
    await expect(mock.expectCancelled("tools/call", { name: "forecast" }, within)).rejects.toThrow(
      /forecast .*"Oslo".* was answered/,
    );
  });
});

test("faults lie over it", async () => {
  const mock = forecasts(
    await mockOf({
      faults: { faults: [{ on: { nth: 2, method: "tools/call" }, do: { toolError: "tired" } }] },
    }),
  );
  mock.fault({ method: "tools/call", nth: 3 }, { error: { message: "gone" } });
  const client = await client1(mock);
  const ask = () => client.callTool({ name: "forecast", arguments: { city: "Oslo" } });
  expect(text(await ask())).toBe("3 °C, rain");
  expect(text(await ask())).toBe("tired");
  await expect(ask()).rejects.toThrow("gone");
  expect(mock.report().faults.map(({ struck }) => struck)).toEqual([1, 1]);
});

describe("what is wrong is told", () => {
  test("when something is added once it answers, until reset()", async () => {
    const mock = forecasts(await mockOf());
    const client = await client1(mock);
    expect(() => mock.tool("late")).toThrow("tool late: the mock has begun to answer");
    expect(() => mock.fault({}, { hang: true })).toThrow("a fault");
    await client.close();
    mock.reset();
    mock.tool("late").reply("there");
    expect(text(await (await client1(mock)).callTool({ name: "late" }))).toBe("there");
  });

  test("a reply that was begun and never said", async () => {
    const mock = await mockOf();
    mock.tool("forecast").when({ city: "Oslo" }).delay("1s");
    expect(() => mock.transport()).toThrow("tool forecast: .when, .delay of a reply that was never said");
  });

  test("two of one name", async () => {
    const mock = forecasts(await mockOf());
    expect(() => mock.tool("forecast")).toThrow("there is a tool forecast already");
  });

  test("what no scenario could say, and schemas that are none", async () => {
    const mock = await mockOf();
    mock.tool("forecast").reply("always").when({ city: "Oslo" }).reply("never");
    expect(() => mock.transport()).toThrow(/the mock: tools\["forecast"\]\.replies\[1\]: .*never/);
    const other = await mockOf();
    other.tool("forecast", { inputSchema: { type: "object", properties: { a: { $ref: "#/nowhere" } } } });
    expect(() => other.transport()).toThrow(/inputSchema of forecast/);
  });

  test("options that are none", async () => {
    await expect(mockServer({ tols: [] } as object)).rejects.toMatchObject({
      code: "usage",
      message: 'mockServer has no option "tols"',
      hint: expect.stringMatching(/^Did you mean tools\?/) as string,
    });
    await expect(mockServer("weather" as MockOptions)).rejects.toThrow(
      "mockServer takes options, not a name",
    );
  });
});

test("replies that never answered, where unused ones fail the test", async () => {
  const mock = forecasts(await mockOf({ unused: "fail" }));
  const client = await client1(mock);
  await client.callTool({ name: "forecast", arguments: { city: "Oslo" } });
  expect(() => mock.check()).toThrow(
    /Never asked of the mock:\n {2}tools\/call forecast {2}\{"when":\{"city":"Atlantis"\}\} {2}the mock: tools\["forecast"\]\.replies\[1\]\n/,
  );
});

test("SDK 2.x clients get errors as a server's", async () => {
  const mock = forecasts(await mockOf());
  const client = new Client2(ME);
  await client.connect(mock.transport());
  const asked = client.callTool({ name: "forecast", arguments: { city: "Bergen" } });
  await expect(asked).rejects.toBeInstanceOf(ProtocolError);
});
