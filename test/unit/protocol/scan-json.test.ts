import { describe, expect, test } from "vitest";
import { textOf } from "../../../src/protocol/message.ts";
import { type JsonScan, scanJson } from "../../../src/protocol/scan-json.ts";

const encoder = new TextEncoder();

function scan(text: string): JsonScan {
  return scanJson(encoder.encode(text));
}

function members(text: string): Record<string, string> {
  const bytes = encoder.encode(text);
  const entries = Object.entries(scanJson(bytes).members);
  return Object.fromEntries(
    entries.map(([name, { start, end }]) => [name, textOf(bytes.subarray(start, end))]),
  );
}

describe("validity", () => {
  test.each([
    ["", "nothing"],
    ["  ", "white space alone"],
    ["\ufeff{}", "a byte order mark"],
    ["{} {}", "two values"],
    ["[1,]", "a comma at the end"],
    ['{"a":1,}', "a comma at an object's end"],
    ["{,}", "a comma alone"],
    ["[1 2]", "no comma"],
    ["[}", "brackets of two kinds"],
    ['{"a" 1}', "no colon"],
    ["{a:1}", "a bare key"],
    ['{1:"a"}', "a number as key"],
    ["01", "a leading zero"],
    ["-", "a sign alone"],
    ["+1", "a plus"],
    [".5", "no digit before the dot"],
    ["1.", "no digit behind the dot"],
    ["1e", "no digit behind the e"],
    ["1e+", "no digit behind the sign"],
    ["0x10", "hexadecimal"],
    ["NaN", "NaN"],
    ["Infinity", "Infinity"],
    ["tru", "half a word"],
    ["truely", "more than a word"],
    ["nulL", "a word in other letters"],
    ['"a', "an open string"],
    ['"\\', "an open escape"],
    ['"\\x41"', "an unknown escape"],
    ['"\\u12g4"', "no hexadecimal digit"],
    ['"\\u12"', "too few digits"],
    ['"a\nb"', "a raw line break in a string"],
    ["'a'", "single quotes"],
    ["[1]\u00a0", "white space of another kind"],
    ["[1]\u2028", "a line separator"],
    ["// no\n1", "a comment"],
    [`["${"x".repeat(200)}]`, "a long open string"],
    [`"${"x".repeat(99)}\t${"x".repeat(99)}"`, "a raw tab in a long string"],
  ])("%j is refused: %s", (text) => {
    expect(scan(text)).toEqual({ valid: false, root: "none", members: {}, items: [], harmed: false });
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test.each([
    ["c0 80", "an overlong NUL"],
    ["c1 bf", "an overlong letter"],
    ["e0 80 80", "an overlong of three"],
    ["f0 8f bf bf", "an overlong of four"],
    ["ed a0 80", "a high surrogate"],
    ["ed bf bf", "a low surrogate"],
    ["f4 90 80 80", "above U+10FFFF"],
    ["f5 80 80 80", "a lead byte that never is"],
    ["80", "a byte of the middle alone"],
    ["e2 82", "a character cut off"],
    ["f0 9f 98", "an emoji cut off"],
    ["ff", "no UTF-8 at all"],
  ])("%s in a string is refused: %s", (hex) => {
    const odd = hex.split(" ").map((byte) => Number.parseInt(byte, 16));
    for (const before of [0, 3, 60]) {
      const padding = new Array<number>(before).fill(0x78);
      expect(scanJson(Uint8Array.from([0x22, ...padding, ...odd, 0x22])).valid).toBe(false);
      expect(scanJson(Uint8Array.from([0x22, ...padding, 0x78, 0x22])).valid).toBe(true);
    }
  });

  test.each(["[", '{"a":', '[{"":'])("100,000 times %j does not overflow", (open) => {
    const close = [...open].reverse().map((c) => ({ "[": "]", "{": "}" })[c] ?? "");
    const text = `${open.repeat(100_000)}1${close.join("").repeat(100_000)}`;
    expect(scan(text)).toMatchObject({ valid: true, harmed: false });
    expect(scan(text.slice(0, -1)).valid).toBe(false);
    expect(scan(`${text}]`).valid).toBe(false);
  });
});

describe("the root", () => {
  test.each([
    [" {} ", "object"],
    ["[]", "array"],
    ['"a"', "string"],
    ["-1", "number"],
    ["null", "literal"],
    ["true", "literal"],
  ])("of %j is %s", (text, root) => {
    expect(scan(text)).toMatchObject({ valid: true, root });
  });

  test("knows the members of JSON-RPC, without the space around them", () => {
    const text =
      ' { "jsonrpc" : "2.0" , "id":\n[1] , "extra": 1, "method":"m", "params" : { "id": 2, "x": [ ] }}';
    expect(members(text)).toEqual({
      jsonrpc: '"2.0"',
      id: "[1]",
      method: '"m"',
      params: '{ "id": 2, "x": [ ] }',
    });
    expect(members('{"result":true,"error":{}}')).toEqual({ result: "true", error: "{}" });
  });

  test("compares keys by what they denote, and takes the last of several", () => {
    expect(members('{"i\\u0064":1,"ID":2," id":3}')).toEqual({ id: "1" });
    expect(members('{"id":1,"\\u0069d":2}')).toEqual({ id: "2" });
    expect(members('[{"id":1}]')).toEqual({});
  });

  test("gives the elements of an array", () => {
    const text = ' [ 1 , {"a":[2]},[],"," ] ';
    const { items } = scan(text);
    expect(items.map(({ start, end }) => text.slice(start, end))).toEqual(["1", '{"a":[2]}', "[]", '","']);
    expect(scan('{"a":[1]}').items).toEqual([]);
  });
});

describe("harm", () => {
  test.each([
    ["9007199254740993", "an integer beyond 2^53"],
    ["1000000000000000000000", "an integer JavaScript writes with an exponent"],
    ["1.0", "a zero that would go"],
    ["0.0", "a zero that would go"],
    ["1.50", "a zero that would go"],
    ["1e5", "an exponent that would be written out"],
    ["1E21", "an exponent in other letters"],
    ["-0", "minus zero"],
    ["1E400", "infinity"],
    ["1e-400", "underflow"],
    ["0.0000001", "written with an exponent"],
    ["0.1234567890123456789", "more digits than a double has"],
    ['{"a":1,"a":1}', "a key twice"],
    ['{"a":1,"\\u0061":1}', "a key twice, in other letters"],
    ['{"é":1,"\\u00e9":1}', "a key twice, once escaped"],
    ['[{"":0,"":0}]', "an empty key twice"],
    ['{"b":1,"0":1}', "an index behind a name"],
    ['{"2":1,"1":1}', "indexes that fall"],
    ['{"10":1,"9":1}', "indexes that fall, as numbers"],
    ['{"b":1,"4294967294":1}', "the largest index"],
    ['{"b":1,"\\u0030":1}', "an escaped index"],
    ['"\\ud83d"', "half a character"],
    ['"\\ude00\\ud83d"', "two halves in the wrong order"],
    ['{"\\ud83d":1}', "half a character in a key"],
  ])("%s: %s", (text) => {
    expect(scan(text)).toMatchObject({ valid: true, harmed: true });
    expect(scan(`{"x":[${text}]}`).harmed).toBe(true);
  });

  test.each([
    ["0", "zero"],
    ["-1", "a sign"],
    ["9007199254740991", "the largest safe integer"],
    ["9007199254740992", "an integer JavaScript writes alike"],
    ["0.000001", "the smallest without exponent"],
    ["-0.05", "a decimal"],
    ["123456.789", "a decimal"],
    ["1e+21", "an exponent as JavaScript writes it"],
    ["1.5e-7", "an exponent as JavaScript writes it"],
    ["5e-324", "the smallest double"],
    ['"\\u00e9\\/\\ud83d\\ude00"', "escapes that only spell differently"],
    ['{"a":{"a":[{"a":1},{"a":1}]},"b":{"a":1}}', "one key in several objects"],
    ['{"0":1,"1":1,"10":1,"a":1}', "indexes that rise before names"],
    ['{"b":1,"01":1,"1.0":1,"-1":1,"4294967295":1,"99999999999":1}', "names that are no index"],
    ['{"__proto__":1,"constructor":2}', "names with a meaning elsewhere"],
    [" [ 1 , 2 ]\n", "white space"],
  ])("not %s: %s", (text) => {
    expect(scan(text)).toMatchObject({ valid: true, harmed: false });
    expect(scan(`{"x":[${text}]}`).harmed).toBe(false);
  });

  const names = (count: number, prefix = "key") =>
    Array.from({ length: count }, (_, i) => `"${prefix}${i}":${i}`);

  test.each([7, 8, 9, 10, 100, 5000])("a key twice is found among %i", (count) => {
    const all = names(count);
    expect(scan(`{${all.join(",")}}`).harmed).toBe(false);
    for (const again of [0, count >> 1, count - 1]) {
      expect(scan(`{${[...all, all[again]].join(",")}}`).harmed).toBe(true);
    }
    expect(scan(`{${all.join(",")},"k\\u0065y${count - 1}":0}`).harmed).toBe(true);
  });

  test("large objects inside large objects keep their keys apart", () => {
    const inner = `{${names(300).join(",")}}`;
    const outer = [...names(40), `"in":${inner}`, `"again":${inner}`, ...names(400, "late")];
    expect(scan(`{${outer.join(",")}}`).harmed).toBe(false);
    expect(scan(`{${outer.join(",")},"key39":0}`).harmed).toBe(true);
    expect(scan(`{${outer.join(",")},"key299":0}`).harmed).toBe(false);
    expect(scan(`{${outer.join(",")},"late0":0}`).harmed).toBe(true);
  });

  test("one text leaves nothing behind for the next, broken off or not", () => {
    const large = `{${names(100_000).join(",")}`;
    expect(scan(large).valid).toBe(false);
    expect(scan(`${large},"key5":0}`).harmed).toBe(true);
    expect(scan(`${large}}`)).toMatchObject({ valid: true, harmed: false });
    expect(scan('{"key5":0}').harmed).toBe(false);
  });
});
