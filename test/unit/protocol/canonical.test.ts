import { describe, expect, test } from "vitest";
import { type CanonicalOptions, canonicalJson } from "../../../src/protocol/canonical.ts";
import { canonicalNumber } from "../../../src/protocol/json-exact.ts";

const encoder = new TextEncoder();

function ofText(text: string, omit?: (pointer: string) => boolean): string {
  return canonicalJson(encoder.encode(text), { omit });
}

describe("numbers", () => {
  test.each([
    ["1", ["1", "1.0", "10e-1", "0.1e1", "1E0", "100e-02"]],
    ["0", ["0", "-0", "0.000", "0e999999999999999999999", "-0E-5"]],
    ["-15", ["-15", "-1.5e1", "-150e-1"]],
    ["0.000001", ["0.000001", "1e-6"]],
    ["1e-7", ["0.0000001", "1e-7", "10E-8"]],
    ["100000000000000000000", ["1e20", "100000000000000000000"]],
    ["1e+21", ["1e21", "1000000000000000000000", "1E+21"]],
    ["1.2345678901234567890123e+25", ["12345678901234567890123000"]],
    ["1234567.25", ["1234567.250"]],
    [
      "1e+99999999999999999999",
      ["1e99999999999999999999", "10e99999999999999999998", "0.01E100000000000000000001"],
    ],
    ["1e-99999999999999999999", ["1e-99999999999999999999", "0.1e-99999999999999999998"]],
  ])("%s", (expected, spellings) => {
    for (const spelling of spellings) {
      expect(canonicalNumber(spelling)).toBe(expected);
      expect(ofText(spelling)).toBe(expected);
    }
  });

  test("neighbours beyond 2^53 differ in bytes", () => {
    expect(ofText("[9007199254740993]")).not.toBe(ofText("[9007199254740992]"));
    expect(ofText("[9007199254740993]")).toBe("[9007199254740993]");
    expect(ofText("1e400")).not.toBe(ofText("1e500"));
  });

  test.each([0, -0, 1, -1.5, 0.1, 1e21, 1e-7, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE, 123456789.125])(
    "%d as a value and as bytes",
    (number) => {
      expect(canonicalJson(number)).toBe(ofText(JSON.stringify(number)));
      expect(canonicalJson(number)).toBe(ofText(number.toExponential()));
    },
  );

  test("an infinity that JSON.parse made is no other number", () => {
    expect(canonicalJson(JSON.parse("[1e400]"))).toBe("[Infinity]");
  });
});

describe("structure", () => {
  test("members are sorted by code units, at every depth and on both ways", () => {
    const text =
      '{ "b" : [ { "z":1, "a":2 } ], "B": {}, "é": null, "😀":true, "\ufb01": [], "10": 1, "9": 2 }';
    const expected = '{"10":1,"9":2,"B":{},"b":[{"a":2,"z":1}],"é":null,"😀":true,"\ufb01":[]}';
    expect(canonicalJson(JSON.parse(text))).toBe(expected);
    expect(ofText(text)).toBe(expected);
  });

  test("strings are spelt one way, and half characters stay apart", () => {
    expect(ofText('"\\u00e9\\/\\u0041\\n"')).toBe('"é/A\\n"');
    expect(ofText('"\\ud83d"')).toBe('"\\ud83d"');
    expect(ofText('["1",1]')).toBe('["1",1]');
  });

  test("of a key twice the last counts", () => {
    expect(ofText('{"a":1,"b":2,"\\u0061":{"c":1.0}}')).toBe('{"a":{"c":1},"b":2}');
  });

  test("keys with a meaning elsewhere are keys", () => {
    const text = '{"toString":1,"__proto__":{"x":1},"constructor":2}';
    expect(ofText(text)).toBe('{"__proto__":{"x":1},"constructor":2,"toString":1}');
    expect(ofText(text.replace("2}", "2.0}"))).toBe(ofText(text));
  });

  test.each(["1", "1.0"])("no depth overflows (%s inside)", (inside) => {
    const nested = `${'{"a":['.repeat(50_000)}${inside}${"]}".repeat(50_000)}`;
    expect(ofText(nested)).toBe(`${'{"a":['.repeat(50_000)}1${"]}".repeat(50_000)}`);
  });

  test.each(["", "{", "[1,]", "nul"])("%j is refused", (text) => {
    expect(() => ofText(text)).toThrow(SyntaxError);
  });

  test("bytes that are no UTF-8 are refused", () => {
    expect(() => canonicalJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(SyntaxError);
  });
});

describe("omit", () => {
  const text = '{"_meta":{"token":1},"a/b":{"~":1,"x":2},"list":[{"t":1,"v":2},{"t":3}],"n":1}';

  test.each([
    [["/_meta"], '{"a/b":{"x":2,"~":1},"list":[{"t":1,"v":2},{"t":3}],"n":1}'],
    [["/_meta/token", "/list"], '{"_meta":{},"a/b":{"x":2,"~":1},"n":1}'],
    [["/a~1b/~0", "/list/0", "/_meta"], '{"a/b":{"x":2},"list":[{"t":3}],"n":1}'],
    [["/list/0/t", "/list/1/t", "/_meta", "/a~1b"], '{"list":[{"v":2},{}],"n":1}'],
    [["", "/none"], '{"_meta":{"token":1},"a/b":{"x":2,"~":1},"list":[{"t":1,"v":2},{"t":3}],"n":1}'],
  ])("%j", (pointers, expected) => {
    const omit = (pointer: string) => pointers.includes(pointer);
    expect(canonicalJson(JSON.parse(text), { omit })).toBe(expected);
    expect(ofText(text, omit)).toBe(expected);
    expect(ofText(text.replace('"n":1', '"n":1.0'), omit)).toBe(expected);
  });
});

describe("rewrite", () => {
  const text = '{"a":{"b":1},"list":[2,{"x":1,"at":9},1]}';
  const of = (rewrite: CanonicalOptions["rewrite"], omit?: CanonicalOptions["omit"]) => {
    const options = { rewrite, omit };
    const plain = canonicalJson(JSON.parse(text), options);
    expect(canonicalJson(encoder.encode(text.replace("[2,", "[2.0,")), options)).toBe(plain);
    return plain;
  };

  test("gives values other texts, and is not asked about what is in them", () => {
    const asked: string[] = [];
    const rewrite: CanonicalOptions["rewrite"] = (pointer, plain) => {
      asked.push(pointer);
      return pointer === "/a" ? `<${plain.whole()}>` : undefined;
    };
    expect(of(rewrite)).toBe('{"a":<{"b":1}>,"list":[2,{"at":9,"x":1},1]}');
    expect(asked).not.toContain("");
    expect(asked).not.toContain("/a/b/x");
  });

  test("elements have their own texts, without what is left out", () => {
    const rewrite: CanonicalOptions["rewrite"] = (pointer, plain) =>
      pointer === "/list"
        ? plain.elements()?.concat().sort().join()
        : pointer === "/list/1/x"
          ? "X"
          : undefined;
    expect(of(rewrite, (pointer) => pointer === "/list/1/at")).toBe('{"a":{"b":1},"list":1,2,{"x":X}}');
    expect(of(rewrite, (pointer) => pointer === "/list/1")).toBe('{"a":{"b":1},"list":1,2}');
    expect(of((pointer, plain) => (pointer === "/a" ? String(plain.elements()) : undefined))).toContain(
      '"a":undefined',
    );
  });
});
