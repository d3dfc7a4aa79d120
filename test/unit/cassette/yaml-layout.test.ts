import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import type { JsonValue } from "../../../src/protocol/message.ts";
import { bytesOf, codecOf, fileOf, HEADER, jsonBody, readAll, textOf } from "./support.ts";

const codec = codecOf("a.yaml");

const said = (from: "client" | "server", value: unknown, more: Partial<Entry> = {}): Entry => ({
  at: 0,
  from,
  session: 1,
  body: jsonBody(JSON.stringify(value)),
  ...more,
});

const bare = (from: "client" | "server", more: Partial<Entry>): Entry => ({
  at: 0,
  from,
  session: 1,
  ...more,
});

/** The file without its header. */
const documents = (...entries: Entry[]) =>
  fileOf(codec, entries).slice(fileOf(codec, []).length - "...\n".length);

test("a recording reads well", () => {
  const call = {
    jsonrpc: "2.0",
    id: 3,
    method: "tools/call",
    params: { name: "forecast", arguments: { city: "Oslo" } },
  };
  const answer = {
    jsonrpc: "2.0",
    id: 3,
    result: { content: [{ type: "text", text: "Oslo, Monday\n3 °C, rain\n" }] },
  };
  const header: Header = { ...HEADER, redacted: ["bearer"] };
  expect(
    fileOf(codec, [said("client", call, { at: 812 }), said("server", answer, { at: 1044 })], header),
  ).toBe(`\
mcp-vcr: 1
recorded: 2026-11-30T09:00:00.000Z
recorder: mcp-vcr/0.1.0
source: { transport: stdio, command: [node, weather.js] }
redacted: [bearer]
--- # client: tools/call forecast
at: 812
from: client
message:
  jsonrpc: "2.0"
  id: 3
  method: tools/call
  params: { name: forecast, arguments: { city: Oslo } }
--- # server: result of tools/call forecast
at: 1044
from: server
message:
  jsonrpc: "2.0"
  id: 3
  result:
    content:
      - type: text
        text: |
          Oslo, Monday
          3 °C, rain
...
`);
});

test("all members have their place and order", () => {
  const entry = said(
    "server",
    { jsonrpc: "2.0", id: "x", result: {} },
    {
      at: 7,
      session: 2,
      on: { id: '"x"' },
      http: {
        status: 200,
        headers: { "content-type": "text/event-stream", "mcp-session-id": "s-0123456789" },
      },
      event: { name: "message", id: "e1", retry: 500 },
      closed: { reason: "end" },
    },
  );
  expect(documents(entry)).toBe(`\
--- # server: result
at: 7
from: server
session: 2
on: x
http: { status: 200, headers: { content-type: text/event-stream, mcp-session-id: s-0123456789 } }
event: { name: message, id: e1, retry: 500 }
message:
  jsonrpc: "2.0"
  id: x
  result: {}
closed: { reason: end }
...
`);
});

describe("the --- line says what the entry is", () => {
  const label = (...entries: Entry[]) =>
    /.*\n$/
      .exec(
        documents(...entries)
          .match(/^---.*\n/gm)
          ?.at(-1) ?? "",
      )?.[0]
      .slice(6, -1);
  const asked = said("client", { jsonrpc: "2.0", id: 1, method: "tools/list" });

  test.each<[string, Entry[]]>([
    ["client: tools/list", [asked]],
    ["server: result of tools/list", [asked, said("server", { jsonrpc: "2.0", id: 1, result: {} })]],
    ["server: error of tools/list", [asked, said("server", { jsonrpc: "2.0", id: 1, error: {} })]],
    ["server: result", [asked, said("server", { jsonrpc: "2.0", id: "1", result: {} })]],
    ["server: result", [asked, said("server", { jsonrpc: "2.0", id: 1, result: {} }, { session: 2 })]],
    ["client: result", [asked, said("client", { jsonrpc: "2.0", id: 1, result: {} })]],
    [
      "client: result of roots/list",
      [said("server", { id: 1, method: "roots/list" }), said("client", { id: 1, result: {} })],
    ],
    [
      "server: notifications/progress",
      [said("server", { jsonrpc: "2.0", method: "notifications/progress" })],
    ],
    ["client: batch of 3", [said("client", [1, 2, 3])]],
    ["server: noise", [bare("server", { body: { form: "text", bytes: bytesOf("Listening\n") } })]],
    ["server: noise", [said("server", { level: "info" })]],
    ["server: closed", [bare("server", { closed: { exit: 1 } })]],
    ["client: GET /mcp", [bare("client", { http: { method: "GET", path: "/mcp" } })]],
    [
      "server: 405",
      [bare("server", { http: { status: 405 }, body: { form: "text", bytes: bytesOf("no") } })],
    ],
    ["server: event", [bare("server", { event: { id: "1" } })]],
    ["client: GET /a�b", [bare("client", { http: { method: "GET", path: "/a\nb" } })]],
  ])("%s", (expected, entries) => {
    expect(label(...entries)).toBe(expected);
  });

  test("an answered request is forgotten, and only so many open ones are kept", () => {
    const answer = said("server", { jsonrpc: "2.0", id: 1, result: {} });
    expect(label(asked, answer, answer)).toBe("server: result");
    const others = Array.from({ length: 10_000 }, (_, i) => said("client", { id: `${i}`, method: "ping" }));
    expect(label(asked, ...others, answer)).toBe("server: result");
    expect(label(asked, ...others.slice(1), answer)).toBe("server: result of tools/list");
  });
});

describe("strings", () => {
  const member = (value: JsonValue) =>
    /^ {2}v:(.*)\n(?:closed.*|\.\.\.)\n$/ms.exec(documents(said("client", { v: value })))?.[1];

  test.each([
    ["Oslo", "Oslo"],
    ["3 °C, rain", "3 °C, rain"],
    ["https://example.com/?a=b#c", "https://example.com/?a=b#c"],
    ["日本 😀", "日本 😀"],
    ["", '""'],
    ["2.0", '"2.0"'],
    ["2025-06-18", '"2025-06-18"'],
    ["12:30:45", '"12:30:45"'],
    ["0x1F", '"0x1F"'],
    ["1e5", '"1e5"'],
    ["-1", '"-1"'],
    [".5", '".5"'],
    ["null", '"null"'],
    ["Yes", '"Yes"'],
    ["off", '"off"'],
    ["y", '"y"'],
    ["~", '"~"'],
    ["=", '"="'],
    ["<<", '"<<"'],
    ["- a", '"- a"'],
    ["a: b", '"a: b"'],
    ["a:", '"a:"'],
    ["a #b", '"a #b"'],
    ["a#b", "a#b"],
    [" a", '" a"'],
    ["a ", '"a "'],
    ["*a", '"*a"'],
    ['{"a":1}', `'{"a":1}'`],
    ['it\'s "so"', 'it\'s "so"'],
    ["'so' or \"so\"", `"'so' or \\"so\\""`],
    ["a\tb", '"a\\tb"'],
    ["a\u0085b", '"a\\u0085b"'],
    ["a\u2028b", '"a\\u2028b"'],
    ["\ufeffa", '"\\ufeffa"'],
    ["a\nb", "|-\n    a\n    b"],
    ["a\nb\n", "|\n    a\n    b"],
    ["a\n\nb\n\n", "|+\n    a\n\n    b\n"],
    ["\n a\n", "|2\n\n     a"],
    ["  a\nb", "|2-\n      a\n    b"],
    ["\na\nb", "|-\n\n    a\n    b"],
    ["  \na", '"  \\na"'],
    ["a\nb ", '"a\\nb "'],
    ["\n\n", '"\\n\\n"'],
    ["a\r\nb", '"a\\r\\nb"'],
    ["a\n\u0007", '"a\\n\\u0007"'],
  ])("%j", (value, written) => {
    expect(member(value)).toBe(` ${written}`);
    expect(load(`v: ${written.replaceAll("\n    ", "\n  ")}\n`)).toEqual({ v: value });
  });
});

test("containers are on one line where they fit in 80 columns, a member or an item a line where not", () => {
  const short = { name: "a", list: [1, null, "b, c"], none: {}, empty: [] };
  const long = "x".repeat(60);
  expect(
    documents(
      said("client", {
        short,
        long: { a: long, b: { c: long } },
        lists: [[long, [long]], [{ a: long }], []],
      }),
    ),
  ).toBe(`\
--- # client: noise
at: 0
from: client
message:
  short: { name: a, list: [1, null, "b, c"], none: {}, empty: [] }
  long:
    a: ${long}
    b: { c: ${long} }
  lists:
    - - ${long}
      - [${long}]
    - [{ a: ${long} }]
    - []
...
`);
  const width = Math.max(
    ...documents(said("client", { fits: { a: "x".repeat(66) } }))
      .split("\n")
      .map((line) => line.length),
  );
  expect(width).toBeLessThanOrEqual(80);
});

test("a batch is a list of messages, each with its members below", () => {
  expect(documents(said("client", [{ jsonrpc: "2.0", method: "a" }, 5, [], [1], {}]))).toContain(`
message:
  - jsonrpc: "2.0"
    method: a
  - 5
  - []
  - [1]
  - {}
`);
});

test("keys are quoted like strings, and long ones are explicit keys", () => {
  const key = "k".repeat(1100);
  const text = documents(
    said("client", { on: 1, "": 2, "a b": 3, $ref: 4, "io.mcp/x": 5, [key]: { a: [] } }),
  );
  expect(text).toContain('\n  "on": 1\n  "": 2\n  "a b": 3\n  $ref: 4\n  io.mcp/x: 5\n');
  expect(text).toContain(`\n  ? ${key}\n  :\n    a: []\n`);
  expect(load(text)).toMatchObject({ message: { on: 1, "": 2, "a b": 3, [key]: { a: [] } } });
});

test("a message nested too deeply for YAML is kept as exact text", () => {
  const raw = (json: string): Entry => ({ at: 0, from: "client", session: 1, body: jsonBody(json) });
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const [shallow, abyss] = readAll(codec, fileOf(codec, [raw(deep(150)), raw(deep(5000))])).entries;
  expect(shallow?.body?.form).toBe("message");
  expect(abyss?.body?.form).toBe("json");
  expect(textOf(abyss?.body?.bytes as Uint8Array)).toBe(deep(5000));
});

test("ids that are no plain word or number are given as their token", () => {
  const on = (id: string) => /^on: .*$/m.exec(documents(bare("server", { on: { id } })))?.[0];
  expect(on("3")).toBe("on: 3");
  expect(on('"3"')).toBe('on: "3"');
  expect(on('"get"')).toBe(`on: { id: '"get"' }`);
  expect(on("null")).toBe('on: { id: "null" }');
  expect(on("9007199254740993")).toBe('on: { id: "9007199254740993" }');
  expect(on("1.0")).toBe('on: { id: "1.0" }');
  expect(/^on: .*$/m.exec(documents(bare("server", { on: "get" })))?.[0]).toBe("on: get");
});
