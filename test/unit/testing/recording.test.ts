import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type CassetteOptions, type Tape, useCassette } from "../../../src/index.ts";
import { folderOf, LEGACY } from "./support.ts";

const ME = { name: "test", version: "1" };
const PINNED = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
const WEATHER = ["node", resolve("test/fixtures/servers/weather.mjs")];
/** It wants what a first run tends to lack. */
const REFUSING = [
  "node",
  "-e",
  'process.stdin.once("data", (line) => console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, error: { code: -32602, message: "no key" } })))',
];
const GONE = ["node", "no-such-server.mjs"];

type Connect = (tape: Tape) => Promise<Client2>;

const connected = async (transport: Parameters<Client2["connect"]>[0]) => {
  const client = new Client2(ME, PINNED);
  await client.connect(transport);
  return client;
};

const DOORS: Readonly<Record<string, Connect>> = {
  "transport()": (tape) => connected(tape.transport()),
  fetch: ({ fetch }) => connected(new Http2(new URL("http://weather.example/mcp"), { fetch })),
  url: async (tape) => connected(new Http2(new URL(await tape.url))),
  "command and args": ({ command, args }) => connected(new Stdio2({ command, args })),
};

async function opened(folder: string, options: CassetteOptions): Promise<Tape> {
  const tape = await useCassette("weather", { folder, config: false, ...options });
  onTestFinished(() => tape.close());
  return tape;
}

/** What a client hears of these cities. */
async function forecasts(tape: Tape, connect: Connect, ...cities: readonly string[]): Promise<string[]> {
  const client = await connect(tape);
  const heard: string[] = [];
  for (const city of cities) {
    const answer = await client.callTool({ name: "forecast", arguments: { city } }).catch(String);
    heard.push(typeof answer === "string" ? answer : (answer.content[0] as { text: string }).text);
  }
  await client.close();
  await tape.close();
  return heard;
}

beforeEach(() => {
  vi.stubEnv("CI", "");
  vi.stubEnv("MCP_VCR_MODE", "");
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.each(Object.entries(DOORS))("by %s", (_door, connect) => {
  test("what is not there yet is recorded, and served without the server from then on", async () => {
    const folder = folderOf({});
    const recorded = await opened(folder, { server: WEATHER });
    const heard = await forecasts(recorded, connect, "Oslo", "Lisbon");
    expect(heard[0]).toContain("3 °C, rain");
    expect(() => recorded.check()).not.toThrow();
    // One line tells of it.
    expect(vi.mocked(process.stderr.write).mock.calls).toEqual([
      [
        expect.stringMatching(
          /^mcp-vcr: \d requests were asked of the real server .*, \d recorded in .*weather\.yaml\n$/,
        ),
      ],
    ]);
    const replayed = await opened(folder, { server: GONE });
    expect(await forecasts(replayed, connect, "Lisbon", "Oslo")).toEqual(heard.reverse());
    expect([replayed.misses, replayed.check()]).toEqual([[], undefined]);
  });
});

const inProcess = DOORS["transport()"] as Connect;

/** What that server said of Oslo and Lisbon. */
const RECORDED = { "weather.yaml": readFileSync("cassettes/weather.yaml", "utf8").trimEnd().split("\n") };

describe("mode", () => {
  test("once: what is there is replayed, and a miss says how the test records it", async () => {
    const folder = folderOf(RECORDED);
    const before = readFileSync(join(folder, "weather.yaml"), "utf8");
    const tape = await opened(folder, { server: GONE });
    expect((await forecasts(tape, inProcess, "Nairobi"))[0]).toContain("No recorded exchange");
    expect(() => tape.check()).toThrow(/\nOr let the test record it: {2}MCP_VCR_MODE=append$/);
    expect(readFileSync(join(folder, "weather.yaml"), "utf8")).toBe(before);
  });

  test.each([
    ["the option", { mode: "append" as const }, ""],
    ["the environment", { mode: "replay" as const }, "append"],
  ])("append, by %s: what is missing is added", async (_by, option, environment) => {
    const folder = folderOf(RECORDED);
    vi.stubEnv("MCP_VCR_MODE", environment);
    const appended = await opened(folder, { server: WEATHER, ...option });
    const heard = await forecasts(appended, inProcess, "Oslo", "Nairobi");
    expect(heard[1]).toContain("24 °C, clouds");
    expect(() => appended.check()).not.toThrow();
    vi.stubEnv("MCP_VCR_MODE", "replay");
    const tape = await opened(folder, {});
    expect(await forecasts(tape, inProcess, "Nairobi", "Oslo")).toEqual(heard.reverse());
    expect(() => tape.check()).not.toThrow();
  });

  test.each([
    ["CI is set", { CI: "true" }, {}, "Nothing is recorded, since CI is set."],
    [
      "MCP_VCR_MODE is replay",
      { MCP_VCR_MODE: "replay" },
      { mode: "once" as const },
      "since MCP_VCR_MODE is replay.",
    ],
    ["the test says so", {}, { mode: "replay" as const }, 'mode: "replay" records nothing.'],
  ])("replay, where %s: what is not there is an error", async (_where, environment, option, said) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const folder = folderOf({});
    await expect(opened(folder, { server: WEATHER, ...option })).rejects.toMatchObject({
      code: "cassette-missing",
      hint: expect.stringContaining(said) as string,
    });
    expect(existsSync(join(folder, "weather.yaml"))).toBe(false);
  });

  test("CI that says false is none", async () => {
    vi.stubEnv("CI", "false");
    const tape = await opened(folderOf({}), { server: WEATHER });
    expect((await forecasts(tape, inProcess, "Oslo"))[0]).toContain("3 °C");
  });

  test("of the environment means other tests where no server is named", async () => {
    vi.stubEnv("MCP_VCR_MODE", "append");
    const tape = await opened(folderOf({ "weather.jsonl": LEGACY }), {});
    expect(tape.misses).toEqual([]);
  });

  test("that is none is told with the right ones", async () => {
    const folder = folderOf({ "weather.jsonl": LEGACY });
    await expect(opened(folder, { mode: "relpay" as "replay" })).rejects.toMatchObject({
      message: 'useCassette: mode must be replay, once or append, not "relpay"',
      hint: 'Did you mean "replay"?',
    });
    await expect(opened(folder, { mode: "append" })).rejects.toThrow("and none was named");
    vi.stubEnv("MCP_VCR_MODE", "relpay");
    await expect(opened(folder, {})).rejects.toMatchObject({
      message: "the environment has MCP_VCR_MODE=relpay, which must be replay or once or append",
      hint: "Set MCP_VCR_MODE=replay, or unset it.",
    });
  });
});

describe("a server", () => {
  test("that cannot be started fails the test, and leaves no cassette", async () => {
    const folder = folderOf({});
    const tape = await opened(folder, { server: ["no-such-program"] });
    await expect(forecasts(tape, inProcess, "Oslo")).rejects.toThrow();
    await tape.close();
    expect(() => tape.check()).toThrow(
      /was not answered: the real server \(no-such-program\) could not be started/,
    );
    expect(existsSync(join(folder, "weather.yaml"))).toBe(false);
  });

  test("that refuses leaves a cassette that the next run records anew, and says so", async () => {
    const folder = folderOf({});
    const refusing = await opened(folder, { server: REFUSING });
    await expect(new Client2(ME).connect(refusing.transport())).rejects.toThrow("no key");
    await refusing.close();
    const told = () => vi.mocked(process.stderr.write).mock.calls.map(([line]) => line);
    expect(told()).toEqual([
      expect.stringMatching(
        /weather\.yaml: no session was recorded, since initialize was refused: "no key"\. The next recording takes its place\.\n$/,
      ),
      expect.stringMatching(/1 request was asked of the real server .*, 1 recorded in .*weather\.yaml\n$/),
    ]);
    // Where nothing is recorded it is served as it is.
    const replayed = await opened(folder, { server: WEATHER, mode: "replay" });
    await expect(new Client2(ME).connect(replayed.transport())).rejects.toThrow("no key");
    const tape = await opened(folder, { server: WEATHER });
    expect((await forecasts(tape, inProcess, "Oslo"))[0]).toContain("3 °C");
    expect(told()[2]).toMatch(/weather\.yaml is recorded anew: in it initialize was refused: "no key"\n$/);
    expect(readFileSync(join(folder, "weather.yaml"), "utf8")).not.toContain("no key");
  });

  test("whose answers cannot be kept fails the test", async () => {
    const folder = folderOf({});
    const tape = await opened(folder, { server: WEATHER });
    const other = await opened(folder, { server: WEATHER });
    await (await inProcess(other)).callTool({ name: "forecast", arguments: { city: "Oslo" } });
    await forecasts(tape, inProcess, "Lisbon");
    expect(() => tape.check()).toThrow(/weather\.yaml does not hold what was asked: /);
  });

  test.each([
    [[], "is no command"],
    ["node weather.js", "is no http or https URL"],
    ["https://me:secret@example.com/mcp", "the URL holds credentials"],
    [7, "server must be a command as a list, or a URL, not 7"],
  ])("that is none is told: %j", async (server, said) => {
    await expect(opened(folderOf({}), { server: server as string })).rejects.toThrow(said);
  });
});
