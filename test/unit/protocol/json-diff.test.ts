import { describe, expect, test } from "vitest";
import { diffJson, escapePointer, pointerOf } from "../../../src/protocol/json-diff.ts";
import type { JsonValue } from "../../../src/protocol/message.ts";

describe("diffJson", () => {
  test("names what was added, removed and changed, in a fixed order", () => {
    const before = { z: 1, same: [1], list: [1, 2, 3], deep: { a: { b: null } }, "a/b~": 1 };
    const after = { "a/b~": 2, deep: { a: { b: false } }, new: {}, list: [1, { x: 1 }], same: [1] };
    expect(diffJson(before, after)).toEqual([
      { pointer: "/a~1b~0", kind: "changed", before: 1, after: 2 },
      { pointer: "/deep/a/b", kind: "changed", before: null, after: false },
      { pointer: "/list/1", kind: "changed", before: 2, after: { x: 1 } },
      { pointer: "/list/2", kind: "removed", before: 3 },
      { pointer: "/new", kind: "added", after: {} },
      { pointer: "/z", kind: "removed", before: 1 },
    ]);
  });

  test.each<[JsonValue, JsonValue]>([
    [1, "1"],
    [null, {}],
    [[], {}],
    [{}, null],
    [0, false],
    ["", null],
  ])("%j and %j differ as a whole", (before, after) => {
    expect(diffJson(before, after)).toEqual([{ pointer: "", kind: "changed", before, after }]);
  });

  test.each<[JsonValue, JsonValue]>([
    [0, -0],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [[[]], [[]]],
  ])("%j and %j are equal", (before, after) => {
    expect(diffJson(before, after)).toEqual([]);
  });

  test("inherited names are no members", () => {
    const before = JSON.parse('{"constructor":1,"__proto__":{"x":1}}');
    expect(diffJson(before, {})).toEqual([
      { pointer: "/__proto__", kind: "removed", before: { x: 1 } },
      { pointer: "/constructor", kind: "removed", before: 1 },
    ]);
    expect(diffJson({}, { toString: 1 })).toEqual([{ pointer: "/toString", kind: "added", after: 1 }]);
  });

  test("stops at the limit", () => {
    expect(diffJson([1, 2, 3], [4, 5, 6], { limit: 2 }).map(({ pointer }) => pointer)).toEqual(["/0", "/1"]);
    expect(diffJson(1, 2, { limit: 0 })).toEqual([]);
  });

  test("no depth overflows", () => {
    const nested = (inside: string) => JSON.parse(`${"[".repeat(50_000)}${inside}${"]".repeat(50_000)}`);
    expect(diffJson(nested("1"), nested("1"))).toEqual([]);
    expect(diffJson(nested("1"), nested("2"))).toMatchObject([{ kind: "changed", before: 1, after: 2 }]);
  });
});

test("pointers escape what RFC 6901 says", () => {
  expect(pointerOf([])).toBe("");
  expect(pointerOf(["a/b", 0, "", "~1", "m~n"])).toBe("/a~1b/0//~01/m~0n");
  expect(escapePointer("~/")).toBe("~0~1");
  expect(escapePointer(3)).toBe("3");
});
