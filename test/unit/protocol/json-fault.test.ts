import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonFault } from "../../../src/protocol/json-fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const seed = Number(process.env.FC_SEED ?? 1);

describe("jsonFault", () => {
  test("finds a fault exactly where JSON.parse does", () => {
    const piece = fc.constantFrom(
      ..."{}[]:,",
      '"a"',
      '"\\n"',
      '"\\x"',
      "1",
      "-0.5e3",
      "01",
      "true",
      "nul",
      " ",
      "\n",
      "\u00a0",
    );
    const text = fc.oneof(
      fc.json(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (one) => {
        expect(jsonFault(one) === undefined).toBe(isJson(one));
      }),
      { seed, numRuns: 3000 },
    );
  });

  test.each([
    ['{"a": x}', 6, "a value"],
    ['{"a": 1,}', 8, "a key in double quotes"],
    ["{a: 1}", 1, "a key in double quotes or }"],
    ['{"a" 1}', 5, ":"],
    ['{"a": 1 "b"', 8, ", or }"],
    ["[1 2]", 3, ", or ]"],
    ["[1,]", 3, "a value"],
    ["[", 1, "a value or ]"],
    ["{} {}", 3, "nothing more"],
    ["", 0, "a value"],
  ])("%s", (text, offset, expected) => {
    expect(jsonFault(text)).toEqual({ offset, expected });
  });
});
