import { describe, expect, test } from "vitest";
import { JsonlDecoder } from "../../../src/cassette/jsonl/decode.ts";
import { type Formats, type Migration, readableFormat } from "../../../src/cassette/migrations.ts";
import { YamlDecoder } from "../../../src/cassette/yaml/decode.ts";
import type { Entry } from "../../../src/exchange/entry.ts";
import { bytesOf, codecOf, fileOf, HEADER, jsonBody, readAll, shown, textOf } from "./support.ts";

const ENTRIES: Entry[] = [
  { at: 1, from: "client", session: 1, body: jsonBody('{"jsonrpc":"2.0","id":1,"method":"ping"}') },
  {
    at: 2,
    from: "server",
    session: 3,
    on: { id: "1" },
    body: jsonBody('{"jsonrpc":"2.0","id":1,"result":{}}'),
  },
];

describe.each(["a.yaml", "a.jsonl"])("%s", (file) => {
  const codec = codecOf(file);

  test("the header and the line of each entry", () => {
    const { header, located, end } = readAll(codec, fileOf(codec, ENTRIES));
    expect(header).toEqual(HEADER);
    expect(located.map(({ line }) => line)).toEqual(file === "a.yaml" ? [5, 12] : [2, 3]);
    expect(end.truncated).toBeUndefined();
  });

  test("the header is known as soon as it is complete, and entries as soon as they are", () => {
    const bytes = bytesOf(fileOf(codec, ENTRIES));
    const reader = codec.decoder(file);
    const seen: [boolean, number][] = [];
    let count = 0;
    for (const byte of bytes) {
      count += reader.push(Uint8Array.of(byte)).length;
      seen.push([reader.header !== undefined, count]);
    }
    expect(seen[20]).toEqual([false, 0]);
    expect(seen).toContainEqual([true, 0]);
    expect(seen).toContainEqual([true, 1]);
    expect(count).toBe(2);
  });

  test("sessions of a concatenated recording come after those before it", () => {
    const two = fileOf(codec, ENTRIES) + fileOf(codec, ENTRIES) + fileOf(codec, ENTRIES);
    const { entries, located } = readAll(codec, two);
    expect(entries.map(({ session }) => session)).toEqual([1, 3, 4, 6, 7, 9]);
    expect(located.map(({ part }) => part.sessionBase)).toEqual([0, 0, 3, 3, 6, 6]);
  });

  test("byte order marks, CRLF and empty lines", () => {
    const text = `\ufeff${fileOf(codec, ENTRIES)}\ufeff${fileOf(codec, ENTRIES)}`.replaceAll(
      "\n",
      "\r\n\r\n",
    );
    const { entries } = readAll(codec, text);
    expect(entries.slice(0, 2).map(shown)).toEqual(ENTRIES.map(shown));
    expect(entries).toHaveLength(4);
  });

  test("what is cut off is reported with its line and left out", () => {
    const whole = fileOf(codec, ENTRIES);
    const { entries, located, end } = readAll(
      codec,
      whole.slice(0, whole.length - codec.terminator.length - 3),
    );
    expect(entries.map(shown)).toEqual([shown(ENTRIES[0] as Entry)]);
    expect(end.truncated?.line).toBe(file === "a.yaml" ? 12 : 3);
    expect(end.append.at).toBe((located[0]?.end as number) + (file === "a.yaml" ? 0 : 1));
  });
});

describe("YAML", () => {
  const codec = codecOf("a.yaml");
  const header = fileOf(codec, []).slice(0, -4);

  test("comments may stand anywhere, documents may be empty", () => {
    const text = `# my cassette\n\n${header}# more\n---\n# nothing here\n---   # a\nat: 1 # one\n\n# two\nfrom: client\n... # end\n# and\n\n---\n...\n# last\n`;
    const { entries, end } = readAll(codec, text);
    expect(entries).toEqual([{ at: 1, from: "client", session: 1 }]);
    expect(end).toEqual({ entries: [], append: { at: text.length, prefix: "" } });
    expect(readAll(codec, text.slice(0, -1)).end.append).toEqual({ at: text.length - 1, prefix: "\n" });
  });

  test("a header may have a line --- before it", () => {
    expect(readAll(codec, `---\n${header}...\n`).header).toEqual(HEADER);
  });

  test.each(["-..\n", "--.\n"])("an end that was being overwritten (%j) is still an end", (tail) => {
    const whole = fileOf(codec, ENTRIES);
    const { entries, end } = readAll(codec, whole.slice(0, -4) + tail);
    expect(entries.map(shown)).toEqual(ENTRIES.map(shown));
    expect(end.truncated).toBeUndefined();
    expect(end.append).toEqual({ at: bytesOf(whole).length - 4, prefix: "" });
  });

  test("an end without its line break is an end; a marker without its third character is none", () => {
    const whole = fileOf(codec, ENTRIES);
    expect(readAll(codec, whole.slice(0, -1)).entries).toHaveLength(2);
    expect(readAll(codec, whole.slice(0, -1)).end.append.at).toBe(bytesOf(whole).length - 4);
    expect(readAll(codec, whole.slice(0, -2)).entries).toHaveLength(1);
  });

  test("a message that YAML carries and JavaScript would change is exact text", () => {
    const { entries } = readAll(
      codec,
      `${header}---\nat: 1\nfrom: client\nmessage: { b: 1, 2: [~, True, x: y], 1: "\\ud800" }\n...\n`,
    );
    expect(entries[0]?.body?.form).toBe("json");
    expect(textOf(entries[0]?.body?.bytes as Uint8Array)).toBe(
      '{"b":1,"2":[null,true,{"x":"y"}],"1":"\\ud800"}',
    );
  });

  test("members that would change a prototype are members", () => {
    const { entries } = readAll(
      codec,
      `${header}---\nat: 1\nfrom: client\nhttp: { headers: { __proto__: a, constructor: b } }\n...\n`,
    );
    const headers = entries[0]?.http?.headers as object;
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
    expect(Object.entries(headers)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });
});

describe("JSONL", () => {
  const codec = codecOf("a.jsonl");
  const header = fileOf(codec, []);

  test("a line an entry, messages as their bytes", () => {
    expect(fileOf(codec, ENTRIES)).toBe(
      `${header}{"at":1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping"}}\n{"at":2,"from":"server","session":3,"on":1,"message":{"jsonrpc":"2.0","id":1,"result":{}}}\n`,
    );
  });

  test("a message with line breaks is put on one line, its tokens untouched", () => {
    const json = ' {\n  "a b" : "x \\" \\\\",\r\n\t"c": [ 1.5 , true ]\n}\n';
    const text = fileOf(codec, [
      { at: 0, from: "client", session: 1, body: { form: "message", bytes: bytesOf(json) } },
    ]);
    expect(text.slice(header.length)).toBe(
      '{"at":0,"from":"client","message":{"a b":"x \\" \\\\","c":[1.5,true]}}\n',
    );
  });

  test("members in any order, white space between them", () => {
    const [entry] = readAll(
      codec,
      `${header} { "message" : [1, 2] , "on": "get",\t"from": "server", "at" : 12 } \n`,
    ).entries;
    expect(shown(entry as Entry)).toEqual({
      at: 12,
      from: "server",
      session: 1,
      on: "get",
      body: { form: "message", bytes: "[1, 2]" },
    });
  });

  test("a last line counts without its line break when its object is complete", () => {
    const whole = fileOf(codec, ENTRIES);
    const { entries, end } = readAll(codec, whole.slice(0, -1));
    expect(entries).toHaveLength(2);
    expect(end).toMatchObject({ append: { at: whole.length - 1, prefix: "\n" } });
    expect(readAll(codec, whole.slice(0, -2)).entries).toHaveLength(1);
  });
});

describe("older formats", () => {
  const step: Migration = {
    header: ({ when, ...rest }) => ({ ...rest, recorded: when }),
    entry: ({ side, ...rest }) => ({ ...rest, from: side }),
  };
  const formats: Formats = { newest: 2, steps: [step] };

  test("are migrated on reading, headers and entries alike", () => {
    const old = `mcp-vcr: 1\nwhen: now\nrecorder: x\nsource: { transport: http, url: u }\n---\nat: 1\nside: client\n...\n`;
    const reader = new YamlDecoder("a.yaml", formats);
    expect(reader.push(bytesOf(old)).map(({ entry }) => entry)).toEqual([
      { at: 1, from: "client", session: 1 },
    ]);
    expect(reader.header?.recorded).toBe("now");
    const lines =
      '{"mcp-vcr":1,"when":"now","recorder":"x","source":{"transport":"http","url":"u"}}\n{"at":1,"side":"client"}\n';
    expect(new JsonlDecoder("a.jsonl", { formats }).push(bytesOf(lines)).map(({ entry }) => entry)).toEqual([
      { at: 1, from: "client", session: 1 },
    ]);
  });

  test("the current format needs no step, one too old is refused", () => {
    const now = fileOf(codecOf("a.yaml"), ENTRIES).replace("mcp-vcr: 1", "mcp-vcr: 2");
    expect(new YamlDecoder("a.yaml", formats).push(bytesOf(now))).toHaveLength(2);
    expect(() => readableFormat(1, { file: "f" }, { newest: 3, steps: [step] })).toThrow(
      /format 1 is no longer read; this mcp-vcr reads 2 to 3/,
    );
  });
});
