import { describe, expect, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import { bytesOf, codecOf, readAll } from "./support.ts";

const YAML_HEADER = `mcp-vcr: 1
recorded: 2026-11-30T09:00:00.000Z
recorder: mcp-vcr/0.1.0
source: { transport: stdio, command: [node, weather.js] }
`;
const JSONL_HEADER =
  '{"mcp-vcr":1,"recorded":"2026-11-30T09:00:00.000Z","recorder":"mcp-vcr/0.1.0","source":{"transport":"stdio","command":["node"]}}\n';

function faultOf(read: () => unknown): VcrError {
  try {
    read();
  } catch (error) {
    if (error instanceof VcrError) return error;
    throw error;
  }
  throw new Error("it was read without complaint");
}

const yaml = codecOf("a.yaml");
const jsonl = codecOf("a.jsonl");

const inYaml = (entry: string) => faultOf(() => readAll(yaml, `${YAML_HEADER}---\n${entry}\n...\n`));
const inJsonl = (line: string) => faultOf(() => readAll(jsonl, `${JSONL_HEADER}${line}\n`));

describe("entries in YAML", () => {
  test.each<[string, RegExp, number, number | undefined]>([
    [
      "at: 1\nfrom: client\nmesage: {}",
      /unknown member "mesage" \(did you mean message\?\); allowed are at, from,/,
      8,
      1,
    ],
    ["at: 1\nfrom: client\nzzzzzz: {}", /unknown member "zzzzzz"; allowed are/, 8, 1],
    ["at: 1\nfrom: client\n__proto__: {}", /unknown member "__proto__"/, 8, 1],
    ["at: 1\nfrom: clint", /from must be client or server \(did you mean client\?\)/, 7, 1],
    ["at: 1.5\nfrom: client", /at must be a whole number from 0/, 6, 1],
    ['at: "1"\nfrom: client', /at must be a whole number/, 6, 1],
    ["at: 1", /from: is missing/, 5, undefined],
    ["at: 1\nfrom: client\nsession: 0", /session must be a whole number from 1/, 8, 1],
    [
      "at: 1\nfrom: client\nhttp: { stats: 1 }",
      /unknown member "stats" in http \(did you mean status\?\)/,
      8,
      1,
    ],
    ["at: 1\nfrom: client\nhttp: { headers: { a: 1 } }", /http.headers.a must be text/, 8, 1],
    ["at: 1\nfrom: client\nhttp: 5", /http must be a mapping of method, path, status, headers/, 8, 1],
    ["at: 1\nfrom: client\non: [1]", /on must be a request's id/, 8, 1],
    ["at: 1\nfrom: client\non: { id: abc }", /on.id must be JSON text/, 8, 1],
    ["at: 1\nfrom: client\nmessage: {}\ntext: a", /one body: message: or text:/, 9, 1],
    ["at: 1\nfrom: client\nmessage: { 2: a, 1: b }\njson: '1'", /one body: message: or json:/, 9, 1],
    ["at: 1\nfrom: client\njson: '{'", /json: holds no valid JSON/, 8, 1],
    ["at: 1\nfrom: client\nbase64: a", /base64: holds no valid Base64/, 8, 1],
    ["at: 1\nfrom: client\nbase64: AB==", /base64: holds no valid Base64/, 8, 1],
    ["at: 1\nfrom: client\nbase64: 'AA A='", /base64: holds no valid Base64/, 8, 1],
    ['at: 1\nfrom: client\ntext: "\\ud800"', /half of a surrogate pair/, 8, 1],
    ["at: 1\nat: 2\nfrom: client", /the key "at" occurs twice/, 7, 1],
    ["at: 1\nfrom: client\nmessage: { a: 1, b: { c: 1, c: 2 } }", /the key "c" occurs twice/, 8, 29],
    [
      "at: 1\nfrom: client\nmessage: { id: 9007199254740993 }",
      /9007199254740993 would be changed.*9007199254740992/,
      8,
      16,
    ],
    ["at: 1\nfrom: client\nmessage:\n  x: 1.0", /the number 1\.0 would be changed/, 9, 6],
    ["at: 1\nfrom: client\nmessage: [0x10]", /the number 0x10 would be changed/, 8, 11],
    ["at: 1\nfrom: client\nmessage: [-0]", /the number -0 would be changed/, 8, 11],
    ["at: 1\nfrom: client\nmessage: [.inf]", /JSON has no number \.inf/, 8, 11],
    ["at: 1\nfrom: client\nmessage: &a {}", /anchors/, 8, 10],
    ["at: 1\nfrom: client\nmessage: [&a x, *a]", /anchors/, 8, 11],
    ["at: 1\nfrom: client\nmessage: [*a]", /aliases/, 8, 11],
    ["at: 1\nfrom: client\nmessage: !!binary AAAA", /tags/, 8, 10],
    ["at: 1\nfrom: client\nmessage: !x { a: 1 }", /tags/, 8, 10],
    ["at: 1\nfrom: client\nmessage: { <<: { a: 1 } }", /merge keys/, 8, 12],
    ["at: 1\nfrom: client\nmessage: { ? [a] : b }", /a key must be text/, 8, 14],
    ["- at: 1", /a document must be a mapping/, 6, 1],
    ["just text", /a document must be a mapping/, 6, 1],
    ["at: 1\n\tfrom: client", /no valid YAML/, 7, undefined],
    ["at: {", /no valid YAML/, 7, undefined],
    ["at: 1\nfrom: client\ntext: |\n  a\u0007", /no valid YAML.*non-printable/, 9, undefined],
    [
      `at: 1\nfrom: client\nmessage: ${"[".repeat(5000)}${"]".repeat(5000)}`,
      /no valid YAML.*maxDepth/,
      8,
      undefined,
    ],
  ])("%j", (entry, message, line, column) => {
    const fault = inYaml(entry);
    expect(fault.code).toBe("cassette-invalid");
    expect(fault.message).toMatch(message);
    expect(fault.place).toMatchObject({ file: "a cassette", line });
    if (column !== undefined) expect(fault.place?.column).toBe(column);
  });

  test("advice for a number that would be changed", () => {
    expect(inYaml("at: 1\nfrom: client\nmessage: { x: 1.0 }").hint).toMatch(
      /Write 1 .*"1\.0" for text.*json:/,
    );
  });

  test("bytes that are no UTF-8", () => {
    const file = new Uint8Array([
      ...bytesOf(`${YAML_HEADER}---\nat: 1\nfrom: client\ntext: `),
      0xff,
      ...bytesOf("\n...\n"),
    ]);
    expect(faultOf(() => readAll(yaml, file)).message).toMatch(/a cassette:5: bytes that are no UTF-8/);
  });
});

describe("entries in JSONL", () => {
  test.each<[string, RegExp, number | undefined]>([
    ['{"at":1,"from":"client","mesage":{}}', /:2:25: unknown member "mesage" \(did you mean message\?\)/, 25],
    ['{"at":1,"from":"client","message":{},"__proto__":{}}', /unknown member "__proto__"/, 38],
    ['{"at":1,"from":"client","at":2,"message":{}}', /the key "at" occurs twice/, 25],
    ['{"at":1,"from":"clint","message":{}}', /from must be client or server/, 9],
    ['{"at":-1,"from":"client","message":{}}', /at must be a whole number from 0/, 2],
    ['{"at":1,"from":"client","session":0,"message":{}}', /session must be/, 25],
    ['{"at":1,"message":{}}', /from: is missing/, undefined],
    ['{"from":"client","message":{}}', /at: is missing/, undefined],
    ['{"at":1,"from":"client","on":1.0,"message":{}}', /the id 1\.0 would be changed/, 25],
    ['{"at":1,"from":"client","on":null,"message":{}}', /on must be/, 25],
    ['{"at":1,"from":"client","message":{},"text":""}', /one body/, 38],
    ['{"at":1,"from":"client","message":{]}', /no JSON object on this line/, undefined],
    ['{"at":1,"from":"client","message":{},}', /no JSON object on this line/, undefined],
    ['["at",1]', /no JSON object on this line/, undefined],
    ["null", /no JSON object on this line/, undefined],
    ['{"at":1,', /no JSON object on this line/, undefined],
  ])("%s", (line, message, column) => {
    const fault = inJsonl(line);
    expect(fault.code).toBe("cassette-invalid");
    expect(fault.message).toMatch(message);
    expect(fault.place).toMatchObject({ file: "a cassette", line: 2 });
    expect(fault.place?.column).toBe(column);
  });
});

describe("headers", () => {
  test.each<[string, RegExp]>([
    [YAML_HEADER.replace("1", "2"), /:1:1: written by a newer mcp-vcr \(format 2\); this one reads up to 1/],
    [YAML_HEADER.replace("1", "0"), /must be the number of a format, not 0/],
    [YAML_HEADER.replace("1", "one"), /must be the number of a format, not "one"/],
    [YAML_HEADER.replace("recorded:", "recored:"), /unknown member "recored" \(did you mean recorded\?\)/],
    [
      YAML_HEADER.replace("stdio", "studio"),
      /source.transport must be stdio or http \(did you mean stdio\?\)/,
    ],
    [YAML_HEADER.replace("stdio", "http"), /unknown member "command" in source|source lacks url/],
    [YAML_HEADER.replace("[node", "[1"), /source.command\[0\] must be text/],
    [YAML_HEADER.replace(/recorder.*\n/, ""), /recorder: is missing/],
    ["at: 1\nfrom: client\n", /a cassette begins with its header/],
    ["", /a cassette begins with its header/],
    ["# nothing\n\n", /a cassette begins with its header/],
  ])("%j", (header, message) => {
    const fault = faultOf(() => readAll(yaml, `${header}...\n`));
    expect(fault.code).toBe("cassette-invalid");
    expect(fault.message).toMatch(message);
  });

  test("a newer format says how to read it, a missing header how one looks", () => {
    expect(faultOf(() => readAll(yaml, `${YAML_HEADER.replace("1", "2")}...\n`)).hint).toContain(
      "npm install",
    );
    expect(faultOf(() => readAll(yaml, "at: 1\n...\n")).hint).toContain("\nmcp-vcr: 1\nrecorded: ");
    expect(faultOf(() => readAll(jsonl, '{"at":1}\n')).hint).toContain('\n{"mcp-vcr":1,');
  });

  test("a recording stopped within its header is no cassette", () => {
    expect(faultOf(() => readAll(yaml, YAML_HEADER)).message).toContain("the header is not complete");
    expect(faultOf(() => readAll(yaml, "")).message).toContain("header");
    expect(faultOf(() => readAll(jsonl, JSONL_HEADER.slice(0, 50))).message).toContain("header");
    expect(faultOf(() => readAll(jsonl, "")).message).toContain("header");
  });
});
