import { expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, fixture, Program, run } from "./support/program.ts";

/** What only some commands need, and what of Node costs the most to load. */
const SELDOM = [
  ...["rooms.cjs", "links.cjs", "record.cjs", "serve.cjs", "yaml.cjs", "secrets.cjs", "headers.cjs"],
  ...["detours.cjs", "js-yaml.cjs", "ajv.cjs", "http", "https", "crypto", "tls", "zlib"],
];

function seldomIn(stderr: string): string[] {
  const loaded = JSON.parse(/^loaded (.*)$/m.exec(stderr)?.[1] ?? "null") as string[];
  expect(loaded).toContain("cli.cjs");
  return SELDOM.filter((each) => loaded.includes(each));
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

const PRELOAD = ["--require", fixture("start/tell-loaded.cjs")];

/** Says one thing to a served cassette, and that is all. */
async function served(cassette: string, line: string) {
  const serve = new Program([...PRELOAD, CLI, "serve", cassette]);
  serve.child.stdin.end(`${line}\n`);
  const { stdout, stderr, code } = await serve.ended;
  return { answer: JSON.parse(stdout.toString()) as object, code, seldom: seldomIn(stderr) };
}

test("a cassette is served over stdio with little more than the player", async () => {
  const { answer, code, seldom } = await served("cassettes/everything.yaml", INITIALIZE);
  expect(answer).toMatchObject({ id: 0, result: { serverInfo: { name: "mcp-servers/everything" } } });
  expect(code).toBe(0);
  expect(seldom).toEqual(["serve.cjs", "yaml.cjs", "js-yaml.cjs"]);
});

test("a client of the other era is served with what that takes", async () => {
  const { answer, code, seldom } = await served("cassettes/weather.yaml", INITIALIZE);
  expect(answer).toMatchObject({ id: 0, result: { protocolVersion: "2025-11-25" } });
  expect(code).toBe(0);
  expect(seldom).toEqual(["serve.cjs", "yaml.cjs", "detours.cjs", "js-yaml.cjs"]);
});

test("a server is recorded over stdio with little more than the recorder", async () => {
  const file = `${tempFolder()}/a.jsonl`;
  const { stderr } = await run([...PRELOAD, CLI, "record", "-o", file, "--", "true"]);
  expect(seldomIn(stderr)).toEqual(["record.cjs"]);
});

test("what is needed is loaded, and seen", async () => {
  const { stderr } = await run([...PRELOAD, CLI, "check", "cassettes/weather.yaml"]);
  expect(seldomIn(stderr)).toEqual(expect.arrayContaining(["rooms.cjs", "yaml.cjs"]));
});
