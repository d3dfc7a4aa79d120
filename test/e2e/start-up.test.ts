import { expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, fixture, Program, run } from "./support/program.ts";

/** What only some commands need, and what of Node costs the most to load. */
const SELDOM = [
  ...["rooms.cjs", "links.cjs", "record.cjs", "serve.cjs", "yaml.cjs"],
  ...["js-yaml.cjs", "ajv.cjs", "http", "https", "crypto", "tls", "zlib"],
];

function seldomIn(stderr: string): string[] {
  const loaded = JSON.parse(/^loaded (.*)$/m.exec(stderr)?.[1] ?? "null") as string[];
  expect(loaded).toContain("cli.cjs");
  return SELDOM.filter((each) => loaded.includes(each));
}

const PRELOAD = ["--require", fixture("start/tell-loaded.cjs")];

test("a cassette is served over stdio with little more than the player", async () => {
  const serve = new Program([...PRELOAD, CLI, "serve", "cassettes/weather.yaml"]);
  serve.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  const { stdout, stderr, code } = await serve.ended;
  expect([stdout.toString(), code]).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}\n', 0]);
  expect(seldomIn(stderr)).toEqual(["serve.cjs", "yaml.cjs", "js-yaml.cjs"]);
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
