import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/replay/report.ts";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { onceFor } from "./support/once.ts";
import { start } from "./support/program.ts";
import { type Rpc, Talk } from "./support/talk.ts";
import { everyday, LISTEN, record, serve } from "./support/walk.ts";

/** What was not recorded is never answered with something else, and says so everywhere. */

const MISS_CODE = -32010;

/** A short session of two different calls of echo, one elicitation and one poll. */
const recordedAs = onceFor(async (name: string) => {
  const file = join(tempFolder(), name);
  const talk = new Talk(start(record(file, everyday("legacy", "stdio"))));
  talk.on("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  await talk.initialize();
  await talk.call("echo", { text: "first" });
  await talk.call("echo", { text: "second" });
  await talk.call("ask_name", { message: "Who?" });
  await talk.call("poll", { job: "one" });
  expect((await talk.program.finish()).code).toBe(0);
  return readFileSync(file);
});

async function recorded(file: string): Promise<void> {
  writeFileSync(file, await recordedAs(basename(file)));
}

const reportOf = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Report;

const asked = { name: "echo", arguments: { text: "second, changed" } };
const DATA = {
  reason: "unrecorded",
  method: "tools/call",
  label: "tools/call echo",
  asked,
  nearest: {
    asked: { name: "echo", arguments: { text: "first" } },
    differences: [{ pointer: "/arguments/text", kind: "changed", before: "first", after: "second, changed" }],
  },
  recorded: 2,
  used: 1,
};

/** What a person is to read, with every fact of the miss and the command that mends it. */
function expectExplained(text: string, cassette: string): void {
  expect(text).toContain("No recorded exchange answers tools/call echo.");
  expect(text).toContain('asked    {"name":"echo","arguments":{"text":"second, changed"}}');
  expect(text).toContain('nearest  {"name":"echo","arguments":{"text":"first"}}');
  expect(text).toContain('differs at /arguments/text: recorded "first", asked "second, changed"');
  expect(text).toContain(`${cassette} (tools/call echo recorded 2 times, 1 used)`);
  expect(text).toContain(`mcp-vcr record --mode append -o ${cassette} -- `);
}

interface Asker {
  call(name: string, args?: object): Promise<Rpc>;
  ask(method: string, params?: object): Promise<Rpc>;
}

describe.each(["yaml", "jsonl"])("a call that was not recorded, .%s", (codec) => {
  test.each(["stdio", "http"])(
    "over %s: on the wire, on stderr, in the report, exit code 1",
    async (door) => {
      const folder = tempFolder();
      const file = join(folder, `short.${codec}`);
      const report = join(folder, "report.json");
      await recorded(file);
      const program = start(serve(file, "--report", report, ...(door === "http" ? LISTEN : [])));
      const talk = door === "http" ? new HttpTalk(await program.url()) : new Talk(program);
      await talk.initialize();
      const client: Asker = talk;
      expect((await client.call("echo", { text: "first" })).result.content[0].text).toBe("first");

      const { error, result } = await client.call("echo", asked.arguments);
      expect(result).toBeUndefined();
      expect(error?.code).toBe(MISS_CODE);
      expect(error?.data).toMatchObject({ ...DATA, cassette: file });
      expect(error?.data.fix).toContain(`mcp-vcr record --mode append -o ${file} -- `);
      expectExplained(error?.message ?? "", file);
      await program.complained("Record it:");
      expectExplained(program.stderr, file);

      // The client goes on: what was recorded is answered as before.
      expect((await client.call("echo", { text: "second" })).result.content[0].text).toBe("second");

      const { code } = door === "http" ? await program.stop() : await program.finish();
      expect(code).toBe(1);
      const told = reportOf(report);
      expect(told).toMatchObject({ cassette: file, sessions: 1, hits: 3, repeats: [], differentAnswers: [] });
      expect(told.misses).toEqual([error?.data]);
      expect(told.unused.map(({ label }) => label)).toEqual(["tools/call ask_name", "tools/call poll"]);
    },
  );
});

test("each kind of request that was not recorded is a miss, and none is answered with something near", async () => {
  const file = join(tempFolder(), "short.yaml");
  await recorded(file);
  const talk = new Talk(start(serve(file)));
  await talk.initialize();
  const misses: [string, object][] = [
    ["tools/call", { name: "no_such_tool", arguments: {} }],
    ["tools/call", { name: "echo", arguments: { text: "first", more: null } }],
    ["tools/call", { name: "echo", arguments: { text: 1 } }],
    ["tools/call", { name: "echo" }],
    ["tools/list", {}],
    ["resources/read", { uri: "city://1" }],
    ["no/such/method", {}],
  ];
  for (const [method, params] of misses) {
    const { result, error } = await talk.ask(method, params);
    expect({ method, result, code: error?.code }).toEqual({ method, result: undefined, code: MISS_CODE });
    expect(error?.data).toMatchObject({ reason: "unrecorded", method });
  }
  const { code, stderr } = await talk.program.finish();
  expect(code).toBe(1);
  expect(stderr.match(/No recorded exchange answers/g)).toHaveLength(misses.length);
});

test("the spelling of an id and the order of keys make no miss; ping and probes are none", async () => {
  const file = join(tempFolder(), "short.jsonl");
  await recorded(file);
  const talk = new Talk(start(serve(file)));
  await talk.initialize();
  for (const id of ["", "1", 0, -7, 2 ** 53 - 1, "é 🧵"]) {
    const answer = await talk.ask("tools/call", { arguments: { text: "first" }, name: "echo" }, id);
    expect(answer).toMatchObject({ id, result: { content: [{ text: "first" }] } });
  }
  expect((await talk.ask("ping")).result).toEqual({});
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const discovered = await talk.ask("server/discover", { _meta });
  expect(discovered.result).toMatchObject({ supportedVersions: ["2026-07-28"] });
  expect(await talk.program.finish()).toMatchObject({ code: 0, stderr: "" });
});

describe("what is asked more often than it was recorded", () => {
  const session = async (flags: readonly string[]) => {
    const folder = tempFolder();
    const file = join(folder, "short.yaml");
    const report = join(folder, "report.json");
    await recorded(file);
    const talk = new Talk(start(serve(file, "--report", report, ...flags)));
    talk.on("elicitation/create", () => ({ action: "accept", content: { name: "Bob" } }));
    await talk.initialize();
    return { talk, report: () => reportOf(report) };
  };

  test("gets the last answer again, and the report says so", async () => {
    const { talk, report } = await session([]);
    const answers = [];
    for (let count = 0; count < 3; count++) answers.push((await talk.call("poll", { job: "one" })).result);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(await talk.program.finish()).toMatchObject({ code: 0, stderr: "" });
    expect(report()).toMatchObject({ misses: [], repeats: [{ label: "tools/call poll", times: 2 }] });
  });

  test("is a miss with --strict", async () => {
    const { talk, report } = await session(["--strict"]);
    expect((await talk.call("poll", { job: "one" })).result.content[0].text).toBe("working 1");
    const { error } = await talk.call("poll", { job: "one" });
    expect(error).toMatchObject({
      code: MISS_CODE,
      data: { reason: "exhausted", label: "tools/call poll", recorded: 1, used: 1 },
    });
    const { code, stderr } = await talk.program.finish();
    expect(code).toBe(1);
    expect(stderr).toContain("tools/call poll was recorded once, and is asked once more (--strict).");
    expect(report().misses).toEqual([error?.data]);
  });

  test.each([
    { flags: [], code: 0 },
    { flags: ["--strict"], code: 1 },
  ])(
    "a client that answers the server otherwise than recorded is reported: $flags ends with $code",
    async ({ flags, code }) => {
      const { talk, report } = await session(flags);
      expect((await talk.call("ask_name", { message: "Who?" })).result.content[0].text).toBe(
        'Hello {"name":"Ada"}',
      );
      expect((await talk.program.finish()).code).toBe(code);
      expect(report()).toMatchObject({
        misses: [],
        differentAnswers: [
          {
            label: "tools/call ask_name",
            recorded: { action: "accept", content: { name: "Ada" } },
            live: { action: "accept", content: { name: "Bob" } },
          },
        ],
      });
    },
  );
});

test("a miss in the other era says what is not translated, and why", async () => {
  const file = join(tempFolder(), "short.yaml");
  await recorded(file);
  const talk = new Talk(start(serve(file)));
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { error } = await talk.ask("logging/setLevel", { level: "info", _meta });
  expect(error?.data).toMatchObject({
    reason: "era",
    method: "logging/setLevel",
    untranslatable: { feature: "logging/setLevel", why: expect.stringContaining("each request says") },
  });
  const { code, stderr } = await talk.program.finish();
  expect(code).toBe(1);
  expect(stderr).toContain(
    "The recording was made in the other era of the protocol, and cannot answer logging/setLevel",
  );
});

test("a report that cannot be written is told, with exit code 2", async () => {
  const folder = tempFolder();
  const file = join(folder, "short.yaml");
  await recorded(file);
  const program = start(serve(file, "--report", join(folder, "no/such/folder/report.json")));
  const { code, stderr } = await program.finish();
  expect(code).toBe(2);
  expect(stderr).toContain("no/such/folder/report.json: ");
});
