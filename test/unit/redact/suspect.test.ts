import { describe, expect, test } from "vitest";
import { isSuspect } from "../../../src/redact/suspect.ts";

test("a name that is none of a credential's spares no other that stands in the same memory later", () => {
  const memory = Buffer.alloc(64);
  const isSuspectAs = (text: string): boolean => {
    const length = memory.write(text);
    return isSuspect(memory.subarray(0, length));
  };
  expect(isSuspectAs('{"tokens":"aaaa"}')).toBe(false);
  expect(isSuspectAs('{"token1":"aaaa"}')).toBe(true);
});

describe("a trigger at the end of a long text", () => {
  test.each([0, 1, 2, 3])("is found when %d more bytes stand before it in memory", (lead) => {
    for (const before of [700, 701, 702, 703]) {
      const memory = new TextEncoder().encode(`${" ".repeat(lead + before)}?key=`);
      expect(isSuspect(memory.subarray(lead))).toBe(true);
      expect(isSuspect(memory.subarray(lead), 0, before)).toBe(false);
    }
  });
});
