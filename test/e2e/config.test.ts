import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { fixture, NODE, run, type StartOptions, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { LISTEN, record, serve } from "./support/walk.ts";

/** The configuration, wherever it stands and however it is written, and what it does to the command. */

const CASSETTE = `mcp-vcr: 1
recorded: 2026-11-30T09:00:00.000Z
recorder: mcp-vcr/0.1.0
source: { transport: stdio, command: [node, weather.js] }
--- # client: initialize
at: 0
from: client
message: { jsonrpc: "2.0", id: 0, method: initialize, params: {} }
--- # server: result of initialize
at: 1
from: server
message: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25" } }
--- # client: tools/call forecast
at: 2
from: client
message: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: forecast, arguments: { city: Oslo, at: 1 } } }
--- # server: result of tools/call forecast
at: 3
from: server
message: { jsonrpc: "2.0", id: 1, result: rain }
...
`;

/** A folder with the cassette and these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  writeFileSync(join(folder, "weather.yaml"), CASSETTE);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const RULES = { match: { "tools/call forecast": { ignore: ["/arguments/at"] } } };
const JSON_RULES = JSON.stringify(RULES, null, 2);
const asked = { city: "Oslo", at: 2 };

/** What a call is answered by, and how the command ends. */
async function served(args: object, options: StartOptions, ...flags: string[]) {
  const talk = new Talk(start(serve("weather.yaml", ...flags), options));
  const { result, error } = await talk.call("forecast", args);
  const { code, stderr } = await talk.program.finish();
  return { result, error, code, stderr };
}

const RAIN = { result: "rain", error: undefined, code: 0, stderr: "" };

describe("a rule is used", () => {
  test.each([
    ["mcp-vcr.config.yaml", "match:\n  tools/call forecast:\n    ignore: [/arguments/at]\n"],
    ["mcp-vcr.config.json", JSON_RULES],
    [".mcp-vcrrc", JSON_RULES],
    ["package.json", JSON.stringify({ name: "x", "mcp-vcr": RULES })],
    ["mcp-vcr.config.mjs", `export default ${JSON_RULES};`],
    ["mcp-vcr.config.js", `module.exports = ${JSON_RULES};`],
  ])("from %s", async (name, text) => {
    expect(await served(asked, { cwd: folderWith({ [name]: text }) })).toEqual(RAIN);
  });

  const readsTypeScript = execFileSync(NODE, ["-p", "!!process.features.typescript"], { encoding: "utf8" });
  test("from mcp-vcr.config.ts, where Node reads TypeScript; else it says what can be done", async () => {
    const text = `const rule: object = { ignore: ["/arguments/at"] };
export default { match: { "tools/call forecast": rule } };`;
    const cwd = folderWith({ "mcp-vcr.config.ts": text, "package.json": '{ "type": "module" }' });
    if (readsTypeScript.trim() === "true") {
      expect(await served(asked, { cwd })).toEqual(RAIN);
      return;
    }
    const { code, stderr } = await run(serve("weather.yaml"), { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /mcp-vcr\.config\.ts: Node 20\.[\d.]+ does not read TypeScript\nUse Node 22\.18 or later/,
    );
  });

  test("from a function, over HTTP too", async () => {
    const text = `export default { match: { "tools/call forecast": {
      match: { "/arguments/at": (asked, recorded) => asked > recorded } } } };`;
    const cwd = folderWith({ "mcp-vcr.config.mjs": text });
    const program = start(serve("weather.yaml", ...LISTEN), { cwd });
    const talk = new HttpTalk(await program.url());
    await talk.initialize();
    expect((await talk.call("forecast", asked)).result).toBe("rain");
    expect((await talk.call("forecast", { city: "Oslo", at: 0 })).error?.code).toBe(-32010);
    expect((await program.stop()).code).toBe(1);
  });

  test("from the file that --config names, and from no other", async () => {
    const folder = folderWith({ "other.yaml": JSON_RULES });
    expect(await served(asked, { cwd: folder }, "--config", "other.yaml")).toEqual(RAIN);
    expect(await served(asked, { cwd: folder })).toMatchObject({ code: 1, error: { code: -32010 } });
  });

  test("and the rule that a miss names lets the nearest answer", async () => {
    const cwd = folderWith({});
    const { error, stderr } = await served(asked, { cwd });
    const rule = /^Or loosen, in mcp-vcr\.config\.yaml: +(match: .*)$/m.exec(stderr)?.[1];
    expect(rule).toBe('match: { "tools/call forecast": { ignore: ["/arguments/at"] } }');
    expect(error?.data.looser).toEqual({ rule: "tools/call forecast", ignore: ["/arguments/at"] });
    writeFileSync(join(cwd, "mcp-vcr.config.yaml"), `${rule}\n`);
    expect(await served(asked, { cwd })).toEqual(RAIN);
  });
});

describe("what is wrong ends with exit code 2", () => {
  test.each([
    [
      "mcp-vcr.config.yaml",
      "match:\n  tools/call:\n    ingore: []\n",
      'mcp-vcr: mcp-vcr.config.yaml:3:5: match["tools/call"] has no key "ingore"; did you mean "ignore"?\nIts keys are ignore and match.\n',
    ],
    [
      "package.json",
      '{\n  "mcp-vcr": { "serve": { "strict": 1 } }\n}',
      "mcp-vcr: package.json:2:37: serve.strict must be true or false, and is a number\n",
    ],
    [
      "mcp-vcr.config.mjs",
      "export default 1;",
      "mcp-vcr: mcp-vcr.config.mjs: the configuration must be a mapping, and is a number\n",
    ],
  ])("%s", async (name, text, said) => {
    const cwd = folderWith({ [name]: text });
    for (const args of [serve("weather.yaml"), record("new.yaml", ["server.js"])]) {
      expect(await run(args, { cwd })).toMatchObject({ code: 2, stderr: said });
    }
  });

  test("a file that is not there", async () => {
    const { code, stderr } = await run(serve("weather.yaml", "--config", "gone.yaml"), {
      cwd: folderWith({}),
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: "mcp-vcr: gone.yaml: there is no such file\n" });
  });

  test("an environment variable", async () => {
    const env = { MCP_VCR_STRICT: "yes" };
    const { code, stderr } = await run(serve("weather.yaml"), { cwd: folderWith({}), env });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("MCP_VCR_STRICT=yes"),
    });
  });
});

test("a rule for nothing recorded is told", async () => {
  const cwd = folderWith({ "mcp-vcr.config.yaml": "match: { tools/call forcast: {} }" });
  expect(await served({ city: "Oslo", at: 1 }, { cwd })).toEqual({
    ...RAIN,
    stderr:
      'mcp-vcr: mcp-vcr.config.yaml: match["tools/call forcast"] is for nothing that weather.yaml holds; did you mean "tools/call forecast"?\n',
  });
});

test("flags win over the environment, the environment over the file", async () => {
  const cwd = folderWith({ "mcp-vcr.config.yaml": "serve: { strict: true }\nrecord: { mode: all }\n" });
  const twice = async (options: StartOptions, ...flags: string[]) => {
    const talk = new Talk(start(serve("weather.yaml", ...flags), options));
    await talk.call("forecast", { city: "Oslo", at: 1 });
    await talk.call("forecast", { city: "Oslo", at: 1 });
    return (await talk.program.finish()).code;
  };
  expect(await twice({ cwd })).toBe(1);
  expect(await twice({ cwd, env: { MCP_VCR_STRICT: "0" } })).toBe(0);
  expect(await twice({ cwd, env: { MCP_VCR_STRICT: "0" } }, "--strict")).toBe(1);
  expect(await twice({ cwd }, "--no-strict")).toBe(0);
  const refused = await run(record("weather.yaml", ["x"]), { cwd, env: { MCP_VCR_MODE: "once" } });
  expect({ ...refused, stdout: "" }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--mode once"),
  });
});

test("what becomes of the cassette is the environment's to say, where a real server is behind", async () => {
  const cwd = folderWith({ "mcp-vcr.config.yaml": "serve: { mode: replay }\n" });
  const behind = ["--", process.execPath, "-e", ""];
  const refused = await run(serve("weather.yaml", ...behind), { cwd, env: { MCP_VCR_MODE: "all" } });
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("MCP_VCR_MODE=all, which must be replay or once or append"),
  });
  const missing = await run(serve("none.yaml", ...behind), { cwd });
  expect(missing.code).toBe(3);
  const recorded = await run(serve("none.yaml", ...behind), { cwd, env: { MCP_VCR_MODE: "once" } });
  expect(recorded.stderr).toContain("nothing recorded");
  expect((await run(serve("weather.yaml"), { cwd, env: { MCP_VCR_MODE: "all" } })).code).toBe(0);
});

describe("redaction", () => {
  const CONFIG = "redact: { env: [MY_TOKEN], patterns: ['ACME-(\\d{6})'], keys: [pin] }\n";
  const env = { MY_TOKEN: "opensesame/4711" };
  const secret = {
    text: "say opensesame/4711",
    url: "http://x/?t=opensesame%2F4711",
    order: "ACME-123456",
    pin: 98765,
  };
  const NEEDLES = ["opensesame", "123456", "98765"];

  async function call(args: readonly string[], options: StartOptions) {
    const talk = new Talk(start(args, options));
    await talk.initialize();
    const { result, error } = await talk.call("echo", { value: 1, ...secret });
    return { error, text: JSON.stringify(result), ...(await talk.program.finish()) };
  }

  test.each(["yaml", "jsonl"])(
    "own secrets do not reach the file, and are known again, .%s",
    async (codec) => {
      const cwd = folderWith({ "mcp-vcr.config.yaml": CONFIG });
      const file = join(cwd, `own.${codec}`);
      const server = [fixture("servers/leaks-secrets.mjs"), "--pin", "98765", "--order=ACME-123456"];
      const live = await call(record(file, server), { cwd, env });
      // What the server says there passes through.
      expect(live).toMatchObject({ code: 0, stderr: expect.not.stringContaining("mcp-vcr") });
      const text = readFileSync(file, "utf8");
      for (const needle of NEEDLES) expect(text).not.toContain(needle);
      expect(text).toMatch(/ACME-\[redacted:[0-9a-f]{8}\]/);
      expect(text).toMatch(/env:MY_TOKEN.*key:pin.*pattern:[0-9a-f]{8}/);

      expect(await call(serve(file), { cwd, env })).toMatchObject({ code: 0, stderr: "", error: undefined });
      // The names of the keys are in the cassette, the patterns are not.
      const elsewhere = await call(serve(file), { cwd: tempFolder(), env });
      expect(elsewhere).toMatchObject({ code: 1, error: { code: -32010 } });
      expect(elsewhere.stderr).toContain(
        "redacted by a pattern that redact.patterns of the configuration does not hold",
      );
      expect(elsewhere.stderr).not.toContain("98765");
    },
  );

  test("what goes on in a cassette has its rules", async () => {
    const cwd = folderWith({ "mcp-vcr.config.yaml": "redact: { keys: [pin] }" });
    const refused = await run(record("weather.yaml", ["x"], "--mode", "append"), { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      "weather.yaml was recorded with other redaction rules than the configuration has now (+key:pin)",
    );
    expect(readFileSync(join(cwd, "weather.yaml"), "utf8")).toBe(CASSETTE);
  });

  test("a variable that is not set is told, one that is too short refused", async () => {
    const cwd = folderWith({ "mcp-vcr.config.yaml": "redact: { env: [MY_TOKEN] }" });
    const args = record("new.yaml", [fixture("servers/echo-bytes.mjs"), join(cwd, "sum")]);
    const unset = await run(args, { cwd, env: { MY_TOKEN: "" } });
    expect(unset.stderr).toContain("redact.env: MY_TOKEN is not set, so no value of it is redacted");
    const short = await run(args, { cwd, env: { MY_TOKEN: "abc" } });
    expect(short).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("MY_TOKEN has fewer than 4 characters"),
    });
  });
});
