import { describe, expect, test } from "vitest";
import { findSpan, replaceSpans, type Span } from "../../../../src/protocol/scan-json.ts";
import { adding, cutting } from "../../../../src/replay/eras/members.ts";
import { bytesOf, textOf } from "../../../cases/tape.ts";

const rootOf = (text: string): Span => findSpan(bytesOf(text), []) as Span;
const added = (text: string, ...members: string[]) =>
  textOf(replaceSpans(bytesOf(text), [adding(bytesOf(text), rootOf(text), members)]));
const cut = (text: string, ...names: string[]) =>
  textOf(
    replaceSpans(
      bytesOf(text),
      cutting(bytesOf(text), rootOf(text), ({ key }) => names.includes(key)),
    ),
  );

test.each([
  ["{}", '{"x":1,"y":2}'],
  ["{ }", '{"x":1,"y":2 }'],
  ['{"a":1.0}', '{"x":1,"y":2,"a":1.0}'],
  [' { "a" : 1 } ', ' { "x":1,"y":2,"a" : 1 } '],
])("members are put before all others: %s", (text, expected) => {
  expect(added(text, '"x":1', '"y":2')).toBe(expected);
  expect(cut(expected, "x", "y")).toBe(text);
});

describe("members are taken out with one comma each", () => {
  test.each([
    ['{"a":1}', "{}"],
    ['{"a":1, "b":2}', '{"b":2}'],
    ['{"b":2 , "a":1}', '{"b":2}'],
    ['{"b":2,"a":1,"c":3}', '{"b":2,"c":3}'],
    ['{"b":2,"a":1,"a":3}', '{"b":2}'],
    ['{"a":[1,{"a":2}],"b":{"a":1},"\\u0061":4}', '{"b":{"a":1}}'],
    ['{"b":2}', '{"b":2}'],
    ["{}", "{}"],
    ["[1]", "[1]"],
  ])("%s", (text, expected) => {
    expect(cut(text, "a")).toBe(expected);
  });
});
