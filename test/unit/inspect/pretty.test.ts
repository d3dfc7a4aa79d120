import { expect, test } from "vitest";
// @ts-expect-error the page's scripts are plain JavaScript
import { prettyJson } from "../../../src/inspect/page/pretty.js";

const pretty = (json: string): string =>
  prettyJson(json)
    .map(([, text]: [string, string]) => text)
    .join("");

test("JSON is indented as JSON.stringify does it", () => {
  const value = { a: [1, { b: [], c: {} }, 'x, {y}: "z"\\'], d: null, e: true, f: -1.5e-7 };
  expect(pretty(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(pretty(JSON.stringify(value, null, 1))).toBe(JSON.stringify(value, null, 2));
});

test("tokens keep their spelling, and their kinds are told", () => {
  expect(prettyJson('{"a":1.0,"b":9007199254740993,"c":"\\u00e9"}')).toEqual([
    ["", "{"],
    ["", "\n  "],
    ["key", '"a"'],
    ["", ": "],
    ["number", "1.0"],
    ["", ","],
    ["", "\n  "],
    ["key", '"b"'],
    ["", ": "],
    ["number", "9007199254740993"],
    ["", ","],
    ["", "\n  "],
    ["key", '"c"'],
    ["", ": "],
    ["string", '"\\u00e9"'],
    ["", "\n"],
    ["", "}"],
  ]);
});
