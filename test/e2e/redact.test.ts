import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, run } from "./support/program.ts";

const redact = (args: readonly string[], options?: Parameters<typeof run>[1]) =>
  run([CLI, "redact", ...args], options);

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

const YAML = `# by hand
mcp-vcr: 1
recorded: 2026-11-30T09:00:00.000Z
recorder: x   # kept as it is
source: { transport: stdio, command: [node, server.js, --token=${TOKEN}] }
--- # client: resources/read https://me:hunter2hunter2@x.example/
at:   1
from: client
message: { jsonrpc: "2.0", id: 1, method: resources/read, params: { uri: "https://me:hunter2hunter2@x.example/" } }
--- # server: result of resources/read https://me:hunter2hunter2@x.example/
at:   2
from: server
message:   { jsonrpc: "2.0", id: 1, result: { contents: [] } }
# the key was ${TOKEN}
--- # client: odd spacing stays
at:   3
from: client
message:   {   jsonrpc: "2.0", method: notifications/initialized }
...
`;

function written(name: string, text: string): string {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  return file;
}

test("a YAML cassette: secrets go, from comments too; what holds none stays byte for byte", async () => {
  const file = written("a.yaml", YAML);
  const { code, stdout, stderr } = await redact([file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const text = readFileSync(file, "utf8");
  expect(text).not.toMatch(/hunter2|ghp_/);
  expect(text).toContain("# by hand\n");
  expect(text).toContain("recorder: x   # kept as it is\n");
  expect(text).toContain("\nredacted: [headers, keys, pairs, text, urls, shapes]\n---");
  expect(text).toMatch(
    /\n# the key was \[redacted:[0-9a-f]{8}\]\n--- # client: odd spacing stays\nat: {3}3\nfrom: client\nmessage: {3}\{ {3}jsonrpc/,
  );
  expect(stdout.toString()).toMatch(
    /^\S+a\.yaml: \d secrets replaced \(.*urls 1.*\); 2 entries written anew\n$/,
  );
  expect(readdirSync(dirname(file))).toEqual(["a.yaml"]);
});

test("another file that is there is left as it is", async () => {
  const [file, other] = [written("a.yaml", YAML), written("b.yaml", "precious")];
  const { code, stderr } = await redact([file, "-o", other]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/b\.yaml exists already/) });
  expect(readFileSync(other, "utf8")).toBe("precious");
});

test("a second time there is nothing to do, and the file is not touched", async () => {
  const file = written("a.yaml", YAML);
  await redact([file]);
  const before = [readFileSync(file, "utf8"), statSync(file).ino, statSync(file).mtimeMs];
  const { stdout } = await redact([file]);
  expect(stdout.toString()).toMatch(/: no secret found\n$/);
  expect([readFileSync(file, "utf8"), statSync(file).ino, statSync(file).mtimeMs]).toEqual(before);
});

test("a JSON Lines cassette, into another file, by the configuration's own rules", async () => {
  const header = {
    "mcp-vcr": 1,
    recorded: "x",
    recorder: "x",
    source: { transport: "stdio", command: ["x"] },
  };
  const plain = '{"at":2 , "from":"server","message":{"a":1.0}}';
  const file = written(
    "a.jsonl",
    [JSON.stringify(header), '{"at":1,"from":"client","text":"the word is swordfish"}', plain, ""].join("\n"),
  );
  const config = written("mcp-vcr.config.json", JSON.stringify({ redact: { patterns: ["swordfish"] } }));
  const output = `${file}.out.jsonl`;
  const { code, stdout } = await redact([file, "-o", output, "--config", config]);
  expect(code).toBe(0);
  expect(stdout.toString()).toMatch(/1 secret replaced \(own 1\); 1 entry written anew/);
  expect(readFileSync(file, "utf8")).toContain("swordfish");
  const [first = "", second, third] = readFileSync(output, "utf8").split("\n");
  expect(JSON.parse(first)).toEqual({
    ...header,
    redacted: expect.arrayContaining(["keys", expect.stringMatching(/^pattern:/)]),
  });
  expect(second).toMatch(/^\{"at":1,"from":"client","text":"the word is \[redacted:[0-9a-f]{8}\]"\}$/);
  expect(third).toBe(plain);
});

test("the bundled cassettes hold nothing, and stay as they are", async () => {
  const file = written("weather.yaml", readFileSync("cassettes/weather.yaml", "utf8"));
  expect((await redact([file])).stdout.toString()).toMatch(/: no secret found\n$/);
  expect(readFileSync(file, "utf8")).toBe(readFileSync("cassettes/weather.yaml", "utf8"));
});

test.each([
  [["no.yaml"], 3, /no\.yaml: there is no such file/],
  [["cassettes/weather.yaml", "-o", "x.jsonl"], 2, /-o must end as cassettes\/weather\.yaml does/],
  [["cassettes/weather.yaml", "-o", "no/folder/x.yaml"], 2, /no\/folder\/x\.yaml cannot be written/],
])("redact %j exits %i and leaves nothing behind", async (args, exit, complaint) => {
  const { code, stderr } = await redact(args);
  expect(code).toBe(exit);
  expect(stderr).toMatch(complaint);
  expect(existsSync("no.yaml.lock")).toBe(false);
});

test("a broken cassette is left as it is", async () => {
  const text = YAML.replace("from: server", "from: nobody");
  const file = written("a.yaml", text);
  expect((await redact([file])).code).toBe(3);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(readdirSync(dirname(file))).toEqual(["a.yaml"]);
});
