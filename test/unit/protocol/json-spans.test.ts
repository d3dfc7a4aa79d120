import { describe, expect, test } from "vitest";
import { textOf } from "../../../src/protocol/message.ts";
import {
  findSpan,
  memberSpans,
  replaceSpan,
  replaceSpans,
  type Span,
} from "../../../src/protocol/scan-json.ts";

const encoder = new TextEncoder();

function found(text: string, path: readonly (string | number)[], within?: Span): string | undefined {
  const bytes = encoder.encode(text);
  const span = findSpan(bytes, path, within);
  return span && textOf(bytes.subarray(span.start, span.end));
}

describe("findSpan", () => {
  const text = ' { "a" : [ 1 , { "b/c" : "]}" } , [ ] ] , "é" : { "" : null } , "a\\n": -1.5e3 } ';

  test.each([
    [[], text.trim()],
    [["a"], '[ 1 , { "b/c" : "]}" } , [ ] ]'],
    [["a", 0], "1"],
    [["a", 1, "b/c"], '"]}"'],
    [["a", 2], "[ ]"],
    [["é", ""], "null"],
    [["a\n"], "-1.5e3"],
  ])("%j", (path, expected) => {
    expect(found(text, path)).toBe(expected);
  });

  test.each([
    [["b"]],
    [["a", 3]],
    [["a", -1]],
    [["a", 0.5]],
    [["a", "0"]],
    [["a", 2, 0]],
    [["a", 0, "b"]],
    [[0]],
    [["é", "\ud800"]],
    [["\ufffd"]],
  ])("%j leads nowhere", (path) => {
    expect(found(text, path)).toBeUndefined();
  });

  test("takes the last of equal keys, as JSON.parse does", () => {
    expect(found('{"a":{"x":1},"b":2,"\\u0061":{"y":[3]}}', ["a", "y", 0])).toBe("3");
    expect(found('{"a":{"x":1},"a":{"y":2}}', ["a", "x"])).toBeUndefined();
  });

  test("keeps a replacement character and an escaped half of a character apart", () => {
    expect(found('{"\ufffd":1,"\\ud800":2}', ["\ud800"])).toBe("2");
    expect(found('{"\\ud800":2,"\ufffd":1}', ["\ufffd"])).toBe("1");
  });

  test("starts within a value", () => {
    const outer = '{"x":{"a":1},"y":{"a":2}}';
    expect(found(outer, ["a"], { start: 5, end: 12 })).toBe("1");
    expect(found(outer, ["a"], { start: 17, end: 24 })).toBe("2");
    expect(found(outer, [], { start: 10, end: 11 })).toBe("1");
  });

  test.each(["", "{", '{"a', '{"a"', '{"a":', '{"a":[', '{"a":"x', "]", "{a}", '{"a" "b"}'])(
    "comes back from %j, which is no JSON",
    (broken) => {
      expect(() => findSpan(encoder.encode(broken), ["a", 1, "b"])).not.toThrow();
    },
  );

  test("does not overflow on what it skips", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(found(`{"deep":${deep},"id":7}`, ["id"])).toBe("7");
  });
});

describe("memberSpans", () => {
  test("names every member of a line, in order", () => {
    const line = '{"at":812,"from":"client","message":{"id":1},"\\u0061t": [ 2 ] }';
    const members = memberSpans(encoder.encode(line)) ?? [];
    expect(members.map(({ key, keyStart, value }) => [key, line.slice(keyStart, value.end)])).toEqual([
      ["at", '"at":812'],
      ["from", '"from":"client"'],
      ["message", '"message":{"id":1}'],
      ["at", '"\\u0061t": [ 2 ]'],
    ]);
    expect(members.map(({ value }) => line.slice(value.start, value.end))).toEqual([
      "812",
      '"client"',
      '{"id":1}',
      "[ 2 ]",
    ]);
    expect(memberSpans(encoder.encode(" {} "))).toEqual([]);
  });

  test.each(["", "[]", "1", '"{}"', '{"a":[1,]}', '{"a":{"b":01}}', '{"a":"\u0001"}', '{"a":1} x', '{"a":1'])(
    "%j is no object line",
    (line) => {
      expect(memberSpans(encoder.encode(line))).toBeUndefined();
    },
  );
});

describe("replacing", () => {
  const bytes = encoder.encode('{"id":1,"token":"é"}');
  const replacement = encoder.encode('"long"');

  test("one place", () => {
    expect(textOf(replaceSpan(bytes, { start: 6, end: 7 }, replacement))).toBe('{"id":"long","token":"é"}');
    expect(textOf(bytes)).toBe('{"id":1,"token":"é"}');
  });

  test("several places, and none", () => {
    const spans = [
      { span: { start: 6, end: 7 }, replacement },
      { span: { start: 16, end: 20 }, replacement: encoder.encode("2") },
    ];
    expect(textOf(replaceSpans(bytes, spans))).toBe('{"id":"long","token":2}');
    expect(replaceSpans(bytes, [])).toEqual(bytes);
    expect(() => replaceSpans(bytes, spans.toReversed())).toThrow(RangeError);
  });

  test.each([[{ start: 6, end: 99 }], [{ start: 7, end: 6 }], [{ start: -1, end: 6 }]])(
    "refuses %j",
    (span) => {
      expect(() => replaceSpan(bytes, span, replacement)).toThrow(RangeError);
    },
  );
});
