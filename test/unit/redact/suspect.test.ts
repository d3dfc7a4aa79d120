import { expect, test } from "vitest";
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
