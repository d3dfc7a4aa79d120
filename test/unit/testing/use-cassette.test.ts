import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type CassetteOptions,
  type MatchRules,
  type Miss,
  mockServer,
  useCassette,
  useScenario,
  VcrError,
} from "../../../src/index.ts";
import { openCassette } from "../../../src/testing/running-test.ts";
import { folderOf, LEGACY } from "./support.ts";

const YAML = [
  "mcp-vcr: 1",
  "recorded: 2026-11-30T09:00:00.000Z",
  "recorder: mcp-vcr/0.1.0",
  "source: { transport: stdio, command: [x] }",
  "...",
];

async function faultOf(opening: Promise<unknown>): Promise<{ code: string; text: string; hint: string }> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(VcrError);
  const { code, message, hint = "" } = error as VcrError;
  return { code, text: message, hint };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a name", () => {
  test.each([
    ["a", "a.yaml"],
    ["b", "b.jsonl"],
    ["remote/c", "remote/c.yaml"],
  ])("%s is %s in the folder", async (name, file) => {
    const folder = folderOf({ "a.yaml": YAML, "b.jsonl": LEGACY, "remote/c.yaml": YAML });
    const tape = await useCassette(name, { folder });
    expect(tape.file).toBe(join(folder, file));
    await tape.close();
  });

  test("that two files have is refused, and names both", async () => {
    const folder = folderOf({ "a.yaml": YAML, "a.jsonl": LEGACY });
    const { code, text, hint } = await faultOf(useCassette("a", { folder }));
    expect(code).toBe("usage");
    expect(text).toBe(`"a" could be ${join(folder, "a.yaml")} or ${join(folder, "a.jsonl")}`);
    expect(hint).toContain("a.yaml");
  });

  test("that no file has is told with those there are, and how to record it", async () => {
    const folder = folderOf({ "a.yaml": YAML, "b.jsonl": LEGACY, "c.txt": [] });
    const { code, text, hint } = await faultOf(useCassette("d", { folder }));
    expect(code).toBe("cassette-missing");
    expect(text).toBe(`${folder}: no cassette is called "d"`);
    expect(hint).toBe(
      `There are: a, b. Record it: npx mcp-vcr record --drive auto -o ${join(folder, "d.yaml")} -- COMMAND, or name the server, and let the test record it: useCassette(…, { server: ["node", "server.js"] }).`,
    );
    const nowhere = await faultOf(useCassette("d", { folder: join(folder, "none") }));
    expect(nowhere.hint).toMatch(/^Record it/);
  });

  test("is needed", async () => {
    expect((await faultOf(useCassette(""))).hint).toContain("useCassette(");
  });
});

describe("a file", () => {
  test("is opened where it is", async () => {
    const folder = folderOf({ "x/a.jsonl": LEGACY });
    const tape = await useCassette(join(folder, "x/a.jsonl"));
    expect(tape.file).toBe(join(folder, "x/a.jsonl"));
    await tape.close();
  });

  test("that is not there is told, and where one of that name is", async () => {
    const folder = folderOf({ "only-here.yaml": YAML });
    expect(await faultOf(useCassette("nowhere.yaml", { folder }))).toMatchObject({
      code: "cassette-missing",
      hint: expect.stringMatching(
        /^Record it: npx mcp-vcr record --drive auto -o nowhere.yaml -- COMMAND/,
      ) as string,
    });
    expect((await faultOf(useCassette("only-here.yaml", { folder }))).hint).toContain(
      JSON.stringify(join(folder, "only-here.yaml")),
    );
  });

  test("that is broken further on is told at once, with its line", async () => {
    const folder = folderOf({ "a.jsonl": [...LEGACY, '{"at":8,"from":"nobody"}'] });
    const { code, text } = await faultOf(useCassette("a", { folder }));
    expect(code).toBe("cassette-invalid");
    expect(text).toContain(`a.jsonl:${LEGACY.length + 1}`);
  });
});

describe("options", () => {
  test.each([
    [[], "a list"],
    [null, "null"],
    [new Map(), "an object of the class Map"],
    [Promise.resolve({}), "a promise (await it)"],
    ["replay", '"replay"'],
  ])("that are none are told", async (options, told) => {
    for (const open of [
      () => useCassette("weather", options as object),
      () => useScenario("everything", options as object),
      ...(typeof options === "string" ? [] : [() => mockServer(options as object)]),
    ]) {
      const { text } = await faultOf(open());
      expect(text).toMatch(/^(useCassette|useScenario|mockServer) takes options, not /);
      expect(text).toContain(told);
    }
    const test = { file: "x", name: "y", after: () => undefined };
    for (const args of typeof options === "string"
      ? [["weather", options]]
      : [[options], ["weather", options]]) {
      const { text } = await faultOf(openCassette(args)(test, undefined));
      expect(text).toContain(`useCassette takes options, not ${told}`);
    }
    const { text } = await faultOf(useCassette("weather", { match: options } as object));
    expect(text).toMatch(/^useCassette: match must be an object, not /);
  });

  test("that are none are refused, and the right ones named", async () => {
    const options = { sever: ["node"] } as object;
    expect(await faultOf(useCassette("weather", options))).toMatchObject({
      code: "usage",
      text: 'useCassette has no option "sever"',
      hint: "Did you mean server? Its options are: server, mode, folder, strict, pace, match, config, faults, misses, unused.",
    });
  });

  test("of another type are refused", async () => {
    const options = { strict: "yes" } as unknown as { strict: boolean };
    expect((await faultOf(useCassette("weather", options))).text).toBe(
      'useCassette: strict must be a boolean, not "yes"',
    );
  });
});

describe("the configuration", () => {
  const RULES = { match: { "tools/call count": { ignore: ["/arguments/at"] } } };
  /** Misses of a client that asks `count` so often, with these arguments. */
  async function missesOf(
    folder: string,
    { times = 1, ...options }: CassetteOptions & { times?: number },
    args: object = { at: 1 },
  ): Promise<readonly Miss[]> {
    const tape = await useCassette("a", { folder, ...options });
    const transport = tape.transport();
    await transport.start();
    for (let id = 0; id < times; id++) {
      const params = { name: "count", arguments: args };
      await transport.send({ jsonrpc: "2.0", id, method: "tools/call", params });
    }
    await tape.close();
    expect(tape.received).toHaveLength(times);
    return tape.misses;
  }

  function inFolder(config: object | undefined): string {
    const files = config === undefined ? {} : { "mcp-vcr.config.json": [JSON.stringify(config)] };
    const folder = folderOf({ "a.jsonl": LEGACY, ".git/HEAD": [], ...files });
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    return folder;
  }

  test("is that of the working directory, as for serve", async () => {
    expect(await missesOf(inFolder(RULES), {})).toEqual([]);
    expect(await missesOf(inFolder(undefined), {})).toHaveLength(1);
  });

  test("is another, or none, where that is said", async () => {
    const folder = inFolder(RULES);
    expect(await missesOf(folder, { config: false })).toHaveLength(1);
    const other = folderOf({ "other.json": [JSON.stringify(RULES)] });
    inFolder(undefined);
    expect(await missesOf(folder, { config: join(other, "other.json") })).toEqual([]);
  });

  test("yields to the options", async () => {
    const folder = inFolder({ match: { "tools/call count": { ignore: ["/x"] } }, serve: { strict: true } });
    expect(await missesOf(folder, { match: RULES.match })).toEqual([]);
    expect(await missesOf(folder, { match: {} })).toHaveLength(1);
  });

  test("makes it strict", async () => {
    const folder = inFolder({ ...RULES, serve: { strict: true } });
    expect(await missesOf(folder, { times: 3 }, {})).toHaveLength(1);
    expect(await missesOf(folder, { times: 3, strict: false }, {})).toEqual([]);
  });

  test("that is wrong is told, in the file as in the options", async () => {
    const folder = inFolder({ mach: {} });
    expect((await faultOf(useCassette("a", { folder }))).text).toContain("mcp-vcr.config.json:1:2:");
    const match = { "tools/call count": { ignre: [] } } as MatchRules;
    expect((await faultOf(useCassette("a", { folder, config: false, match }))).text).toBe(
      'the options of useCassette: match["tools/call count"] has no key "ignre"; did you mean "ignore"?',
    );
  });
});

test("what a client's message becomes in the other era is not received", async () => {
  const tape = await useCassette("a", { folder: folderOf({ "a.jsonl": LEGACY }) });
  const transport = tape.transport();
  const answered = new Promise((resolve) => {
    transport.onmessage = resolve;
  });
  await transport.start();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "count", arguments: {}, _meta };
  await transport.send({ jsonrpc: "2.0", id: "mine", method: "tools/call", params });
  expect(await answered).toMatchObject({ id: "mine", result: { content: [{ text: "one" }] } });
  expect(tape.received).toEqual([{ jsonrpc: "2.0", id: "mine", method: "tools/call", params }]);
  await tape.close();
});
