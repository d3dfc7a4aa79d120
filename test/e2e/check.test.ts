import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, run } from "./support/program.ts";

const check = (...args: string[]) => run([CLI, "check", ...args]);

const HEADER =
  "mcp-vcr: 1\nrecorded: 2026-11-30T09:00:00.000Z\nrecorder: x\nsource: { transport: stdio, command: [x] }\n";

function written(text: string, name = "a.yaml"): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  return file;
}

test("the cassettes of this repository are clean", async () => {
  const files = readdirSync("cassettes").map((name) => `cassettes/${name}`);
  const { code, stdout } = await check(...files);
  expect(stdout.toString()).toMatch(/^5 cassettes, \d+ entries: nothing found\n$/);
  expect(code).toBe(0);
});

const FAULTY = `${HEADER}--- # client: x
at: 1
from: client
message:
  jsonrpc: "2.0"
  id: 1
  method: tools/call
  params: { name: login, arguments: { user: me, password: hunter2hunter2 } }
--- # server
at: 2
from: server
message:
  jsonrpc: "2.0"
  id: 2
  result: { content: [] }
...
`;

test("findings come with line and column, in the order of the file, and never tell the secret", async () => {
  const file = written(FAULTY);
  const { code, stdout } = await check(file);
  const text = stdout.toString();
  expect(
    text
      .replaceAll(file, "FILE")
      .split("\n")
      .filter((line) => line.startsWith("FILE")),
  ).toEqual([
    "FILE:5:1: tools/call is asked, and never answered [unanswered]",
    "FILE:12:59: a credential stands at message/params/arguments/password (found by: keys) [secret]",
    "FILE:17:3: an answer to the request 2, which was not asked in session 1 [unasked]",
  ]);
  expect(text).not.toContain("hunter2");
  expect(code).toBe(1);
});

test("a credential in a comment is found, too", async () => {
  const file = written(
    `${HEADER}--- # x\nat: 1\nfrom: server\ntext: a\n# was --password=hunter2hunter2\n...\n`,
  );
  const { code, stdout } = await check(file);
  expect(stdout.toString()).toMatch(/:9:1: a credential stands in a comment \[secret\]/);
  expect(code).toBe(1);
});

test("rules can be left out", async () => {
  const ignored = ["--ignore", "unanswered", "--ignore", "unasked", "--ignore", "secret"];
  expect((await check(...ignored, written(FAULTY))).code).toBe(0);
  const { code, stderr } = await check("--ignore", "secrets", written(FAULTY));
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("Rules that can be left out are cut-off"),
  });
});

test("a file that is no cassette is a finding at its place, does not hide the others, and exits 3", async () => {
  const bad = written(`${HEADER}---\nat: 1\nfrom: clinet\n...\n`);
  const { code, stdout } = await check(bad, written(FAULTY), "--format", "json");
  const { files } = JSON.parse(stdout.toString());
  expect(files[0].findings).toEqual([
    {
      file: bad,
      line: 7,
      column: 1,
      rule: "format",
      message: expect.stringMatching(/^from must be client or server/),
    },
  ]);
  expect(files[1].findings).toHaveLength(3);
  expect(code).toBe(3);
});

test.each([
  ["nothing in it", HEADER, /\[empty\]/, 1],
  [
    "an entry cut off",
    `${HEADER}---\nat: 1\nfrom: client\ntext: a\n---\nat: 2`,
    /:9:1: the last entry is cut off .*\[cut-off\]/,
    1,
  ],
])("%s", async (_, text, finding, exit) => {
  const { code, stdout } = await check(
    written(`${text}${text === HEADER ? "...\n" : ""}`),
    "--ignore",
    "unanswered",
  );
  expect(stdout.toString()).toMatch(finding);
  expect(code).toBe(exit);
});

test("a file that is not there exits 3, and a name that is no cassette's 2", async () => {
  const { code, stdout } = await check("no.yaml", "--format", "github");
  expect(stdout.toString()).toMatch(
    /^::error file=no\.yaml,line=1,col=1,title=format%3A .*::there is no such file\n/,
  );
  expect(code).toBe(3);
  expect((await check("README.md")).code).toBe(2);
});
